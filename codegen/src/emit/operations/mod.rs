//! The operations: one file for each resource.

mod documentation;
pub mod examples;
pub mod replies;
pub mod requests;
pub mod resources;
