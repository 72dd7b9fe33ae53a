//! From tokens to files: each item through `prettyplease`, with a blank line between items.

use proc_macro2::TokenStream;

use crate::emit::Emitted;

/// One item of an emitted file.
pub enum Item {
    /// Items of Rust.
    Rust(TokenStream),
    /// A call of one of the runtime's macros, already formatted.
    Macro(String),
}

/// Writes a file. `emitters` are paths below `codegen/src/emit`.
pub fn file(path: String, emitters: &str, items: &[Item]) -> Emitted {
    let mut text = String::new();
    for item in items {
        match item {
            Item::Rust(tokens) if tokens.is_empty() => {}
            Item::Rust(tokens) => match syn::parse2(tokens.clone()) {
                Ok(parsed) => {
                    text.push('\n');
                    push_spaced(&prettyplease::unparse(&parsed), &mut text);
                }
                // Only a defect of an emitter makes tokens that are not Rust. They are printed as they are, for the
                // compiler to report.
                Err(_) => text.extend(["\n", tokens.to_string().as_str(), "\n"]),
            },
            Item::Macro(call) => text.extend(["\n", call]),
        }
    }
    Emitted { path, emitters: emitters.to_owned(), text }
}

/// Appends printed items, with a blank line before each documented field, variant and method.
fn push_spaced(printed: &str, text: &mut String) {
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
        text.extend([line, "\n"]);
        previous = line;
    }
}
