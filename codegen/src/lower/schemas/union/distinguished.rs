//! The candidates for the names of variants: by what distinguishes branches that want the same name.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::rules;
use crate::document::Schema;
use crate::facts::{Facts, Known, Within};
use crate::ir::Constant;
use crate::lower::alternative::{Alternative, kind_name};
use crate::names::{self, Priority};

/// Maximum depth of properties within each other that name a branch.
const MAX_DEPTH: usize = 3;

/// The rank of words that name a branch only if no others do.
const EXACT: u8 = 2;

/// Returns the candidates for the name of each branch, given the wanted names, with what the branch requires, by which
/// they are in order. Each of several branches that want a name is named by what distinguishes it, so that another branch
/// does not take over the name: only the one without anything of its own keeps it. The last candidate has
/// a checksum, unless the name can be spelled.
pub fn candidates<'d>(
    wanted: &[(String, Priority)],
    branches: &[Alternative<'d>],
    decided: &[rules::Branch<'d>],
    known: &Known<'d>,
) -> Vec<(String, Vec<String>, bool)> {
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
    let words = branches.iter().zip(&is_spelled).map(|(branch, is_spelled)| {
        if *is_spelled { BTreeSet::new() } else { words(branch.schema(), 0, known) }
    });
    let words: Vec<BTreeSet<(u8, String)>> = words.collect();
    let mut counts: HashMap<(&str, &(u8, String)), usize> = HashMap::new();
    for ((name, _), words) in wanted.iter().zip(&words) {
        for word in words {
            *counts.entry((name, word)).or_default() += 1;
        }
    }
    let own_words = |index: usize, is_exact: bool| -> Vec<String> {
        let is_own = |word: &&(u8, String)| {
            (word.0 == EXACT) == is_exact && counts[&(wanted[index].0.as_str(), *word)] == 1
        };
        words[index].iter().filter(is_own).map(|(_, word)| word.clone()).collect()
    };
    let with_name = |index: usize, all: Vec<String>| match &wanted[index] {
        (_, Priority::Derived) => all,
        (name, _) => all.iter().map(|own| format!("{name} {own}")).collect(),
    };
    let distinguishing = |index: usize| {
        if is_spelled[index] && wanted[index].1 != Priority::Derived {
            return Vec::new();
        }
        let own = own_properties(facts[index], &facts).map(str::to_owned);
        let lists = own_properties(items[index], &items).map(|name| format!("{name} list"));
        with_name(index, own.chain(lists).chain(own_words(index, false)).collect())
    };
    let distinguishing: Vec<_> = (0..branches.len()).map(distinguishing).collect();
    let all = wanted.iter().enumerate().map(|(index, (name, _))| {
        let twins = &twins[name.as_str()];
        let mut own = distinguishing[index].clone();
        let alike = twins.iter().filter(|twin| distinguishing[**twin].is_empty()).count();
        if own.is_empty() && alike > 1 {
            own = with_name(index, own_words(index, true));
        }
        if twins.len() == 1 || own.is_empty() && alike == 1 {
            own.insert(0, name.clone());
        }
        if !is_spelled[index] {
            own.push(format!("{name} {:08x}", names::checksum(&decided[index].key)));
        }
        (required[index].clone(), own, !is_spelled[index])
    });
    all.collect()
}

/// Returns what a schema, or that of its items, says of its properties: the kind of each, the properties in its own text, and
/// its value, or else its format.
fn words<'d>(schema: &Schema<'d>, depth: usize, known: &Known<'d>) -> BTreeSet<(u8, String)> {
    let items = known.values(schema).items().cloned();
    let (suffix, least) = if items.is_some() { (" list", EXACT) } else { ("", 0) };
    let mut all = BTreeSet::new();
    for (name, property) in items.as_ref().unwrap_or(schema).properties() {
        let kind = |is_exact| kind_name(&property, 1, is_exact, known);
        let constant = known.values(&property).constants().and_then(|all| only_text(&all));
        let inner = match constant {
            None if depth < MAX_DEPTH => words(&property, depth + 1, known),
            _ => BTreeSet::new(),
        };
        let inner = inner.into_iter().filter(|(rank, _)| *rank == EXACT);
        let properties = property.properties().map(|(inner, _)| (1, inner.to_owned()));
        let own = [(0, kind(false)), (EXACT, constant.unwrap_or_else(|| kind(true)))];
        let own = own.into_iter().chain(properties).chain(inner).filter(|(rank, _)| *rank >= least);
        all.extend(own.map(|(rank, word)| (rank, format!("{name} {word}{suffix}"))));
    }
    all
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

pub fn only_text(constants: &BTreeSet<Constant>) -> Option<String> {
    match only(constants)? {
        Constant::Text(text) => Some(text.clone()).filter(|text| !text.is_empty()),
        Constant::Json(_) => None,
    }
}

pub fn only(constants: &BTreeSet<Constant>) -> Option<&Constant> {
    constants.first().filter(|_| constants.len() == 1)
}
