//! `api.txt` lists what the sources offer: all of it, and nothing else.
//!
//! The sources are read with `syn`. The macros of the runtime are expanded from their definitions, so that a method
//! added there is missed here.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use codegen::public_api::{Class, FEATURES, ItemKind, MemberKind, Part, PublicApi, compare};
use insta::glob;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Fields, ImplItem, Item, ReturnType, Type, UseTree, Visibility};

use crate::support::case::Case;

#[test]
fn lists_of_the_emitted_crate() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../generated");
    let mut files = BTreeMap::new();
    for path in rust_files(&root) {
        let name = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
        files.insert(name, fs::read_to_string(&path).unwrap());
    }
    for name in ["Cargo.toml", "api.txt"] {
        files.insert(name.to_owned(), fs::read_to_string(root.join(name)).unwrap());
    }
    check("generated", &files);
}

#[test]
fn lists_of_the_cases() {
    glob!("cases/*/openapi.yaml", |path| {
        let case = Case::read(path);
        let output = case.output();
        let files =
            output.files.iter().map(|file| (file.path.clone(), file.text.clone())).collect();
        check(&case.name, &files);
    });
}

#[test]
fn lists_are_read_as_they_were_written() {
    glob!("cases/*/openapi.yaml", |path| {
        let output = Case::read(path).output();
        let text = output.public_api.to_string();
        assert_eq!(PublicApi::parse(&text).unwrap().to_string(), text);
    });
}

#[test]
fn other_texts_are_refused_with_their_line() {
    for (text, line) in [
        ("", 1),
        ("struct A\n", 1),
        ("crate a\n\n    b: u8\n", 3),
        ("crate a\nstruct A\n    fn f(self\n", 3),
        ("crate a\nunion A\n", 2),
    ] {
        assert_eq!(PublicApi::parse(text).map_err(|error| error.line), Err(line), "{text:?}");
    }
}

#[test]
fn an_alias_of_an_alias_breaks_nobody() {
    let with = |name: &str| {
        let text = format!(
            "crate a\nstruct A\n    fn {name}(&self) -> u8\n    deprecated fn get(&self) -> u8 as alias of {name}\n\
             enum B\n    {name} as \"b\"\n    deprecated const Old: Self as alias of {name}\n"
        );
        PublicApi::parse(&text).unwrap()
    };
    let broken = compare(&with("fetch"), &with("obtain")).broken();
    assert_eq!(broken.into_iter().collect::<Vec<_>>(), ["A::fetch()", "B::fetch"]);
    let same = with("fetch");
    assert_eq!(compare(&same, &same).class(), None);
    let classes = compare(&with("fetch"), &with("obtain")).changes;
    assert!(classes.iter().all(|change| change.class == Class::Breaking), "{classes:#?}");
}

fn check(name: &str, files: &BTreeMap<String, String>) {
    let listed = listed(&PublicApi::parse(&files["api.txt"]).unwrap());
    let mut found = Sources { macros: macros(), ..Sources::default() };
    for (path, text) in files.iter().filter(|(path, _)| path.starts_with("src/")) {
        found.add_file(path, text);
    }
    found.add_features(&files["Cargo.toml"]);
    found.add_requests();
    let missing = found.items.difference(&listed).map(|item| format!("  not listed: {item}\n"));
    let extra = listed.difference(&found.items).map(|item| format!("  not offered: {item}\n"));
    let differences: Vec<_> = missing.chain(extra).collect();
    assert!(
        differences.is_empty(),
        "{name}: where emitted code has changed, change codegen/src/public_api/\n{}",
        differences.concat()
    );
}

/// Returns the items of the list in the form of [`Sources::items`].
fn listed(api: &PublicApi) -> BTreeSet<String> {
    let lines = api.parts().filter_map(|Part { path, item, kind, name, member }| {
        let ty = short(&member.ty);
        Some(match kind {
            MemberKind::Operation | MemberKind::Body | MemberKind::Items => return None,
            MemberKind::Whole if item.kind == ItemKind::Feature => format!("feature {path} "),
            MemberKind::Whole => format!("{} {path} {ty}", item.kind.as_str()),
            MemberKind::Trait => format!("impl {path} {}", short(name)),
            MemberKind::Output => format!("output {path} {ty}"),
            MemberKind::Field => format!("field {path} {name} {ty}"),
            MemberKind::Variant => format!("variant {path} {name} {ty}"),
            MemberKind::Const => format!("const {path} {name} {ty}"),
            MemberKind::Method => {
                let arguments = member.arguments.iter();
                let arguments =
                    arguments.map(|argument| format!("{}:{}", argument.name, short(&argument.ty)));
                let arguments: Vec<String> = arguments.collect();
                format!("fn {path} {name} {} {ty}", arguments.join(","))
            }
        })
    });
    lines.collect()
}

/// What sources offer, a line for each item, with types by their last segments.
#[derive(Default)]
struct Sources {
    /// The bodies of the runtime's macros by name.
    macros: BTreeMap<String, Vec<TokenStream>>,
    items: BTreeSet<String>,
    /// The paths of requests, with the names of the traits that their operations implement.
    requests: BTreeMap<String, BTreeSet<String>>,
}

impl Sources {
    fn add_file(&mut self, path: &str, text: &str) {
        let inner = path.strip_prefix("src/").unwrap().trim_end_matches(".rs");
        let mut segments: Vec<&str> = inner.split('/').collect();
        if !(segments.len() == 2 && segments[0] == "resources" && segments[1] != "mod") {
            segments.pop();
        }
        let module: String = segments.iter().map(|segment| raw(segment) + "::").collect();
        let file = syn::parse_file(text).unwrap();
        let mut internal = BTreeSet::new();
        for item in &file.items {
            if let Item::Use(item) = item {
                let (path, names) = imported(&item.tree);
                if path == "runtime::internal" {
                    internal.extend(names);
                } else if is_public(&item.vis) && path.starts_with("runtime") {
                    for name in names {
                        self.items.insert(format!("use {name} {name}"));
                    }
                }
            }
        }
        self.add(&module, &file.items, &internal);
    }

    fn add(&mut self, module: &str, items: &[Item], internal: &BTreeSet<String>) {
        for item in items {
            match item {
                Item::Mod(item) if is_public(&item.vis) && item.content.is_none() => {
                    self.items.insert(format!("mod {module}{} ", item.ident));
                }
                Item::Struct(item) if is_public(&item.vis) => {
                    let path = format!("{module}{}", item.ident);
                    self.items.insert(format!("struct {path} "));
                    self.add_derived(&path, &item.attrs);
                    for field in item.fields.iter().filter(|field| is_public(&field.vis)) {
                        let name = field.ident.as_ref().unwrap();
                        self.items.insert(format!("field {path} {name} {}", text(&field.ty)));
                    }
                }
                Item::Enum(item) if is_public(&item.vis) => {
                    let path = format!("{module}{}", item.ident);
                    self.items.insert(format!("enum {path} "));
                    self.add_derived(&path, &item.attrs);
                    for variant in &item.variants {
                        let payload = match &variant.fields {
                            Fields::Unit => String::new(),
                            fields => text(&fields.iter().next().unwrap().ty),
                        };
                        self.items.insert(format!("variant {path} {} {payload}", variant.ident));
                    }
                }
                // All requests are one type, which is listed by its aliases.
                Item::Type(item) if text(&item.ty).starts_with("Request<") => {
                    let path = format!("{module}{}", item.ident);
                    self.items.insert(format!("struct {path} "));
                    self.requests.entry(path).or_default();
                }
                Item::Type(item) if is_public(&item.vis) => {
                    self.items.insert(format!("type {module}{} {}", item.ident, text(&item.ty)));
                }
                Item::Impl(item) => {
                    let Type::Path(of) = &*item.self_ty else { continue };
                    let path = format!("{module}{}", of.path.segments.last().unwrap().ident);
                    self.add_impl(&path, item, internal);
                }
                Item::Macro(item) if item.mac.path.segments.last().unwrap().ident == "requests" => {
                }
                Item::Macro(item) => self.expand(module, &item.mac, internal),
                _ => {}
            }
        }
    }

    fn add_derived(&mut self, path: &str, attributes: &[syn::Attribute]) {
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("derive")) {
            let list = attribute.meta.require_list().unwrap().tokens.to_string();
            self.items.extend(list.split(',').map(|name| format!("impl {path} {}", name.trim())));
        }
    }

    fn add_impl(&mut self, path: &str, item: &syn::ItemImpl, internal: &BTreeSet<String>) {
        if let Some((implemented, _)) = &item.trait_ {
            let name = text(implemented);
            let written: String = implemented.to_token_stream().to_string().replace(' ', "");
            let serde = name.starts_with("Serialize") || name.starts_with("Deserialize");
            if serde || !(written.contains("internal") || internal.contains(&name)) {
                let name = name.strip_suffix("<'de>").unwrap_or(&name);
                self.items.insert(format!("impl {path} {name}"));
            }
            for member in &item.items {
                if let (ImplItem::Type(ty), "Endpoint") = (member, name.as_str())
                    && ty.ident == "Output"
                {
                    self.items.insert(format!("output {path} {}", text(&ty.ty)));
                }
            }
            if let Some(traits) = self.requests.get_mut(path) {
                traits.insert(name);
            }
            return;
        }
        for member in &item.items {
            match member {
                ImplItem::Fn(method) if is_public(&method.vis) => {
                    let signature = &method.sig;
                    let arguments: Vec<String> = signature
                        .inputs
                        .iter()
                        .map(|argument| match argument {
                            syn::FnArg::Receiver(receiver) => {
                                let is_borrowed = text(receiver).starts_with('&');
                                if is_borrowed { "&self:" } else { "self:" }.to_owned()
                            }
                            syn::FnArg::Typed(typed) => {
                                let name = typed.pat.to_token_stream().to_string();
                                format!("{name}:{}", text(&typed.ty))
                            }
                        })
                        .collect();
                    let output = match &signature.output {
                        ReturnType::Default => "()".to_owned(),
                        ReturnType::Type(_, ty) => text(ty),
                    };
                    let (name, arguments) = (&signature.ident, arguments.join(","));
                    self.items.insert(format!("fn {path} {name} {arguments} {output}"));
                }
                ImplItem::Const(constant) if is_public(&constant.vis) => {
                    let ty = text(&constant.ty);
                    self.items.insert(format!("const {path} {} {ty}", constant.ident));
                }
                _ => {}
            }
        }
    }

    /// Adds what a macro of the runtime gives the type that its call begins with.
    fn expand(&mut self, module: &str, call: &syn::Macro, internal: &BTreeSet<String>) {
        let name = call.path.segments.last().unwrap().ident.to_string();
        let name = name.trim_start_matches("__");
        let ty = call.tokens.clone().into_iter().next().unwrap();
        let bodies = self.macros.get(name).cloned().unwrap_or_else(|| panic!("no macro `{name}`"));
        for body in bodies {
            let file: syn::File = syn::parse2(filled(body, &ty)).unwrap();
            self.add(module, &file.items, internal);
        }
    }

    /// Adds what the runtime gives requests, by the traits that their operations implement.
    fn add_requests(&mut self) {
        let bodies = ["requests", "blocking_methods"].map(|name| self.macros[name].clone());
        let nothing = TokenTree::Group(Group::new(Delimiter::None, TokenStream::new()));
        for body in bodies.into_iter().flatten() {
            let file: syn::File = syn::parse2(filled(body, &nothing)).unwrap();
            for item in file.items {
                let Item::Impl(item) = item else { continue };
                let bound = text(item.generics.type_params().next().unwrap());
                let bound = bound.strip_prefix("E:").unwrap();
                for (path, traits) in self.requests.clone() {
                    if traits.contains(bound) {
                        self.add_impl(&path, &item, &BTreeSet::new());
                    }
                }
            }
        }
    }

    fn add_features(&mut self, manifest: &str) {
        let (_, features) = manifest.split_once("[features]\n").unwrap();
        let (features, _) = features.split_once("\n[").unwrap();
        for line in features.lines() {
            if let Some((name, _)) = line.split_once(" = ") {
                self.items.insert(format!("feature {FEATURES}{name} "));
            }
        }
    }
}

/// Returns the bodies of the runtime's macros.
pub fn macros() -> BTreeMap<String, Vec<TokenStream>> {
    let mut macros: BTreeMap<String, Vec<TokenStream>> = BTreeMap::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/src");
    for path in rust_files(&root) {
        for item in syn::parse_file(&fs::read_to_string(path).unwrap()).unwrap().items {
            let Item::Macro(item) = item else { continue };
            let Some(name) = &item.ident else { continue };
            // Of each rule, the group behind `=>`.
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

/// Writes a type for the metavariables of a macro's body, without what is repeated.
pub fn filled(body: TokenStream, ty: &TokenTree) -> TokenStream {
    let mut out = TokenStream::new();
    let mut tokens = body.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(dollar) if dollar.as_char() == '$' => match tokens.next().unwrap() {
                TokenTree::Ident(name) if name == "crate" => out.extend(quote::quote!(runtime)),
                TokenTree::Ident(_) => out.extend([ty.clone()]),
                _ => {
                    while !matches!(tokens.next(), Some(TokenTree::Punct(end)) if "*?+".contains(end.as_char()))
                    {
                    }
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

/// Removes commas that separate nothing any more.
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

/// Returns the path and the names of a `use` declaration.
fn imported(tree: &UseTree) -> (String, Vec<String>) {
    match tree {
        UseTree::Path(path) => {
            let (inner, names) = imported(&path.tree);
            let segments = [path.ident.to_string(), inner];
            let path: Vec<_> = segments.into_iter().filter(|segment| !segment.is_empty()).collect();
            (path.join("::"), names)
        }
        UseTree::Group(group) => {
            (String::new(), group.items.iter().flat_map(|item| imported(item).1).collect())
        }
        UseTree::Name(name) if name.ident == "runtime" => {
            ("runtime".to_owned(), vec![name.ident.to_string()])
        }
        UseTree::Name(name) => (String::new(), vec![name.ident.to_string()]),
        UseTree::Rename(rename) => (String::new(), vec![rename.rename.to_string()]),
        UseTree::Glob(_) => (String::new(), Vec::new()),
    }
}

/// Returns a file's name as the identifier of its module.
fn raw(name: &str) -> String {
    let is_keyword = syn::parse_str::<syn::Ident>(name).is_err();
    if is_keyword { format!("r#{name}") } else { name.to_owned() }
}

pub fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn text(tokens: &impl ToTokens) -> String {
    short(&tokens.to_token_stream().to_string())
}

/// Writes a type without spaces, and with the last segment of each path in it.
fn short(ty: &str) -> String {
    let ty = ty.replace("impl ", "impl+").replace(' ', "").replace(",>", ">");
    let is_name = |char: char| char.is_alphanumeric() || "_#".contains(char);
    let mut out = String::new();
    let mut rest = ty.as_str();
    while let Some(char) = rest.chars().next() {
        let end = rest.find(|char| !is_name(char)).unwrap_or(rest.len());
        if end > 0 && rest[end..].starts_with("::") {
            rest = &rest[end + 2..];
        } else if rest.starts_with("::") {
            rest = &rest[2..];
        } else {
            let end = end.max(char.len_utf8());
            out.push_str(&rest[..end]);
            rest = &rest[end..];
        }
    }
    out
}

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
