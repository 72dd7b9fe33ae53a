//! The operations: one file for each resource.

pub mod examples;
pub mod requests;
pub mod resources;
