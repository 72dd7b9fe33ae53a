//! Facts: what schemas say about values, read once. Kinds, unions, texts and access follow from them.

pub mod composition;
mod constraints;
mod containers;
mod contents;
mod limits;
mod listing;
mod objects;
mod read;
#[cfg(test)]
mod tests;
mod values;

pub use composition::{Branch, Composition};
pub use constraints::{has_only_null, is_bare_object, is_null, is_null_among, is_silent};
pub use containers::Containers;
pub use contents::{Describing, Merged};
pub use limits::Limits;
pub use listing::{Listed, Listing};
pub use objects::{Facts, Within};
#[cfg(test)]
pub use read::READS;
pub use read::{Known, Read};
pub use values::{ScalarShape, Values};
