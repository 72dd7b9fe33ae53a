//! The discriminators of a union: their properties, and the values that mean each branch.

use std::collections::{BTreeMap, BTreeSet};
use std::iter::successors;

use super::rules::{Branch, Declared};
use crate::diagnostics::{Code, Place};
use crate::document::{Document, Pointer, Schema, View};
use crate::ir::{Constant, JsonKind};
use crate::lower::{Alternative, Context};

/// The keys of the components that some branches are, by the index of the branch.
type Keys = BTreeMap<usize, Option<String>>;

/// Returns the component whose discriminator also distinguishes the branches of a union without one: they all extend it.
pub fn base<'c, 'd>(
    schema: &Schema<'d>,
    branches: &[Alternative<'d>],
    context: &'c Context<'d>,
) -> Option<&'c Schema<'d>> {
    let keys = branches.iter().map(Alternative::component_key).collect::<Option<Vec<String>>>();
    let declares = |branch: &Alternative<'d>| of_branch(schema, branch.schema()).next().is_some();
    let keys = keys.filter(|_| !branches.iter().any(declares))?;
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

/// Returns the discriminators that distinguish a branch: of the nameless unions within the union, and of the union.
pub fn of_branch<'d>(
    union: &Schema<'d>,
    branch: &Schema<'d>,
) -> impl Iterator<Item = View<'d>> + use<'d> {
    let place = union.pointer.clone();
    let is_within = move |it: &Schema<'d>| !place.and_outer().any(|around| *around == it.pointer);
    let unions = successors(branch.union(), Schema::union).take_while(is_within);
    unions.chain([union.clone()]).filter_map(|union| union.child("discriminator"))
}

/// Reads the discriminators of a union. Returns the tag of most branches.
pub fn declared<'d>(
    schema: &Schema<'d>,
    branches: &[Alternative<'d>],
    decided: &mut [Branch<'d>],
    context: &Context<'d>,
) -> Option<Declared<'d>> {
    let mut found: Vec<(View<'d>, Keys)> = Vec::new();
    for (index, branch) in branches.iter().enumerate() {
        for discriminator in of_branch(schema, branch.schema()) {
            let known = found.iter().position(|(it, _)| it.pointer == discriminator.pointer);
            let position = known.unwrap_or(found.len());
            if known.is_none() {
                found.push((discriminator, Keys::new()));
            }
            found[position].1.insert(index, branch.component_key());
        }
    }
    // Those of inner unions come first.
    found.sort_by_key(|(_, keys)| keys.len());
    let declared = found.iter().filter_map(|(it, keys)| read(it, keys, decided, context));
    let declared: Vec<Declared<'d>> = declared.collect();
    let count = |name| decided.iter().filter(|branch| branch.tags.contains(name)).count();
    declared.into_iter().max_by_key(|it| (count(it.name), it.default.is_some(), it.name))
}

/// Reads a discriminator, and fixes its property in some branches to the values that mean them: the keys of the `mapping`
/// and the constants of the branch, or else the name of its component.
fn read<'d>(
    discriminator: &View<'d>,
    keys: &Keys,
    decided: &mut [Branch<'d>],
    context: &Context<'d>,
) -> Option<Declared<'d>> {
    let name = discriminator.text("propertyName")?;
    let index_of = |target: &str| {
        let key = Document::key_of(target);
        let wanted = key.as_deref().unwrap_or(target);
        keys.iter().find_map(|(index, key)| (key.as_deref() == Some(wanted)).then_some(*index))
    };
    let mut mapping: BTreeMap<&str, (usize, Pointer)> = BTreeMap::new();
    for (value, target) in discriminator.map("mapping") {
        if let Some(index) = target.node.as_str().and_then(index_of) {
            mapping.insert(value, (index, target.pointer));
        }
    }
    // Branches that inherit the property from the same base, or repeat what it lists, have none of its constants to
    // themselves.
    let described = decided.iter().map(|Branch { facts, .. }| {
        let listed = facts.constants(name).filter(|constants| constants.len() > 1);
        (facts.properties.get(name).map(|it| it.place.clone()), listed.cloned())
    });
    let described: Vec<_> = described.collect();
    // A list that has none of the names of a branch is all that distinguishes it from others.
    let is_shared = |index: usize, names: &BTreeSet<Constant>| {
        let (place, listed) = &described[index];
        let listed = listed.as_ref().filter(|listed| !listed.is_disjoint(names));
        keys.keys().any(|&other| {
            let (its_place, its_list) = &described[other];
            let is_same = place.is_some() && its_place == place
                || listed.is_some() && its_list.as_ref() == listed;
            other != index && is_same
        })
    };
    for (&index, key) in keys {
        let Branch { facts, tags, .. } = &mut decided[index];
        let mapped = mapping.iter().filter(|(_, (mapped, _))| *mapped == index);
        // The keys of a mapping are texts, also those that mean numbers and booleans.
        let described = facts.properties.get(name);
        let is_text = described.is_none_or(|it| it.values.allows(JsonKind::String));
        let constant = if is_text { Constant::Text } else { Constant::Json };
        let mapped: BTreeSet<Constant> =
            mapped.map(|(value, _)| constant((*value).to_owned())).collect();
        let key = key.clone().map(Constant::Text);
        let names = mapped.iter().cloned().chain(key.clone()).collect();
        let own =
            facts.constants(name).filter(|_| tags.contains(name) || !is_shared(index, &names));
        let constants = own.cloned().unwrap_or_default();
        contradictions(index, &constants, &mapping, (name, keys), context);
        let own = constants.into_iter().filter(|constant| match constant {
            Constant::Text(text) => mapping.get(text.as_str()).is_none_or(|(to, _)| *to == index),
            Constant::Json(_) => true,
        });
        let mut values: BTreeSet<Constant> = own.chain(mapped).collect();
        if values.is_empty() {
            values.extend(key);
        }
        facts.fix(name, values, &discriminator.pointer);
        tags.insert(name);
    }
    let default = discriminator.text("defaultMapping").and_then(index_of);
    Some(Declared { name, default })
}

/// Warns of values that the mapping gives to another branch than the one whose constants they are, or to a branch with
/// other constants.
fn contradictions(
    index: usize,
    constants: &BTreeSet<Constant>,
    mapping: &BTreeMap<&str, (usize, Pointer)>,
    (name, keys): (&str, &Keys),
    context: &Context<'_>,
) {
    let shown = |index: usize| keys[&index].as_deref().unwrap_or("another branch");
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
        let help = "the mapping applies; correct it, or the value in the schema";
        context.report(Code::Discriminator, Place::value(place), message).help(help);
    }
}
