//! How Rust is written: tokens, imports, documentation, files.

pub mod docs;
pub mod imports;
mod layout;
pub mod print;
pub mod rust_types;
pub mod sorting;
