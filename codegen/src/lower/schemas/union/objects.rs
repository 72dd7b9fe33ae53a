//! Unions next to the properties of an object.

use super::{Alternatives, discriminator};
use crate::document::Schema;
use crate::ir::JsonKind;
use crate::lower::Alternative;
use crate::lower::facts::{Facts, Values};

/// Returns the branches that are objects; `None` if one of them allows any value.
pub fn objects<'d>(branches: &[Schema<'d>], schema: &Schema<'d>) -> Option<Vec<Alternative<'d>>> {
    let mut branches = Alternatives::new(branches, schema).branches?;
    branches.retain(|branch| {
        let is_scalar = matches!(branch, Alternative::Alike(shape, ..) if shape.is_scalar());
        !is_scalar && Values::of(branch.schema()).allows(JsonKind::Object)
    });
    Some(branches)
}

/// Returns the properties of an object that its union has: the declared tag, and the properties that all branches
/// describe.
pub fn shared_properties<'d>(schema: &Schema<'d>, branches: &[Alternative<'d>]) -> Vec<&'d str> {
    let facts: Vec<Facts<'d>> = branches.iter().map(|branch| Facts::of(branch.schema())).collect();
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
