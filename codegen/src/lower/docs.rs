//! The documentation of items.

use super::schemas::protobuf_oneof;
use crate::ir::Docs;

/// Returns the documentation of an item: its description without `oneof` comments, or else its title.
pub fn docs(description: Option<&str>, title: Option<&str>, deprecated: bool) -> Docs {
    let own = description
        .map(|text| protobuf_oneof::parse(text).rest)
        .filter(|text| !text.trim().is_empty());
    let text = own.as_deref().or(title).map(str::trim).filter(|text| !text.is_empty());
    Docs { text: text.map(str::to_owned), deprecated }
}

/// Adds a paragraph.
pub fn with_paragraph(docs: Docs, paragraph: &str) -> Docs {
    let text = docs.text.map_or_else(String::new, |text| text + "\n\n") + paragraph;
    Docs { text: Some(text), ..docs }
}
