//! Facts: what schemas say about values, read once. Kinds, unions, texts and access follow from them.

mod annotations;
mod constraints;
mod listing;
mod read;
#[cfg(test)]
mod tests;
mod values;

pub use annotations::Annotations;
pub use constraints::{has_alternatives, is_null, is_silent};
pub use listing::{Listed, Listing};
pub use values::{Scalar, Values};
