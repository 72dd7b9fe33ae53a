//! How names are made: from the wire's spelling to Rust's, and what happens to keywords and collisions.

mod modules;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::hash::Hash;

use heck::{ToSnakeCase, ToUpperCamelCase};

use crate::diagnostics::{Diagnostics, Place};
use crate::document::Pointer;
use crate::ir::{FieldName, MethodName, ModuleName, TypeName, VariantName};

pub(crate) use modules::ModulePaths;

/// The keywords of Rust 2024 that become raw identifiers (Rust Reference, "Keywords").
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// The keywords that cannot be raw identifiers.
const NEVER_RAW: &[&str] = &["crate", "self", "super"];

/// Names of the standard library and the runtime that emitted modules use unqualified, and one that `new` would clash with.
const TAKEN_TYPES: &[&str] = &[
    "AsRef",
    "BTreeMap",
    "Box",
    "By",
    "Clone",
    "Debug",
    "Default",
    "From",
    "Into",
    "IntoIterator",
    "Iterator",
    "Map",
    "New",
    "Option",
    "Secret",
    "Self",
    "Some",
    "String",
    "Timestamp",
    "UnknownMembers",
    "UnknownUnion",
    "UnknownValue",
    "Value",
    "Vec",
];

/// Names of traits that must be in scope where requests are.
const TAKEN_TRAITS: &[&str] = &["Paged", "Request"];

/// Names of what every model or every request has.
const TAKEN_MEMBERS: &[&str] = &[
    "clone",
    "default",
    "new",
    "send",
    "send_blocking",
    "send_raw",
    "send_raw_blocking",
    "unknown",
    "with_header",
    "with_max_response_bytes",
    "with_query",
    "with_retry",
    "with_timeout",
    "with_total_timeout",
];

/// Names of methods that every handle of a resource has.
const TAKEN_METHODS: &[&str] = &["clone", "new"];

/// Names that no file of a module can have: the module's own, and those of devices of Windows.
const TAKEN_FILES: &[&str] = &[
    "aux", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "con", "lpt1",
    "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9", "mod", "nul", "prn",
];

/// How much of a long name names a file.
const LONGEST_FILE: usize = 100;

/// Names of methods that every client has.
const TAKEN_ACCESSORS: &[&str] = &["builder", "clone", "from_env"];

/// The cargo features that every emitted crate has.
const TAKEN_FEATURES: &[&str] = &[
    "blocking",
    "brotli",
    "default",
    "deflate",
    "gzip",
    "native-tls",
    "operations",
    "reqwest",
    "test-util",
    "tls-aws-lc-rs",
    "tls-graviola",
    "tls-ring",
    "tower",
];

/// Spells a name in `snake_case`, without a thought for keywords.
pub fn snake(raw: &str) -> String {
    let name = plural_acronyms(&signed(raw)).to_snake_case();
    if name.is_empty() { spelled(raw).to_snake_case() } else { name }
}

/// Spells a name in `UpperCamelCase`, without a thought for keywords.
pub fn camel(raw: &str) -> String {
    let signed = signed(raw);
    let words = plural_acronyms(&signed);
    let numbers = between_digits(&words).into_iter().map(ToUpperCamelCase::to_upper_camel_case);
    let name = numbers.collect::<Vec<_>>().join("_");
    if name.is_empty() { spelled(raw).to_upper_camel_case() } else { name }
}

/// Spells a name with a word for each of its symbols, so that only the case of letters is lost.
pub fn camel_in_full(raw: &str) -> String {
    spelled(raw).to_upper_camel_case()
}

/// Makes the name of a field, and of its setter.
pub fn field(raw: &str) -> FieldName {
    FieldName::new(untaken(identifier(snake(raw)), TAKEN_MEMBERS))
}

/// Makes the name of a method of a resource's handle.
pub fn method(raw: &str) -> MethodName {
    MethodName::new(untaken(identifier(snake(raw)), TAKEN_METHODS))
}

/// Makes the name of the client's method that returns the handle of a resource.
pub fn accessor(raw: &str) -> MethodName {
    MethodName::new(untaken(identifier(snake(raw)), TAKEN_ACCESSORS))
}

/// Makes the name of a module, and of the file that holds it: ASCII (Rust Reference, "Modules"), of a length that every
/// file system takes, not `mod.rs`, and none of the names that Windows keeps for devices.
pub fn module(raw: &str) -> ModuleName {
    let name = snake(raw);
    let name = if name.is_ascii() { name } else { ascii(&name).to_snake_case() };
    let name = if name.len() > LONGEST_FILE {
        format!("{}_{:08x}", name[..LONGEST_FILE].trim_end_matches('_'), checksum(&name))
    } else {
        name
    };
    let name = untaken(name, TAKEN_FILES);
    ModuleName::new(identifier(name))
}

/// Makes the name of the module of a resource, which is in one called `resources`.
pub fn resource_module(raw: &str) -> ModuleName {
    let name = module(raw);
    ModuleName::new(untaken(name.to_string(), &["resources"]))
}

/// Makes the name of the cargo feature of a resource.
pub fn feature(module: &ModuleName) -> String {
    let name = module.bare().replace('_', "-");
    if TAKEN_FEATURES.contains(&name.as_str()) { format!("{name}-operations") } else { name }
}

/// Makes the name of a model.
pub fn type_name(raw: &str) -> TypeName {
    suffixed(raw, "Model", |name| TAKEN_TYPES.contains(&name))
}

/// Makes the name of the handle of a resource.
pub fn handle(raw: &str) -> TypeName {
    suffixed(raw, "Resource", |name| TAKEN_TYPES.contains(&name) || TAKEN_TRAITS.contains(&name))
}

/// Makes the name of the request of a method, beside the handle that has the method.
pub fn request(method: &MethodName, handle: &TypeName) -> TypeName {
    suffixed(method.bare(), "Request", |name| {
        let is_taken = TAKEN_TYPES.contains(&name) || TAKEN_TRAITS.contains(&name);
        is_taken || name == handle.as_str()
    })
}

fn suffixed(raw: &str, suffix: &str, is_taken: impl FnOnce(&str) -> bool) -> TypeName {
    let name = digits_prefixed(camel(raw), "T");
    TypeName::new(if is_taken(&name) { name + suffix } else { name })
}

fn untaken(name: String, taken: &[&str]) -> String {
    if taken.contains(&name.as_str()) { name + "_" } else { name }
}

/// Makes the name of a variant. `Unknown` is the catch-all's.
pub fn variant(raw: &str) -> VariantName {
    let name = digits_prefixed(camel(raw), "V");
    VariantName::new(match name.as_str() {
        "Self" => "Self_".to_owned(),
        "Unknown" => "DescribedUnknown".to_owned(),
        _ => name,
    })
}

fn identifier(name: String) -> String {
    let name = digits_prefixed(name, "n");
    if KEYWORDS.contains(&name.as_str()) {
        format!("r#{name}")
    } else if NEVER_RAW.contains(&name.as_str()) {
        format!("{name}_")
    } else {
        name
    }
}

fn digits_prefixed(name: String, prefix: &str) -> String {
    if name.starts_with(|first: char| first.is_ascii_digit()) {
        format!("{prefix}{name}")
    } else {
        name
    }
}

/// Spells out the sign of a number: `-1` is not `1`.
fn signed(raw: &str) -> Cow<'_, str> {
    let unsigned = raw
        .strip_prefix(['-', '+'])
        .filter(|rest| rest.starts_with(|first: char| first.is_ascii_digit()));
    match unsigned {
        Some(number) if raw.starts_with('-') => format!("minus {number}").into(),
        Some(number) => format!("plus {number}").into(),
        None => raw.into(),
    }
}

/// Splits a text where something stands between two digits, which run together otherwise: `1.5` is not `15`.
fn between_digits(raw: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut last_digit) = (0, None);
    for (index, char) in raw.char_indices() {
        if char.is_ascii_digit() {
            if last_digit.is_some_and(|last| last + 1 < index) {
                parts.push(&raw[start..index]);
                start = index;
            }
            last_digit = Some(index);
        } else if char.is_alphanumeric() {
            last_digit = None;
        }
    }
    parts.push(&raw[start..]);
    parts
}

/// Turns `IDs` into `Ids`, so that the plural of an acronym stays one word.
fn plural_acronyms(raw: &str) -> Cow<'_, str> {
    let is_plural = |bytes: &[u8]| matches!(bytes, [before, last, b's'] if before.is_ascii_uppercase() && last.is_ascii_uppercase());
    if !raw.as_bytes().windows(3).any(is_plural) {
        return raw.into();
    }
    let chars: Vec<char> = raw.chars().collect();
    let mut out = String::with_capacity(raw.len());
    for (index, &char) in chars.iter().enumerate() {
        let previous = index.checked_sub(1).and_then(|before| chars.get(before));
        let next = chars.get(index + 1);
        let after_next = chars.get(index + 2);
        let ends_plural = char.is_ascii_uppercase()
            && previous.is_some_and(char::is_ascii_uppercase)
            && next == Some(&'s')
            && after_next.is_none_or(|after| !after.is_ascii_lowercase());
        out.push(if ends_plural { char.to_ascii_lowercase() } else { char });
    }
    out.into()
}

/// Tells long names apart that begin alike (FNV-1a).
fn checksum(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Spells out every letter that is not ASCII.
fn ascii(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for char in name.chars() {
        match char {
            _ if char.is_ascii() => out.push(char),
            _ => push_code_point(&mut out, char),
        }
    }
    out
}

/// Spells out everything in a name that is neither a letter nor a digit.
fn spelled(raw: &str) -> String {
    if raw.is_empty() {
        return "empty".to_owned();
    }
    let mut out = String::with_capacity(raw.len());
    for char in raw.chars() {
        match char_word(char) {
            _ if char.is_alphanumeric() => out.push(char),
            Some(word) => out.extend(["_", word, "_"]),
            None => push_code_point(&mut out, char),
        }
    }
    out
}

fn char_word(char: char) -> Option<&'static str> {
    Some(match char {
        '*' => "star",
        '+' => "plus",
        '-' => "minus",
        '=' => "equal",
        '<' => "less",
        '>' => "greater",
        '!' => "not",
        '.' => "dot",
        ',' => "comma",
        '/' => "slash",
        '%' => "percent",
        '&' => "and",
        '|' => "or",
        '_' => "underscore",
        ' ' => "space",
        '@' => "at",
        '#' => "hash",
        '$' => "dollar",
        '?' => "question",
        ':' => "colon",
        _ => return None,
    })
}

/// The names that are taken in one place, with where each comes from.
#[derive(Debug)]
pub struct Scope<N> {
    taken: HashMap<N, Pointer>,
}

impl<N> Default for Scope<N> {
    fn default() -> Self {
        Self { taken: HashMap::new() }
    }
}

impl<N: Eq + Hash> Scope<N> {
    /// Returns where a name that is taken comes from.
    pub fn origin(&self, name: &N) -> Option<&Pointer> {
        self.taken.get(name)
    }

    /// Takes a name, or reports both places of a collision. `what` says what collides: "the Rust field `a_b`".
    pub fn take(
        &mut self,
        name: N,
        pointer: &Pointer,
        what: &str,
        diagnostics: &mut Diagnostics,
    ) -> bool {
        if let Some(first) = self.taken.get(&name) {
            diagnostics
                .error("name-collision", Place::key(pointer), format!("{what} would exist twice"))
                .related(Place::key(first), "the first is made here")
                .help("rename one of them in the description, or say its Rust name with `x-rust-name`");
            return false;
        }
        self.taken.insert(name, pointer.clone());
        true
    }
}

/// Writes the code point of a character that no identifier can have.
fn push_code_point(out: &mut String, char: char) {
    let _ = write!(out, "_u{:x}_", char as u32);
}

#[cfg(test)]
mod tests {
    use super::{field, type_name, variant};

    #[test]
    fn fields_read_like_rust() {
        let cases = [
            ("appId", "app_id"),
            ("@type", "r#type"),
            ("self", "self_"),
            ("useSpn", "use_spn"),
            ("entitlementIDs", "entitlement_ids"),
            ("HTTPServer", "http_server"),
            ("2fa", "n2fa"),
            ("new", "new_"),
            ("*", "star"),
            ("größe", "größe"),
        ];
        for (raw, expected) in cases {
            assert_eq!(field(raw).as_str(), expected, "{raw}");
        }
    }

    #[test]
    fn types_and_variants_avoid_what_is_taken() {
        assert_eq!(type_name("option").as_str(), "OptionModel");
        assert_eq!(type_name("c1.api.App").as_str(), "C1ApiApp");
        assert_eq!(variant("UNKNOWN").as_str(), "DescribedUnknown");
        assert_eq!(variant("self").as_str(), "Self_");
        assert_eq!(variant("2024-01").as_str(), "V2024_01");
        assert_eq!(variant("gpt-3.5-turbo").as_str(), "Gpt3_5Turbo");
        assert_eq!(variant("-1").as_str(), "Minus1");
    }
}
