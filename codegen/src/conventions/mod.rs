//! The conventions of an API: the meaning of the structure of its operations and types. Settings add to them.
//!
//! Conventions are found after lowering, in the IR, and described there; nothing is invented.

mod keys;
mod masks;
mod related;
mod settings;
mod shape;
#[cfg(test)]
mod tests;
mod waits;

use crate::ir::{Api, Operation};
pub use settings::{Conventions, Invalid, Masks, Wait};

/// Returns the operations without edits because their update mask could apply to several objects, each with their names.
pub(crate) fn unclear<'a>(
    api: &'a Api,
    conventions: &'a Conventions,
) -> impl Iterator<Item = (&'a Operation, Vec<&'a str>)> {
    masks::unclear(api, &conventions.masks)
}

/// Finds the conventions of an API, and returns the settings that do not fit it.
pub fn apply(
    api: &mut Api,
    conventions: &Conventions,
    is_identifier: fn(&str) -> bool,
) -> Vec<Invalid> {
    let mut invalid = Vec::new();
    masks::find(api, &conventions.masks, &mut invalid);
    related::find(api, is_identifier);
    waits::find(api, &conventions.waits, &mut invalid);
    keys::find(api);
    invalid
}
