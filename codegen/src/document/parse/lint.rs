//! Checks of the syntax that the tree does not show.

use std::collections::BTreeSet;

use crate::diagnostics::{Diagnostics, Place};
use crate::source_map::{MERGE_KEY, SourceMap};

/// Unquoted keys that are not strings in the core schema (YAML 1.2 §10.3.2).
const NOT_STRINGS: &[&str] =
    &["null", "Null", "NULL", "~", "", "true", "True", "TRUE", "false", "False", "FALSE"];

/// Something that a tree does not show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SyntaxLint {
    /// An object has a key twice.
    RepeatedKey,
    /// A key is spelled like something that is not a string.
    SuspiciousKey,
    /// A merge key has something else than mappings behind it.
    BadMerge,
    /// A value has a YAML tag.
    Tag,
    /// The text holds more than one YAML document.
    SeveralDocuments,
}

/// Returns whether a key is spelled like something that is not a string.
pub(super) fn is_suspicious(key: &str) -> bool {
    NOT_STRINGS.contains(&key)
}

/// Reports what was met in a text, with every place.
pub(super) fn report(lints: &BTreeSet<SyntaxLint>, text: &str, diagnostics: &mut Diagnostics) {
    if lints.is_empty() {
        return;
    }
    let map = SourceMap::of(text);
    for lint in lints {
        match lint {
            SyntaxLint::RepeatedKey => repeated_keys(&map, diagnostics),
            SyntaxLint::SuspiciousKey => suspicious_keys(&map, diagnostics),
            SyntaxLint::BadMerge => bad_merges(&map, diagnostics),
            SyntaxLint::Tag => tags(&map, diagnostics),
            SyntaxLint::SeveralDocuments => several_documents(&map, diagnostics),
        }
    }
}

fn repeated_keys(map: &SourceMap, diagnostics: &mut Diagnostics) {
    for (first, again) in map.repeated_keys() {
        let place = Place::Text(again.span.clone());
        diagnostics
            .error("duplicate-key", place, format!("the key `{}` is written twice", again.text))
            .related(Place::Text(first.span.clone()), "first written here")
            .help("keep one of the two, or give them different keys");
    }
}

fn suspicious_keys(map: &SourceMap, diagnostics: &mut Diagnostics) {
    for key in map.plain_keys().filter(|key| is_suspicious(&key.text)) {
        let message = format!("the key `{}` is not a string in YAML", key.text);
        diagnostics
            .error("key-not-text", Place::Text(key.span.clone()), message)
            .help(format!("put it in quotes: '{}'", key.text));
    }
}

fn bad_merges(map: &SourceMap, diagnostics: &mut Diagnostics) {
    for key in map.plain_keys().filter(|key| key.text == MERGE_KEY) {
        diagnostics
            .error("merge-key", Place::Text(key.span.clone()), "`<<` merges only mappings")
            .help("write an alias of a mapping behind it (`<<: *name`), or a list of such aliases");
    }
}

fn tags(map: &SourceMap, diagnostics: &mut Diagnostics) {
    for (tag, span) in map.tags() {
        diagnostics
            .warning("yaml-tag", Place::Text(span), format!("the YAML tag `{tag}` is not read"))
            .help("remove the tag: OpenAPI has the types of JSON only");
    }
}

fn several_documents(map: &SourceMap, diagnostics: &mut Diagnostics) {
    let place = map.second_document().map_or(Place::Document, Place::Text);
    diagnostics
        .error("several-documents", place, "another YAML document begins here")
        .help("keep one description to a file: move what follows this `---` to another file");
}
