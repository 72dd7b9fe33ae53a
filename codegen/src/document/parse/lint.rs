//! Checks of syntax that is not represented in the tree.

use std::collections::BTreeSet;

use crate::diagnostics::{Code, Diagnostics, Place};
use crate::document::keys::Keys;
use crate::source_map::{MERGE_KEY, MapKey, Pointer, SourceMap, Syntax};

/// Unquoted keys that are not strings in the core schema (YAML 1.2 §10.3.2).
const NOT_STRINGS: &[&str] =
    &["null", "Null", "NULL", "~", "", "true", "True", "TRUE", "false", "False", "FALSE"];

/// Fields that only document an object: which of two values is used changes no type and no call.
const DOCUMENTATION: &[&str] =
    &["$comment", "description", "example", "examples", "externalDocs", "summary", "title"];

/// Maximum length of a key, in bytes.
pub(super) const MAX_KEY_LENGTH: usize = 1024;

/// A fault of a text that is not represented in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SyntaxLint {
    /// An object has a duplicate key.
    RepeatedKey,
    /// A key is too long for the names derived from it.
    LongKey,
    /// An unquoted key has the spelling of a value that is not a string.
    SuspiciousKey,
    /// The value of a merge key is not a mapping.
    BadMerge,
    /// A value has a YAML tag.
    Tag,
    /// The text has more than one YAML document.
    SeveralDocuments,
}

/// Returns whether an unquoted key has the spelling of a value that is not a string.
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
    let map = SourceMap::new(text, syntax);
    // The place of this key: the object may have another with the same name.
    let place =
        |object: &Pointer, key: &MapKey| Place::Text(object.join(&key.text), key.span.clone());
    let keys = |is_wrong: fn(&MapKey) -> bool| {
        let wrong = map.keys(file).filter(move |(_, key)| is_wrong(key));
        wrong.map(|(object, key)| (place(&object, key), &key.text))
    };
    for lint in lints {
        match lint {
            SyntaxLint::RepeatedKey => {
                for (object, first, again) in map.repeated_keys(file) {
                    let key = &again.text;
                    let is_name = Keys::at(&object).is_some_and(Keys::are_names);
                    let is_documentation = !is_name && DOCUMENTATION.contains(&key.as_str());
                    let message = format!("duplicate key `{key}`; the first is used");
                    let code =
                        if is_documentation { Code::DuplicateKey } else { Code::ConflictingKeys };
                    diagnostics
                        .report(code, place(&object, again), message)
                        .related(place(&object, first), "first written here")
                        .help("keep one of the two, or give them different keys");
                }
            }
            SyntaxLint::LongKey => {
                for (place, key) in keys(|key| key.text.len() > MAX_KEY_LENGTH) {
                    let size = key.len();
                    let message =
                        format!("the key has {size} bytes; the maximum is {MAX_KEY_LENGTH}");
                    diagnostics
                        .report(Code::LongKey, place, message)
                        .help("shorten it: names of types and fields are derived from keys");
                }
            }
            SyntaxLint::SuspiciousKey => {
                for (place, key) in keys(|key| key.plain && is_suspicious(&key.text)) {
                    let message = format!("the key `{key}` is not a string in YAML");
                    diagnostics
                        .report(Code::KeyNotText, place, message)
                        .help(format!("put it in quotes: '{key}'"));
                }
            }
            SyntaxLint::BadMerge => {
                for (place, _) in keys(|key| key.plain && key.text == MERGE_KEY) {
                    diagnostics.report(Code::MergeKey, place, "`<<` merges only mappings").help(
                        "write an alias of a mapping (`<<: *name`), or a list of such aliases",
                    );
                }
            }
            SyntaxLint::Tag => {
                for (tag, span) in &map.tags {
                    let place = Place::Text(file.clone(), span.clone());
                    diagnostics
                        .report(Code::YamlTag, place, format!("the YAML tag `{tag}` is ignored"))
                        .help("remove the tag: OpenAPI has only the types of JSON");
                }
            }
            SyntaxLint::SeveralDocuments => {
                let place =
                    Place::Text(file.clone(), map.second_document.clone().unwrap_or_default());
                diagnostics
                    .report(Code::SeveralDocuments, place, "another YAML document begins here")
                    .help("move the part after this `---` to another file");
            }
        }
    }
}
