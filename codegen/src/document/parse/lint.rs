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
    let mut report = Report { file, map: SourceMap::of(text, syntax), diagnostics };
    for lint in lints {
        match lint {
            SyntaxLint::RepeatedKey => report.repeated_keys(),
            SyntaxLint::LongKey => report.long_keys(),
            SyntaxLint::SuspiciousKey => report.suspicious_keys(),
            SyntaxLint::BadMerge => report.bad_merges(),
            SyntaxLint::Tag => report.tags(),
            SyntaxLint::SeveralDocuments => report.several_documents(),
        }
    }
}

struct Report<'r> {
    file: &'r Pointer,
    map: SourceMap,
    diagnostics: &'r mut Diagnostics,
}

impl Report<'_> {
    /// Returns the places of keys for which something holds, each with the key.
    fn keys(&self, holds: impl Fn(&Key) -> bool) -> Vec<(Place, String)> {
        let keys = self.map.keys(self.file).filter(|(_, key)| holds(key));
        keys.map(|(object, key)| (place(&object, key), key.text.clone())).collect()
    }

    fn repeated_keys(&mut self) {
        for (object, first, again) in self.map.repeated_keys(self.file) {
            let (place, first) = (place(&object, again), place(&object, first));
            self.diagnostics
                .error("duplicate-key", place, format!("the key `{}` is written twice", again.text))
                .related(first, "first written here")
                .help("keep one of the two, or give them different keys");
        }
    }

    fn long_keys(&mut self) {
        for (place, key) in self.keys(|key| key.text.len() > LONGEST_KEY) {
            let message = format!("a key of {} bytes: the limit is {LONGEST_KEY}", key.len());
            self.diagnostics
                .error("long-key", place, message)
                .help("shorten it: names of types and fields are made from keys");
        }
    }

    fn suspicious_keys(&mut self) {
        for (place, key) in self.keys(|key| key.plain && is_suspicious(&key.text)) {
            let message = format!("the key `{key}` is not a string in YAML");
            self.diagnostics
                .error("key-not-text", place, message)
                .help(format!("put it in quotes: '{key}'"));
        }
    }

    fn bad_merges(&mut self) {
        for (place, _) in self.keys(|key| key.plain && key.text == MERGE_KEY) {
            self.diagnostics
                .error("merge-key", place, "`<<` merges only mappings")
                .help("give it an alias of a mapping (`<<: *name`), or a list of such aliases");
        }
    }

    fn tags(&mut self) {
        for (tag, span) in self.map.tags() {
            let place = Place::Text(self.file.clone(), span);
            self.diagnostics
                .warning("yaml-tag", place, format!("the YAML tag `{tag}` is not read"))
                .help("remove the tag: OpenAPI has the types of JSON only");
        }
    }

    fn several_documents(&mut self) {
        let span = self.map.second_document().unwrap_or_default();
        let place = Place::Text(self.file.clone(), span);
        self.diagnostics
            .error("several-documents", place, "another YAML document begins here")
            .help("keep one document to a file: move what follows this `---` to another file");
    }
}

/// Returns the place of a key where it is written: another of its name may be written in the same object.
fn place(object: &Pointer, key: &Key) -> Place {
    Place::Text(object.join(&key.text), key.span.clone())
}
