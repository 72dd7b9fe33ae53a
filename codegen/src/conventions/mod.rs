//! The conventions of an API: what the structure of its operations and types means. Settings add to it.
//!
//! Each is found after lowering, in the IR, and described there; nothing is invented that the document does not have.

mod keys;
mod masks;
mod related;
mod settings;
mod shape;
mod waits;

use crate::ir::Api;
pub use settings::{Conventions, Invalid, Masks, Wait};

/// Finds the conventions of an API, and returns the settings that it does not fit.
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
