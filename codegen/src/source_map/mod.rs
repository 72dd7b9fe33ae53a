//! From JSON pointers to ranges of bytes in a text.

mod builder;
mod json;
mod map;
mod pointer;
#[cfg(test)]
mod tests;
mod yaml;

pub(crate) use map::{MERGE_KEY, MapKey, SourceMap, Spot, body_start};
pub use pointer::Pointer;
pub(crate) use pointer::array_index;
pub use pointer::quoted;
pub(crate) use yaml::{quoted_before_error, too_deep, without_tabs};

/// The syntax of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// JSON (RFC 8259).
    Json,
    Yaml,
}

impl SourceMap {
    /// Returns the map of a text, up to its first syntax error.
    pub(crate) fn new(text: &str, syntax: Syntax) -> Self {
        match syntax {
            Syntax::Json => json::map(text),
            Syntax::Yaml => yaml::map(text),
        }
    }
}
