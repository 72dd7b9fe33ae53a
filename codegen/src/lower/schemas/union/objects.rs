//! The objects of unions, and unions next to the properties of an object.

use std::collections::BTreeSet;

use super::{alternatives, discriminator, rules};
use crate::document::Schema;
use crate::facts::{Facts, Known, composition};
use crate::ir::{JsonKind, Rule, Rules};
use crate::lower::{Alternative, Reading};

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

/// Returns the properties of an object that its union has: the declared tag, and the properties that all branches
/// describe.
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
