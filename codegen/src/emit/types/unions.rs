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
    let documentation = Doc::of(&definition.docs, || provenance::of(definition, api));
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
    vec![Item::Rust(tokens), Item::Macro(table)]
}

/// Writes a type without the spaces that tokens have between them.
fn written(ty: &TokenStream) -> String {
    ty.to_string().replace(" :: ", "::").replace(" < ", "<").replace(" >", ">").replace(" ,", ",")
}
