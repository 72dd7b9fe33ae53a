//! Names, types, page, documentation and files of Rust.

pub mod attributes;
pub mod docs;
pub mod inputs;
pub mod markdown;
pub mod names;
pub mod page;
pub mod print;
pub mod renamed;
