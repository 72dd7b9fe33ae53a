//! Makes instances of schemas: first those that nobody has seen yet, then random ones.

use fastrand::Rng;
use serde_json::{Map, Value};

use ::codegen::Node;

use super::coverage::{Coverage, Item, LENGTHS, Way};
use super::form::{Form, Kind, Member, Rest};
use super::samples;
use super::schema::{Reader, Schema};

/// An instance, and what it is an instance of.
#[derive(Clone, Debug)]
pub struct Instance {
    pub value: Value,
    /// The ways that were gone to make it.
    pub items: Vec<Item>,
}

/// Below this depth nothing is made that need not be.
const DEEP: usize = 8;

/// Below this depth the schema is taken to have no finite instance.
const BOTTOMLESS: usize = 48;

/// How many values an instance has before it is brought to an end.
const LARGE: usize = 150;

/// Makes an instance of a schema.
///
/// At each place it goes the way of the plan, if that has one; else one that `coverage` lacks; else a random one. The
/// steps of a plan are used up one after the other. Returns nothing where the schema has no instance.
pub fn instance(
    reader: &Reader<'_>,
    schema: &Schema,
    plan: &[Item],
    coverage: &Coverage,
    random: &mut Rng,
) -> Option<Instance> {
    let mut maker = Maker { reader, plan, coverage, random, items: Vec::new(), size: 0 };
    let value = maker.value(schema, 0)?;
    Some(Instance { value, items: maker.items })
}

struct Maker<'a, 'd> {
    reader: &'a Reader<'d>,
    plan: &'a [Item],
    coverage: &'a Coverage,
    random: &'a mut Rng,
    items: Vec<Item>,
    size: usize,
}

impl<'d> Maker<'_, 'd> {
    /// Makes a value other than null, unless the schema has no other.
    fn value(&mut self, schema: &Schema, depth: usize) -> Option<Value> {
        if depth > BOTTOMLESS {
            return None;
        }
        self.size += 1;
        let form = self.reader.form(schema);
        let place = schema.place();
        if let Some(choice) = &form.choice {
            let branches = self.reader.branches(choice);
            let ways = branches.iter().map(|(index, _)| Way::Branch(*index));
            let options: Vec<Item> = ways.map(|way| Item::new(choice.place, way)).collect();
            let shallow = || {
                (1..=DEEP).find_map(|limit| {
                    let mut branches = branches.iter();
                    branches.position(|(_, branch)| self.fits(branch, limit))
                })
            };
            let fallback = self.is_long(depth).then(shallow).flatten();
            let chosen = self.decide(&options, fallback);
            return self.value(branches.get(chosen)?.1, depth + 1);
        }
        if let Some(values) = &form.values {
            let options = values.iter().map(|&value| Item::new(value, Way::Value));
            let options: Vec<Item> = options.collect();
            if options.is_empty() {
                return form.null.then_some(Value::Null);
            }
            let chosen = self.decide(&options, None);
            return Some(json(self.reader.description.node(options.get(chosen)?.place)));
        }
        if form.is_free {
            let values = samples::free();
            let ways = (0..values.len()).map(|index| Item::new(place, Way::Free(index)));
            let options: Vec<Item> = ways.collect();
            return values.into_iter().nth(self.decide(&options, None));
        }
        match self.kind(&form, schema) {
            None => None,
            Some(Kind::Object) => self.object(&form, schema, depth),
            Some(Kind::Array) => self.array(&form, schema, depth),
            Some(kind) => self.scalar(&form, schema, kind),
        }
        .or_else(|| form.null.then_some(Value::Null))
    }

    fn kind(&mut self, form: &Form<'_>, schema: &Schema) -> Option<Kind> {
        let place = schema.place();
        match form.kinds.as_slice() {
            [] => None,
            [only] => Some(*only),
            kinds => {
                let options: Vec<Item> =
                    kinds.iter().map(|&kind| Item::new(place, Way::Kind(kind))).collect();
                // A plan for a value of some kind says nothing of the kind itself.
                let planned = self.plan.first().and_then(|item| match item.way {
                    Way::Sample(kind, _) if item.place == place => Some(kind),
                    _ => None,
                });
                let planned =
                    planned.and_then(|planned| kinds.iter().position(|&kind| kind == planned));
                let chosen = planned.unwrap_or_else(|| self.decide(&options, None));
                kinds.get(chosen).copied()
            }
        }
    }

    fn scalar(&mut self, form: &Form<'_>, schema: &Schema, kind: Kind) -> Option<Value> {
        let values = samples::of(form, kind);
        let options: Vec<Item> = (0..values.len())
            .map(|index| Item::new(schema.place(), Way::Sample(kind, index)))
            .collect();
        let is_wanted = |item: &Item| self.plan.first() == Some(item) || self.coverage.lacks(*item);
        if !options.iter().any(is_wanted)
            && self.random.bool()
            && let Some(value) = samples::random(form, kind, self.random)
        {
            return Some(value);
        }
        values.into_iter().nth(self.decide(&options, None))
    }

    fn array(&mut self, form: &Form<'_>, schema: &Schema, depth: usize) -> Option<Value> {
        let mut elements = Vec::new();
        for first in &form.first_items {
            elements.push(self.element(Some(first), depth)?);
        }
        for _ in 0..self.length(schema, depth) {
            elements.push(self.element(form.items.as_ref(), depth)?);
        }
        Some(Value::Array(elements))
    }

    fn length(&mut self, schema: &Schema, depth: usize) -> usize {
        let options = LENGTHS.map(|length| Item::new(schema.place(), Way::Length(length)));
        let fallback = self.is_long(depth).then_some(0);
        LENGTHS[self.decide(&options, fallback)]
    }

    /// Makes an element of an array or a map: of a schema, or anything.
    fn element(&mut self, schema: Option<&Schema>, depth: usize) -> Option<Value> {
        let Some(schema) = schema else {
            return self.random.choice(samples::free());
        };
        if self.plan.is_empty() && self.random.u8(..8) == 0 && self.reader.form(schema).null {
            return Some(Value::Null);
        }
        self.value(schema, depth + 1)
    }

    fn object(&mut self, form: &Form<'d>, schema: &Schema, depth: usize) -> Option<Value> {
        let mut members = Map::new();
        for member in &form.members {
            if member.group.is_none() {
                self.member(form, member, depth, &mut members)?;
            }
        }
        for (group, &demanded) in form.groups.iter().enumerate() {
            let grouped: Vec<_> = self.reader.grouped(form, group).collect();
            let ways = grouped.iter().map(|member| Item::new(member.schema.place(), Way::Present));
            let vacant = (!demanded).then(|| Item::new(schema.place(), Way::Vacant));
            let options: Vec<Item> = ways.chain(vacant).collect();
            let shallow = || {
                if !demanded {
                    return Some(grouped.len());
                }
                (1..=DEEP).find_map(|limit| {
                    let mut schemas = grouped.iter().map(|member| &member.schema);
                    schemas.position(|schema| self.fits(schema, limit))
                })
            };
            let fallback = self.is_long(depth).then(shallow).flatten();
            if let Some(member) = grouped.get(self.decide(&options, fallback)) {
                let value = self.value(&member.schema, depth + 1)?;
                members.insert(member.name.to_owned(), value);
            }
        }
        if let Some(entries) = form.entries() {
            let values = match entries {
                Rest::Schema(values) => Some(values),
                _ => None,
            };
            for index in 0..self.length(schema, depth) {
                let value = self.element(values, depth)?;
                let name = match index {
                    0 => samples::text(self.random),
                    _ => format!("key{index}"),
                };
                if form.member(&name).is_none() {
                    members.insert(name, value);
                }
            }
        }
        Some(Value::Object(members))
    }

    fn member(
        &mut self,
        form: &Form<'d>,
        member: &Member<'d>,
        depth: usize,
        members: &mut Map<String, Value>,
    ) -> Option<()> {
        if !self.reader.is_possible(&member.schema) {
            return (!member.required).then_some(());
        }
        let inner = self.reader.form(&member.schema);
        let tag = form.tags.iter().find(|(name, _)| *name == member.name);
        if let (Some((_, tag)), None) = (tag, &inner.values) {
            self.items.push(Item::new(member.schema.place(), Way::Present));
            members.insert(member.name.to_owned(), Value::String(tag.clone()));
            return Some(());
        }
        let ways = [
            (true, Way::Present),
            (!member.required && tag.is_none(), Way::Absent),
            (inner.null, Way::Null),
        ];
        let allowed = ways.into_iter().filter(|(allowed, _)| *allowed);
        let options: Vec<Item> =
            allowed.map(|(_, way)| Item::new(member.schema.place(), way)).collect();
        let spare = || options.iter().position(|item| item.way != Way::Present);
        let fallback = self.is_long(depth).then(spare).flatten();
        let value = match options.get(self.decide(&options, fallback))?.way {
            Way::Absent => return Some(()),
            Way::Null => Value::Null,
            _ => self.value(&member.schema, depth + 1)?,
        };
        members.insert(member.name.to_owned(), value);
        Some(())
    }

    /// Chooses one of several ways: that of the plan, or else `fallback`, or else one that was not gone yet, or else any.
    fn decide(&mut self, options: &[Item], fallback: Option<usize>) -> usize {
        let planned =
            self.plan.first().and_then(|next| options.iter().position(|item| item == next));
        if planned.is_some() {
            self.plan = self.plan.get(1..).unwrap_or_default();
        }
        let new = || {
            options.iter().position(|item| self.coverage.lacks(*item) && !self.items.contains(item))
        };
        let chosen = planned
            .or(fallback)
            .or_else(new)
            .unwrap_or_else(|| self.random.usize(..options.len().max(1)));
        self.items.extend(options.get(chosen));
        chosen
    }

    /// Tells whether the instance is so large or so deep already that nothing is to be added that need not be.
    fn is_long(&self, depth: usize) -> bool {
        depth > DEEP || self.size > LARGE
    }

    /// Tells whether a schema has an instance of at most `limit` levels.
    fn fits(&self, schema: &Schema, limit: usize) -> bool {
        let Some(limit) = limit.checked_sub(1) else {
            return false;
        };
        let form = self.reader.form(schema);
        if let Some(choice) = &form.choice {
            return choice.branches.iter().any(|branch| self.fits(branch, limit));
        }
        if form.values.is_some() || form.is_free || form.null {
            return true;
        }
        if form.kinds.first() != Some(&Kind::Object) {
            return !form.kinds.is_empty();
        }
        let mut required = form.members.iter().filter(|member| member.required);
        required.all(|member| self.fits(&member.schema, limit))
            && form.groups.iter().enumerate().all(|(group, &demanded)| {
                let mut members = form.members.iter();
                !demanded
                    || members.any(|member| {
                        member.group == Some(group) && self.fits(&member.schema, limit)
                    })
            })
    }
}

/// Returns a value of the description as JSON.
pub fn json(node: &Node) -> Value {
    match node {
        Node::Null => Value::Null,
        Node::Bool(value) => Value::Bool(*value),
        Node::Integer(value) => u64::try_from(*value)
            .map(Value::from)
            .or_else(|_| i64::try_from(*value).map(Value::from))
            .unwrap_or_default(),
        Node::Float(value) => Value::from(*value),
        Node::String(text) => Value::String(text.clone()),
        Node::Array(items) => items.iter().map(json).collect(),
        Node::Object(members) => {
            members.iter().map(|(name, value)| (name.clone(), json(value))).collect()
        }
    }
}
