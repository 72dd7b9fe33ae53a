//! The tree of a text, in YAML or JSON.

use std::collections::BTreeMap;

use serde::ser::{Serialize, Serializer};

use crate::source_map::{Pointer, array_index};

/// The size of a value without its keys and texts, as bytes.
pub(crate) const VALUE_SIZE: usize = 16;

/// A value of a YAML or JSON text. Objects keep the order of the text, which makes no difference between them.
#[derive(Clone, Debug, Default)]
pub enum Node {
    /// `null`.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number within the range of [`i128`].
    Integer(i128),
    /// Any other number.
    Float(f64),
    /// A string.
    String(String),
    /// A list.
    Array(Vec<Node>),
    /// Properties with unique keys.
    Object(Vec<(String, Node)>),
}

impl Node {
    /// Returns a property of an object; `None` for other values.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.as_object()?.iter().find_map(|(name, value)| (name == key).then_some(value))
    }

    /// Returns a string, if the node is an object that has it under the key.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_str()
    }

    /// Returns the value at a pointer from here.
    pub fn at(&self, pointer: &Pointer) -> Option<&Node> {
        pointer.segments().iter().try_fold(self, |node, segment| match node {
            Node::Array(items) => items.get(array_index(segment)?),
            _ => node.get(segment),
        })
    }

    /// Returns the value at a path of keys and indices, to change it.
    pub(crate) fn at_mut(&mut self, steps: &[impl AsRef<str>]) -> Option<&mut Node> {
        steps.iter().try_fold(self, |node, step| match node {
            Node::Array(items) => items.get_mut(array_index(step.as_ref())?),
            Node::Object(properties) => {
                let found = properties.iter_mut().find(|(key, _)| key == step.as_ref());
                found.map(|(_, node)| node)
            }
            _ => None,
        })
    }

    /// Removes and returns the value at a path of keys and indices.
    pub(crate) fn remove(&mut self, steps: &[impl AsRef<str>]) -> Option<Node> {
        let (last, outer) = steps.split_last()?;
        let last = last.as_ref();
        match self.at_mut(outer)? {
            Node::Array(items) => {
                let index = array_index(last).filter(|index| *index < items.len())?;
                Some(items.remove(index))
            }
            Node::Object(properties) => {
                let index = properties.iter().position(|(key, _)| key == last)?;
                Some(properties.remove(index).1)
            }
            _ => None,
        }
    }

    /// Returns the properties of the object at a path of keys; empty if there is no such object.
    pub(crate) fn members(&self, path: &[&str]) -> impl Iterator<Item = (&str, &Node)> {
        let found = path.iter().try_fold(self, |node, key| node.get(key));
        let members = found.and_then(Node::as_object).unwrap_or_default();
        members.iter().map(|(key, node)| (key.as_str(), node))
    }

    /// Returns the text of a string.
    pub fn as_str(&self) -> Option<&str> {
        if let Node::String(text) = self { Some(text) } else { None }
    }

    /// Returns a scalar as text: YAML reads an unquoted `1.0` as a number.
    pub fn scalar(&self) -> Option<String> {
        match self {
            Node::String(text) => Some(text.clone()),
            Node::Integer(value) => Some(value.to_string()),
            Node::Float(value) => Some(format!("{value:?}")),
            Node::Bool(value) => Some(value.to_string()),
            _ => None,
        }
    }

    /// Returns the value of a boolean.
    pub fn as_bool(&self) -> Option<bool> {
        if let Node::Bool(value) = self { Some(*value) } else { None }
    }

    /// Returns the elements of a list.
    pub fn as_array(&self) -> Option<&[Node]> {
        if let Node::Array(items) = self { Some(items) } else { None }
    }

    /// Returns the properties of an object.
    pub fn as_object(&self) -> Option<&[(String, Node)]> {
        if let Node::Object(members) = self { Some(members) } else { None }
    }

    /// Returns whether the value is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Node::Null)
    }

    /// Returns the size of the tree: a constant for each value, and the bytes of its keys and texts.
    pub(crate) fn size(&self) -> usize {
        let own = match self {
            Node::String(text) => text.len(),
            Node::Array(items) => items.iter().map(Node::size).sum(),
            Node::Object(members) => {
                members.iter().map(|(key, value)| key.len() + value.size()).sum()
            }
            _ => 0,
        };
        VALUE_SIZE + own
    }

    /// Returns the number of values on the longest path through the tree.
    pub(crate) fn depth(&self) -> usize {
        let inner = match self {
            Node::Array(items) => items.iter().map(Node::depth).max(),
            Node::Object(members) => members.iter().map(|(_, value)| value.depth()).max(),
            _ => None,
        };
        1 + inner.unwrap_or(0)
    }

    /// Returns a text of the tree that does not depend on the order of keys.
    pub(crate) fn to_text(&self) -> String {
        serde_json::to_string(&Sorted(self)).unwrap_or_default()
    }

    /// Returns the kind of the value with its article: `a string`, `an array`.
    pub fn kind(&self) -> &'static str {
        match self {
            Node::Null => "null",
            Node::Bool(_) => "a boolean",
            Node::Integer(_) | Node::Float(_) => "a number",
            Node::String(_) => "a string",
            Node::Array(_) => "an array",
            Node::Object(_) => "an object",
        }
    }
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Node::Null, Node::Null) => true,
            (Node::Bool(one), Node::Bool(other)) => one == other,
            (Node::Integer(one), Node::Integer(other)) => one == other,
            (Node::Float(one), Node::Float(other)) => one == other,
            (Node::String(one), Node::String(other)) => one == other,
            (Node::Array(one), Node::Array(other)) => one == other,
            (Node::Object(one), Node::Object(others)) => {
                one.len() == others.len()
                    && one.iter().zip(others).all(|((key, value), (other_key, at_its_place))| {
                        let found =
                            if key == other_key { Some(at_its_place) } else { other.get(key) };
                        found == Some(value)
                    })
            }
            _ => false,
        }
    }
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Node::Null => serializer.serialize_unit(),
            Node::Bool(value) => serializer.serialize_bool(*value),
            Node::Integer(value) => serializer.serialize_i128(*value),
            Node::Float(value) => serializer.serialize_f64(*value),
            Node::String(text) => serializer.serialize_str(text),
            Node::Array(items) => serializer.collect_seq(items),
            Node::Object(members) => {
                serializer.collect_map(members.iter().map(|(key, value)| (key, value)))
            }
        }
    }
}

/// A value that is written with sorted keys.
struct Sorted<'n>(&'n Node);

impl Serialize for Sorted<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Node::Array(items) => serializer.collect_seq(items.iter().map(Sorted)),
            Node::Object(members) => {
                let sorted: BTreeMap<_, _> =
                    members.iter().map(|(key, value)| (key, Sorted(value))).collect();
                serializer.collect_map(sorted)
            }
            scalar => scalar.serialize(serializer),
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_tree_is_written_as_it_was_read() {
        let text = r#"{"a":[null,true,-1,18446744073709551615,1.5,"ü\n"],"":{}}"#;
        let source = crate::Source { name: String::new(), text: text.to_owned() };
        let mut diagnostics = crate::diagnostics::Diagnostics::new();
        let node = crate::parse(&source, &mut diagnostics).unwrap();
        assert_eq!(serde_json::to_string(&node).unwrap(), text);
    }
}
