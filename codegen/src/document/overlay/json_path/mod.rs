//! `JSONPath` (RFC 9535), which selects the values that an overlay changes.

mod functions;
mod parse;
mod path;
#[cfg(test)]
mod tests;
mod walk;

use crate::document::Node;
use crate::source_map::Pointer;
use path::Query;
use walk::Walk;

/// A parsed path.
#[derive(Debug)]
pub struct JsonPath(Query);

impl JsonPath {
    /// Parses a path. The error describes the problem.
    pub fn parse(text: &str) -> Result<Self, String> {
        parse::parse(text).map(Self)
    }

    /// Returns the places of the selected values in the order of RFC 9535: several selectors can select a value several
    /// times. Fails if the path visits too many values, or has too many patterns.
    pub fn select(&self, root: &Node) -> Result<Vec<Pointer>, String> {
        let found = Walk::new(root).query(&self.0, root).map_err(|spent| spent.message())?;
        Ok(found.into_iter().map(|(place, _)| place).collect())
    }
}
