//! The branches of a union: alternatives without null and without repetitions; those of the same shape are one.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use super::{discriminator, rules};
use crate::document::{Pointer, Schema, SchemaKey};
use crate::facts::{
    Facts, Known, Values, composition, has_only_null, is_decisive, is_null, is_null_among,
};
use crate::ir::{JsonKind, Rule, Rules, Type};
use crate::lower::alternative::{Alternative, ValueShape};
use crate::lower::classify::{Content, SchemaKind, classify};
use crate::lower::reading::{Branches, Reading};
use crate::lower::references::classify_target;

/// Maximum number of lists and alternatives around values of a shape.
const MAX_SHAPE_DEPTH: usize = 4;

/// Returns the different branches of a keyword; `None` if one of them allows any value. Values of the same shape are one
/// branch, unless a discriminator distinguishes them.
pub fn alternatives<'d>(
    branches: &[Schema<'d>],
    schema: &Schema<'d>,
    reading: &Reading<'d>,
) -> Option<Vec<Alternative<'d>>> {
    let collected = collected(branches, schema, reading);
    let mut branches: Vec<Alternative<'d>> = Vec::new();
    let mut shapes: HashMap<&ValueShape, usize> = HashMap::new();
    for (branch, shape) in collected.as_ref().as_ref()? {
        let has_tag = || discriminator::of_branch(schema, branch).next().is_some();
        let shape = shape.as_ref().filter(|shape| shape.is_scalar || !has_tag());
        if let Some(index) = shape.and_then(|shape| shapes.get(shape)) {
            branches[*index].schemas.push(branch.clone());
            continue;
        }
        shapes.extend(shape.map(|shape| (shape, branches.len())));
        let (schemas, shape) = (vec![branch.clone()], shape.cloned());
        branches.push(Alternative { schemas, shape, extension: None });
    }
    for Alternative { schemas, shape, .. } in &mut branches {
        shape.take_if(|shape| schemas.len() == 1 && !shape.is_scalar);
    }
    Some(branches)
}

/// Returns whether alternatives are the variants of a union: several, or one that a discriminator tells from unknown ones.
pub fn are_variants(branches: &[Alternative<'_>], schema: &Schema<'_>) -> bool {
    let [only] = branches else { return !branches.is_empty() };
    let only = only.schema();
    discriminator::of_branch(schema, only).next().is_some() && !composition::has_variants(only)
}

/// Returns the branches that are objects; `None` if one of them allows any value.
pub fn objects<'d>(
    branches: &[Schema<'d>],
    schema: &Schema<'d>,
    known: &Reading<'d>,
) -> Option<Vec<Alternative<'d>>> {
    let mut branches = alternatives(branches, schema, known)?;
    branches.retain(|branch| {
        !branch.is_scalar() && known.values(branch.schema()).allows(JsonKind::Object)
    });
    Some(branches)
}

/// Returns the properties of an object that its union has: the declared tag, and those that all branches describe.
pub fn shared_properties<'d>(
    schema: &Schema<'d>,
    branches: &[Alternative<'d>],
    known: &Known<'d>,
) -> Vec<&'d str> {
    let facts: Vec<Facts<'d>> =
        branches.iter().map(|branch| known.facts(branch.schema())).collect();
    let first = facts.first().into_iter().flat_map(|facts| facts.properties.keys().copied());
    let shared = first.filter(|name| facts.iter().all(|facts| facts.describes(name)));
    let tags = |branch: &Alternative<'d>| {
        let discriminators = discriminator::of_branch(schema, branch.schema());
        discriminators.filter_map(|discriminator| discriminator.text("propertyName"))
    };
    let first = branches.first().into_iter().flat_map(tags);
    let tags = first.filter(|tag| branches.iter().all(|branch| tags(branch).any(|it| it == *tag)));
    shared.chain(tags).collect()
}

/// Returns whether a union allows properties that its branches do not describe.
pub fn is_open(schema: &Schema<'_>) -> bool {
    schema.is_open() && !composition::alternatives(schema).is_empty()
}

/// Returns the properties that only some of the branches of an `anyOf` describe, if nothing excludes that an object matches
/// several branches.
pub fn siblings(schema: &Schema<'_>, branches: &[rules::Branch<'_>], rules: &Rules) -> Vec<String> {
    let rule = rules.of_kind(JsonKind::Object);
    let facts = || {
        let facts = branches.iter().map(|branch| &branch.facts);
        facts.filter(|facts| facts.values.allows(JsonKind::Object))
    };
    let is_inclusive = schema.one_of().is_empty()
        && !schema.any_of().is_empty()
        && matches!(rule, Some(Rule::Required(..) | Rule::Fit(_)))
        && !facts().any(|facts| facts.is_closed);
    if !is_inclusive {
        return Vec::new();
    }
    let names: BTreeSet<&str> =
        facts().flat_map(|facts| facts.properties.keys().copied()).collect();
    let is_common = |name: &&str| facts().all(|facts| facts.properties.contains_key(name));
    names.into_iter().filter(|name| !is_common(name)).map(str::to_owned).collect()
}

/// Returns the branches of a keyword. Unions that contain each other have the same ones.
fn collected<'d>(
    branches: &[Schema<'d>],
    schema: &Schema<'d>,
    reading: &Reading<'d>,
) -> Rc<Branches<'d>> {
    let first = reading.cycle(schema);
    let cycle = first.key();
    let own = schema.alternatives();
    let is_whole = own.iter().map(Schema::key).eq(branches.iter().map(Schema::key));
    if let Some(known) = reading.branches.borrow().get(&cycle).filter(|_| is_whole) {
        return known.clone();
    }
    // Their order does not depend on which of the unions is the first to be lowered.
    let branches = if is_whole { first.alternatives() } else { branches.to_vec() };
    let place = branches.first().and_then(|branch| branch.pointer.parent()?.parent());
    let mut collected = Collected {
        branches: Vec::new(),
        seen: HashSet::new(),
        any: false,
        spliced: place.cloned().into_iter().collect(),
        cycles: HashSet::from([cycle.clone()]),
        reading,
    };
    collected.add(branches);
    let collected = Rc::new((!collected.any).then_some(collected.branches));
    if is_whole {
        reading.branches.borrow_mut().insert(cycle, collected.clone());
    }
    collected
}

struct Collected<'a, 'd> {
    /// The branches, with the shape of their values.
    branches: Vec<(Schema<'d>, Option<ValueShape>)>,
    /// What distinguishes them.
    seen: HashSet<String>,
    any: bool,
    /// The unions whose branches were added, first of all this one: again, they would be no others.
    spliced: HashSet<Pointer>,
    /// The cycles of these unions.
    cycles: HashSet<SchemaKey>,
    reading: &'a Reading<'d>,
}

/// The branches of a keyword that are being added.
struct Keyword<'d> {
    branches: Vec<Schema<'d>>,
    /// The number of branches with values of each kind, and of branches with only scalars among them.
    kinds: BTreeMap<JsonKind, [usize; 2]>,
    /// The number of those that were added.
    added: usize,
}

impl<'d> Keyword<'d> {
    fn new(branches: Vec<Schema<'d>>, reading: &Reading<'d>) -> Self {
        let mut kinds: BTreeMap<JsonKind, [usize; 2]> = BTreeMap::new();
        for values in branches.iter().map(|branch| reading.values(branch)) {
            for kind in values.kinds() {
                let [all, scalars] = kinds.entry(kind).or_default();
                *all += 1;
                *scalars += usize::from(values.is_scalar());
            }
        }
        Self { branches, kinds, added: 0 }
    }

    /// Returns whether a branch has values of the kind of another one, and one of the two has only scalars.
    fn is_shared(&self, branch: &Values<'d>) -> bool {
        let is_scalar = branch.is_scalar();
        branch.kinds().iter().any(|kind| {
            let [all, scalars] = self.kinds.get(kind).copied().unwrap_or_default();
            if is_scalar { all > 1 } else { scalars > 0 }
        })
    }
}

impl<'d> Collected<'_, 'd> {
    /// Adds branches. A nameless union among them adds its own, and so does a union that contains this one as a branch,
    /// and a union with values of the kind of another branch, if one of the two has only scalars, which would never
    /// be read.
    fn add(&mut self, branches: Vec<Schema<'d>>) {
        let mut open = vec![Keyword::new(branches, self.reading)];
        while let Some(keyword) = open.last_mut() {
            let Some(branch) = keyword.branches.get(keyword.added).cloned() else {
                open.pop();
                continue;
            };
            keyword.added += 1;
            if branch.is_false() || is_null_among(&branch, &keyword.branches) {
                continue;
            }
            let kind = classify(&branch, false, self.reading).kind;
            if let SchemaKind::Alternatives(_, inner) = kind {
                open.push(Keyword::new(inner, self.reading));
                continue;
            }
            let branch = if let SchemaKind::Ref(reference) = kind { reference } else { branch };
            let target = branch.reference().and_then(|_| self.reading.target(&branch));
            let Some((union, SchemaKind::Alternatives(_, inner))) =
                target.as_deref().map(|(target, classified)| (target, &classified.kind))
            else {
                self.push(branch);
                continue;
            };
            if self.spliced.contains(&union.pointer) {
                continue;
            }
            let cycle = self.reading.cycle(union).key();
            if self.cycles.contains(&cycle) || keyword.is_shared(&self.reading.values(&branch)) {
                self.spliced.insert(union.pointer.clone());
                self.cycles.insert(cycle);
                open.push(Keyword::new(inner.clone(), self.reading));
            } else {
                self.push(branch);
            }
        }
    }

    fn push(&mut self, branch: Schema<'d>) {
        let constraints = || branch.to_constraints(is_decisive);
        let text = branch.reference().map_or_else(constraints, str::to_owned);
        if !self.seen.insert(text) {
            return;
        }
        let Some(target) = self.reading.target(&branch) else {
            self.branches.push((branch, None));
            return;
        };
        let (target, classified) = target.as_ref();
        if !is_null(&branch) && !has_only_null(target) {
            self.any |= matches!(classified.kind, SchemaKind::Simple(Type::Value));
            let shape = shape_of(&branch, 0, self.reading);
            self.branches.push((branch, shape));
        }
    }
}

/// Returns the shape of the values of a schema; `None` if it is another one.
fn shape_of<'d>(schema: &Schema<'d>, depth: usize, known: &Reading<'d>) -> Option<ValueShape> {
    let values = known.values(schema);
    let kind = values.only_kind()?;
    let name = match kind {
        JsonKind::Boolean => "Boolean".to_owned(),
        JsonKind::Number => "Number".to_owned(),
        JsonKind::String => "Text".to_owned(),
        JsonKind::Array | JsonKind::Object => match classify_target(schema, known)?.kind {
            SchemaKind::Map(_) if known.facts(schema).required.is_empty() => "Map".to_owned(),
            SchemaKind::List(Content { schemas, .. }) if depth < MAX_SHAPE_DEPTH => {
                let items = match schemas.as_slice() {
                    [] => "Value".to_owned(),
                    [items] => shape_of(items, depth + 1, known)?.name,
                    _ => return None,
                };
                items + "List"
            }
            SchemaKind::Alternatives(_, branches) if depth < MAX_SHAPE_DEPTH => {
                let branches = branches.iter().filter(|branch| !is_null_among(branch, &branches));
                let mut shapes = branches.map(|branch| shape_of(branch, depth + 1, known));
                let first = shapes.next()??;
                return shapes.all(|shape| shape.as_ref() == Some(&first)).then_some(first);
            }
            _ => return None,
        },
    };
    Some(ValueShape { name, is_scalar: values.is_scalar() })
}
