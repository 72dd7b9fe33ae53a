//! Traffic against a document: what servers send that the document does not describe, and the overlay that adds it.
//!
//! The check keeps what was seen of each schema: its memory depends on the document, not on the traffic.

mod bodies;
mod check;
mod findings;
mod formats;
mod har;
mod learn;
mod operations;
mod overlay;
mod secrets;
mod seen;
mod table;
mod texts;
mod unions;
mod value;
mod walk;

/// What is not compared.
pub const NOT_COMPARED: [&str; 7] = [
    "ranges, lengths and patterns",
    "the formats `uri`, `time` and `duration`",
    "parameters, properties of forms and headers with the name of a secret",
    "objects in parameters and forms, other than those in JSON and the properties of those that `form` explodes or `deepObject` has",
    "values that an `enum` of a header of a response lists: the crate has texts",
    "`multipart` bodies, properties of forms with an `encoding`, those that are missing or not declared, and streams in requests",
    "values of which the crate has no type",
];

pub use check::{Check, Counts, Description};
pub use findings::{Coverage, Finding, Findings};
