//! From tokens to files: each item through `prettyplease`, with its attributes, and a blank line between items.

use proc_macro2::TokenStream;

use super::page::Page;
use crate::emit::Emitted;

/// One item of an emitted file.
pub enum Item {
    /// Items of Rust.
    Rust(TokenStream),
    /// Formatted text, such as a call of one of the runtime's macros.
    Text(String),
}

/// Writes a file. `emitters` are paths below `codegen/src/emit`.
pub fn file(path: String, emitters: &str, items: &[Item], page: &Page<'_>) -> Emitted {
    let mut text = String::new();
    for item in items {
        match item {
            Item::Rust(tokens) if tokens.is_empty() => {}
            Item::Rust(tokens) => match syn::parse2(tokens.clone()) {
                Ok(parsed) => {
                    text.push('\n');
                    push_spaced(&prettyplease::unparse(&parsed), page, &mut text);
                }
                // Only a defect of an emitter makes tokens that are not Rust. They are printed as they are, for the
                // compiler to report.
                Err(_) => text.extend(["\n", tokens.to_string().as_str(), "\n"]),
            },
            Item::Text(written) if written.is_empty() => {}
            Item::Text(written) => text.extend(["\n", written]),
        }
    }
    Emitted { path, emitters: emitters.to_owned(), text }
}

/// Appends printed items with their attributes, and a blank line before each documented field, variant and method.
fn push_spaced(printed: &str, page: &Page<'_>, text: &mut String) {
    let is_member = |line: &str, starts: &[&str]| {
        let member = line.strip_prefix("    ");
        member.is_some_and(|member| starts.iter().any(|start| member.starts_with(start)))
    };
    let mut previous = "";
    for line in printed.lines() {
        let begins = is_member(line, &["///", "#[", "pub", "fn "]);
        let continues = is_member(previous, &["///", "#["]) || previous.ends_with('{');
        if begins && !continues {
            text.push('\n');
        }
        let unindented = line.trim_start();
        match page.referred(unindented) {
            Some(attributes) => attributes.push_to(&line[..line.len() - unindented.len()], text),
            None => text.extend([line, "\n"]),
        }
        previous = line;
    }
}
