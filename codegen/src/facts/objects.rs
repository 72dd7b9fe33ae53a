//! The values of a schema with the values of its properties, which distinguish the branches of a union.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::values::{Texts, Values, ValuesOf};
use crate::document::{AdditionalProperties, Pointer, Schema};
use crate::ir::{Constant, JsonKind};

/// The values of a schema and of its properties.
#[derive(Clone, Debug)]
pub struct Facts<'d> {
    pub values: Values<'d>,
    /// The properties of objects, as the alternatives with them describe them; other alternatives allow any value.
    pub properties: BTreeMap<&'d str, Rc<PropertyFacts<'d>>>,
    pub required: BTreeSet<&'d str>,
    /// Whether objects have no other properties.
    pub is_closed: bool,
}

#[derive(Clone, Debug)]
pub struct PropertyFacts<'d> {
    pub values: Values<'d>,
    /// The only values, if they are listed.
    pub constants: Option<BTreeSet<Constant>>,
    /// The place of the schema that describes the property.
    pub place: Pointer,
}

/// The place of values within others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Within<'d> {
    /// The items of lists.
    Items,
    /// The items of the lists of a property.
    ItemsOf(&'d str),
    /// The objects of a property.
    ObjectOf(&'d str),
}

impl<'d> Facts<'d> {
    pub const ANY: Self = Self::of_values(Values::ANY);

    pub const NONE: Self = Self::of_values(Values::NONE);

    /// Returns values whose properties are not described.
    pub const fn of_values(values: Values<'d>) -> Self {
        Self { values, properties: BTreeMap::new(), required: BTreeSet::new(), is_closed: false }
    }

    pub fn has_alternatives(&self) -> bool {
        self.values.objects.as_ref().is_some_and(|objects| objects.has_alternatives)
    }

    /// Returns how many values are narrow (`is_narrow`): of this schema, and of its properties.
    pub fn narrow_places(&self) -> usize {
        let properties = self.properties.values().filter(|property| property.values.is_narrow());
        usize::from(self.values.is_narrow()) + properties.count()
    }

    pub fn has(&self, property: &str) -> bool {
        self.properties.contains_key(property) || self.required.contains(property)
    }

    pub fn constants(&self, property: &str) -> Option<&BTreeSet<Constant>> {
        self.properties.get(property)?.constants.as_ref()
    }

    /// Sets the constants of a property, which is added if the schema does not describe it.
    pub fn fix(&mut self, name: &'d str, constants: BTreeSet<Constant>, place: &Pointer) {
        let texts = Values { texts: Some(Texts::ANY), ..Values::NONE };
        let property = || PropertyFacts::new(texts, place.clone()).into();
        let property = self.properties.entry(name).or_insert_with(property);
        Rc::make_mut(property).constants =
            Some(constants).filter(|constants| !constants.is_empty());
    }

    /// Returns whether the values of a property are restricted.
    pub fn describes(&self, property: &str) -> bool {
        self.properties.get(property).is_some_and(|property| {
            property.constants.is_some() || property.values.kinds().len() < JsonKind::ALL.len()
        })
    }

    /// Returns what two schemas say together, the later one first.
    #[must_use]
    pub fn meet(mut self, mut other: Self) -> Self {
        if other.properties.is_empty() {
            other.properties = std::mem::take(&mut self.properties);
        }
        for (name, property) in self.properties {
            let both = match other.properties.remove(name) {
                Some(known) => {
                    Rc::unwrap_or_clone(property).meet(Rc::unwrap_or_clone(known)).into()
                }
                None => property,
            };
            other.properties.insert(name, both);
        }
        other.required.extend(self.required);
        Self {
            values: self.values.meet(other.values),
            properties: other.properties,
            required: other.required,
            is_closed: self.is_closed || other.is_closed,
        }
    }

    /// Returns what one or the other of two schemas says.
    #[must_use]
    pub fn join(mut self, other: Self) -> Self {
        let is_object = [&self, &other].map(|it| it.values.allows(JsonKind::Object));
        let values = self.values.join(other.values);
        // Only objects have properties.
        match is_object {
            [false, _] => return Self { values, ..other },
            [_, false] => return Self { values, ..self },
            [true, true] => {}
        }
        // In place: unions that refer to each other have all properties of each other, most of which are the same.
        let mut properties = self.properties;
        for (name, property) in &mut properties {
            match other.properties.get(name) {
                Some(other) if Rc::ptr_eq(property, other) => {}
                Some(other) => *property = property.join(other).into(),
                None => PropertyFacts::open(property),
            }
        }
        for (name, mut property) in other.properties {
            properties.entry(name).or_insert_with(|| {
                PropertyFacts::open(&mut property);
                property
            });
        }
        self.required.retain(|name| other.required.contains(name));
        Self {
            values,
            properties,
            required: self.required,
            is_closed: self.is_closed && other.is_closed,
        }
    }

    /// Reads the keywords of a schema itself.
    pub fn of_keywords(schema: &Schema<'d>, values: &ValuesOf<'_, 'd>) -> Self {
        let properties = schema.properties().map(|(name, property)| {
            (name, PropertyFacts::new(values(&property), property.pointer.clone()).into())
        });
        let additional = schema.additional_properties();
        Self {
            values: Values::of_keywords(schema),
            properties: properties.collect(),
            required: schema.required().collect(),
            is_closed: matches!(additional, Some(AdditionalProperties::Any(false)))
                && schema.patterns().is_empty(),
        }
    }

    pub fn equals(&self, other: &Self) -> bool {
        let mut properties = self.properties.values().zip(other.properties.values());
        self.values.equals(&other.values)
            && self.properties.keys().eq(other.properties.keys())
            && (&self.required, self.is_closed) == (&other.required, other.is_closed)
            && properties.all(|(one, other)| {
                one.constants == other.constants && one.values.equals(&other.values)
            })
    }
}

impl<'d> PropertyFacts<'d> {
    fn new(values: Values<'d>, place: Pointer) -> Self {
        Self { constants: values.constants(), values, place }
    }

    fn meet(self, other: Self) -> Self {
        Self::new(self.values.meet(other.values), other.place)
    }

    fn join(&self, other: &Self) -> Self {
        Self::new(self.values.clone().join(other.values.clone()), self.place.clone())
    }

    /// Returns whether the property lists one of these constants, even if it allows any other value, too.
    pub fn lists_any_of(&self, constants: &BTreeSet<Constant>) -> bool {
        let Values { booleans, numbers, texts, .. } = &self.values;
        constants.iter().any(|constant| {
            let listing = match constant.kind() {
                JsonKind::String => texts.as_ref().map(|texts| &texts.listing),
                JsonKind::Number => numbers.as_ref().map(|numbers| &numbers.listing),
                _ => booleans.as_ref(),
            };
            listing.is_some_and(|listing| listing.texts().contains(constant.text()))
        })
    }

    /// Lets other alternatives allow any value for a property.
    fn open(property: &mut Rc<Self>) {
        if !property.values.is_open() {
            *property = Self::new(property.values.clone().opened(), property.place.clone()).into();
        }
    }
}
