//! What schemas say. Each is read once, however many others refer to it: after the schemas in it, and together with those
//! that contain each other.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use super::constraints::{has_alternatives, is_about_objects, is_null_among};
use super::listing::{Listing, ReferencedEnum};
use super::objects::{Facts, Within};
use super::values::{Null, Numbers, Values, ValuesOf};
use crate::document::{Schema, SchemaKey, SchemaType};
use crate::graph::groups;
use crate::ir::{Constant, JsonKind};

/// Maximum number of times that schemas that contain each other are read: what they say changes once or twice.
const MAX_ROUNDS: usize = 8;

#[cfg(test)]
thread_local! {
    /// The number of schemas that were read, without references to those that are kept.
    pub static READS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

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

    /// Reads the facts about a schema, through references, `allOf` and alternatives.
    pub fn facts(&self, schema: &Schema<'d>) -> Facts<'d> {
        self.with_facts(&mut self.facts.borrow_mut(), &|_| true, |reader| reader.read(schema))
    }

    /// Reads the facts that the keywords of a schema itself state.
    pub fn own_facts(&self, schema: &Schema<'d>) -> Facts<'d> {
        Facts::of_keywords(schema, &|property: &Schema<'d>| self.values(property))
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

    /// Returns how many values are narrow (`is_narrow`): of this schema, its properties, and those of its items.
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

#[derive(Default)]
struct Found<'d> {
    read: HashMap<SchemaKey, Facts<'d>>,
    /// The groups of schemas that contain each other, by number.
    groups: HashMap<SchemaKey, usize>,
}

impl Found<'_> {
    /// Returns whether a part of a schema contains the schema.
    pub fn is_within(&self, schema: &Schema<'_>, part: &Schema<'_>) -> bool {
        let group = |schema: &Schema<'_>| self.groups.get(&schema.whole().key());
        group(part).is_some_and(|it| Some(it) == group(schema))
    }
}

struct SchemaReader<'a, 'd> {
    found: &'a mut Found<'d>,
    /// Without it, properties are not read.
    values: Option<&'a ValuesOf<'a, 'd>>,
    is_meant: &'a dyn Fn(&Facts<'d>) -> bool,
}

impl<'d> SchemaReader<'_, 'd> {
    /// Reads a schema, through references, `allOf` and alternatives.
    pub fn read(&mut self, schema: &Schema<'d>) -> Facts<'d> {
        self.explore(schema);
        self.found(schema).unwrap_or(Facts::ANY)
    }

    /// Reads what several alternatives have in common.
    pub fn any(&mut self, schemas: &[Schema<'d>]) -> Facts<'d> {
        for schema in schemas {
            self.explore(schema);
        }
        self.alternatives(schemas).0
    }

    /// Reads a schema that is composed of others, after those.
    fn explore(&mut self, schema: &Schema<'d>) {
        let whole = schema.whole();
        if whole.is_composed() && !self.found.groups.contains_key(&whole.key()) {
            let known = &self.found.groups;
            let found = groups(vec![whole], Schema::key, |it| {
                let inner = it.parts().chain(it.alternatives());
                inner.filter(|it| it.is_composed() && !known.contains_key(&it.key())).collect()
            });
            for group in &found {
                self.add(group);
            }
        }
        // What a schema says without its alternatives depends on the group of the whole.
        if schema.is_base && schema.is_composed() && !self.found.read.contains_key(&schema.key()) {
            let found = &self.found;
            let bases = groups(vec![schema.clone()], Schema::key, |base| {
                let parts = base.parts().filter(|part| found.is_within(base, part));
                let bases = parts.map(|part| part.base());
                let is_new = |it: &Schema<'d>| !found.read.contains_key(&it.key());
                bases.filter(|it| it.is_composed() && is_new(it)).collect()
            });
            for base in bases.iter().flatten() {
                let read = self.evaluated(base).unwrap_or(Facts::ANY);
                self.found.read.insert(base.key(), read);
            }
        }
    }

    fn add(&mut self, group: &[Schema<'d>]) {
        let number = self.found.groups.len();
        self.found.groups.extend(group.iter().map(|schema| (schema.key(), number)));
        for schema in group {
            for part in schema.parts() {
                if self.found.is_within(schema, &part) {
                    self.explore(&part.base());
                }
            }
        }
        let rounds = if group.len() == 1 { 1 } else { MAX_ROUNDS };
        for _ in 0..rounds {
            let mut is_changed = false;
            // The innermost one is the last.
            for schema in group.iter().rev().filter(|it| is_kept(it)) {
                let Some(read) = self.evaluated(schema) else { continue };
                let known = self.found.read.insert(schema.key(), read.clone());
                is_changed |= known.is_none_or(|known| !known.equals(&read));
            }
            if !is_changed {
                break;
            }
        }
        for schema in group.iter().filter(|it| is_kept(it)) {
            self.found.read.entry(schema.key()).or_insert(Facts::ANY);
        }
    }

    /// Returns what a schema says, if its parts were read.
    fn found(&mut self, schema: &Schema<'d>) -> Option<Facts<'d>> {
        if is_kept(schema) {
            self.found.read.get(&schema.key()).cloned()
        } else {
            self.evaluated(schema)
        }
    }

    /// Returns what a part of a schema says. Where it contains the schema, it says what it does without its alternatives:
    /// a base lists the schemas that extend it.
    fn part_of(&mut self, schema: &Schema<'d>, part: &Schema<'d>) -> Facts<'d> {
        let base = self.found.is_within(schema, part).then(|| part.base());
        self.found(base.as_ref().unwrap_or(part)).unwrap_or(Facts::ANY)
    }

    /// Returns what the keywords and the parts of a schema say; `None` for a reference to a schema that is not read yet.
    fn evaluated(&mut self, schema: &Schema<'d>) -> Option<Facts<'d>> {
        #[cfg(test)]
        READS.set(READS.get() + usize::from(is_kept(schema) || !schema.is_composed()));
        let mut read = match self.values {
            Some(values) => Facts::of_keywords(schema, values),
            None => Facts::of_values(Values::of_keywords(schema)),
        };
        if schema.reference().is_some() {
            read = self.target(schema)?.meet(read);
        }
        for part in schema.all_of() {
            read = self.part_of(schema, &part).meet(read);
        }
        for branches in [schema.one_of(), schema.any_of()] {
            if branches.is_empty() {
                continue;
            }
            let (mut alternatives, has_others) = self.alternatives(&branches);
            let values = &mut alternatives.values;
            for containers in [&mut values.lists, &mut values.objects].into_iter().flatten() {
                containers.describe_alternatives(schema, has_alternatives(&branches, schema));
            }
            let values = values.clone();
            let is_slip = excludes(schema, &read.values, &values, has_others);
            let values = values.with_annotations_of(&read.values);
            read = read.meet(alternatives);
            if is_slip {
                read.values = values;
            }
        }
        Some(read)
    }

    /// Returns what the target of a reference says. If it lists values, it is recorded as their source.
    fn target(&mut self, schema: &Schema<'d>) -> Option<Facts<'d>> {
        let Some(target) = schema.target() else { return Some(Facts::ANY) };
        let is_base = schema.is_base && self.found.is_within(schema, &target);
        let mut read = self.found(&if is_base { target.base() } else { target })?;
        let values = &mut read.values;
        if values.only_kind().is_some() {
            for listing in values.listings().filter(|listing| listing.is_enum()) {
                listing.source =
                    Some(ReferencedEnum { reference: schema.clone(), is_open: listing.is_open });
            }
        }
        Some(read)
    }

    /// Returns the values of alternatives, and whether one of them excludes objects. Null and the empty text allow the
    /// others to be absent. A union that is one of its own branches has only the values of the others.
    fn alternatives(&mut self, branches: &[Schema<'d>]) -> (Facts<'d>, bool) {
        let is_null = |branch: &&Schema<'d>| is_null_among(branch, branches);
        let others = branches.iter().filter(|branch| !branch.is_false() && !is_null(branch));
        let others: Vec<(&Schema<'d>, Facts<'d>)> =
            others.filter_map(|branch| Some((branch, self.found(branch)?))).collect();
        let has_several = others.len() > 1;
        let mut has_others = false;
        let all = others.into_iter().map(|(branch, mut read)| {
            let values = &mut read.values;
            if let Some(texts) =
                values.texts.as_mut().filter(|it| it.listing.is_blank() && has_several)
            {
                texts.listing = Listing::ANY;
            }
            if let Some(Numbers { listing: Listing { values, source: None, .. }, .. }) =
                &mut values.numbers
                && let [only] = values.as_mut_slice()
            {
                only.name = only.name.or(branch.title());
            }
            has_others |= !values.allows(JsonKind::Object) && !values.kinds().is_empty();
            read
        });
        let mut any = joined(all.filter(self.is_meant).collect()).unwrap_or(Facts::NONE);
        let values = &mut any.values;
        if branches.iter().any(|branch| is_null(&branch)) || values.is_nullable() {
            values.null = Null::Asked;
        }
        (any, has_others)
    }
}

/// Returns what one or the other of several schemas says. Halves are joined: one after the other, each would go through the
/// properties of all before it.
fn joined(mut facts: Vec<Facts<'_>>) -> Option<Facts<'_>> {
    if facts.len() < 2 {
        return facts.pop();
    }
    let others = facts.split_off(facts.len() / 2);
    Some(joined(facts)?.join(joined(others)?))
}

/// Returns whether what a schema says is kept: for a reference to one that is kept, it would be kept again.
fn is_kept(schema: &Schema<'_>) -> bool {
    let is_kept = |target: &Schema<'_>| target.is_composed() && target.reference().is_none();
    schema.is_composed() && !schema.target().as_ref().is_some_and(is_kept)
}

/// Returns whether the `type` of a schema contradicts its alternatives, or some alternatives of an object
/// (`has_others`). The `type` is then a mistake: only the alternatives count.
fn excludes(
    schema: &Schema<'_>,
    values: &Values<'_>,
    alternatives: &Values<'_>,
    has_others: bool,
) -> bool {
    let kinds = alternatives.kinds();
    let has_types = schema.types().next().is_some();
    let is_object = schema.has_only(SchemaType::Object) || !has_types && is_about_objects(schema);
    !kinds.is_empty() && (has_types && !values.overlaps(alternatives) || is_object && has_others)
}
