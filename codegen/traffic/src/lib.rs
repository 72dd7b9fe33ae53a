//! Traffic against a document: what servers send that the document does not describe, and the overlay that adds it.
//!
//! The check keeps what was seen of each schema: its memory depends on the document, not on the traffic.

mod check;
mod description;
mod findings;
mod formats;
mod har;
mod operations;
mod overlay;
mod seen;
mod table;
mod value;
mod walk;

pub use check::{Check, Counts};
pub use description::Description;
pub use findings::{Coverage, Finding, Findings};
