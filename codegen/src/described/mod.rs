//! What a document describes although no item has it: programs can rely on it nevertheless.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostics::Diagnostics;
use crate::document::{self, Input, Keys, Node, Pointer, Tree, descriptions};

/// A property of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aspect {
    /// The default of a parameter or a property.
    Default,
    /// The format `byte` of a string.
    Base64,
    /// The media types of a response.
    Media,
    /// The successful statuses of an operation.
    Successes,
    /// The statuses of the errors of an operation with the types of their bodies, which items have.
    Errors,
    Webhooks,
}

/// The properties of a document by the JSON pointers of their owners.
#[derive(Debug, Default)]
pub struct Described {
    root: Node,
    found: BTreeMap<(Aspect, String), BTreeSet<String>>,
}

/// Returns whether successful statuses are all: they are by `2XX`, or by `default` alone.
pub fn has_all_successes(statuses: &BTreeSet<String>) -> bool {
    statuses.is_empty() || statuses.contains("2XX")
}

impl Described {
    /// Reads a document. Other files are compared by what refers to them.
    pub fn new<'f>(input: impl Into<Input<'f>>) -> Self {
        let tree = document::load(&input.into(), &mut Diagnostics::new());
        let files = tree.map(Tree::into_files).unwrap_or_default();
        let root = files.into_iter().find_map(|(name, root)| name.is_empty().then_some(root));
        let mut described = Self::default();
        let root = root.unwrap_or_default();
        for (pointer, node, keys) in descriptions(Pointer::root(), &root) {
            if !keys.are_names() {
                described.read(&pointer, node);
            }
        }
        let webhooks = names(root.get("webhooks"));
        described.add(Aspect::Webhooks, &Pointer::root().join("webhooks"), webhooks);
        Self { root, ..described }
    }

    /// Returns the properties that differ although both documents have their owner, with the pointers of the owner and
    /// their values in both. The functions return the new pointer of an old one, and the reverse.
    pub fn differences<'a>(
        &'a self,
        new: &'a Self,
        [to_new, to_old]: [impl Fn(&str) -> String; 2],
    ) -> impl Iterator<Item = (Aspect, [String; 2], [BTreeSet<String>; 2])> {
        let owners =
            self.found.keys().map(|(aspect, owner)| (*aspect, [owner.clone(), to_new(owner)]));
        let new_owners =
            new.found.keys().map(|(aspect, owner)| (*aspect, [to_old(owner), owner.clone()]));
        let all: BTreeSet<_> = owners.chain(new_owners).collect();
        let has = |of: &Self, owner: &str| of.root.at(&Pointer::from_escaped(owner)).is_some();
        all.into_iter().filter_map(move |(aspect, owners)| {
            let of = |it: &Self, owner: &String| {
                it.found.get(&(aspect, owner.clone())).cloned().unwrap_or_default()
            };
            let values = [of(self, &owners[0]), of(new, &owners[1])];
            let is_owned =
                aspect == Aspect::Webhooks || (has(self, &owners[0]) && has(new, &owners[1]));
            (values[0] != values[1] && is_owned).then_some((aspect, owners, values))
        })
    }

    fn add(&mut self, aspect: Aspect, owner: &Pointer, values: BTreeSet<String>) {
        if !values.is_empty() {
            self.found.insert((aspect, owner.to_string()), values);
        }
    }

    /// Reads the properties that fields of an object describe.
    fn read(&mut self, pointer: &Pointer, node: &Node) {
        // The defaults of servers are settings of the crate.
        let is_setting = |outer: &Pointer| {
            outer.last() == Some("variables") && Keys::at(outer) == Some(Keys::Names)
        };
        if let Some(value) = node.get("default")
            && !pointer.parent().is_some_and(is_setting)
        {
            self.add(Aspect::Default, pointer, BTreeSet::from([text(value)]));
        }
        if node.get("format").and_then(Node::as_str) == Some("byte") {
            self.add(Aspect::Base64, pointer, BTreeSet::from(["byte".to_owned()]));
        }
        let mut successes = names(node.get("responses"));
        successes.retain(|status| status.starts_with('2'));
        self.add(Aspect::Successes, pointer, successes);
        for (name, response) in node.members(&["responses"]) {
            let response_place = pointer.join("responses").join(name);
            self.add(Aspect::Media, &response_place, names(response.get("content")));
        }
    }
}

fn names(node: Option<&Node>) -> BTreeSet<String> {
    let members = node.and_then(Node::as_object).unwrap_or_default();
    members.iter().map(|(name, _)| name.clone()).collect()
}

/// Returns a value on one line.
fn text(node: &Node) -> String {
    let list =
        |texts: Vec<String>, [open, close]: [&str; 2]| [open, &texts.join(", "), close].concat();
    match node {
        Node::String(text) => format!("{text:?}"),
        Node::Array(items) => list(items.iter().map(text).collect(), ["[", "]"]),
        Node::Object(members) => {
            let members = members.iter().map(|(key, value)| format!("{key:?}: {}", text(value)));
            list(members.collect(), ["{", "}"])
        }
        scalar => scalar.scalar().unwrap_or_else(|| "null".to_owned()),
    }
}
