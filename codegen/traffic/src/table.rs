//! The schemas of a document by the places of values. They are read when a value is checked against them.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use super::formats::Format;
use super::seen::{Learned, Moment, Seen, Tally};
use super::value::{Kinds, Value, index, is_placeholder, key, text_key};
use codegen::document::{AdditionalProperties, Document, Node, Pointer, Schema, SchemaType};

/// The number of a [`Slot`].
pub type Id = usize;

/// The number of a [`Part`].
pub type PartId = usize;

/// Maximum number of places that no schema describes.
const MAX_LEARNED: usize = 50_000;

/// The places of values, and the schemas that apply to them.
pub struct Table<'d> {
    pub document: &'d Document,
    pub places: Vec<Slot<'d>>,
    pub parts: Vec<Part<'d>>,
    /// The number of names and values that are left out.
    pub beyond: u64,
    /// The number of places that no schema describes.
    learned: usize,
    ids: HashMap<Set<'d>, Id>,
    part_ids: HashMap<Pointer, PartId>,
    /// The components that extend a schema with a discriminator.
    extensions: HashMap<Pointer, Vec<Schema<'d>>>,
}

/// What is known of the values at a place.
pub enum Slot<'d> {
    /// The schemas that apply together were not needed yet.
    Unread(Set<'d>),
    /// What the document describes.
    Declared(Rc<Rules<'d>>),
    /// What only the traffic shows.
    Learned(Box<Learned>),
}

/// Schemas that apply to the same values.
#[derive(Clone, Debug)]
pub struct Set<'d> {
    roots: Vec<Schema<'d>>,
    /// The unions whose branches are among the roots.
    expanded: Vec<Pointer>,
    /// The other branches of an `anyOf`, whose properties can be there, too.
    siblings: Vec<Schema<'d>>,
}

/// A schema without the schemas that it refers to, and what was seen of its values.
pub struct Part<'d> {
    pub schema: Schema<'d>,
    /// The kinds that it allows; empty if it does not restrict them.
    pub kinds: Kinds,
    pub is_nullable: bool,
    /// The values that it lists.
    pub values: Option<HashSet<Box<str>>>,
    pub format: Option<Format>,
    pub seen: Seen<'d>,
}

/// All schemas of a place.
pub struct Rules<'d> {
    /// The schemas at the place itself.
    pub roots: Vec<PartId>,
    /// Those and the ones that they refer to.
    pub parts: Vec<PartId>,
    pub allows_null: bool,
    pub is_secret: bool,
    pub properties: HashMap<&'d str, Id>,
    pub required: Vec<Required<'d>>,
    pub rest: Rest,
    /// The schema that a new property belongs to.
    pub owner: PartId,
    pub first: Vec<Id>,
    pub items: Option<Id>,
    pub union: Option<Union<'d>>,
}

/// A required property.
pub struct Required<'d> {
    pub name: &'d str,
    pub part: PartId,
    /// Whether it is required in requests and in responses.
    pub is_sent: [bool; 2],
}

/// Properties of an object that are not described one by one.
pub enum Rest {
    Undescribed,
    Any,
    Of(Id),
}

/// Alternatives.
pub struct Union<'d> {
    /// The schema that has them.
    pub part: PartId,
    pub branches: Vec<Id>,
    /// The property that names the branch, and the branches by its values.
    pub tag: Option<(&'d str, HashMap<&'d str, usize>)>,
}

impl PartialEq for Set<'_> {
    fn eq(&self, other: &Self) -> bool {
        let same = |one: &[Schema<'_>], other: &[Schema<'_>]| {
            one.iter().map(|it| &it.pointer).eq(other.iter().map(|it| &it.pointer))
        };
        self.expanded == other.expanded
            && same(&self.roots, &other.roots)
            && same(&self.siblings, &other.siblings)
    }
}

impl Eq for Set<'_> {}

impl std::hash::Hash for Set<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.expanded.hash(state);
        self.roots.iter().for_each(|root| root.pointer.hash(state));
    }
}

impl<'d> Table<'d> {
    pub fn new(document: &'d Document) -> Self {
        let mut extensions: HashMap<Pointer, Vec<Schema<'d>>> = HashMap::new();
        for (_, schema) in document.schemas().filter(|(_, schema)| schema.has_all_of()) {
            for part in closed(std::slice::from_ref(&schema)) {
                if part.pointer != schema.pointer && part.child("discriminator").is_some() {
                    extensions.entry(part.pointer.clone()).or_default().push(schema.clone());
                }
            }
        }
        Self {
            document,
            places: Vec::new(),
            parts: Vec::new(),
            beyond: 0,
            learned: 0,
            ids: HashMap::new(),
            part_ids: HashMap::new(),
            extensions,
        }
    }

    /// Returns the place of the values of some schemas together.
    pub fn place(&mut self, roots: Vec<Schema<'d>>) -> Id {
        self.intern(Set { roots, expanded: Vec::new(), siblings: Vec::new() })
    }

    /// Returns a place that no schema describes. Values at places over the limit are ignored.
    pub fn undescribed(&mut self) -> Id {
        if self.learned == MAX_LEARNED {
            return Id::MAX;
        }
        self.learned += 1;
        self.places.push(Slot::Learned(Box::default()));
        self.places.len() - 1
    }

    /// Returns the schemas of a place; `None` if no schema describes it.
    pub fn rules(&mut self, id: Id) -> Option<Rc<Rules<'d>>> {
        let set = match self.places.get(id)? {
            Slot::Declared(rules) => return Some(rules.clone()),
            Slot::Unread(set) => set.clone(),
            Slot::Learned(_) => return None,
        };
        let rules = Rc::new(self.read(&set));
        self.places[id] = Slot::Declared(rules.clone());
        Some(rules)
    }

    /// Returns the part at a pointer, if values were checked against it.
    pub fn part_at(&self, pointer: &Pointer) -> Option<&Part<'d>> {
        self.part_ids.get(pointer).map(|part| &self.parts[*part])
    }

    fn intern(&mut self, set: Set<'d>) -> Id {
        *self.ids.entry(set).or_insert_with_key(|set| {
            self.places.push(Slot::Unread(set.clone()));
            self.places.len() - 1
        })
    }

    fn part(&mut self, schema: &Schema<'d>) -> PartId {
        *self.part_ids.entry(schema.pointer.clone()).or_insert_with(|| {
            self.parts.push(Part::new(schema));
            self.parts.len() - 1
        })
    }

    fn read(&mut self, set: &Set<'d>) -> Rules<'d> {
        let schemas = closed(&set.roots);
        let parts: Vec<PartId> = schemas.iter().map(|schema| self.part(schema)).collect();
        let roots = set.roots.iter().map(|root| self.part(root)).collect();
        let union = self.union(set, &schemas);
        let mut named: BTreeMap<&'d str, Vec<Schema<'d>>> = BTreeMap::new();
        for (name, property) in schemas.iter().flat_map(Schema::properties) {
            named.entry(name).or_default().push(property);
        }
        let has_properties = !named.is_empty();
        for schema in closed(&set.siblings) {
            for (name, property) in schema.properties() {
                named.entry(name).or_insert_with(|| vec![property]);
            }
        }
        let is_flagged = |name: &str, flag: &str| {
            named.get(name).is_some_and(|roots| closed(roots).iter().any(|part| part.flag(flag)))
        };
        let required = schemas.iter().zip(&parts).flat_map(|(schema, part)| {
            schema.required().map(|name| (name, *part)).collect::<Vec<_>>()
        });
        let required = required.map(|(name, part)| Required {
            name,
            part,
            is_sent: [!is_flagged(name, "readOnly"), !is_flagged(name, "writeOnly")],
        });
        let required = required.collect();
        let mut others = Vec::new();
        let mut rest = if has_properties { Rest::Undescribed } else { Rest::Any };
        let patterns: Vec<Schema<'d>> = schemas.iter().flat_map(Schema::patterns).collect();
        for schema in &schemas {
            match schema.additional_properties() {
                Some(AdditionalProperties::Any(true)) => rest = Rest::Any,
                Some(AdditionalProperties::Any(false)) if !has_properties => {
                    rest = Rest::Undescribed;
                }
                Some(AdditionalProperties::Schema(schema)) => others.push(schema),
                _ => {}
            }
        }
        // Without `additionalProperties`, a single pattern describes all other properties.
        let has_others = schemas.iter().any(|schema| {
            !matches!(schema.additional_properties(), None | Some(AdditionalProperties::Any(false)))
        });
        match patterns.as_slice() {
            [] if others.is_empty() => {}
            [] => rest = Rest::Of(self.place(others)),
            [_] if !has_others => rest = Rest::Of(self.place(patterns)),
            _ => rest = Rest::Any,
        }
        let first = schemas.iter().find(|schema| schema.is_tuple());
        let first: Vec<Schema<'d>> = first.map(Schema::first_items).unwrap_or_default();
        let items: Vec<Schema<'d>> = schemas.iter().filter_map(Schema::items).collect();
        let own = || parts.iter().map(|part| &self.parts[*part]);
        // Documents expect `nullable` to apply to the whole, though it does not extend the types of other parts.
        let allows_null = own().any(|part| part.is_nullable) || own().all(Part::allows_null);
        let is_secret = schemas.iter().any(|schema| schema.format() == Some("password"));
        Rules {
            roots,
            allows_null,
            is_secret,
            required,
            rest,
            owner: self.owner(&schemas),
            first: first.into_iter().map(|schema| self.place(vec![schema])).collect(),
            items: (!items.is_empty()).then(|| self.place(items)),
            properties: named.into_iter().map(|(name, roots)| (name, self.place(roots))).collect(),
            union,
            parts,
        }
    }

    /// Returns the schema that a new property belongs to: the last one with properties, or the first that can have some.
    fn owner(&mut self, schemas: &[Schema<'d>]) -> PartId {
        let is_object = |schema: &&Schema<'_>| schema.reference().is_none() && !schema.is_false();
        let with_properties = schemas.iter().rfind(|schema| schema.has_properties());
        let other = || schemas.iter().find(is_object).or(schemas.first());
        with_properties.or_else(other).map_or(0, |schema| self.part_ids[&schema.pointer])
    }

    /// Returns the first alternatives that are not among the roots already.
    fn union(&mut self, set: &Set<'d>, schemas: &[Schema<'d>]) -> Option<Union<'d>> {
        let unions = schemas.iter().flat_map(|schema| {
            let base = || [schema.clone()].into_iter();
            let extending = || self.extensions.get(&schema.pointer).into_iter().flatten().cloned();
            let has_others = schema.has("oneOf") || schema.has("anyOf");
            [
                ("oneOf", schema.one_of()),
                ("anyOf", schema.any_of()),
                (
                    "discriminator",
                    if has_others { Vec::new() } else { base().chain(extending()).collect() },
                ),
            ]
            .map(|(keyword, branches)| (schema, keyword, branches))
        });
        let (schema, keyword, branches) =
            unions.into_iter().find(|(schema, keyword, branches)| {
                branches.len() > usize::from(*keyword == "discriminator")
                    && !set.expanded.contains(&schema.pointer.join(keyword))
            })?;
        let mut expanded = set.expanded.clone();
        expanded.push(schema.pointer.join(keyword));
        let tag = tag(schema, &branches);
        let part = self.part(schema);
        let ids = branches.iter().map(|branch| {
            let mut roots = set.roots.clone();
            roots.retain(|root| root.pointer != branch.pointer);
            roots.push(branch.clone());
            let mut siblings = set.siblings.clone();
            if keyword == "anyOf" {
                let others = branches.iter().filter(|other| other.pointer != branch.pointer);
                siblings.extend(others.cloned());
            }
            (roots, siblings)
        });
        let sets = ids.map(|(roots, siblings)| Set { roots, siblings, expanded: expanded.clone() });
        let branches = sets.collect::<Vec<_>>().into_iter().map(|set| self.intern(set)).collect();
        Some(Union { part, branches, tag })
    }
}

impl Union<'_> {
    /// Returns the branch that the tag of a value names.
    pub fn tagged(&self, value: &Value<'_>) -> Option<Id> {
        let (tag, values) = self.tag.as_ref()?;
        let branch = values.get(value.text(&[tag])?)?;
        self.branches.get(*branch).copied()
    }
}

impl<'d> Rules<'d> {
    /// Returns the required properties that an object does not have, with the schemas that require them. A merge patch
    /// requires none.
    pub fn missing<'r>(
        &'r self,
        members: &'r [(Cow<'_, str>, Value<'_>)],
        moment: Moment,
    ) -> impl Iterator<Item = (&'d str, PartId)> + use<'r, 'd> {
        let direction = usize::from(moment.origin.status.is_some());
        let sent = self.required.iter();
        let sent = sent.filter(move |it| !moment.is_patch && it.is_sent[direction]);
        // A placeholder may be any name.
        let is_there = |it: &&Required<'_>| {
            members.iter().any(|(name, _)| name == it.name || is_placeholder(name))
        };
        let missing = sent.filter(move |it| !is_there(it));
        missing.map(|it| (it.name, it.part))
    }
}

impl<'d> Part<'d> {
    fn new(schema: &Schema<'d>) -> Self {
        let mut kinds: Kinds = schema.types().collect();
        let constant = schema.constant();
        let listed: Vec<&Node> = schema.listed().map(|(_, node)| node).chain(constant).collect();
        let has_alternatives = schema.has("oneOf") || schema.has("anyOf");
        let is_alone = schema.reference().is_none() && !has_alternatives;
        let types: Kinds = closed(&schema.alternatives()).iter().flat_map(Schema::types).collect();
        let is_slip = !types.is_empty() && !schema.types().any(|ty| types.has(ty));
        if has_alternatives && (is_slip || schema.types().eq([SchemaType::Null])) {
            // Documents write `type: null` for schemas without a type, or one that excludes all alternatives.
            kinds = Kinds::default();
        }
        if kinds.is_empty() && listed.is_empty() && is_alone {
            let is_object = schema.has_properties() || schema.additional_properties().is_some();
            let is_list = schema.items().is_some() || schema.is_tuple();
            let keyword = schema.pointer.parent().and_then(Pointer::last);
            let is_branch = matches!(keyword, Some("oneOf" | "anyOf"));
            if is_object {
                kinds.add(SchemaType::Object);
            } else if is_list {
                kinds.add(SchemaType::Array);
            } else if is_branch && schema.flag("nullable") && !schema.has_all_of() {
                // On its own it allows any value, but documents use it for null.
                kinds.add(SchemaType::Null);
            }
        }
        let is_text = schema.has_only(SchemaType::String);
        let keys = listed.iter().map(|node| match node {
            Node::String(text) => text_key(text).into_owned(),
            Node::Null => "\0null".to_owned(),
            node if is_text => node.scalar().unwrap_or_default(),
            node => format!("\0{}", node.scalar().unwrap_or_default()),
        });
        let has_scalars =
            listed.iter().all(|node| node.as_array().is_none() && node.as_object().is_none());
        Self {
            schema: schema.clone(),
            kinds,
            is_nullable: schema.flag("nullable"),
            values: (!listed.is_empty() && has_scalars)
                .then(|| keys.map(String::into_boxed_str).collect()),
            format: schema.format().and_then(Format::from_name),
            seen: Seen::default(),
        }
    }

    /// Returns whether a value has the format. Formats of numbers apply to texts only if there are no numbers.
    pub fn has_format(&self, value: &Value<'_>) -> bool {
        let is_text = !self.kinds.is_empty() && !self.kinds.allow(&Value::Integer(0));
        let is_listed =
            key(value).is_some_and(|it| self.values.iter().any(|all| all.contains(&*it)));
        self.format.is_none_or(|format| {
            is_listed
                || (format.is_numeric() && matches!(value, Value::Text(_)) && !is_text)
                || format.holds(value)
        })
    }

    /// Returns the values that were seen although they are not listed.
    pub fn unlisted(&self) -> impl Iterator<Item = (&str, &Tally)> {
        let seen = self.seen.values.iter().map(|(value, tally)| (&**value, tally));
        seen.filter(|(value, _)| {
            self.values.as_ref().is_some_and(|listed| !listed.contains(*value))
        })
    }

    pub fn allows_kind(&self, value: &Value<'_>) -> bool {
        self.kinds.is_empty() || self.kinds.allow(value)
    }

    /// Returns whether the schema allows the kind of a value; counts a value that it does not allow.
    pub fn check_kind(&mut self, value: &Value<'_>, moment: Moment) -> bool {
        let is_allowed = self.allows_kind(value);
        if !is_allowed {
            self.seen.kinds[index(value.kind())].add(moment, value);
        }
        is_allowed
    }

    /// Returns whether the schema itself allows null, without `nullable`.
    pub fn allows_null(&self) -> bool {
        !self.schema.is_false()
            && (self.kinds.is_empty() || self.kinds.has(SchemaType::Null))
            && self.values.as_ref().is_none_or(|values| values.contains("\0null"))
    }
}

/// Returns schemas with the schemas that they refer to, and the parts of their `allOf`, each once.
fn closed<'d>(roots: &[Schema<'d>]) -> Vec<Schema<'d>> {
    let mut found: Vec<Schema<'d>> = Vec::new();
    let mut references = HashSet::new();
    let mut waiting: Vec<Schema<'d>> = roots.iter().rev().cloned().collect();
    while let Some(schema) = waiting.pop() {
        if let Some(reference) = schema.reference() {
            if references.insert(reference) {
                waiting.extend(schema.target());
            }
            // Next to properties, only the `$ref` of a schema that was found is read.
            if found.iter().any(|other| other.pointer == schema.pointer) {
                continue;
            }
        } else if found.iter().any(|other| other.pointer == schema.pointer) {
            continue;
        }
        waiting.extend(schema.all_of().into_iter().rev());
        found.push(schema);
    }
    found
}

/// Returns a schema with the schemas that it refers to, the parts of their `allOf` and all alternatives, each once.
pub fn with_alternatives<'d>(schema: &Schema<'d>) -> Vec<Schema<'d>> {
    let mut found = closed(std::slice::from_ref(schema));
    let mut index = 0;
    while let Some(schema) = found.get(index) {
        let branches = schema.alternatives();
        let is_new = |branch: &Schema<'d>| found.iter().all(|it| it.pointer != branch.pointer);
        let new: Vec<_> = closed(&branches).into_iter().filter(is_new).collect();
        found.extend(new);
        index += 1;
    }
    found
}

/// Returns the property that names the branch of a union, and the branches by its values.
fn tag<'d>(
    schema: &Schema<'d>,
    branches: &[Schema<'d>],
) -> Option<(&'d str, HashMap<&'d str, usize>)> {
    let discriminator = schema.child("discriminator")?;
    let name = discriminator.text("propertyName")?;
    let target = |branch: &Schema<'_>| match branch.reference() {
        Some(reference) => Pointer::from_reference(reference),
        None => Some(branch.pointer.clone()),
    };
    let targets: Vec<Option<Pointer>> = branches.iter().map(target).collect();
    let mut values = HashMap::new();
    let components = Pointer::root().join("components").join("schemas");
    for (value, view) in discriminator.map("mapping") {
        let text = view.as_text().unwrap_or_default();
        let pointer = Pointer::from_reference(text).unwrap_or_else(|| components.join(text));
        let index = targets.iter().position(|target| target.as_ref() == Some(&pointer));
        values.extend(index.map(|index| (value, index)));
    }
    for (index, branch) in branches.iter().enumerate() {
        let name = branch.reference().and_then(|it| it.rsplit('/').next());
        name.map(|name| values.entry(name).or_insert(index));
    }
    Some((name, values))
}
