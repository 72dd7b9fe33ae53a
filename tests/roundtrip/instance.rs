//! Makes instances of schemas from a tape.

use serde_json::{Map, Value};

use crate::coverage::{Coverage, Item, Way};
use crate::form::{Form, Kind, Property, Rest};
use crate::samples;
use crate::schema::Schema;
use crate::schemas::Schemas;
use crate::tape::Tape;

/// From this depth on, and in instances of this many values, nothing is made that need not be.
const DEEP: usize = 8;
const LARGE: usize = 150;

/// Below this depth a schema is taken to have no finite instance.
const BOTTOMLESS: usize = 64;

/// How many elements lists and maps are given.
const LENGTHS: [usize; 3] = [0, 1, 3];

/// A value that a schema allows.
#[derive(Debug)]
pub struct Instance {
    pub value: Value,
    /// The decisions that made it.
    pub items: Vec<Item>,
    /// Whether it has properties that are neither described nor excluded.
    pub has_more: bool,
}

/// Makes an instance of the schema of a root, by way of the decisions in `plan`, as far as they come up, and otherwise
/// by those of the tape. Returns nothing where the schema has no instance.
pub fn instance(
    schemas: &Schemas<'_>,
    (root, schema): (usize, &Schema),
    plan: &[Item],
    tape: &mut Tape<'_>,
    coverage: &mut Coverage,
) -> Option<Instance> {
    let mut maker = Maker {
        schemas,
        root,
        plan,
        tape,
        coverage,
        items: Vec::new(),
        path: Vec::new(),
        size: 0,
        has_more: false,
    };
    let value = maker.value(schema)?;
    Some(Instance { value, items: maker.items, has_more: maker.has_more })
}

struct Maker<'a, 't, 'd> {
    schemas: &'a Schemas<'d>,
    root: usize,
    plan: &'a [Item],
    tape: &'a mut Tape<'t>,
    coverage: &'a mut Coverage,
    /// All decisions.
    items: Vec<Item>,
    /// The decisions on the way from the root to the current value.
    path: Vec<Item>,
    size: usize,
    has_more: bool,
}

impl<'d> Maker<'_, '_, 'd> {
    /// Makes a value other than null, unless the schema has no other.
    fn value(&mut self, schema: &Schema) -> Option<Value> {
        if self.path.len() > BOTTOMLESS {
            return None;
        }
        self.size += 1;
        let form = self.schemas.form(schema);
        let place = schema.place();
        if let Some(choice) = &form.choice {
            let branches = self.schemas.branches(choice);
            let ways =
                branches.iter().map(|(index, _)| Item::new(choice.place, Way::Branch(*index)));
            let options: Vec<Item> = ways.collect();
            let shallowest =
                || self.schemas.shallowest(&branches.iter().map(|(_, branch)| *branch));
            let fallback = self.is_large().then(shallowest).flatten();
            let chosen = self.decide(&options, fallback);
            return self.below(*options.get(chosen)?, branches.get(chosen)?.1);
        }
        if let Some(values) = &form.values {
            let options: Vec<Item> =
                values.iter().map(|&value| Item::new(value, Way::Value)).collect();
            let chosen = options.get(self.decide(&options, None));
            let value = chosen.map(|item| self.schemas.document.value(item.place).clone());
            return value.or_else(|| form.null.then_some(Value::Null));
        }
        if form.is_free {
            return self.sample(&samples::free(), |index| Item::new(place, Way::Free(index)));
        }
        let kinds = form.kinds.iter().map(|&kind| Item::new(place, Way::Kind(kind)));
        let kinds: Vec<Item> = kinds.filter(|_| form.kinds.len() > 1).collect();
        let chosen = self.decide(&kinds, None);
        self.path.extend(kinds.get(chosen));
        let value = match form.kinds.get(chosen) {
            None => None,
            Some(Kind::Object) => self.object(&form, schema),
            Some(Kind::Array) => self.array(&form, schema),
            Some(&kind) => self.scalar(&form, schema, kind),
        };
        self.path.truncate(self.path.len() - usize::from(!kinds.is_empty()));
        value.or_else(|| form.null.then_some(Value::Null))
    }

    /// Makes a value that lies behind a decision.
    fn below(&mut self, item: Item, schema: &Schema) -> Option<Value> {
        self.path.push(item);
        let value = self.value(schema);
        self.path.pop();
        value
    }

    fn scalar(&mut self, form: &Form<'_>, schema: &Schema, kind: Kind) -> Option<Value> {
        let values = samples::of(form, kind);
        let at = |index| Item::new(schema.place(), Way::Sample(kind, index));
        let is_planned = (0..values.len()).any(|index| self.plan.first() == Some(&at(index)));
        if !is_planned
            && self.tape.one_in(2)
            && let Some(value) = samples::random(form, kind, self.tape)
        {
            return Some(value);
        }
        self.sample(&values, at)
    }

    fn sample(&mut self, values: &[Value], item: impl Fn(usize) -> Item) -> Option<Value> {
        let options: Vec<Item> = (0..values.len()).map(item).collect();
        values.get(self.decide(&options, None)).cloned()
    }

    fn array(&mut self, form: &Form<'_>, schema: &Schema) -> Option<Value> {
        let length = self.length(schema);
        let first = form.first_items.iter().map(Some);
        let elements = first.chain((0..length.1).map(|_| form.items.as_ref()));
        elements.map(|items| self.element(items, length.0)).collect()
    }

    fn length(&mut self, schema: &Schema) -> (Item, usize) {
        let options = LENGTHS.map(|length| Item::new(schema.place(), Way::Length(length)));
        let fallback = self.is_large().then_some(0);
        let chosen = self.decide(&options, fallback);
        (options[chosen], LENGTHS[chosen])
    }

    /// Makes an element of an array or a map: of a schema, or anything.
    fn element(&mut self, schema: Option<&Schema>, item: Item) -> Option<Value> {
        let Some(schema) = schema else {
            return self.tape.choose(&samples::free());
        };
        if self.plan.is_empty() && self.tape.one_in(8) && self.schemas.form(schema).null {
            return Some(Value::Null);
        }
        self.below(item, schema)
    }

    fn object(&mut self, form: &Form<'d>, schema: &Schema) -> Option<Value> {
        let mut object = Map::new();
        for property in form.properties.iter().filter(|property| property.oneof.is_none()) {
            self.property(form, property, &mut object)?;
        }
        for (oneof, &required) in form.oneofs.iter().enumerate() {
            let members = self.schemas.members(form, oneof);
            let vacant = (!required).then(|| Item::new(schema.place(), Way::Vacant));
            let present = |member: &&Property<'_>| Item::new(member.schema.place(), Way::Present);
            let options: Vec<Item> =
                vacant.into_iter().chain(members.iter().map(present)).collect();
            let skipped = usize::from(!required);
            let shallowest = || {
                if required {
                    self.schemas.shallowest(&members.iter().map(|member| &member.schema))
                } else {
                    Some(0)
                }
            };
            let fallback = self.is_large().then(shallowest).flatten();
            let chosen = self.decide(&options, fallback);
            let member = chosen.checked_sub(skipped).and_then(|chosen| members.get(chosen));
            if let (Some(member), Some(&item)) = (member, options.get(chosen)) {
                object.insert(member.name.to_owned(), self.below(item, &member.schema)?);
            }
        }
        if let Some(entries) = form.entries() {
            let values = match entries {
                Rest::Schema(values) => Some(values),
                _ => None,
            };
            let (item, length) = self.length(schema);
            self.has_more |= form.rest == Rest::Unsaid && length > 0;
            for index in 0..length {
                let value = self.element(values, item)?;
                let name = if index == 0 { self.tape.text() } else { format!("key{index}") };
                if form.property(&name).is_none() {
                    object.insert(name, value);
                }
            }
        }
        Some(Value::Object(object))
    }

    fn property(
        &mut self,
        form: &Form<'d>,
        property: &Property<'d>,
        object: &mut Map<String, Value>,
    ) -> Option<()> {
        if !self.schemas.is_possible(&property.schema) {
            return (!property.required).then_some(());
        }
        let inner = self.schemas.form(&property.schema);
        let tag = form.tags.iter().find(|(name, _)| *name == property.name);
        let ways = [
            (!property.required && tag.is_none(), Way::Absent),
            (inner.null && tag.is_none(), Way::Null),
            (true, Way::Present),
        ];
        let ways = ways.into_iter().filter(|(allowed, _)| *allowed);
        let options: Vec<Item> =
            ways.map(|(_, way)| Item::new(property.schema.place(), way)).collect();
        let fallback = self.is_large().then_some(0);
        let item = *options.get(self.decide(&options, fallback))?;
        let value = match (item.way, tag) {
            (Way::Absent, _) => return Some(()),
            (Way::Null, _) => Value::Null,
            (_, Some((_, tag))) if inner.values.is_none() => Value::String(tag.clone()),
            _ => self.below(item, &property.schema)?,
        };
        object.insert(property.name.to_owned(), value);
        Some(())
    }

    /// Chooses one of several options: that of the plan, or else `fallback`, or else that of the tape.
    fn decide(&mut self, options: &[Item], fallback: Option<usize>) -> usize {
        self.coverage.offer(self.root, &self.path, options);
        let next = self.plan.first();
        let planned = next.and_then(|next| options.iter().position(|item| item == next));
        if planned.is_some() {
            self.plan = self.plan.get(1..).unwrap_or_default();
        }
        let chosen = planned.or(fallback).unwrap_or_else(|| match options.len() {
            0 | 1 => 0,
            count => self.tape.below(count),
        });
        self.items.extend(options.get(chosen));
        chosen
    }

    /// Returns whether nothing is to be added to the instance that need not be.
    fn is_large(&self) -> bool {
        self.path.len() > DEEP || self.size > LARGE
    }
}
