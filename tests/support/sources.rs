//! Reading Rust sources, and expanding the macros of the runtime.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::{Item, Visibility};

/// Returns the Rust files below a folder.
pub fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            files.extend(rust_files(&entry));
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            files.push(entry);
        }
    }
    files
}

pub fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Returns the bodies of the runtime's macros.
pub fn macros() -> BTreeMap<String, Vec<TokenStream>> {
    let mut macros: BTreeMap<String, Vec<TokenStream>> = BTreeMap::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/src");
    for path in rust_files(&root) {
        for item in syn::parse_file(&fs::read_to_string(path).unwrap()).unwrap().items {
            let Item::Macro(item) = item else { continue };
            let Some(name) = &item.ident else { continue };
            // Of each rule, the group after `=>`.
            let tokens: Vec<TokenTree> = item.mac.tokens.into_iter().collect();
            let bodies = tokens.windows(2).filter_map(|pair| match pair {
                [TokenTree::Punct(arrow), TokenTree::Group(body)] if arrow.as_char() == '>' => {
                    Some(body.stream())
                }
                _ => None,
            });
            macros.entry(name.to_string().replacen("__", "", 1)).or_default().extend(bodies);
        }
    }
    macros
}

/// Returns the body of a macro with a type for its metavariables, without repetitions.
pub fn filled(body: TokenStream, ty: &TokenTree) -> TokenStream {
    let mut out = TokenStream::new();
    let mut tokens = body.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(dollar) if dollar.as_char() == '$' => match tokens.next().unwrap() {
                TokenTree::Ident(name) if name == "crate" => out.extend(quote::quote!(runtime)),
                TokenTree::Ident(_) => out.extend([ty.clone()]),
                _ => {
                    let is_end = |token: &TokenTree| matches!(token, TokenTree::Punct(end) if "*?+".contains(end.as_char()));
                    while tokens.next().is_some_and(|token| !is_end(&token)) {}
                }
            },
            TokenTree::Group(group) => {
                let inner = filled(group.stream(), ty);
                let is_list = group.delimiter() != Delimiter::Brace;
                let inner = if is_list { without_empty(inner) } else { inner };
                out.extend([TokenTree::Group(Group::new(group.delimiter(), inner))]);
            }
            token => out.extend([token]),
        }
    }
    out
}

/// Removes superfluous commas.
fn without_empty(tokens: TokenStream) -> TokenStream {
    let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(at) if at.as_char() == ',');
    let mut kept: Vec<TokenTree> = Vec::new();
    for token in tokens {
        if !is_comma(&token) || kept.last().is_some_and(|last| !is_comma(last)) {
            kept.push(token);
        }
    }
    kept.into_iter().collect()
}
