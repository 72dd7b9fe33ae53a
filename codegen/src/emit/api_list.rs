//! `api.txt`: the public items, one to a line, so that a change of the public surface is a change of lines.

use quote::ToTokens;
use syn::{Fields, ImplItem, Item, Type, Visibility};

use super::{Settings, SourceFile};

/// Writes `api.txt` from the sources that were emitted, so that it cannot say anything else than they do.
pub fn file(sources: &[SourceFile], settings: &Settings) -> SourceFile {
    let package = settings.package.replace('-', "_");
    let mut lines: Vec<String> = Vec::new();
    for source in sources {
        let Ok(file) = syn::parse_file(&source.text) else {
            continue;
        };
        let module = public_module(&source.path);
        let path = if module.is_empty() {
            package.clone()
        } else {
            format!("{package}::{module}")
        };
        for item in &file.items {
            list(item, &path, &mut lines);
        }
    }
    lines.sort();
    lines.dedup();
    lines.push(String::new());
    SourceFile {
        path: "api.txt".to_owned(),
        text: lines.join("\n"),
    }
}

/// Returns the public path of what a file defines: files of models and the client are private modules whose items their
/// parents offer.
fn public_module(path: &str) -> String {
    let path = path
        .strip_prefix("src/")
        .unwrap_or(path)
        .trim_end_matches(".rs");
    let mut segments: Vec<&str> = path.split('/').collect();
    let is_resource = segments.len() == 2 && segments.first() == Some(&"resources");
    if !is_resource || segments.last() == Some(&"mod") {
        segments.pop();
    }
    segments.join("::")
}

fn list(item: &Item, path: &str, lines: &mut Vec<String>) {
    match item {
        Item::Struct(item) if is_public(&item.vis) => {
            lines.push(format!("struct {path}::{}", item.ident));
            for field in item.fields.iter().filter(|field| is_public(&field.vis)) {
                if let Some(name) = &field.ident {
                    lines.push(format!(
                        "field {path}::{}::{name}: {}",
                        item.ident,
                        text(&field.ty)
                    ));
                }
            }
        }
        Item::Enum(item) if is_public(&item.vis) => {
            lines.push(format!("enum {path}::{}", item.ident));
            for variant in &item.variants {
                let payload = match &variant.fields {
                    Fields::Unit => String::new(),
                    fields => text(fields),
                };
                lines.push(format!(
                    "variant {path}::{}::{}{payload}",
                    item.ident, variant.ident
                ));
            }
        }
        Item::Type(item) if is_public(&item.vis) => {
            lines.push(format!("type {path}::{} = {}", item.ident, text(&item.ty)));
        }
        Item::Impl(item) => {
            let Type::Path(implemented) = &*item.self_ty else {
                return;
            };
            let name = text(&implemented.path);
            match &item.trait_ {
                Some((implemented, _)) => {
                    lines.push(format!("impl {} for {path}::{name}", text(implemented)));
                }
                None => item
                    .items
                    .iter()
                    .for_each(|member| list_member(member, &format!("{path}::{name}"), lines)),
            }
        }
        _ => {}
    }
}

fn list_member(member: &ImplItem, path: &str, lines: &mut Vec<String>) {
    match member {
        ImplItem::Fn(method) if is_public(&method.vis) => {
            let signature = &method.sig;
            let arguments: Vec<String> = signature.inputs.iter().map(text).collect();
            lines.push(format!(
                "fn {path}::{}({}){}",
                signature.ident,
                arguments.join(", "),
                text(&signature.output).replace("->", " ->")
            ));
        }
        ImplItem::Const(constant) if is_public(&constant.vis) => {
            lines.push(format!(
                "const {path}::{}: {}",
                constant.ident,
                text(&constant.ty)
            ));
        }
        _ => {}
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Writes tokens as a person would, near enough to be read and compared.
fn text(tokens: &impl ToTokens) -> String {
    let spaced = tokens.to_token_stream().to_string();
    let closed = [
        (" :: ", "::"),
        (" < ", "<"),
        (" >", ">"),
        (" ,", ","),
        ("& ", "&"),
        ("( ", "("),
        (" )", ")"),
        (" : ", ": "),
        (" (", "("),
    ];
    closed
        .into_iter()
        .fold(spaced, |text, (from, to)| text.replace(from, to))
}
