//! Names, types, imports, documentation and files of Rust.

pub mod alias;
pub mod arguments;
pub mod docs;
pub mod imports;
mod markdown;
pub mod names;
pub mod print;
pub mod renamed;
pub mod types;
