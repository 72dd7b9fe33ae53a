//! What schemas say. Each is read once, however many others refer to it.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::objects::{Facts, Within};
use super::reader::{Found, SchemaReader};
use super::values::Values;
use crate::document::Schema;
use crate::ir::{Constant, JsonKind};

#[derive(Default)]
pub struct Known<'d> {
    values: RefCell<Found<'d>>,
    facts: RefCell<Found<'d>>,
}

impl<'d> Known<'d> {
    /// Reads the values of a schema, through references, `allOf` and alternatives.
    pub fn values(&self, schema: &Schema<'d>) -> Values<'d> {
        self.with_values(|reader| reader.read(schema)).values
    }

    /// Reads the values that several alternatives have in common.
    pub fn values_of_any(&self, schemas: &[Schema<'d>]) -> Values<'d> {
        self.with_values(|reader| reader.any(schemas)).values
    }

    /// Reads the values that several schemas allow together.
    pub fn values_of_all(&self, schemas: &[Schema<'d>]) -> Values<'d> {
        let all = schemas.iter().map(|schema| self.values(schema));
        all.fold(Values::ANY, |all, values| values.meet(all))
    }

    /// Reads the facts about a schema, through references, `allOf` and alternatives.
    pub fn facts(&self, schema: &Schema<'d>) -> Facts<'d> {
        self.with_facts(&mut self.facts.borrow_mut(), &|_| true, |reader| reader.read(schema))
    }

    /// Reads the facts that several alternatives have in common.
    pub fn facts_of_any(&self, schemas: &[Schema<'d>]) -> Facts<'d> {
        self.with_facts(&mut self.facts.borrow_mut(), &|_| true, |reader| reader.any(schemas))
    }

    /// Returns whether a part of a schema contains the schema.
    pub fn is_within(&self, schema: &Schema<'d>, part: &Schema<'d>) -> bool {
        self.values(schema);
        self.values.borrow().is_within(schema, part)
    }

    pub fn within(&self, facts: &Facts<'d>, place: Within<'d>) -> Facts<'d> {
        let property = |name: &str| facts.properties.get(name).map(|property| &property.values);
        let items = |values: &Values<'d>| values.items().map(|items| self.facts(items));
        let found = match place {
            Within::Items => items(&facts.values),
            Within::ItemsOf(name) => property(name).and_then(items),
            Within::ObjectOf(name) => property(name).and_then(|values| self.objects(values, None)),
        };
        found.unwrap_or(Facts::ANY)
    }

    /// Returns the facts about the objects with one of some constants of a property: what their alternatives say, too.
    pub fn tagged(&self, facts: &Facts<'d>, name: &str, constants: &[Constant]) -> Facts<'d> {
        let has_any = |own: &BTreeSet<_>| constants.iter().any(|it| own.contains(it));
        let is_meant = |facts: &Facts<'d>| facts.constants(name).is_none_or(has_any);
        let mut all = facts.clone();
        let meant =
            self.objects(&facts.values, Some(&is_meant)).filter(|_| facts.has_alternatives());
        let Some(meant) = meant.filter(|it| it.values.allows(JsonKind::Object)) else { return all };
        all.properties.retain(|name, _| meant.properties.contains_key(name));
        all.meet(meant)
    }

    /// Returns the facts about objects, of the alternatives that are meant.
    fn objects(
        &self,
        values: &Values<'d>,
        is_meant: Option<&dyn Fn(&Facts<'d>) -> bool>,
    ) -> Option<Facts<'d>> {
        let objects = values.objects.as_ref()?;
        let of_both = if objects.has_alternatives { Facts::join } else { Facts::meet };
        let all = objects.parts.iter().map(|part| match is_meant {
            Some(is_meant) => {
                self.with_facts(&mut Found::default(), is_meant, |reader| reader.read(part))
            }
            None => self.facts(part),
        });
        let all = all.filter(|facts| is_meant.is_none_or(|is_meant| is_meant(facts)));
        let all = all.reduce(|all, facts| of_both(facts, all))?;
        Some(Facts { values: Values { objects: all.values.objects, ..Values::NONE }, ..all })
    }

    /// Returns how many values are narrow (`is_narrow`): of this schema, of its properties, and of the properties of its
    /// items.
    pub fn narrow_places(&self, facts: &Facts<'d>) -> usize {
        let items = facts.properties.values().filter_map(|property| property.values.items());
        let within = items.map(|items| self.facts(items).narrow_places());
        facts.narrow_places() + within.sum::<usize>()
    }

    fn with_values(&self, read: impl FnOnce(&mut SchemaReader<'_, 'd>) -> Facts<'d>) -> Facts<'d> {
        let found = &mut self.values.borrow_mut();
        read(&mut SchemaReader { found, values: None, is_meant: &|_| true })
    }

    fn with_facts(
        &self,
        found: &mut Found<'d>,
        is_meant: &dyn Fn(&Facts<'d>) -> bool,
        read: impl FnOnce(&mut SchemaReader<'_, 'd>) -> Facts<'d>,
    ) -> Facts<'d> {
        let values = |property: &Schema<'d>| self.values(property);
        read(&mut SchemaReader { found, values: Some(&values), is_meant })
    }
}
