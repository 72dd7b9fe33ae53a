//! The operations: one file for each resource.

pub mod requests;
pub mod resources;
