//! The facts about a schema with those about its properties, which distinguish the branches of a union.

use std::collections::{BTreeMap, BTreeSet};

use super::read::MAX_DEPTH;
use super::values::Values;
use crate::document::{AdditionalProperties, Pointer, Schema};
use crate::ir::{Constant, JsonKind};

/// Maximum nesting of the schemas that are searched for the items of a property.
const MAX_ITEMS_DEPTH: usize = 6;

/// The values of a schema.
#[derive(Clone, Debug)]
pub struct Facts<'d> {
    pub kinds: BTreeSet<JsonKind>,
    /// The properties of objects.
    pub properties: BTreeMap<&'d str, Property<'d>>,
    pub required: BTreeSet<&'d str>,
    /// Whether objects have no other properties.
    pub is_closed: bool,
    /// The schema of the items of lists.
    pub items: Option<Schema<'d>>,
    /// Whether values are only some of their kind: integers, or strings with a format.
    pub is_narrow: bool,
}

/// The values of a property.
#[derive(Clone, Debug)]
pub struct Property<'d> {
    pub kinds: BTreeSet<JsonKind>,
    /// The only values, if they are listed.
    pub constants: Option<BTreeSet<Constant>>,
    /// The schema of the items of lists.
    pub items: Option<Schema<'d>>,
    /// Whether values are only some of their kind: integers, or strings with a format.
    pub is_narrow: bool,
    /// Whether strings are date-times.
    pub is_time: bool,
    /// The place of the schema that describes the property.
    place: Pointer,
}

impl<'d> Facts<'d> {
    /// Collects the facts about a schema, through references and `allOf`, and those that the branches of its
    /// alternatives have in common.
    pub fn of(schema: &Schema<'d>) -> Self {
        Reader::default().facts(schema)
    }

    /// Collects the facts about a schema without its alternatives, which its other properties restrict.
    pub fn own(schema: &Schema<'d>) -> Self {
        let mut reader = Reader { open: vec![schema.pointer.clone()] };
        Self { is_closed: false, ..reader.own_facts(schema) }
    }

    /// Returns facts without any restriction.
    pub fn any() -> Self {
        Self {
            kinds: JsonKind::ALL.into(),
            properties: BTreeMap::new(),
            required: BTreeSet::new(),
            is_closed: false,
            items: None,
            is_narrow: false,
        }
    }

    /// Returns the number of places that allow only some of the values of a kind, which others can include.
    pub fn integers(&self) -> usize {
        let properties = self.properties.values().filter(|values| values.is_narrow);
        usize::from(self.is_narrow) + properties.count()
    }

    /// Returns the constants of a property.
    pub fn constants(&self, property: &str) -> Option<&BTreeSet<Constant>> {
        self.properties.get(property)?.constants.as_ref()
    }

    /// Returns the place of the schema of a property.
    pub fn place_of(&self, property: &str) -> Option<&Pointer> {
        Some(&self.properties.get(property)?.place)
    }

    /// Returns the schema of the items of a property.
    pub fn items_of(&self, property: &str) -> Option<&Schema<'d>> {
        self.properties.get(property)?.items.as_ref()
    }

    /// Returns whether the values of a property are restricted.
    pub fn describes(&self, property: &str) -> bool {
        self.properties.get(property).is_some_and(|values| {
            values.constants.is_some() || values.kinds.len() < JsonKind::ALL.len()
        })
    }

    /// Adds the restrictions of a schema that applies as well.
    pub fn restrict(&mut self, other: Self) {
        self.kinds.retain(|kind| other.kinds.contains(kind));
        for (name, values) in other.properties {
            match self.properties.get_mut(name) {
                Some(own) => own.restrict(values),
                None => {
                    self.properties.insert(name, values);
                }
            }
        }
        self.required.extend(other.required);
        self.is_closed |= other.is_closed;
        self.is_narrow |= other.is_narrow;
        self.items = other.items.or(self.items.take());
    }

    /// Returns the facts about alternatives.
    fn union(branches: Vec<Self>) -> Self {
        let kinds = branches.iter().flat_map(|branch| branch.kinds.clone()).collect();
        let is_narrow = branches.iter().all(|branch| branch.is_narrow);
        let items = branches.iter().find_map(|branch| branch.items.clone());
        let mut objects =
            branches.into_iter().filter(|branch| branch.kinds.contains(&JsonKind::Object));
        let Some(mut union) = objects.next() else {
            return Self { kinds, items, is_narrow, ..Self::any() };
        };
        for branch in objects {
            union.required.retain(|name| branch.required.contains(name));
            union.is_closed &= branch.is_closed;
            for (name, values) in &mut union.properties {
                if !branch.properties.contains_key(name) {
                    values.constants = None;
                }
            }
            for (name, values) in branch.properties {
                if let Some(own) = union.properties.get_mut(name) {
                    own.extend(values);
                } else {
                    let values = Property { constants: None, ..values };
                    union.properties.insert(name, values);
                }
            }
        }
        Self { kinds, items, is_narrow, ..union }
    }
}

impl<'d> Property<'d> {
    fn of(schema: &Schema<'d>) -> Self {
        let values = Values::of(schema);
        Self {
            kinds: values.kinds(),
            constants: values.constants(),
            items: items_of(schema, 0),
            is_narrow: values.is_narrow(),
            is_time: values.is_time(),
            place: schema.pointer.clone(),
        }
    }

    fn restrict(&mut self, other: Self) {
        self.kinds.retain(|kind| other.kinds.contains(kind));
        self.is_narrow |= other.is_narrow;
        self.is_time |= other.is_time;
        self.items = other.items.or(self.items.take());
        self.constants = match (self.constants.take(), other.constants) {
            (Some(one), Some(other)) => Some(&one & &other),
            (one, other) => one.or(other),
        };
    }

    fn extend(&mut self, other: Self) {
        self.kinds.extend(other.kinds);
        self.is_narrow &= other.is_narrow;
        self.is_time &= other.is_time;
        self.items = self.items.take().or(other.items);
        self.constants = match (self.constants.take(), other.constants) {
            (Some(one), Some(other)) => Some(&one | &other),
            _ => None,
        };
    }
}

#[derive(Default)]
struct Reader {
    /// The schemas that are being read: one that contains itself restricts nothing.
    open: Vec<Pointer>,
}

impl Reader {
    fn facts<'d>(&mut self, schema: &Schema<'d>) -> Facts<'d> {
        if self.open.len() == MAX_DEPTH || self.open.contains(&schema.pointer) {
            return Facts::any();
        }
        self.open.push(schema.pointer.clone());
        let facts = self.open_facts(schema);
        self.open.pop();
        facts
    }

    fn open_facts<'d>(&mut self, schema: &Schema<'d>) -> Facts<'d> {
        if schema.reference().is_some() {
            return schema.target().map_or_else(Facts::any, |target| self.facts(&target));
        }
        let mut facts = self.own_facts(schema);
        for branches in [schema.one_of(), schema.any_of()] {
            if !branches.is_empty() {
                let branches = branches.iter().map(|branch| self.facts(branch)).collect();
                facts.restrict(Facts::union(branches));
            }
        }
        facts
    }

    /// Returns the facts about a schema without its alternatives.
    fn own_facts<'d>(&mut self, schema: &Schema<'d>) -> Facts<'d> {
        let own = Values::of_keywords(schema);
        let mut facts = Facts { kinds: own.kinds(), is_narrow: own.is_narrow(), ..Facts::any() };
        for (name, property) in schema.properties() {
            facts.properties.insert(name, Property::of(&property));
        }
        facts.required = schema.required().collect();
        facts.is_closed =
            matches!(schema.additional_properties(), Some(AdditionalProperties::Any(false)));
        facts.items = schema.items();
        for part in schema.all_of() {
            let part = self.facts(&part);
            facts.restrict(part);
        }
        facts
    }
}

/// Returns the schema of the items of lists, through references, `allOf` and alternatives.
fn items_of<'d>(schema: &Schema<'d>, depth: usize) -> Option<Schema<'d>> {
    if depth == MAX_ITEMS_DEPTH {
        return None;
    }
    let inner = schema.target().into_iter().chain(schema.all_of());
    let alternatives = schema.one_of().into_iter().chain(schema.any_of());
    let mut inner = inner.chain(alternatives).filter_map(|inner| items_of(&inner, depth + 1));
    schema.items().or_else(|| inner.next())
}
