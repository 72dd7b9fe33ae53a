//! From text to [`Node`], YAML or JSON. The only file that uses `serde_yaml`.

mod lint;
mod syntax_error;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::fmt::{self, Write as _};

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error, IgnoredAny, MapAccess,
    SeqAccess, VariantAccess, Visitor,
};

use super::node::VALUE_SIZE;
use super::{Node, Source};
use crate::diagnostics::{Code, Diagnostics, Place};
use crate::source_map::{self, MERGE_KEY, Pointer, Syntax};
use crate::visible::{escaped, is_active};
use lint::SyntaxLint;
use syntax_error::SyntaxError;

/// Maximum size of the values that the aliases of a text add, in bytes.
const MAX_ALIASED: usize = 4 << 20;

/// Maximum nesting of a text; both parsers have the same limit for their recursion.
pub(super) const MAX_DEPTH: usize = 128;

/// Parses a text, YAML or JSON, into its tree. Reports an error and returns `None` if it is neither.
pub fn parse(source: &Source, diagnostics: &mut Diagnostics) -> Option<Node> {
    parse_file(None, &source.name, &source.text, diagnostics)
}

/// Returns the text of a tree, in YAML, in which hidden characters are escapes.
pub fn to_yaml(node: &Node) -> String {
    let text = serde_yaml::to_string(&marked(node)).unwrap_or_default();
    let parts = text.split(MARK).enumerate().map(|(index, part)| match part.len() {
        _ if index % 2 == 0 => part.to_owned(),
        ..=4 => format!("\\u{part:0>4}"),
        _ => format!("\\U{part:0>8}"),
    });
    parts.collect()
}

/// What the writer of YAML makes of U+0001, for which it quotes the whole string.
const MARK: &str = "\\x01";

/// Returns a tree with the code points of its hidden characters, between U+0001. The writer would leave most characters.
fn marked(node: &Node) -> Node {
    match node {
        Node::String(text) => Node::String(marked_text(text)),
        Node::Array(items) => Node::Array(items.iter().map(marked).collect()),
        Node::Object(members) => {
            let members = members.iter().map(|(key, value)| (marked_text(key), marked(value)));
            Node::Object(members.collect())
        }
        scalar => scalar.clone(),
    }
}

fn marked_text(text: &str) -> String {
    let is_marked = |char, rest: &str| match char {
        '\\' => rest.starts_with("x01"),
        char => is_active(char, rest),
    };
    let text = escaped(text, is_marked, |out, char| {
        let _ = write!(out, "\u{1}{:x}\u{1}", u32::from(char));
    });
    text.into_owned()
}

/// Parses the text of the document itself (no key) or of another file. Reports an error, and returns `None`.
pub(super) fn parse_file(
    key: Option<&str>,
    name: &str,
    text: &str,
    diagnostics: &mut Diagnostics,
) -> Option<Node> {
    let start = source_map::body_start(text);
    let body = &text[start..];
    let file = key.map_or_else(Pointer::root, Pointer::to_file);
    let mut lints = BTreeSet::new();
    let (syntax, tree) = tree(body, &mut lints);
    diagnostics.add_file(key, name, text, syntax);
    match tree {
        Ok(node) => {
            lint::report(&lints, &file, text, syntax, diagnostics);
            if text.contains(">>>>>>> ")
                && let Some(at) = syntax_error::conflict_marker(text, true)
            {
                let place = Place::Text(file, at..at + 1);
                diagnostics
                    .report(Code::MergeConflict, place, "this text has a merge conflict of Git")
                    .help(syntax_error::CONFLICT);
            }
            // Names derived from long keys could exhaust the memory.
            (!lints.contains(&SyntaxLint::LongKey)).then_some(node)
        }
        Err(error) => {
            error.report(&file, start, body, diagnostics);
            None
        }
    }
}

/// Parses a text as JSON if it is valid JSON or begins like it, and as YAML otherwise.
fn tree(text: &str, lints: &mut BTreeSet<SyntaxLint>) -> (Syntax, Result<Node, SyntaxError>) {
    if !["{", "[", "//", "/*"].iter().any(|start| text.trim_start().starts_with(*start)) {
        return (Syntax::Yaml, yaml_tree(text, lints));
    }
    let json = json_tree(text, lints);
    if json.as_ref().err().is_none_or(|error| error.is_depth() || error.is_comment(text)) {
        return (Syntax::Json, json);
    }
    lints.clear();
    let yaml = yaml_tree(text, lints);
    if yaml.is_err() && is_meant_as_json(text) {
        (Syntax::Json, json)
    } else {
        (Syntax::Yaml, yaml)
    }
}

/// Returns whether a text that is not valid JSON was probably intended to be: it begins with `{"`, `{}` or `[`.
fn is_meant_as_json(text: &str) -> bool {
    let rest = text.trim_start();
    rest.strip_prefix('{').map_or(rest.starts_with('['), |inside| {
        inside.trim_start().is_empty() || inside.trim_start().starts_with(['"', '}'])
    })
}

fn json_tree(text: &str, lints: &mut BTreeSet<SyntaxLint>) -> Result<Node, SyntaxError> {
    let mut json = serde_json::Deserializer::from_str(text);
    let mut budget = usize::MAX;
    let seed = TreeSeed { lints, budget: &mut budget, merges: false };
    seed.deserialize(&mut json)
        .and_then(|node| json.end().map(|()| node))
        .map_err(|error| SyntaxError::json(&error, text))
}

fn yaml_tree(text: &str, lints: &mut BTreeSet<SyntaxLint>) -> Result<Node, SyntaxError> {
    if let Some(offset) = source_map::too_deep(text, MAX_DEPTH) {
        return Err(SyntaxError::depth(offset));
    }
    let tree = first_document(text, text, lints);
    // YAML allows tabs before a comment (YAML 1.2 §6.6), but its reader does not.
    match source_map::without_tabs(text) {
        Cow::Owned(spaced) if tree.is_err() => first_document(&spaced, text, lints).or(tree),
        _ => tree,
    }
}

/// Reads the first YAML document of a text, which differs from the `original` only in white space.
fn first_document(
    text: &str,
    original: &str,
    lints: &mut BTreeSet<SyntaxLint>,
) -> Result<Node, SyntaxError> {
    let mut budget = VALUE_SIZE * text.len() + MAX_ALIASED;
    let mut documents = serde_yaml::Deserializer::from_str(text);
    let Some(first) = documents.next() else {
        return Ok(Node::Null);
    };
    let seed = TreeSeed { lints, budget: &mut budget, merges: true };
    let syntax_error = |error: serde_yaml::Error| {
        let position = error.location().map(|location| location.index());
        SyntaxError::yaml(&error.to_string(), position, original)
    };
    let node = seed.deserialize(first).map_err(syntax_error)?;
    if let Some(second) = documents.next() {
        lints.insert(SyntaxLint::SeveralDocuments);
        IgnoredAny::deserialize(second).map_err(syntax_error)?;
    }
    Ok(node)
}

/// Builds a tree from the values of a deserializer.
struct TreeSeed<'a> {
    lints: &'a mut BTreeSet<SyntaxLint>,
    budget: &'a mut usize,
    merges: bool,
}

impl TreeSeed<'_> {
    fn spend<E: Error>(&mut self, cost: usize) -> Result<(), E> {
        *self.budget = self
            .budget
            .checked_sub(cost)
            .ok_or_else(|| E::custom(syntax_error::TOO_MUCH_ALIASED))?;
        Ok(())
    }

    fn child(&mut self) -> TreeSeed<'_> {
        TreeSeed { lints: self.lints, budget: self.budget, merges: self.merges }
    }

    /// Drops all but the first of the properties with the same key.
    fn distinct(&mut self, members: &mut Vec<(String, Node)>) {
        let mut keys = HashSet::with_capacity(members.len());
        let repeated = !members.iter().all(|(key, _)| keys.insert(key.as_str()));
        if repeated {
            self.lints.insert(SyntaxLint::RepeatedKey);
            let mut keys = HashSet::new();
            members.retain(|(key, _)| keys.insert(key.clone()));
        }
    }

    /// Adds the properties of merged mappings that the object does not have itself.
    fn merge(&mut self, members: &mut Vec<(String, Node)>, merged: Node) {
        match merged {
            Node::Object(more) => {
                let own: HashSet<String> = members.iter().map(|(key, _)| key.clone()).collect();
                members.extend(more.into_iter().filter(|(key, _)| !own.contains(key)));
            }
            Node::Array(mappings)
                if mappings.iter().all(|mapping| mapping.as_object().is_some()) =>
            {
                for mapping in mappings {
                    self.merge(members, mapping);
                }
            }
            _ => {
                self.lints.insert(SyntaxLint::BadMerge);
            }
        }
    }
}

impl<'de> DeserializeSeed<'de> for TreeSeed<'_> {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(mut self, deserializer: D) -> Result<Node, D::Error> {
        self.spend(VALUE_SIZE)?;
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for TreeSeed<'_> {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_none<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Integer(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Integer(value.into()))
    }

    fn visit_i128<E>(self, value: i128) -> Result<Node, E> {
        Ok(Node::Integer(value))
    }

    #[allow(
        clippy::cast_precision_loss,
        reason = "what no integer type holds is kept as the nearest float"
    )]
    fn visit_u128<E>(self, value: u128) -> Result<Node, E> {
        Ok(i128::try_from(value).map_or(Node::Float(value as f64), Node::Integer))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
        Ok(Node::Float(value))
    }

    fn visit_str<E: Error>(mut self, text: &str) -> Result<Node, E> {
        self.spend(text.len())?;
        Ok(Node::String(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut elements: A) -> Result<Node, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = elements.next_element_seed(self.child())? {
            items.push(item);
        }
        Ok(Node::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut entries: A) -> Result<Node, A::Error> {
        let mut members = Vec::new();
        let mut merged = Vec::new();
        while let Some(key) = entries.next_key_seed(KeySeed)? {
            self.spend(key.len())?;
            let value = entries.next_value_seed(self.child())?;
            if self.merges && key == MERGE_KEY {
                merged.push(value);
                continue;
            }
            if key.len() > lint::MAX_KEY_LENGTH {
                self.lints.insert(SyntaxLint::LongKey);
            }
            if self.merges && lint::is_suspicious(&key) {
                self.lints.insert(SyntaxLint::SuspiciousKey);
            }
            members.push((key, value));
        }
        self.distinct(&mut members);
        for value in merged {
            self.merge(&mut members, value);
        }
        Ok(Node::Object(members))
    }

    /// Takes the value of a YAML tag, without the tag.
    fn visit_enum<A: EnumAccess<'de>>(self, tagged: A) -> Result<Node, A::Error> {
        self.lints.insert(SyntaxLint::Tag);
        let (_, value) = tagged.variant_seed(KeySeed)?;
        value.newtype_variant_seed(self)
    }
}

/// A key, as its text: `200` is a key like `'200'`.
struct KeySeed;

impl<'de> DeserializeSeed<'de> for KeySeed {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for KeySeed {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(syntax_error::KEY_EXPECTED)
    }

    fn visit_str<E>(self, text: &str) -> Result<String, E> {
        Ok(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_yaml_has_the_same_texts_without_hidden_characters() {
        for text in [
            "a\u{202e}\u{1}\u{0}\u{85}\u{2028}\u{e0001}\u{7f} b",
            "\\x01202e\\x01",
            "\\\u{1}\\x01\"'#",
            "##[group] a\nb",
            "a\r\nb\tc",
            "👩\u{200d}💻: é",
        ] {
            let node = Node::Object(vec![(text.to_owned(), Node::String(text.to_owned()))]);
            let yaml = to_yaml(&node);
            let is_hidden = |char| char != '\n' && crate::visible::is_hidden(char);
            assert!(!yaml.contains(is_hidden) && !yaml.contains("##["), "{yaml}");
            let source = Source { name: String::new(), text: yaml };
            let read = parse(&source, &mut Diagnostics::new());
            assert_eq!(read, Some(node), "{}", source.text);
        }
    }
}
