//! Names, types, page, documentation and files of Rust.

pub mod arguments;
pub mod attributes;
pub mod docs;
mod markdown;
pub mod names;
pub mod page;
pub mod print;
pub mod renamed;
pub mod types;
