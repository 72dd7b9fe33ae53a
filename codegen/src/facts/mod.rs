//! Facts: what schemas say about values, read once. Kinds, unions, texts and access follow from them.

pub mod composition;
mod constraints;
mod containers;
mod contents;
mod limits;
mod listing;
mod objects;
mod read;
mod reader;
#[cfg(test)]
mod tests;
mod values;

pub use composition::Branch;
pub use constraints::{has_only_null, is_decisive, is_fixed, is_null, is_null_among, is_silent};
pub use containers::Containers;
pub use contents::{Describing, Merged};
pub use limits::Limits;
pub use listing::{Listed, Listing};
pub use objects::{Facts, Within};
pub use reader::Known;
#[cfg(test)]
pub use reader::READS;
pub use values::Values;
