//! Edits: objects with their changes, and updates that send the changes with a mask of their names.
//!
//! An update mask protects two writers from each other: unchanged properties are not in the mask, so changes that
//! another writer made between reading and writing are kept.
//!
//! - `changes`: the differences between two values.
//! - `mask`: the location and the format of an operation's mask, and the location of its object.
//! - `apply`: the body of an update.

mod apply;
mod changes;
pub(crate) mod endpoint;
pub(crate) mod mask;
pub(crate) mod sending;
pub(crate) mod value;
