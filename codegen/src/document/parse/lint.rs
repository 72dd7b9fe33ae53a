//! Checks of the syntax that the tree does not show.

use std::collections::BTreeSet;

use crate::diagnostics::{Diagnostics, Place};
use crate::source_map::{Key, MERGE_KEY, Pointer, SourceMap, Syntax};

/// Unquoted keys that are not strings in the core schema (YAML 1.2 §10.3.2).
const NOT_STRINGS: &[&str] =
    &["null", "Null", "NULL", "~", "", "true", "True", "TRUE", "false", "False", "FALSE"];

/// The longest key, in bytes.
pub(super) const LONGEST_KEY: usize = 1024;

/// Something in a text that its tree does not show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SyntaxLint {
    /// An object has a key twice.
    RepeatedKey,
    /// A key is longer than names made from it can be.
    LongKey,
    /// A key is spelled like something that is not a string.
    SuspiciousKey,
    /// The value of a merge key is not a mapping.
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

/// Reports every place of the lints that were found in a file.
pub(super) fn report(
    lints: &BTreeSet<SyntaxLint>,
    file: &Pointer,
    text: &str,
    syntax: Syntax,
    diagnostics: &mut Diagnostics,
) {
    if lints.is_empty() {
        return;
    }
    let map = SourceMap::of(text, syntax);
    // Where a key is written: another of its name may be written in the same object.
    let place = |object: &Pointer, key: &Key| Place::Text(object.join(&key.text), key.span.clone());
    let keys = |is_wrong: fn(&Key) -> bool| {
        let keys = map.keys(file).filter(move |(_, key)| is_wrong(key));
        keys.map(|(object, key)| (place(&object, key), &key.text))
    };
    for lint in lints {
        match lint {
            SyntaxLint::RepeatedKey => {
                for (object, first, again) in map.repeated_keys(file) {
                    let message = format!("the key `{}` is written twice", again.text);
                    diagnostics
                        .error("duplicate-key", place(&object, again), message)
                        .related(place(&object, first), "first written here")
                        .help("keep one of the two, or give them different keys");
                }
            }
            SyntaxLint::LongKey => {
                for (place, key) in keys(|key| key.text.len() > LONGEST_KEY) {
                    let size = key.len();
                    let message = format!("a key of {size} bytes: the limit is {LONGEST_KEY}");
                    diagnostics
                        .error("long-key", place, message)
                        .help("shorten it: names of types and fields are made from keys");
                }
            }
            SyntaxLint::SuspiciousKey => {
                for (place, key) in keys(|key| key.plain && is_suspicious(&key.text)) {
                    let message = format!("the key `{key}` is not a string in YAML");
                    diagnostics
                        .error("key-not-text", place, message)
                        .help(format!("put it in quotes: '{key}'"));
                }
            }
            SyntaxLint::BadMerge => {
                for (place, _) in keys(|key| key.plain && key.text == MERGE_KEY) {
                    diagnostics.error("merge-key", place, "`<<` merges only mappings").help(
                        "give it an alias of a mapping (`<<: *name`), or a list of such aliases",
                    );
                }
            }
            SyntaxLint::Tag => {
                for (tag, span) in &map.tags {
                    let place = Place::Text(file.clone(), span.clone());
                    diagnostics
                        .warning("yaml-tag", place, format!("the YAML tag `{tag}` is not read"))
                        .help("remove the tag: OpenAPI has the types of JSON only");
                }
            }
            SyntaxLint::SeveralDocuments => {
                let place =
                    Place::Text(file.clone(), map.second_document.clone().unwrap_or_default());
                diagnostics
                    .error("several-documents", place, "another YAML document begins here")
                    .help(
                        "keep one document to a file: move what follows this `---` to another file",
                    );
            }
        }
    }
}
