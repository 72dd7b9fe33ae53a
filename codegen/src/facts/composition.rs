//! The schemas that make up another one by `allOf`, `oneOf` and `anyOf`.

use std::collections::HashSet;
use std::iter::successors;

use super::constraints::{describes_more_than_type, has_alternatives, is_null_among, is_silent};
use super::reader::Known;
use crate::document::{AdditionalProperties, MAX_CHAIN, Schema};
use crate::ir::JsonKind;

/// One of the properties of a union.
#[derive(Clone, Debug)]
pub struct Branch<'d> {
    /// The branch of `oneOf`.
    pub schema: Schema<'d>,
    pub property: &'d str,
    pub value: Schema<'d>,
}

impl<'d> Branch<'d> {
    /// Returns whether the branch has no schema apart from the schema of its property.
    pub fn is_bare(&self) -> bool {
        self.schema.pointer == self.value.pointer
    }

    /// Returns whether no property next to it is lost: its value has a place for others, or there are none.
    pub fn retains_others(&self, known: &Known<'d>) -> bool {
        let closed = self.schema.additional_properties();
        matches!(closed, Some(AdditionalProperties::Any(false)))
            || known.values(&self.value).only_kind() == Some(JsonKind::Object)
    }
}

/// Returns whether the keywords of a schema of objects describe properties by name, or that there are none.
pub fn is_struct(schema: &Schema<'_>, is_component: bool) -> bool {
    let is_closed = || !(schema.is_open() || schema.has("oneOf") || schema.has_unread());
    schema.has_properties() || is_component && is_closed()
}

/// Returns whether a schema has an `allOf` that is more than remarks and constraints.
pub fn has_parts(schema: &Schema<'_>) -> bool {
    !schema.all_of().iter().all(is_silent)
}

/// Returns whether a schema describes objects by its alternatives alone.
pub fn has_only_alternatives(schema: &Schema<'_>) -> bool {
    !schema.has_properties() && !schema.has_all_of()
}

/// Returns the keywords of a schema whose branches are more than constraints, each with its branches.
pub fn alternatives<'d>(schema: &Schema<'d>) -> Vec<(&'static str, Vec<Schema<'d>>)> {
    let mut keywords = vec![("oneOf", schema.one_of()), ("anyOf", schema.any_of())];
    keywords.retain(|(_, branches)| has_alternatives(branches, schema));
    keywords
}

/// Returns the properties of a union: the branches of a `oneOf` are objects with one required property each, and no two
/// have the same.
pub fn member_union<'d>(schema: &Schema<'d>) -> Option<Vec<Branch<'d>>> {
    let mut seen = HashSet::new();
    let members = schema.one_of().into_iter().map(|branch| {
        let member = member_branch(branch)?;
        seen.insert(member.property).then_some(member)
    });
    members.collect::<Option<Vec<_>>>().filter(|members| !members.is_empty())
}

fn member_branch(schema: Schema<'_>) -> Option<Branch<'_>> {
    let mut required = schema.required();
    let mut properties = schema.properties();
    let (property, value) = properties.next()?;
    let is_member = required.next() == Some(property)
        && required.next().is_none()
        && properties.next().is_none()
        && schema.reference().is_none()
        && !schema.has_all_of()
        && !schema.has("oneOf");
    is_member.then_some(Branch { schema, property, value })
}

/// Returns the schema that another one only wraps: the only part of `allOf` that is more than a remark, or the only
/// branch of `oneOf` or `anyOf` besides null. With a discriminator, that is a variant, unless it has variants itself.
pub fn wrapped<'d>(schema: &Schema<'d>) -> Option<Schema<'d>> {
    if describes_more_than_type(schema) {
        return None;
    }
    let mut all = schema.all_of();
    let mut one = schema.one_of();
    let any = schema.any_of();
    if one.is_empty() && any.is_empty() && !all.is_empty() {
        all.retain(|part| !is_silent(part));
        return all.pop().filter(|_| all.is_empty());
    }
    if !all.is_empty() || !(one.is_empty() || any.is_empty()) {
        return None;
    }
    one.extend(any);
    let branches = one.clone();
    one.retain(|branch| !is_null_among(branch, &branches));
    let only = one.pop().filter(|_| one.is_empty())?;
    let is_variant = schema.has("discriminator") && !has_variants(&only);
    (!is_variant && member_branch(only.clone()).is_none()).then_some(only)
}

/// Returns whether a schema, or the target of its references, is a union of its own.
pub fn has_variants(schema: &Schema<'_>) -> bool {
    let targets = successors(Some(schema.clone()), Schema::target).take(MAX_CHAIN);
    targets.last().is_some_and(|it| it.has("discriminator") || !it.alternatives().is_empty())
}

/// Returns alternatives, not all of which are objects, to which the schema around them applies: the objects among them
/// have its properties.
pub fn with_properties<'d>(
    branches: Vec<Schema<'d>>,
    schema: &Schema<'d>,
    known: &Known<'d>,
) -> Vec<Schema<'d>> {
    let with = |branch: Schema<'d>| {
        let has_objects = known.values(&branch).allows(JsonKind::Object);
        if has_objects { branch.meet(schema.base()) } else { branch }
    };
    branches.into_iter().map(with).collect()
}
