//! The differences between the arguments of two methods.

use super::what::ArgumentChange;
use crate::items::Argument;

/// Returns the changes of arguments.
pub(super) fn changes(old: &[Argument], new: &[Argument]) -> Vec<ArgumentChange> {
    let counterpart = |list: &[Argument], of: &Argument| {
        list.iter().find(|argument| argument.name == of.name).map(|found| found.ty.clone())
    };
    let changed = old.iter().filter_map(|argument| {
        let name = argument.name.clone();
        match counterpart(new, argument) {
            None => Some(ArgumentChange::Removed(name)),
            Some(ty) if ty != argument.ty => {
                let from = argument.ty.to_string();
                Some(ArgumentChange::Retyped { name, from, to: ty.to_string() })
            }
            Some(_) => None,
        }
    });
    let added = new
        .iter()
        .filter(|argument| counterpart(old, argument).is_none())
        .map(|argument| ArgumentChange::Added(argument.name.clone()));
    changed.chain(added).collect()
}

/// Returns whether arguments of the same types have changed places.
pub(super) fn is_reordered(old: &[Argument], new: &[Argument]) -> bool {
    let names = |list: &[Argument]| -> Vec<String> {
        list.iter().map(|argument| argument.name.clone()).collect()
    };
    let mut old = names(old);
    let mut new = names(new);
    let differs = old != new;
    old.sort();
    new.sort();
    differs && old == new
}
