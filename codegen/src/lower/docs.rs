//! The documentation of items.

use super::Annotations;
use super::schemas::protobuf_oneof;
use crate::ir::{Docs, Type};

/// Returns the documentation of an item: its description without `oneof` comments, or else its title.
pub fn docs(description: Option<&str>, title: Option<&str>, deprecated: bool) -> Docs {
    let own = description
        .map(|text| protobuf_oneof::parse(text).rest)
        .filter(|text| !text.trim().is_empty());
    let text = own.as_deref().or(title).map(str::trim).filter(|text| !text.is_empty());
    Docs { text: text.map(str::to_owned), deprecated }
}

/// Adds a line about values, with their default: it is documented and not sent, because servers know it and can change it.
pub fn with_values(docs: Docs, values: &Annotations<'_>, ty: &Type, is_secret: bool) -> Docs {
    let text = docs.text.as_deref().unwrap_or_default();
    let line = values.limits.line(ty, is_secret, values.default, text);
    if line.is_empty() { docs } else { with_paragraph(docs, line.trim_end()) }
}

/// Adds a paragraph.
pub fn with_paragraph(docs: Docs, paragraph: &str) -> Docs {
    let text = docs.text.map_or_else(String::new, |text| text + "\n\n") + paragraph;
    Docs { text: Some(text), ..docs }
}
