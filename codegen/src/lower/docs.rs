//! The documentation of items.

use super::schemas::protobuf_oneof;
use crate::document::Node;
use crate::ir::Docs;

/// Returns the documentation of an item: its description without `oneof` comments, or else its title.
pub fn docs(description: Option<&str>, title: Option<&str>, deprecated: bool) -> Docs {
    let own = description
        .map(|text| protobuf_oneof::parse(text).rest)
        .filter(|text| !text.trim().is_empty());
    let text = own.as_deref().or(title).map(str::trim).filter(|text| !text.is_empty());
    Docs { text: text.map(str::to_owned), deprecated }
}

/// Maximum length of a default that is documented, in bytes.
const MAX_DEFAULT: usize = 80;

/// Adds a default, if it is a scalar or a short list. It is documented and not sent: servers know it, and can change it.
pub fn with_default(docs: Docs, default: Option<&Node>) -> Docs {
    let Some(default) = default.and_then(default_text) else { return docs };
    with_paragraph(docs, &format!("The default is `{default}`."))
}

/// Adds a paragraph.
pub fn with_paragraph(docs: Docs, paragraph: &str) -> Docs {
    let text = docs.text.map_or_else(String::new, |text| text + "\n\n") + paragraph;
    Docs { text: Some(text), ..docs }
}

fn default_text(default: &Node) -> Option<String> {
    let text = match default {
        // The absence of a value that may be null.
        Node::Null => None,
        Node::Array(items) => {
            let items: Option<Vec<_>> = items.iter().map(Node::scalar).collect();
            items.map(|items| format!("[{}]", items.join(", ")))
        }
        scalar => scalar.scalar(),
    };
    text.filter(|text| {
        !text.trim().is_empty() && text.len() <= MAX_DEFAULT && !text.contains(['`', '\n', '\r'])
    })
}
