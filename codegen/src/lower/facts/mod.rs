//! Facts: what schemas say about values, read once. Kinds, unions, texts and access follow from them.

mod annotations;
mod constraints;
mod containers;
mod listing;
mod objects;
mod read;
#[cfg(test)]
mod tests;
mod values;

pub use annotations::Annotations;
pub use constraints::{describes_more_than_type, has_alternatives, is_null, is_silent};
pub use containers::{Describing, describing};
pub use listing::{Listed, Listing};
pub use objects::Facts;
pub use read::Read;
pub use values::{Scalar, Values};
