//! Edits: objects with their changes, and updates that send the changes with a mask of their names.
//!
//! An update mask makes two writers safe from each other: what an edit has not changed is not in the mask, so a change that
//! another made between reading and writing stays.
//!
//! - `changes`: what differs between two values.
//! - `mask`: where an operation has its mask and its object, and how the mask is written.
//! - `apply`: the body of an update.

mod apply;
mod changes;
pub(crate) mod endpoint;
pub(crate) mod mask;
pub(crate) mod property;
pub(crate) mod sending;
pub(crate) mod value;
