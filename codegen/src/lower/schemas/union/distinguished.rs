//! The candidates for the names of variants: by what distinguishes branches that want the same name.

use std::collections::BTreeMap;

use super::rules;
use crate::facts::{Facts, Known, Within};
use crate::lower::alternative::{Alternative, kind_name};
use crate::names::{self, Priority};

/// The properties of a branch by name, each with the name of its kind and what is known of its values.
type Values<'d> = BTreeMap<&'d str, (String, Facts<'d>)>;

/// Returns the candidates for the name of each branch, given the wanted names, with what the branch requires, by which
/// they are in order. Each of several branches that want a name is named by what distinguishes it, so that another branch
/// does not take over the name: only the one without anything of its own keeps it.
pub fn candidates<'d>(
    wanted: &[(String, Priority)],
    branches: &[Alternative<'d>],
    decided: &[rules::Branch<'d>],
    known: &Known<'d>,
) -> Vec<(String, Vec<String>)> {
    let facts: Vec<&Facts<'d>> = decided.iter().map(|branch| &branch.facts).collect();
    // What distinguishes lists are their items.
    let items = facts.iter().map(|facts| known.within(facts, Within::Items));
    let items: Vec<Facts<'d>> = items.collect();
    let items: Vec<&Facts<'d>> = items.iter().collect();
    let required = facts.iter().zip(&items).map(|(facts, items)| {
        let required = facts.required.iter().chain(&items.required);
        required.copied().collect::<Vec<_>>().join("\0")
    });
    let required: Vec<String> = required.collect();
    let mut twins: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, (name, _)) in wanted.iter().enumerate() {
        twins.entry(name).or_default().push(index);
    }
    // Spelling out a text of the document distinguishes it from another one, not from an equal or a made-up one.
    let is_spelled = wanted.iter().zip(branches).map(|((name, _), branch)| {
        twins[name.as_str()].len() == 1 && *name != branch.kind_name(known)
    });
    let is_spelled: Vec<bool> = is_spelled.collect();
    let values = branches.iter().enumerate().map(|(index, branch)| {
        let properties = (!is_spelled[index]).then(|| branch.schema().properties());
        let of = |(name, schema)| (name, (kind_name(&schema, 1, known), known.facts(&schema)));
        properties.into_iter().flatten().map(of).collect()
    });
    let values: Vec<Values<'d>> = values.collect();
    let distinguishing = |index: usize| {
        let (name, priority) = &wanted[index];
        let own = own_properties(facts[index], &facts).map(str::to_owned);
        let lists = own_properties(items[index], &items).map(|name| format!("{name} list"));
        let twins = twins[name.as_str()].iter().map(|twin| &values[*twin]);
        let all = own.chain(lists).chain(own_values(&values[index], &twins.collect::<Vec<_>>()));
        match priority {
            Priority::Derived => all.collect::<Vec<_>>(),
            _ if is_spelled[index] => Vec::new(),
            _ => all.map(|own| format!("{name} {own}")).collect(),
        }
    };
    let distinguishing: Vec<_> = (0..branches.len()).map(distinguishing).collect();
    let all = wanted.iter().enumerate().map(|(index, (name, _))| {
        let twins = &twins[name.as_str()];
        let mut own = distinguishing[index].clone();
        let alike = twins.iter().filter(|twin| distinguishing[**twin].is_empty()).count();
        if twins.len() == 1 || own.is_empty() && alike == 1 {
            own.insert(0, name.clone());
        }
        if !is_spelled[index] {
            own.push(format!("{name} {:08x}", names::checksum(&decided[index].key)));
        }
        (required[index].clone(), own)
    });
    all.collect()
}

/// Returns the properties whose values distinguish a branch from its twins: by their type, or by properties of their own.
fn own_values(values: &Values<'_>, twins: &[&Values<'_>]) -> Vec<String> {
    let mut by_type = Vec::new();
    let mut within = Vec::new();
    for (name, (kind, facts)) in values {
        let alike = twins.iter().filter_map(|twin| twin.get(name));
        let (kinds, all): (Vec<_>, Vec<_>) = alike.map(|(kind, facts)| (kind, facts)).unzip();
        if kinds.into_iter().filter(|other| *other == kind).count() == 1 {
            by_type.push(format!("{name} {kind}"));
        }
        within.extend(own_properties(facts, &all).map(|inner| format!("{name} {inner}")));
    }
    by_type.into_iter().chain(within).collect()
}

/// Returns the required properties that no other branch requires, and then the optional ones that no other has.
fn own_properties<'d>(facts: &Facts<'d>, all: &[&Facts<'d>]) -> impl Iterator<Item = &'d str> {
    let is_only =
        |is_of: &dyn Fn(&Facts<'d>) -> bool| all.iter().filter(|facts| is_of(facts)).count() == 1;
    let required = facts.required.iter().copied();
    let required = required.filter(move |name| is_only(&|facts| facts.required.contains(name)));
    let optional = facts.properties.keys().copied().filter(|name| !facts.required.contains(name));
    required
        .chain(optional.filter(move |name| is_only(&|facts| facts.properties.contains_key(name))))
}
