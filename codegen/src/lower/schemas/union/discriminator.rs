//! The discriminator of a union: its property, and the values that mean each branch.

use std::collections::{BTreeMap, BTreeSet};

use super::rules::{Branch, Declared};
use crate::diagnostics::{Diagnostics, Place};
use crate::document::{Document, Pointer, Schema};
use crate::ir::Constant;
use crate::lower::{Alternative, Context};

/// Returns the component whose discriminator also distinguishes the branches of a union without one: they all extend it.
pub fn base<'c, 'd>(
    schema: &Schema<'d>,
    branches: &[Alternative<'d>],
    context: &'c Context<'d>,
) -> Option<&'c Schema<'d>> {
    let keys = branches.iter().map(Alternative::component_key).collect::<Option<Vec<String>>>();
    let keys = keys.filter(|_| !schema.has("discriminator"))?;
    context.common_base(&keys).map(|base| &base.schema)
}

/// Returns the branch that the others extend: as a component with a discriminator, it is a union of all of them.
pub fn base_among<'a, 'd>(
    schema: &Schema<'d>,
    branches: &'a [Alternative<'d>],
    context: &Context<'d>,
) -> Option<&'a Schema<'d>> {
    let base = base(schema, branches, context)?;
    let mut branches = branches.iter().map(Alternative::schema);
    branches.find(|branch| branch.target().is_some_and(|it| it.pointer == base.pointer))
}

/// Reads the discriminator of a schema, and adds the values of its property to the branches: the keys of the `mapping`
/// and the constants of the branch, or else the name of its component.
pub fn declared<'d>(
    schema: &Schema<'d>,
    branches: &[Alternative<'d>],
    decided: &mut [Branch<'d>],
    diagnostics: &mut Diagnostics,
) -> Option<Declared> {
    let discriminator = schema.child("discriminator")?;
    let name = discriminator.text("propertyName")?;
    let keys: Vec<Option<String>> = branches.iter().map(Alternative::component_key).collect();
    let index_of = |target: &str| {
        let key = Document::key_of(target);
        let wanted = key.as_deref().unwrap_or(target);
        keys.iter().position(|key| key.as_deref() == Some(wanted))
    };
    let mut mapping: BTreeMap<&str, (usize, Pointer)> = BTreeMap::new();
    for (value, target) in discriminator.map("mapping") {
        if let Some(index) = target.as_text().and_then(index_of) {
            mapping.insert(value, (index, target.pointer));
        }
    }
    // Branches that inherit the property from the same base, or repeat what it lists, have none of its constants to
    // themselves.
    let described = decided.iter().map(|Branch { facts, .. }| {
        let listed = facts.constants(name).filter(|constants| constants.len() > 1);
        (facts.place_of(name).cloned(), listed.cloned())
    });
    let described: Vec<_> = described.collect();
    // A list that has none of the names of a branch is all that distinguishes it from others.
    let is_shared = |index: usize, names: &BTreeSet<Constant>| {
        let (place, listed) = &described[index];
        let listed = listed.as_ref().filter(|listed| !listed.is_disjoint(names));
        described.iter().enumerate().any(|(other, (its_place, its_list))| {
            let is_same = place.is_some() && its_place == place
                || listed.is_some() && its_list.as_ref() == listed;
            other != index && is_same
        })
    };
    for (index, branch) in decided.iter_mut().enumerate() {
        let mapped = mapping.iter().filter(|(_, (mapped, _))| *mapped == index);
        let mapped: BTreeSet<Constant> =
            mapped.map(|(value, _)| Constant::Text((*value).to_owned())).collect();
        let key = keys[index].clone().map(Constant::Text);
        let names = mapped.iter().cloned().chain(key).collect();
        let own = branch.facts.constants(name).filter(|_| !is_shared(index, &names));
        let constants = own.cloned().unwrap_or_default();
        let own = constants.iter().filter(|constant| match constant {
            Constant::Text(text) => mapping.get(text.as_str()).is_none_or(|(to, _)| *to == index),
            Constant::Json(_) => true,
        });
        branch.values = own.chain(&mapped).cloned().collect();
        contradictions(index, &constants, &mapping, name, &keys, diagnostics);
        if branch.values.is_empty()
            && let Some(key) = &keys[index]
        {
            branch.values.insert(Constant::Text(key.clone()));
        }
    }
    let default = discriminator.text("defaultMapping").and_then(index_of);
    Some(Declared { name: name.to_owned(), default })
}

/// Warns of values that the mapping gives to another branch than the one whose constants they are, or to a branch with
/// other constants.
fn contradictions(
    index: usize,
    constants: &BTreeSet<Constant>,
    mapping: &BTreeMap<&str, (usize, Pointer)>,
    name: &str,
    keys: &[Option<String>],
    diagnostics: &mut Diagnostics,
) {
    let shown = |index: usize| keys[index].as_deref().unwrap_or("another branch");
    for (text, (mapped, place)) in mapping {
        // The keys of a mapping are texts.
        let is_constant = constants.iter().any(|constant| constant.text() == *text);
        let own = shown(index);
        let message = match (*mapped == index, is_constant) {
            (false, true) => {
                let mapped = shown(*mapped);
                format!("`{text}` means `{mapped}` here, but it is the `{name}` of `{own}`")
            }
            (true, false) if !constants.is_empty() => {
                format!("`{text}` means `{own}` here, whose `{name}` has another value")
            }
            _ => continue,
        };
        diagnostics
            .warning("discriminator", Place::value(place), message)
            .help("the mapping applies; correct it, or the value in the schema");
    }
}
