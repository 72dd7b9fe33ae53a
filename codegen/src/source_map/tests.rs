//! The source map agrees with the tree, for every pointer of a document.

use super::{Pointer, SourceMap, Syntax};
use crate::diagnostics::Diagnostics;
use crate::document::{Node, Source, parse};

const ODD_YAML: &str = "# comment\nroot: &root\n  plain: a\n  'quo''ted' : \"b\\u00e4\"\n  \"dou\\\"ble\": 'c'\n  ? question\n  : d\n  empty:\n  next: ~\n  flow: {a: 1, \"b\":2, c, d: [x, {y: z}, k: v], 'e' : \n    f}\n  block: |\n    indented\n      more\n  folded: >-\n    one\n    two\n\n    three\n  many: lines\n    of text\n  list:\n  - a\n  -\n    - b\n    - c: d\n      e: f\n  -   g: h\n  - !tag i\n  - &anchor {j: k}\n  - *anchor\n  merged: {<<: *anchor, l: m}\n  日本: 😀\n  $ref/~x: n\n  last: end";

const ODD_JSON: &str = "\u{feff}\r\n\t{ \"a\" :\n1 ,\"b\\u0000\\ud83d\\ude00\\/\"\t: [ ] , \"\": {\"c\\\\\": [true,false , null,-1.5e+3, {}, \"\\\"\"]}\r\n}\n ";

fn map(text: &str) -> SourceMap {
    let is_json = text.trim_start_matches('\u{feff}').trim_start().starts_with("{ \"");
    SourceMap::new(text, if is_json { Syntax::Json } else { Syntax::Yaml })
}

fn tree(text: &str) -> Node {
    let mut diagnostics = Diagnostics::new();
    let source = Source { name: String::new(), text: text.to_owned() };
    let node = parse(&source, &mut diagnostics);
    assert!(!diagnostics.has_errors(), "{diagnostics:?}");
    node.unwrap()
}

/// Compares every scalar, and every collection in flow style, with the text at its place; returns the number of places.
fn agrees(text: &str) -> usize {
    let map = map(text);
    let mut places = 0;
    let mut waiting = vec![(Pointer::root(), tree(text))];
    while let Some((pointer, node)) = waiting.pop() {
        let spot = map.find(&pointer).unwrap_or_else(|| panic!("{pointer} is not found"));
        let written = &text[spot.value.clone()];
        if let Some(key) = spot.key {
            let key = &text[key];
            let member =
                if key.starts_with('"') { format!("{{{key}: 0}}") } else { format!("{key}: 0") };
            let last = pointer.last().unwrap();
            assert!(tree(&member).get(last).is_some(), "the key of {pointer}: {key}");
        }
        let is_block =
            matches!(node, Node::Array(_) | Node::Object(_)) && !written.starts_with(['[', '{']);
        if !is_block && !written.contains(['&', '*', '!']) {
            assert_eq!(
                trimmed(tree(written)),
                trimmed(node.clone()),
                "the value of {pointer}: {written}"
            );
        }
        places += 1;
        match node {
            Node::Object(members) => {
                waiting.extend(members.into_iter().map(|(key, node)| (pointer.join(&key), node)));
            }
            Node::Array(items) => {
                waiting.extend(
                    items
                        .into_iter()
                        .enumerate()
                        .map(|(index, node)| (pointer.join_index(index), node)),
                );
            }
            _ => {}
        }
    }
    places
}

/// Drops the line breaks at the end of a block scalar, which depend on what follows it.
fn trimmed(node: Node) -> Node {
    match node {
        Node::String(text) => Node::String(text.trim_end().to_owned()),
        other => other,
    }
}

#[test]
fn places_in_unusual_texts_are_correct() {
    assert_eq!(agrees(ODD_YAML), 42);
    assert_eq!(agrees(&ODD_YAML.replace('\n', "\r\n")), 42);
    assert_eq!(agrees(ODD_JSON), 11);
}

#[test]
fn places_in_the_spec_of_this_workspace_are_correct() {
    assert!(agrees(include_str!("../../../spec/openapi.yaml")) > 1_000);
}

#[test]
fn pointers_to_nothing_have_no_place() {
    let map = map(ODD_YAML);
    for path in ["#/a", "#/root/plain/0", "#/root/list/9", "#/root/list/a", "#/root/list/00"] {
        let pointer = Pointer::from_reference(path).unwrap();
        assert_eq!(map.find(&pointer), None, "{path}");
    }
}

#[test]
fn tags_before_commas_do_not_move_places() {
    let text = "a: [!x, '!y', !z w]\n";
    let spot = map(text).find(&Pointer::root().join("a").join_index(1)).unwrap();
    assert_eq!(&text[spot.value], "'!y'");
    // The parser panics at them, whatever is before.
    for before in
        ["", "\u{feff}", "a: ", "[", "[a,", "{a:", "{?", "[\"q\"", "['q!'", "[[]", "[{}", "[\u{85}"]
    {
        for tag in ["!", "!t", "!!str", "!<t>", "!\"!t"] {
            map(&format!("{before}{tag}, b]\n"));
        }
    }
}

#[test]
fn a_block_scalar_may_end_without_a_line_break() {
    let text = "a: 1\nb: |\n  text";
    let spot = map(text).find(&Pointer::root().join("b")).unwrap();
    assert_eq!(&text[spot.key.unwrap()], "b");
    assert!(text[spot.value.start..].starts_with('|'));
}
