//! `cargo xtask codegen`: the program itself, in temporary workspaces.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test ends where its scene cannot be set")]

mod arguments;
mod check;
mod installed;
mod scene;
mod specs;
mod writing;
