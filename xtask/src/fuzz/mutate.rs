//! Documents from numbers: a seed document with some random changes.

use std::fs;
use std::path::PathBuf;

use ::codegen::diagnostics::Diagnostics;
use ::codegen::{Node, Source, parse};

use crate::host::exit::{Context, Failure};

/// The documents that are mutated.
#[derive(Debug)]
pub struct Seeds {
    documents: Vec<(String, Option<Node>)>,
}

impl Seeds {
    /// Reads the documents.
    pub fn read(files: &[PathBuf]) -> Result<Self, Failure> {
        let read = |path: &PathBuf| {
            let text = fs::read_to_string(path).context("read", path)?;
            let source = Source { name: String::new(), text };
            let node = parse(&source, &mut Diagnostics::new());
            Ok((source.text, node))
        };
        Ok(Self { documents: files.iter().map(read).collect::<Result<_, _>>()? })
    }
}

/// Returns the document of a case.
pub fn document(seeds: &Seeds, seed: u64, case: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ case);
    let Some((text, node)) = random.choice(&seeds.documents) else { return String::new() };
    match node {
        Some(node) if random.below(8) > 0 => {
            let mut node = node.clone();
            for _ in 0..=random.below(4) {
                mutate(&mut node, seeds, &mut random);
            }
            serde_json::to_string_pretty(&node).unwrap_or_default()
        }
        _ => mutate_text(text, &mut random),
    }
}

/// Changes a random place of a tree.
fn mutate(root: &mut Node, seeds: &Seeds, random: &mut Random) {
    let donor = random.choice(&seeds.documents).and_then(|(_, node)| node.as_ref());
    let other = donor.map(|donor| pick(donor, random).clone()).unwrap_or_default();
    let own = pick(root, random).clone();
    let reference = reference(root, random);
    let node = pick_mut(root, random);
    match random.below(12) {
        0 => *node = own,
        1 => *node = other,
        2 => *node = value(random),
        3 => *node = Node::Array(vec![node.clone(), own]),
        4 => {
            let key = random.choice(&["allOf", "oneOf", "anyOf"]).copied().unwrap_or_default();
            *node = object(key, Node::Array(vec![node.clone(), own]));
        }
        5 => *node = object("$ref", Node::String(reference)),
        _ => mutate_children(node, own, random),
    }
}

/// Removes, moves, renames or adds a property or an element.
fn mutate_children(node: &mut Node, addition: Node, random: &mut Random) {
    match node {
        Node::Object(properties) if !properties.is_empty() => {
            let (index, key) = (random.below(properties.len()), text(random));
            let is_new = properties.iter().all(|(name, _)| *name != key);
            match random.below(4) {
                0 => drop(properties.remove(index)),
                1 => properties.rotate_left(index),
                2 if is_new => {
                    if let Some((name, _)) = properties.get_mut(index) {
                        *name = key;
                    }
                }
                _ if is_new => properties.push((key, addition)),
                _ => {}
            }
        }
        Node::Array(items) if !items.is_empty() && random.below(2) == 0 => {
            items.remove(random.below(items.len()));
        }
        Node::Array(items) => items.push(addition),
        node => *node = value(random),
    }
}

fn object(key: &str, value: Node) -> Node {
    Node::Object(vec![(key.to_owned(), value)])
}

/// Returns a random value in a tree.
fn pick<'n>(node: &'n Node, random: &mut Random) -> &'n Node {
    let children: Vec<_> = match node {
        Node::Array(items) => items.iter().collect(),
        Node::Object(properties) => properties.iter().map(|(_, node)| node).collect(),
        _ => return node,
    };
    match random.choice(&children) {
        Some(child) if random.below(STOP) > 0 => pick(child, random),
        _ => node,
    }
}

fn pick_mut<'n>(node: &'n mut Node, random: &mut Random) -> &'n mut Node {
    let children = match node {
        Node::Array(items) => items.len(),
        Node::Object(properties) => properties.len(),
        _ => 0,
    };
    if children == 0 || random.below(STOP) == 0 {
        return node;
    }
    let index = random.below(children);
    match node {
        Node::Array(items) => pick_mut(&mut items[index], random),
        Node::Object(properties) => pick_mut(&mut properties[index].1, random),
        scalar => scalar,
    }
}

/// One choice in this many stops at a value that has children.
const STOP: usize = 6;

/// Returns a reference: to a component of the document or of another file, or to anything.
fn reference(root: &Node, random: &mut Random) -> String {
    let schemas = root.get("components").and_then(|components| components.get("schemas"));
    let keys = schemas.and_then(Node::as_object).unwrap_or_default();
    match random.choice(keys) {
        Some((key, _)) if random.below(4) > 0 => {
            let file = random.choice(&["", "", "other.yaml", "a/../b.yaml"]).unwrap_or(&"");
            format!("{file}#/components/schemas/{key}")
        }
        _ => format!("#/{}", text(random)),
    }
}

fn value(random: &mut Random) -> Node {
    match random.below(8) {
        0 => Node::Null,
        1 => Node::Bool(random.below(2) == 0),
        2 => Node::Integer(
            [0, -1, 200, i128::from(i64::MAX), i128::from(u64::MAX), i128::MIN][random.below(6)],
        ),
        3 => Node::Float([0.5, -0.0, 1e300][random.below(3)]),
        4 => Node::Array(Vec::new()),
        5 => Node::Object(Vec::new()),
        _ => Node::String(text(random)),
    }
}

/// Returns a word of OpenAPI, a name that is hard on Rust, or both.
fn text(random: &mut Random) -> String {
    let word = random.choice(&WORDS).copied().unwrap_or_default();
    match random.below(6) {
        0 => format!("{word}{}", random.choice(&WORDS).copied().unwrap_or_default()),
        _ => word.to_owned(),
    }
}

#[rustfmt::skip]
const WORDS: [&str; 96] = [
    "", " ", "_", "-", ".", "/", "{id}", "/{id}", "\"", "\\", "\n", "\r\n", "\0", "#", "?", "%", "%zz", "~", "~1",
    "*/", "//", "```", "    code", "<img>", "]]>", "$", "{}", "{", "a b", "a-b", "a_b", "aB", "AB", "A", "b", "1",
    "1a", "é", "e\u{301}", "m²", "½", "①", "٣", "\u{a0}", "\u{200b}", "\u{202e}", "\u{feff}", "ß", "İ", "漢字", "👍",
    "self", "Self", "crate", "super", "type", "async", "fn", "r#type", "String", "Option", "Vec", "Client", "Error",
    "Request", "Response", "Builder", "Unknown", "Default", "models", "send", "with_timeout", "new", "body", "null",
    "true", "type", "string", "integer", "number", "boolean", "array", "object", "int64", "date-time", "password",
    "byte", "properties", "required", "items", "enum", "allOf", "oneOf", "nullable", "application/json",
    "additionalProperties",
];

/// Changes random lines of a text.
fn mutate_text(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<_> = text.lines().collect();
    for _ in 0..=random.below(3) {
        if lines.is_empty() {
            break;
        }
        let (index, other) = (random.below(lines.len()), random.below(lines.len()));
        match random.below(4) {
            0 => drop(lines.remove(index)),
            1 => lines.swap(index, other),
            2 => lines.insert(index, lines[other]),
            _ => {
                let cut = lines[index].char_indices().map(|(place, _)| place);
                let places: Vec<_> = cut.collect();
                let place = random.choice(&places).copied().unwrap_or_default();
                lines[index] = &lines[index][..place];
            }
        }
    }
    lines.join("\n")
}

/// Pseudo-random numbers: `SplitMix64`.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below a limit, or zero if that is zero.
    fn below(&mut self, limit: usize) -> usize {
        let next = usize::try_from(self.next() >> 32).unwrap_or_default();
        next.checked_rem(limit).unwrap_or_default()
    }

    fn choice<'c, T>(&mut self, choices: &'c [T]) -> Option<&'c T> {
        choices.get(self.below(choices.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_the_same_document_every_time() {
        let text = "openapi: 3.1.0\npaths: {/a: {get: {}}}\n".to_owned();
        let source = Source { name: String::new(), text };
        let node = parse(&source, &mut Diagnostics::new());
        let seeds = Seeds { documents: vec![(source.text, node)] };
        let documents = || (0..200).map(|case| document(&seeds, 7, case)).collect::<Vec<_>>();
        let mut unique = documents();
        assert_eq!(unique, documents());
        unique.sort();
        unique.dedup();
        assert!(unique.len() > 100, "{}", unique.len());
    }
}
