//! `cargo xtask codegen` as its users meet it: the program itself, on folders of its own.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test ends where its scene cannot be set")]

mod arguments;
mod check;
mod descriptions;
mod installed;
mod interruption;
mod scene;
mod writing;
