//! Files, items and their members as text, in the form that `prettyplease` prints.
//!
//! Most lines fit, so emitters write text. What has a line that does not fit is parsed, for `prettyplease` to break it.

use std::fmt::Display;

use proc_macro2::TokenStream;

use super::attributes::Attributes;
use crate::emit::Emitted;

/// The bytes of a line that `prettyplease` fills.
const WIDTH: usize = 89;

/// Writes a file of items. `emitters` are paths below `codegen/src/emit`.
pub fn file(path: String, emitters: &str, items: impl IntoIterator<Item = String>) -> Emitted {
    let mut text = String::new();
    for item in items.into_iter().filter(|item| !item.is_empty()) {
        text.extend(["\n", &item]);
    }
    Emitted { path, emitters: emitters.to_owned(), text }
}

/// Writes items from their tokens.
pub fn tokens(tokens: &TokenStream) -> String {
    let code = tokens.to_string();
    broken(&code).unwrap_or(code + "\n")
}

/// Writes an item without members.
pub fn item(attributes: &Attributes, code: &str) -> String {
    let mut text = String::new();
    attributes.push_to("", &mut text);
    match if fits(code, 0) { None } else { broken(code) } {
        Some(broken) => text.push_str(&broken),
        None => text.extend([code, "\n"]),
    }
    text
}

/// Writes the import of some names, each once. `head` is `use` or `pub use`.
pub fn import(
    head: &str,
    path: &str,
    names: impl ExactSizeIterator<Item = impl Display>,
) -> String {
    let (open, close) = if names.len() == 1 { ("", "") } else { ("{", "}") };
    let names: Vec<String> = names.map(|name| name.to_string()).collect();
    let code = format!("{head} {path}::{open}{}{close};", names.join(", "));
    item(&Attributes::default(), &code)
}

/// Writes an item with members in braces. `head` is all that is before them.
pub fn block(attributes: &Attributes, head: &str, members: &[String]) -> String {
    let frame = item(attributes, &format!("{head} {{}}"));
    [frame.trim_end_matches("}\n"), "\n", &members.join("\n"), "}\n"].concat()
}

/// Writes an item with methods; nothing without any.
pub fn implementation(head: &str, methods: &[String]) -> String {
    if methods.is_empty() { String::new() } else { block(&Attributes::default(), head, methods) }
}

/// Writes a function in an `impl`.
pub fn function(attributes: &Attributes, signature: &str, body: &[&str]) -> String {
    let body = body.join("\n").replace('\n', "\n    ");
    associated(attributes, &format!("{signature} {{\n    {body}\n}}"))
}

/// Writes a type, a constant or a function in an `impl`.
pub fn associated(attributes: &Attributes, code: &str) -> String {
    member("impl", attributes, code)
}

/// Writes a field of a struct.
pub fn field(attributes: &Attributes, code: &str) -> String {
    member("struct", attributes, code)
}

/// Writes a variant of an enum.
pub fn variant(attributes: &Attributes, code: &str) -> String {
    member("enum", attributes, code)
}

fn member(keyword: &str, attributes: &Attributes, code: &str) -> String {
    const INDENTATION: &str = "    ";
    let mut text = String::new();
    attributes.push_to(INDENTATION, &mut text);
    let broken = if fits(code, INDENTATION.len()) {
        None
    } else {
        broken(&format!("{keyword} Item {{ {code} }}"))
    };
    if let Some(item) = broken {
        // Without the first and the last line, which are those of the item.
        let (_, members) = item.split_once('\n').unwrap_or_default();
        text.push_str(members.strip_suffix("}\n").unwrap_or(members));
    } else {
        code.lines().for_each(|line| text.extend([INDENTATION, line, "\n"]));
    }
    text
}

fn fits(code: &str, indentation: usize) -> bool {
    code.lines().all(|line| indentation + line.len() <= WIDTH)
}

/// Breaks lines that are too long. Returns `None` for code that is not Rust, which only a defect of an emitter makes: it is
/// printed as it is, for the compiler to report.
fn broken(code: &str) -> Option<String> {
    syn::parse_str(code).ok().map(|parsed| prettyplease::unparse(&parsed))
}
