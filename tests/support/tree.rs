//! A description as a tree that can be changed and written down again.

use codegen::diagnostics::Diagnostics;
use codegen::document::{self, Node};

/// The members of an object, in the order of the text.
pub type Members = Vec<(String, Node)>;

/// Reads a description that is known to be valid.
pub fn parse(text: &str) -> Node {
    document::read(text, &mut Diagnostics::new()).unwrap().root
}

/// Returns the members of the object at a path, or none if there is no such object.
pub fn members<'n>(node: &'n mut Node, path: &[&str]) -> Option<&'n mut Members> {
    let Node::Object(members) = node else {
        return None;
    };
    let Some((first, rest)) = path.split_first() else {
        return Some(members);
    };
    let (_, inner) = members.iter_mut().find(|(key, _)| key == first)?;
    self::members(inner, rest)
}

/// Writes a tree as JSON.
pub fn print(node: &Node) -> String {
    let mut text = String::new();
    write(node, &mut text);
    text
}

fn write(node: &Node, out: &mut String) {
    match node {
        Node::Null => out.push_str("null"),
        Node::Bool(value) => out.push_str(&value.to_string()),
        Node::Integer(value) => out.push_str(&value.to_string()),
        Node::Float(value) => out.push_str(&value.to_string()),
        Node::String(text) => out.push_str(&quoted(text)),
        Node::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index > 0 { "," } else { "" });
                write(item, out);
            }
            out.push(']');
        }
        Node::Object(members) => {
            out.push('{');
            for (index, (key, value)) in members.iter().enumerate() {
                out.push_str(if index > 0 { "," } else { "" });
                out.push_str(&quoted(key));
                out.push(':');
                write(value, out);
            }
            out.push('}');
        }
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
