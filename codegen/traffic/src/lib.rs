//! Traffic against a document: what servers send that the document does not describe, and the overlay that adds it.
//!
//! The check keeps what was seen of each schema: its memory depends on the document, not on the traffic.

mod check;
mod findings;
mod formats;
mod har;
mod learn;
mod operations;
mod overlay;
mod seen;
mod table;
mod unions;
mod value;
mod walk;

/// What is not compared.
pub const NOT_COMPARED: [&str; 6] = [
    "ranges, lengths and patterns",
    "the formats `uri`, `time` and `duration`",
    "values of parameters and headers, and required ones that are missing",
    "missing bodies",
    "forms, events and JSON Lines",
    "values of which the crate has no type",
];

pub use check::{Check, Counts, Description};
pub use findings::{Coverage, Finding, Findings};
