//! A union: its definition, and the table of its variants.

use std::fmt::Write as _;

use proc_macro2::TokenStream;
use quote::quote;

use super::provenance;
use super::structs::form;
use super::usage::Usage;
use crate::emit::rust::alias::alias;
use crate::emit::rust::docs::{Doc, Inline, text};
use crate::emit::rust::imports::Imports;
use crate::emit::rust::print::Item;
use crate::emit::rust::types::plain;
use crate::ir::{Api, TypeDef, TypeId, Union};

/// Writes a union.
pub fn items<'a>(
    id: TypeId,
    definition: &'a TypeDef,
    union: &'a Union,
    usage: &Usage<'_>,
    api: &'a Api,
    imports: &mut Imports<'a>,
) -> Vec<Item> {
    let name = &definition.name;
    let documentation = Doc::of(&definition.docs, || provenance::of(definition));
    let documentation = usage.add_to(documentation, id).attributes(0);
    let deprecated = definition.docs.deprecated.then(|| quote!(#[deprecated]));
    let mut variants = TokenStream::new();
    let mut table = format!("runtime::internal::union! {{\n    {name} {{\n");
    for variant in &union.variants {
        let payload = plain(&variant.ty, api, imports);
        let payload = if variant.boxed { quote!(Box<#payload>) } else { payload };
        let documentation =
            Doc::of(&variant.docs, || text!("The property {}.", Inline::code(&variant.member)));
        let documentation = documentation.attributes(4);
        let deprecated = variant.docs.deprecated.then(|| quote!(#[deprecated]));
        let alias = alias(&variant.member, variant.name.as_str());
        let name = &variant.name;
        variants.extend(quote!(#documentation #deprecated #alias #name(#payload),));
        let payload = written(&payload);
        let _ = writeln!(
            table,
            "        {name}({payload}) = {:?}{},",
            variant.member,
            form(&variant.ty)
        );
    }
    table.push_str("    }\n}\n");
    let tokens = quote! {
        #documentation
        #deprecated
        #[derive(Clone)]
        #[non_exhaustive]
        pub enum #name {
            #variants
            /// A property that this version of the crate does not know, none, or several at once: kept as it came.
            Unknown(runtime::UnknownUnion),
        }
    };
    let mut items = vec![Item::Rust(tokens), Item::Macro(table)];
    items.extend(constructors(definition, union, api).map(Item::Rust));
    items.extend(conversions(definition, union, api, imports).into_iter().map(Item::Rust));
    items
}

/// Writes the functions that return the variants without properties.
fn constructors(definition: &TypeDef, union: &Union, api: &Api) -> Option<TokenStream> {
    let functions = api.constructors(definition, union).map(|variant| {
        let documentation =
            Doc::of(&variant.docs, || text!("The property {}.", Inline::code(&variant.member)));
        let documentation = documentation.attributes(4);
        let deprecated = variant.docs.deprecated.then(|| quote!(#[deprecated]));
        let (constructor, name) = (&variant.constructor, &variant.name);
        quote! {
            #documentation
            #deprecated
            #[inline]
            #[must_use]
            pub fn #constructor() -> Self {
                Self::#name(Default::default())
            }
        }
    });
    let functions: Vec<_> = functions.collect();
    let name = &definition.name;
    (!functions.is_empty()).then(|| quote!(impl #name { #(#functions)* }))
}

/// Writes the conversions from the values that only one variant holds.
fn conversions<'a>(
    definition: &TypeDef,
    union: &'a Union,
    api: &'a Api,
    imports: &mut Imports<'a>,
) -> Vec<TokenStream> {
    let of = &definition.name;
    let conversions = api.conversions(definition, union).map(|(variant, ty)| {
        let payload = plain(ty, api, imports);
        let name = &variant.name;
        let value = if variant.boxed { quote!(Box::new(value)) } else { quote!(value) };
        quote! {
            impl From<#payload> for #of {
                #[inline]
                fn from(value: #payload) -> Self {
                    Self::#name(#value)
                }
            }
        }
    });
    conversions.collect()
}

/// Writes a type without the spaces that tokens have between them.
fn written(ty: &TokenStream) -> String {
    ty.to_string().replace(" :: ", "::").replace(" < ", "<").replace(" >", ">").replace(" ,", ",")
}
