//! Documents from tapes of random numbers: one of the workspace's documents, recursive schemas in every place, a large
//! union, or much of one kind, with some changes.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use codegen::diagnostics::Diagnostics;
use codegen::{Node, Source, parse};
use proptest::bool::weighted;
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::strategy::Strategy;
use tests::Tape;
use tests::unions::SHAPES;

use crate::large::large;
use crate::mutate::{mutate, mutate_text};
use crate::recursion::recursive;

/// The folder of the package of tests.
const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

/// The folders with the documents that are changed.
const FOLDERS: [&str; 6] = ["cases", "rejected", "warned", "bad_spots", "corpus", "../spec"];

/// Maximum number of random numbers that changes are derived from.
const MAX_NUMBERS: usize = 80;

/// The number of paths and components that may be left out.
const MAX_PARTS: usize = 60;

/// Maximum number of branches of a union, next to two.
const MAX_BRANCHES: usize = 40;

/// The reason why a run has no result.
pub type Failure = Box<dyn std::error::Error>;

/// The text of a document.
pub struct Document(pub String);

impl fmt::Debug for Document {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The documents that are changed.
#[derive(Clone, Debug)]
pub struct Seeds {
    documents: Vec<(String, Node)>,
    places: Node,
}

impl Seeds {
    /// Reads the documents of this workspace, and those that the user names.
    pub fn read(named: &[PathBuf]) -> Result<Self, Failure> {
        let mut files = named.to_vec();
        for folder in FOLDERS {
            find(&Path::new(FOLDER).join(folder), &mut files)?;
        }
        files.sort();
        let mut documents = Vec::new();
        for file in files {
            let text = fs::read_to_string(&file).unwrap_or_default();
            if let Some(node) = tree(&text) {
                documents.push((text, node));
            }
        }
        let places = tree(include_str!("places.yaml")).ok_or("places.yaml is not a document")?;
        Ok(Self { documents, places })
    }

    /// Returns a strategy for documents. Smaller ones have fewer changes, and fewer paths and components.
    pub fn strategy(self) -> impl Strategy<Value = Document> {
        let parts = (vec(any::<u16>(), 1..MAX_NUMBERS), vec(weighted(0.97), MAX_PARTS));
        parts.prop_map(move |(numbers, kept)| self.document(&mut Tape::new(&numbers), &kept))
    }

    fn document(&self, tape: &mut Tape<'_>, kept: &[bool]) -> Document {
        let seed = &self.documents[tape.below(self.documents.len())];
        let other = &self.documents[tape.below(self.documents.len())].1;
        if tape.one_in(10) {
            return Document(mutate_text(&seed.0, tape));
        }
        let mut root = if tape.one_in(3) {
            self.recursion(tape)
        } else if tape.one_in(12) {
            union(tape).unwrap_or_else(|| seed.1.clone())
        } else if tape.one_in(40) {
            tree(EMPTY).map_or_else(|| seed.1.clone(), |root| large(tape, root))
        } else {
            seed.1.clone()
        };
        for _ in 0..tape.below(5) {
            mutate(&mut root, other, tape);
        }
        leave_out(&mut root, kept);
        Document(serde_json::to_string_pretty(&root).unwrap_or_default())
    }

    /// Returns the document of all places, with recursive schemas in them.
    fn recursion(&self, tape: &mut Tape<'_>) -> Node {
        let mut root = self.places.clone();
        let schemas = child(&mut root, "components").and_then(|node| child(node, "schemas"));
        if let Some(Node::Object(schemas)) = schemas {
            for (_, schema) in schemas.iter_mut().filter(|(key, _)| key == "Here" || key == "There")
            {
                *schema = recursive(tape);
            }
        }
        root
    }
}

/// Returns a document with a large union.
fn union(tape: &mut Tape<'_>) -> Option<Node> {
    let shape = tape.choose(&SHAPES)?;
    tree(&shape.document(2 + tape.below(MAX_BRANCHES)).to_string())
}

/// Removes the paths and components for which `kept` is false, in their order.
fn leave_out(root: &mut Node, kept: &[bool]) {
    let mut kept = kept.iter().copied();
    let mut thin = |node: Option<&mut Node>| {
        if let Some(Node::Object(properties)) = node {
            properties.retain(|_| kept.next().unwrap_or(true));
        }
    };
    thin(child(root, "paths"));
    if let Some(Node::Object(sections)) = child(root, "components") {
        for (_, section) in sections {
            thin(Some(section));
        }
    }
}

/// Returns a property of an object.
fn child<'n>(node: &'n mut Node, key: &str) -> Option<&'n mut Node> {
    let Node::Object(properties) = node else { return None };
    properties.iter_mut().find_map(|(name, value)| (name == key).then_some(value))
}

/// A document without operations.
const EMPTY: &str = "{openapi: 3.1.0, info: {title: Large, version: '1'}, paths: {}}";

/// Returns the tree of a document.
pub fn tree(text: &str) -> Option<Node> {
    let source = Source { name: String::new(), text: text.to_owned() };
    parse(&source, &mut Diagnostics::new())
}

/// Finds the documents in a folder.
fn find(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), Failure> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let kind = path.extension().and_then(|kind| kind.to_str()).unwrap_or_default();
        if path.is_dir() {
            find(&path, found)?;
        } else if ["yaml", "yml", "json"].contains(&kind) {
            found.push(path);
        }
    }
    Ok(())
}
