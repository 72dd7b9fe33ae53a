//! Attributes of items, most of which are documentation.

use std::fmt::{Display, Write as _};

use crate::ir::{Docs, Resource};

/// The attributes of an item, one to a line.
#[derive(Clone, Default)]
pub struct Attributes {
    /// The lines, without indentation.
    text: String,
}

impl Attributes {
    /// Adds lines.
    pub fn text(mut self, lines: &str) -> Self {
        self.text.push_str(lines);
        self
    }

    /// Appends the lines to a text.
    pub fn push_to(&self, indentation: &str, text: &mut String) {
        for line in self.text.lines() {
            text.extend([indentation, line, "\n"]);
        }
    }

    /// Adds an attribute.
    pub fn and(mut self, attribute: impl Display) -> Self {
        let _ = writeln!(self.text, "#[{attribute}]");
        self
    }

    /// Adds the condition that the cargo feature of a resource is enabled, if it has one.
    pub fn condition(self, resource: Option<&Resource>) -> Self {
        match resource.and_then(|resource| resource.feature.as_ref()) {
            Some(feature) => self.and(format_args!("cfg(feature = {feature:?})")),
            None => self,
        }
    }

    /// Adds `#[deprecated]` if the spec deprecates the item.
    pub fn deprecated(self, docs: &Docs) -> Self {
        if docs.deprecated { self.and("deprecated") } else { self }
    }

    /// Adds `#[deprecated]` to an item that has been renamed.
    pub fn renamed(self, new: &str) -> Self {
        self.and(format_args!("deprecated(note = \"renamed to `{new}`\")"))
    }

    /// Adds `#[doc(alias)]` for a name in the spec, if `rustdoc` accepts it and its search, which ignores case and `_`,
    /// does not find the Rust name by it.
    pub fn alias(self, wire: &str, rust: &str) -> Self {
        let searched = |name: &str| name.replace('_', "").to_lowercase();
        let is_accepted =
            |char: char| !char.is_whitespace() && !char.is_control() && !"\"'".contains(char);
        let is_allowed = !wire.is_empty() && wire.chars().all(is_accepted);
        if is_allowed && searched(wire) != searched(rust) {
            self.and(format_args!("doc(alias = {wire:?})"))
        } else {
            self
        }
    }
}
