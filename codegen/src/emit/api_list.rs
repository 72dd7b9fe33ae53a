//! `api.txt`: the public items, one to a line, so that a change of the public surface is a change of lines.

use std::fmt::Display;

use quote::ToTokens;
use syn::{Fields, ImplItem, Item, Type, Visibility};

use super::rust::print::Printed;
use super::{Settings, SourceFile};

/// A public item: a line of `api.txt`, but for the name of the crate.
pub struct PublicItem {
    /// What kind of item it is, such as `field` or `impl Debug for`.
    kind: String,
    /// The path of the item below the crate's root, and what it is made of.
    item: String,
}

/// Writes `api.txt` from the items that were printed, so that it cannot say anything else than the sources do.
pub fn file(sources: &[Printed], settings: &Settings) -> SourceFile {
    let package = settings.package.replace('-', "_");
    let items = sources.iter().flat_map(|source| &source.public);
    let mut lines: Vec<String> =
        items.map(|PublicItem { kind, item }| format!("{kind} {package}::{item}")).collect();
    lines.sort();
    lines.dedup();
    lines.push(String::new());
    SourceFile { path: "api.txt".to_owned(), text: lines.join("\n") }
}

/// Lists what a file defines for the users of the crate.
pub fn of_file(path: &str, items: &[Item]) -> Vec<PublicItem> {
    let mut module = public_module(path);
    if !module.is_empty() {
        module.push_str("::");
    }
    let mut list = List { module, found: Vec::new() };
    for item in items {
        list.add(item);
    }
    list.found
}

/// Returns the public path of what a file defines: files of models and the client are private modules whose items their
/// parents offer.
fn public_module(path: &str) -> String {
    let path = path.strip_prefix("src/").unwrap_or(path).trim_end_matches(".rs");
    let mut segments: Vec<&str> = path.split('/').collect();
    let is_resource = segments.len() == 2 && segments.first() == Some(&"resources");
    if !is_resource || segments.last() == Some(&"mod") {
        segments.pop();
    }
    segments.join("::")
}

/// The public items of a file, while they are gathered.
struct List {
    /// The public module of the file, with `::` behind it; empty for the root.
    module: String,
    found: Vec<PublicItem>,
}

impl List {
    fn push(&mut self, kind: impl Into<String>, item: impl Display) {
        let item = format!("{}{item}", self.module);
        let kind = kind.into();
        self.found.push(PublicItem { kind, item });
    }

    fn add(&mut self, item: &Item) {
        match item {
            Item::Struct(item) if is_public(&item.vis) => {
                self.push("struct", &item.ident);
                for field in item.fields.iter().filter(|field| is_public(&field.vis)) {
                    if let Some(name) = &field.ident {
                        self.push("field", format!("{}::{name}: {}", item.ident, text(&field.ty)));
                    }
                }
            }
            Item::Enum(item) if is_public(&item.vis) => {
                self.push("enum", &item.ident);
                for variant in &item.variants {
                    let payload = match &variant.fields {
                        Fields::Unit => String::new(),
                        fields => text(fields),
                    };
                    self.push("variant", format!("{}::{}{payload}", item.ident, variant.ident));
                }
            }
            Item::Type(item) if is_public(&item.vis) => {
                self.push("type", format!("{} = {}", item.ident, text(&item.ty)));
            }
            Item::Impl(item) => {
                let Type::Path(implemented) = &*item.self_ty else {
                    return;
                };
                let name = text(&implemented.path);
                match &item.trait_ {
                    Some((implemented, _)) => {
                        self.push(format!("impl {} for", text(implemented)), name);
                    }
                    None => item.items.iter().for_each(|member| self.add_member(member, &name)),
                }
            }
            _ => {}
        }
    }

    fn add_member(&mut self, member: &ImplItem, of: &str) {
        match member {
            ImplItem::Fn(method) if is_public(&method.vis) => {
                let signature = &method.sig;
                let arguments: Vec<String> = signature.inputs.iter().map(text).collect();
                self.push(
                    "fn",
                    format!(
                        "{of}::{}({}){}",
                        signature.ident,
                        arguments.join(", "),
                        text(&signature.output).replace("->", " ->")
                    ),
                );
            }
            ImplItem::Const(constant) if is_public(&constant.vis) => {
                self.push("const", format!("{of}::{}: {}", constant.ident, text(&constant.ty)));
            }
            _ => {}
        }
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Writes tokens as a person would, near enough to be read and compared: without the spaces that set off punctuation.
fn text(tokens: &impl ToTokens) -> String {
    let spaced = tokens.to_token_stream().to_string();
    let mut out = String::with_capacity(spaced.len());
    let mut words = spaced.split(' ').peekable();
    while let Some(word) = words.next() {
        out.push_str(word);
        let Some(next) = words.peek() else {
            break;
        };
        let opens = word.ends_with(['&', '(', '<']) || word == "::";
        let closes = next.starts_with(['<', '>', ',', '(', ')', ':']);
        if !opens && !closes {
            out.push(' ');
        }
    }
    out
}
