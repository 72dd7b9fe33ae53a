//! What a document describes although no item has it: programs can rely on it nevertheless.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostics::Diagnostics;
use crate::document::{self, Input, Node, Pointer, Tree};

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
    /// The webhooks.
    Webhooks,
}

/// The properties of a document by the JSON pointers of their owners.
#[derive(Debug, Default)]
pub struct Described {
    root: Node,
    found: BTreeMap<(Aspect, String), BTreeSet<String>>,
}

/// The keys whose values are named by the document.
const NAMED: [&str; 9] = [
    "$defs", "definitions", "headers", "mapping", "patternProperties", "properties", "responses",
    "schemas", "variables",
];

/// The keys whose values are not descriptions.
const VALUES: [&str; 5] = ["const", "default", "enum", "example", "examples"];

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
        described.read("", &root, true);
        described.add(Aspect::Webhooks, "/webhooks", names(root.get("webhooks")));
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

    fn add(&mut self, aspect: Aspect, owner: &str, values: BTreeSet<String>) {
        if !values.is_empty() {
            self.found.insert((aspect, owner.to_owned()), values);
        }
    }

    fn read(&mut self, pointer: &str, node: &Node, is_description: bool) {
        if let Some(items) = node.as_array() {
            for (index, item) in items.iter().enumerate() {
                self.read(&format!("{pointer}/{index}"), item, true);
            }
        }
        let Some(members) = node.as_object() else { return };
        if is_description {
            // The defaults of servers are settings of the crate.
            let default = node.get("default").filter(|_| !pointer.contains("/variables/"));
            if let Some(value) = default {
                self.add(Aspect::Default, pointer, BTreeSet::from([text(value)]));
            }
            if node.get("format").and_then(Node::as_str) == Some("byte") {
                self.add(Aspect::Base64, pointer, BTreeSet::from(["byte".to_owned()]));
            }
            let successes = names(node.get("responses"));
            self.add(
                Aspect::Successes,
                pointer,
                successes.into_iter().filter(|status| status.starts_with('2')).collect(),
            );
        }
        let is_response =
            pointer.rsplit_once('/').is_some_and(|(owner, _)| owner.ends_with("/responses"));
        if is_response {
            self.add(Aspect::Media, pointer, names(node.get("content")));
        }
        for (key, value) in members {
            if !is_description || !VALUES.contains(&key.as_str()) {
                let key = key.replace('~', "~0").replace('/', "~1");
                let is_description = !is_description || !NAMED.contains(&key.as_str());
                self.read(&format!("{pointer}/{key}"), value, is_description);
            }
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
