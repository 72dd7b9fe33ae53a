//! A description as a tree that can be changed and written down again.

use codegen::diagnostics::Diagnostics;
use codegen::{Node, Source};

/// The members of an object, in the order of the text.
pub type Members = Vec<(String, Node)>;

/// Reads a description that is known to be valid.
pub fn parse(text: &str) -> Node {
    let source = Source { name: String::new(), text: text.to_owned() };
    codegen::parse(&source, &mut Diagnostics::new()).unwrap()
}

/// Returns the properties of the object at a path; empty if there is no such object.
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
    serde_json::to_string(node).unwrap()
}
