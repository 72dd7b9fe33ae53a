//! No public signature contains an item that is hidden from users because only `runtime::internal` exports it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{Attribute, ImplItem, Item, Type, UseTree};

use crate::support::sources::{filled, is_public, macros, rust_files};

/// The trait that seals `Model`.
const SEAL: &str = "Wire";

/// Bounds that users neither implement nor call.
const SEALED: [&str; 2] = ["Party", "Waits"];

#[test]
fn every_type_of_a_signature_is_public() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/src");
    let files = rust_files(&root).into_iter().filter(|path| !path.ends_with("internal.rs"));
    let files: Vec<Vec<Item>> = files.map(|path| read(&path)).collect();
    let mut visible = BTreeSet::new();
    for file in ["lib.rs", "testing/mod.rs"] {
        for item in read(&root.join(file)) {
            match item {
                Item::Use(item) if is_public(&item.vis) => add_names(&item.tree, &mut visible),
                Item::Type(item) => drop(visible.insert(item.ident.to_string())),
                _ => {}
            }
        }
    }
    assert!(visible.contains("Client") && visible.contains("FakeTransport"), "{visible:?}");
    let defined = files.iter().flatten().filter_map(definition).map(|(name, _)| name);
    let is_type = |name: &String| name.starts_with(char::is_uppercase);
    let hidden: BTreeSet<_> = defined
        .filter(|name| is_type(name) && !visible.contains(name) && !SEALED.contains(&&**name))
        .collect();
    assert!(hidden.contains("Call"), "{hidden:?}");

    let mut found = Vec::new();
    let with_imports = files.iter().flat_map(|items| {
        let foreign = foreign(items);
        items.iter().map(move |item| (item, foreign.clone()))
    });
    for (item, foreign) in with_imports {
        let mut check = |place: &str, signature: TokenStream| {
            let names = words(signature)
                .into_iter()
                .filter(|name| hidden.contains(name) && !foreign.contains(name));
            found.extend(names.map(|name| format!("{place}: {name}")));
        };
        match (definition(item), item) {
            (Some((name, signature)), _) if visible.contains(&name) => check(&name, signature),
            (_, Item::Impl(item)) => {
                let Type::Path(owner) = &*item.self_ty else { continue };
                let owner = owner.path.segments.last().unwrap().ident.to_string();
                let of = item.trait_.as_ref().map(|(path, _)| path.to_token_stream());
                let is_of_hidden = of.clone().is_some_and(|path| words(path).is_subset(&hidden));
                if !visible.contains(&owner) || is_of_hidden {
                    continue;
                }
                let generics = &item.generics;
                let bounds = &generics.where_clause;
                check(&owner, quote!(#generics #bounds #of));
                for member in &item.items {
                    if let ImplItem::Fn(method) = member
                        && is_public(&method.vis)
                        && !is_hidden(&method.attrs)
                    {
                        let place = format!("{owner}::{}", method.sig.ident);
                        check(&place, method.sig.to_token_stream());
                    }
                }
            }
            _ => {}
        }
    }
    assert!(found.is_empty(), "hidden types in public signatures: {found:#?}");
}

#[test]
fn emitted_signatures_do_not_name_internal_items() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../generated/src");
    let mut items: Vec<Item> = rust_files(&root).iter().flat_map(|path| read(path)).collect();
    let bodies = macros().into_values().flatten();
    let subject = TokenTree::Ident(format_ident!("Subject"));
    let files = bodies.filter_map(|body| syn::parse2::<syn::File>(filled(body, &subject)).ok());
    items.extend(files.flat_map(|file| file.items));
    let mut seen = 0;
    let mut found = Vec::new();
    for item in items {
        let Item::Impl(item) = item else { continue };
        for member in item.items.into_iter().filter(|_| item.trait_.is_none()) {
            let ImplItem::Fn(mut method) = member else { continue };
            if is_public(&method.vis) && !is_hidden(&method.attrs) {
                seen += 1;
                // The bound says which operations have the method.
                method.sig.generics.where_clause = None;
                let is_internal = words(method.sig.to_token_stream()).contains("internal");
                found.extend(is_internal.then(|| method.sig.ident.to_string()));
            }
        }
    }
    assert!(seen > 100, "{seen}");
    assert!(found.is_empty(), "`internal` in public signatures: {found:?}");
}

fn read(path: &Path) -> Vec<Item> {
    syn::parse_file(&fs::read_to_string(path).unwrap()).unwrap().items
}

/// Returns the name of a public item, and the code of it that its documentation shows.
fn definition(item: &Item) -> Option<(String, TokenStream)> {
    let (visibility, attributes, name, shown) = match item {
        Item::Struct(item) => {
            let fields = item.fields.iter().filter(|field| is_public(&field.vis));
            let types = fields.map(|field| &field.ty);
            let generics = &item.generics;
            (&item.vis, &item.attrs, &item.ident, quote!(#generics #(#types)*))
        }
        Item::Enum(item) => {
            let variants = &item.variants;
            let generics = &item.generics;
            (&item.vis, &item.attrs, &item.ident, quote!(#generics #variants))
        }
        Item::Trait(item) => {
            let generics = &item.generics;
            let supertraits = &item.supertraits;
            let sealed = supertraits.iter().filter(|of| of.to_token_stream().to_string() != SEAL);
            let methods = item.items.iter().filter_map(|member| match member {
                syn::TraitItem::Fn(method) if !is_hidden(&method.attrs) => Some(&method.sig),
                _ => None,
            });
            (&item.vis, &item.attrs, &item.ident, quote!(#generics #(#sealed)* #(#methods)*))
        }
        Item::Fn(item) => (&item.vis, &item.attrs, &item.sig.ident, item.sig.to_token_stream()),
        Item::Type(item) => (&item.vis, &item.attrs, &item.ident, item.ty.to_token_stream()),
        _ => return None,
    };
    (is_public(visibility) && !is_hidden(attributes)).then(|| (name.to_string(), shown))
}

fn is_hidden(attributes: &[Attribute]) -> bool {
    let is_doc = |attribute: &&Attribute| attribute.path().is_ident("doc");
    attributes
        .iter()
        .filter(is_doc)
        .any(|attribute| words(attribute.to_token_stream()).contains("hidden"))
}

/// Returns the identifiers among tokens.
fn words(tokens: TokenStream) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => drop(words.insert(ident.to_string())),
            TokenTree::Group(group) => words.extend(self::words(group.stream())),
            _ => {}
        }
    }
    words
}

/// Returns the names that a file imports from other crates.
fn foreign(items: &[Item]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for item in items {
        if let Item::Use(item) = item
            && let UseTree::Path(path) = &item.tree
            && !["crate", "self", "super"].iter().any(|own| path.ident == own)
        {
            add_names(&item.tree, &mut names);
        }
    }
    names
}

fn add_names(tree: &UseTree, names: &mut BTreeSet<String>) {
    match tree {
        UseTree::Path(path) => add_names(&path.tree, names),
        UseTree::Group(group) => group.items.iter().for_each(|item| add_names(item, names)),
        UseTree::Name(name) => drop(names.insert(name.ident.to_string())),
        UseTree::Rename(rename) => drop(names.insert(rename.ident.to_string())),
        UseTree::Glob(_) => {}
    }
}
