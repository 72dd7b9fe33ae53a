//! `cargo xtask codegen`: the program itself, in temporary workspaces.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod arguments;
mod check;
mod installed;
mod projects;
mod revisions;
mod scene;
mod specs;
mod writing;
