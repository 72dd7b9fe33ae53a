//! What a text says that its tree does not show, and that the user must hear of.

use std::collections::BTreeSet;

use super::layout::Layout;
use crate::diagnostics::{Diagnostics, Place};

/// The key that merges other mappings into the one that holds it (YAML 1.1 types, "Merge Key").
pub(super) const MERGE_KEY: &str = "<<";

/// Unquoted keys that are not strings in the core schema (YAML 1.2 §10.3.2).
const NOT_STRINGS: &[&str] =
    &["null", "Null", "NULL", "~", "", "true", "True", "TRUE", "false", "False", "FALSE"];

/// Something that a tree does not show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Oddity {
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
pub(super) fn explain(oddities: &BTreeSet<Oddity>, text: &str, diagnostics: &mut Diagnostics) {
    if oddities.is_empty() {
        return;
    }
    let layout = Layout::of(text);
    for oddity in oddities {
        match oddity {
            Oddity::RepeatedKey => repeated_keys(&layout, diagnostics),
            Oddity::SuspiciousKey => suspicious_keys(&layout, diagnostics),
            Oddity::BadMerge => bad_merges(&layout, diagnostics),
            Oddity::Tag => tags(&layout, diagnostics),
            Oddity::SeveralDocuments => several_documents(&layout, diagnostics),
        }
    }
}

fn repeated_keys(layout: &Layout, diagnostics: &mut Diagnostics) {
    for (first, again) in layout.repeated_keys() {
        let place = Place::Text(again.span.clone());
        diagnostics
            .error("duplicate-key", place, format!("the key `{}` is written twice", again.text))
            .related(Place::Text(first.span.clone()), "first written here")
            .help("keep one of the two, or give them different keys");
    }
}

fn suspicious_keys(layout: &Layout, diagnostics: &mut Diagnostics) {
    for key in layout.plain_keys().filter(|key| is_suspicious(&key.text)) {
        let message = format!("the key `{}` is not a string in YAML", key.text);
        diagnostics
            .error("key-not-text", Place::Text(key.span.clone()), message)
            .help(format!("put it in quotes: '{}'", key.text));
    }
}

fn bad_merges(layout: &Layout, diagnostics: &mut Diagnostics) {
    for key in layout.plain_keys().filter(|key| key.text == MERGE_KEY) {
        diagnostics
            .error("merge-key", Place::Text(key.span.clone()), "`<<` merges only mappings")
            .help("write an alias of a mapping behind it (`<<: *name`), or a list of such aliases");
    }
}

fn tags(layout: &Layout, diagnostics: &mut Diagnostics) {
    for (tag, span) in layout.tags() {
        diagnostics
            .warning("yaml-tag", Place::Text(span), format!("the YAML tag `{tag}` is not read"))
            .help("remove the tag: OpenAPI has the types of JSON only");
    }
}

fn several_documents(layout: &Layout, diagnostics: &mut Diagnostics) {
    let place = layout.second_document().map_or(Place::Document, Place::Text);
    diagnostics
        .error("several-documents", place, "another YAML document begins here")
        .help("keep one description to a file: move what follows this `---` to another file");
}
