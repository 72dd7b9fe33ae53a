//! Changes to a document, in its tree or in its text.

use codegen::Node;
use tests::Tape;

use crate::recursion::{object, recursive};

/// Changes a random place of a tree. `other` is a document that values are taken from.
pub fn mutate(root: &mut Node, other: &Node, tape: &mut Tape<'_>) {
    let other = pick(other, tape).clone();
    let own = pick(root, tape).clone();
    let reference = reference(root, tape);
    let node = pick_mut(root, tape);
    match tape.below(14) {
        0 => {}
        1 => *node = own,
        2 => *node = other,
        3 => *node = value(tape),
        4 => *node = Node::Array(vec![node.clone(), own]),
        5 => {
            let key = tape.choose(&["allOf", "oneOf", "anyOf"]).unwrap_or_default();
            *node = object(key, Node::Array(vec![node.clone(), own]));
        }
        6 => *node = object("$ref", Node::String(reference)),
        7 => *node = recursive(tape),
        _ => mutate_children(node, own, tape),
    }
}

/// Removes, moves, renames or adds a property or an element.
fn mutate_children(node: &mut Node, addition: Node, tape: &mut Tape<'_>) {
    match node {
        Node::Object(properties) if !properties.is_empty() => {
            let index = tape.below(properties.len());
            let key = text(tape);
            let is_new = properties.iter().all(|(name, _)| *name != key);
            match tape.below(4) {
                0 => drop(properties.remove(index)),
                1 => properties.rotate_left(index),
                2 if is_new => properties[index].0 = key,
                _ if is_new => properties.push((key, addition)),
                _ => {}
            }
        }
        Node::Array(items) if !items.is_empty() && tape.one_in(2) => {
            items.remove(tape.below(items.len()));
        }
        Node::Array(items) => items.push(addition),
        node => *node = value(tape),
    }
}

/// One choice in this many stops at a value that has children.
const STOP: usize = 6;

/// Returns a random value in a tree.
fn pick<'n>(node: &'n Node, tape: &mut Tape<'_>) -> &'n Node {
    match node {
        Node::Array(items) if !items.is_empty() && !tape.one_in(STOP) => {
            pick(&items[tape.below(items.len())], tape)
        }
        Node::Object(properties) if !properties.is_empty() && !tape.one_in(STOP) => {
            pick(&properties[tape.below(properties.len())].1, tape)
        }
        node => node,
    }
}

/// Returns a random value in a tree, to change it.
fn pick_mut<'n>(node: &'n mut Node, tape: &mut Tape<'_>) -> &'n mut Node {
    let children = match node {
        Node::Array(items) => items.len(),
        Node::Object(properties) => properties.len(),
        _ => 0,
    };
    if children == 0 || tape.one_in(STOP) {
        return node;
    }
    let index = tape.below(children);
    match node {
        Node::Array(items) => pick_mut(&mut items[index], tape),
        Node::Object(properties) => pick_mut(&mut properties[index].1, tape),
        scalar => scalar,
    }
}

/// Returns a reference: to a component of the document or of another file, or to anything.
fn reference(root: &Node, tape: &mut Tape<'_>) -> String {
    let components = root.get("components").and_then(Node::as_object).unwrap_or_default();
    let schemas = components.iter().find(|(section, _)| section == "schemas");
    let section =
        if tape.one_in(4) { components.get(tape.below(components.len())) } else { schemas };
    let Some((section, content)) = section else { return "#/components".to_owned() };
    let keys = content.as_object().unwrap_or_default();
    match keys.get(tape.below(keys.len())) {
        Some((key, _)) if !tape.one_in(4) => {
            let file = tape.choose(&["", "", "other.yaml", "a/../b.yaml"]).unwrap_or_default();
            format!("{file}#/components/{section}/{key}")
        }
        _ => format!("#/{}", text(tape)),
    }
}

fn value(tape: &mut Tape<'_>) -> Node {
    const INTEGERS: [i128; 6] = [0, -1, 200, i64::MAX as i128, u64::MAX as i128, i128::MIN];
    match tape.below(8) {
        0 => Node::Null,
        1 => Node::Bool(tape.one_in(2)),
        2 => Node::Integer(tape.choose(&INTEGERS).unwrap_or_default()),
        3 => Node::Float(tape.choose(&[0.5, -0.0, 1e300]).unwrap_or_default()),
        4 => Node::Array(Vec::new()),
        5 => Node::Object(Vec::new()),
        _ => Node::String(text(tape)),
    }
}

/// Returns a word of OpenAPI, a name that is difficult in Rust, or both.
fn text(tape: &mut Tape<'_>) -> String {
    let word = tape.choose(&WORDS).unwrap_or_default();
    if tape.one_in(6) {
        return format!("{word}{}", tape.choose(&WORDS).unwrap_or_default());
    }
    word.to_owned()
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
pub fn mutate_text(text: &str, tape: &mut Tape<'_>) -> String {
    let mut lines: Vec<_> = text.lines().collect();
    for _ in 0..=tape.below(3) {
        if lines.is_empty() {
            break;
        }
        let index = tape.below(lines.len());
        let other = tape.below(lines.len());
        match tape.below(4) {
            0 => drop(lines.remove(index)),
            1 => lines.swap(index, other),
            2 => lines.insert(index, lines[other]),
            _ => {
                let places: Vec<_> = lines[index].char_indices().map(|(place, _)| place).collect();
                let place = tape.choose(&places).unwrap_or_default();
                lines[index] = &lines[index][..place];
            }
        }
    }
    lines.join("\n")
}
