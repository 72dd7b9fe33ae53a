//! Parts of Rust files: names, types, inputs, documentation and layout.

pub mod attributes;
pub mod docs;
pub mod inputs;
pub mod markdown;
pub mod names;
pub mod page;
pub mod print;
pub mod renamed;
