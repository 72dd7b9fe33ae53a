//! The listed items are those that the emitted files have: all of them, and no others.
//!
//! The sources are read with `syn`, and the macros of the runtime are expanded from their definitions, so that a method added
//! there is missed here. Types are not compared: `cargo xtask probe` compiles a use of every item that is listed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use codegen::compare::compare_listed;
use codegen::conventions::{Conventions, Masks, Wait};
use codegen::items::{ItemKind, MemberKind, MemberRef};
use codegen::{Output, Settings, SourceFile};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{ImplItem, Item, Type, UseTree};

use crate::support::case::{Case, documents};
use crate::support::sources::{filled, is_public, macros};

#[test]
fn the_headers_that_the_client_sets_are_no_parameters() {
    let listed = |file: &str, name: &str| -> BTreeSet<String> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
        let text = std::fs::read_to_string(path).unwrap();
        let (_, list) = text.split_once(&format!("const {name}: ")).unwrap();
        let list = list.split_once("= ").unwrap().1.split_once("];").unwrap().0;
        let is_word = |char: char| char.is_ascii_alphabetic() || "-_".contains(char);
        let words = list.split(|char| !is_word(char)).map(|word| word.replace('_', "-"));
        let known = ["", "HeaderName", "from-static", "header"];
        words.filter(|word| !known.contains(&&**word)).map(|word| word.to_lowercase()).collect()
    };
    let runtime = listed("runtime/src/client/given_header.rs", "OF_THE_CONNECTION");
    assert!(runtime.contains("content-length") && runtime.contains("keep-alive"), "{runtime:?}");
    assert_eq!(listed("codegen/src/lower/operations/described.rs", "CLIENT_HEADERS"), runtime);
}

/// The own spec has the conventions that no case has.
#[test]
fn the_emitted_crate_has_the_listed_items() {
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/openapi.yaml");
    let masks = Masks { separator: Some(",".to_owned()), ..Masks::default() };
    let wait = Wait {
        operation: "automationExecutions.get".to_owned(),
        property: "automationExecution.completedAt".to_owned(),
        values: Vec::new(),
    };
    let conventions = Conventions { masks, waits: vec![wait] };
    let settings = Settings { conventions, ..Settings::default() };
    let outcome = codegen::generate(&Case::read(&spec).source, &settings);
    check("spec", &outcome.output.unwrap(), macros());
}

#[test]
fn the_cases_have_the_listed_items() {
    let macros = macros();
    for path in &documents("cases") {
        let case = Case::read(path);
        let output = case.output();
        check(&case.name, &output, macros.clone());
        let text = output.public_api.to_string();
        check_traits(&case.name, &text);
        let differences = compare_listed(&text, &output.public_api, &output.public_api).unwrap();
        assert_eq!(differences.class(), None, "{}: {differences:#?}", case.name);
    }
}

/// Users copy and print all types (Rust API Guidelines, C-COMMON-TRAITS).
fn check_traits(name: &str, listed: &str) {
    let kinds = ["every ", "struct ", "enum "];
    let types = || listed.lines().filter(|line| kinds.iter().any(|kind| line.starts_with(kind)));
    let templates: BTreeSet<_> =
        types().filter_map(|line| line.strip_prefix("every ")?.split(':').next()).collect();
    for line in types() {
        let (_, traits) = line.rsplit_once(": ").unwrap_or_default();
        let all: BTreeSet<_> = traits.split(" + ").collect();
        let has_both = all.contains("Clone") && all.contains("Debug");
        assert!(has_both || !all.is_disjoint(&templates), "{name}: {line}");
    }
}

fn check(name: &str, output: &Output, macros: Macros) {
    let listed: BTreeSet<String> = output.public_api.members().filter_map(listed_item).collect();
    let mut found = Sources { macros, ..Sources::default() };
    for SourceFile { path, text } in &output.files {
        if path.starts_with("src/") {
            found.add_file(path, text);
        } else if path == "Cargo.toml" {
            found.add_features(text);
        }
    }
    found.add_requests();
    let missing: Vec<_> = found.items.difference(&listed).collect();
    let extra: Vec<_> = listed.difference(&found.items).collect();
    assert!(
        missing.is_empty() && extra.is_empty(),
        "{name}: not listed: {missing:#?}\nlisted, but not in the sources: {extra:#?}\n\
         the items that every crate has are listed in codegen/src/items/common.rs"
    );
}

/// The bodies of the runtime's macros by name.
type Macros = BTreeMap<String, Vec<TokenStream>>;

/// Returns a listed item in the form of [`Sources::items`].
fn listed_item(member: MemberRef<'_>) -> Option<String> {
    let MemberRef { path, item, kind, name, .. } = member;
    Some(match kind {
        MemberKind::Operation
        | MemberKind::Body
        | MemberKind::Output
        | MemberKind::Items
        | MemberKind::Setting
        | MemberKind::Rule => {
            return None;
        }
        MemberKind::Whole if matches!(item.kind, ItemKind::Use(_)) => format!("use {path}"),
        MemberKind::Whole => path.to_string(),
        MemberKind::Failure => format!("{path}: Fails"),
        MemberKind::Trait => format!("{path}: {}", name.split('<').next().unwrap()),
        _ => format!("{path}::{name}"),
    })
}

/// The items of sources.
#[derive(Default)]
struct Sources {
    macros: Macros,
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
        self.add(&module, &syn::parse_file(text).unwrap().items);
    }

    fn add(&mut self, module: &str, items: &[Item]) {
        for item in items {
            match item {
                Item::Use(item) if is_public(&item.vis) => {
                    let (path, names) = imported(&item.tree);
                    let names = names.into_iter().filter(|_| path.starts_with("runtime"));
                    self.items.extend(names.map(|name| format!("use {name}")));
                }
                Item::Mod(item) if is_public(&item.vis) && item.content.is_none() => {
                    self.items.insert(format!("{module}{}", item.ident));
                }
                Item::Struct(item) if is_public(&item.vis) => {
                    let path = format!("{module}{}", item.ident);
                    let fields = item.fields.iter().filter(|field| is_public(&field.vis));
                    let names = fields.map(|field| field.ident.as_ref().unwrap().to_string());
                    self.add_type(&path, &item.attrs, names);
                }
                Item::Enum(item) if is_public(&item.vis) => {
                    let path = format!("{module}{}", item.ident);
                    let names = item.variants.iter().map(|variant| variant.ident.to_string());
                    self.add_type(&path, &item.attrs, names);
                }
                Item::Type(item) if is_public(&item.vis) => {
                    let path = format!("{module}{}", item.ident);
                    // All requests are one type, which is listed by its aliases.
                    if item.ty.to_token_stream().to_string().contains("Request <") {
                        self.requests.entry(path.clone()).or_default();
                    }
                    self.items.insert(path);
                }
                Item::Impl(item) => {
                    let Type::Path(of) = &*item.self_ty else { continue };
                    let is_of_root = of.path.segments[0].ident == "crate";
                    let module = if is_of_root { "" } else { module };
                    let path = format!("{module}{}", name_of(&of.path));
                    self.add_impl(&path, item, |_| true);
                }
                // Settings are the runtime's; what the API adds to the builder is written out.
                Item::Macro(item) if name_of(&item.mac.path) == "client_builder" => {}
                Item::Macro(item) if name_of(&item.mac.path) != "requests" => {
                    self.expand(module, &item.mac);
                }
                _ => {}
            }
        }
    }

    fn add_type(
        &mut self,
        path: &str,
        attributes: &[syn::Attribute],
        members: impl Iterator<Item = String>,
    ) {
        self.items.insert(path.to_owned());
        self.items.extend(members.map(|name| format!("{path}::{name}")));
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("derive")) {
            let list = attribute.meta.require_list().unwrap().tokens.to_string();
            self.items.extend(list.split(',').map(|name| format!("{path}: {}", name.trim())));
        }
    }

    fn add_impl(
        &mut self,
        path: &str,
        item: &syn::ItemImpl,
        is_listed: impl Fn(&ImplItem) -> bool,
    ) {
        if let Some((implemented, _)) = &item.trait_ {
            let name = name_of(implemented);
            let is_internal =
                implemented.segments.iter().any(|segment| segment.ident == "internal");
            let is_serde = ["Serialize", "Deserialize"].contains(&name.as_str());
            if is_serde || !is_internal {
                self.items.insert(format!("{path}: {name}"));
            }
            if let Some(traits) = self.requests.get_mut(path) {
                traits.insert(name);
            }
            return;
        }
        for member in item.items.iter().filter(|member| is_listed(member)) {
            let name = match member {
                ImplItem::Fn(method) if is_public(&method.vis) => &method.sig.ident,
                ImplItem::Const(constant) if is_public(&constant.vis) => &constant.ident,
                _ => continue,
            };
            self.items.insert(format!("{path}::{name}"));
        }
    }

    /// Adds the items of a macro of the runtime for the type that its call begins with.
    fn expand(&mut self, module: &str, call: &syn::Macro) {
        let called = name_of(&call.path);
        let name = called.trim_start_matches("__");
        let ty = call.tokens.clone().into_iter().next().unwrap();
        let bodies = self.macros.get(name).cloned().unwrap_or_else(|| panic!("no macro `{name}`"));
        for body in bodies {
            let file: syn::File = syn::parse2(filled(body, &ty)).unwrap();
            self.add(module, &file.items);
        }
        let rows = call.tokens.clone().into_iter().find_map(|token| match token {
            TokenTree::Group(rows) => Some(rows.stream()),
            _ => None,
        });
        for name in methods_of_rows(name, rows.into_iter().flatten()) {
            self.items.insert(format!("{module}{ty}::{name}"));
        }
    }

    /// Adds the methods of requests, by the traits that their operations implement.
    fn add_requests(&mut self) {
        let bodies = ["requests", "blocking_methods"].map(|name| self.macros[name].clone());
        let nothing = TokenTree::Group(Group::new(Delimiter::None, TokenStream::new()));
        for body in bodies.into_iter().flatten() {
            let file: syn::File = syn::parse2(filled(body, &nothing)).unwrap();
            for item in file.items {
                let Item::Impl(item) = item else { continue };
                let bound = last_word(item.generics.type_params().next().unwrap());
                for (path, traits) in self.requests.clone() {
                    if traits.contains(&bound) {
                        let is_method = |member: &ImplItem| {
                            bound_of(member).is_none_or(|bound| traits.contains(&bound))
                        };
                        self.add_impl(&path, &item, is_method);
                    }
                }
            }
        }
        let tables = self.macros["call_methods"].clone();
        for name in tables.into_iter().flat_map(call_methods) {
            self.items.extend(self.requests.keys().map(|path| format!("{path}::{name}")));
        }
    }

    fn add_features(&mut self, manifest: &str) {
        let (_, features) = manifest.split_once("[features]\n").unwrap();
        let (features, _) = features.split_once("\n[").unwrap();
        for line in features.lines() {
            if let Some((name, _)) = line.split_once(" = ")
                && !name.starts_with("__")
            {
                self.items.insert(format!("features::{name}"));
            }
        }
    }
}

/// Returns the methods that the rows of a macro's table name.
fn methods_of_rows(name: &str, rows: impl Iterator<Item = TokenTree>) -> Vec<String> {
    let is_accessor = |name: &String| name.starts_with("as_") || name.starts_with("into_");
    let is_colon = |token: &TokenTree| matches!(token, TokenTree::Punct(at) if at.as_char() == ':');
    let rows: Vec<TokenTree> = rows.collect();
    match name {
        "choice" | "union" => rows.iter().map(ToString::to_string).filter(is_accessor).collect(),
        "setters" => {
            let fields = rows.windows(3).filter(|row| is_colon(&row[1]) && !is_colon(&row[2]));
            let names = fields.map(|row| row[0].to_string()).filter(|word| word != ":");
            names.collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the methods of every request that the table of the runtime has.
fn call_methods(table: TokenStream) -> Vec<String> {
    let rows = table.into_iter().find_map(|token| match token {
        TokenTree::Group(rows) => Some(rows.stream()),
        _ => None,
    });
    let rows: Vec<TokenTree> = rows.into_iter().flatten().collect();
    let names = rows.windows(3).filter_map(|row| match row {
        [TokenTree::Ident(name), TokenTree::Group(_), TokenTree::Punct(arrow)]
            if arrow.as_char() == '=' =>
        {
            Some(name.to_string())
        }
        _ => None,
    });
    names.collect()
}

/// Returns the bound of a method in its `where` clause.
fn bound_of(member: &ImplItem) -> Option<String> {
    let ImplItem::Fn(method) = member else { return None };
    let clause = method.sig.generics.where_clause.as_ref()?;
    clause.predicates.last().map(last_word)
}

/// Returns the last word of a bound: the name of its trait.
fn last_word(bound: &impl ToTokens) -> String {
    bound.to_token_stream().to_string().rsplit([' ', ':']).next().unwrap().to_owned()
}

/// Returns the last segment of a path.
fn name_of(path: &syn::Path) -> String {
    path.segments.last().unwrap().ident.to_string()
}

/// Returns the path and the names of a `use` declaration.
fn imported(tree: &UseTree) -> (String, Vec<String>) {
    match tree {
        UseTree::Path(path) => {
            let (inner, names) = imported(&path.tree);
            (format!("{}::{inner}", path.ident), names)
        }
        UseTree::Group(group) => {
            (String::new(), group.items.iter().flat_map(|item| imported(item).1).collect())
        }
        UseTree::Name(name) => (name.ident.to_string(), vec![name.ident.to_string()]),
        UseTree::Rename(rename) => (rename.ident.to_string(), vec![rename.rename.to_string()]),
        UseTree::Glob(_) => (String::new(), Vec::new()),
    }
}

/// Returns a file's name as the identifier of its module.
fn raw(name: &str) -> String {
    let is_keyword = syn::parse_str::<syn::Ident>(name).is_err();
    if is_keyword { format!("r#{name}") } else { name.to_owned() }
}
