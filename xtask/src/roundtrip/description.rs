//! A description as it is written: the tree, the places in it, and what its references lead to.

use std::collections::HashMap;

use ::codegen::{Node, Pointer};

/// The number of a place in the order of the text: the same from run to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlaceId(usize);

/// A description as it is written.
#[derive(Debug)]
pub struct Description<'d> {
    root: &'d Node,
    /// The version of OpenAPI is 3.0, in which nothing beside a `$ref` counts.
    pub is_3_0: bool,
    places: Vec<(&'d Node, Pointer)>,
    /// The number of every value, by its address.
    numbers: HashMap<*const Node, PlaceId>,
}

impl<'d> Description<'d> {
    /// Numbers the places of a tree.
    pub fn of(root: &'d Node) -> Self {
        let version = root.get("openapi").and_then(Node::as_str);
        let mut description = Self {
            root,
            is_3_0: version.is_some_and(|version| version.starts_with("3.0")),
            places: Vec::new(),
            numbers: HashMap::new(),
        };
        description.number(root, &Pointer::root());
        description
    }

    fn number(&mut self, node: &'d Node, pointer: &Pointer) {
        self.numbers.insert(std::ptr::from_ref(node), PlaceId(self.places.len()));
        self.places.push((node, pointer.clone()));
        for (index, item) in node.as_array().unwrap_or_default().iter().enumerate() {
            self.number(item, &pointer.join_index(index));
        }
        for (key, value) in node.as_object().unwrap_or_default() {
            self.number(value, &pointer.join(key));
        }
    }

    /// Returns what stands at a place.
    pub fn node(&self, place: PlaceId) -> &'d Node {
        self.places.get(place.0).map_or(self.root, |place| place.0)
    }

    /// Returns the pointer to a place.
    pub fn pointer(&self, place: PlaceId) -> &str {
        self.places.get(place.0).map_or("", |place| place.1.as_str())
    }

    /// Returns the place of a part of the tree.
    pub fn place(&self, node: &Node) -> PlaceId {
        self.numbers.get(&std::ptr::from_ref(node)).copied().unwrap_or_default()
    }

    /// Returns the place that a JSON pointer in its escaped form leads to.
    pub fn at(&self, pointer: &str) -> Option<PlaceId> {
        self.follow(&format!("#{}", pointer.replace('%', "%25")))
    }

    /// Returns the place that a `$ref` leads to.
    pub fn follow(&self, reference: &str) -> Option<PlaceId> {
        let node = self.root.at(&Pointer::from_fragment(reference)?)?;
        Some(self.place(node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_lead_to_places() {
        let root =
            Node::Object(vec![("a/b".to_owned(), Node::Array(vec![Node::Null, Node::Bool(true)]))]);
        let description = Description::of(&root);
        let place = description.follow("#/a~1b/1").unwrap();
        assert_eq!(description.node(place), &Node::Bool(true));
        assert_eq!(description.pointer(place), "/a~1b/1");
        assert_eq!(description.at("/a~1b/1"), Some(place));
        assert_eq!(description.follow("#/a"), None);
    }
}
