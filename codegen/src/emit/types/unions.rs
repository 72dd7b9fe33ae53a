//! A union: its definition, and the table of its members.

use std::fmt::Write as _;

use proc_macro2::TokenStream;
use quote::quote;

use super::structs::spelling;
use crate::emit::rust::docs;
use crate::emit::rust::imports::Imports;
use crate::emit::rust::print::Item;
use crate::emit::rust::rust_types::{ident, plain};
use crate::ir::{Api, TypeDef, Union};

/// Writes a union.
pub fn items(definition: &TypeDef, union: &Union, api: &Api, imports: &mut Imports) -> Vec<Item> {
    let name = ident(definition.name.as_str());
    let documentation =
        docs::of(&definition.docs, &format!("The kinds of `{}`.", definition.name), 0);
    let mut variants = TokenStream::new();
    let mut table = format!("runtime::internal::union! {{\n    {} {{\n", definition.name);
    for variant in &union.variants {
        let payload = plain(&variant.ty, api, imports);
        let payload = if variant.boxed { quote!(Box<#payload>) } else { payload };
        let documentation =
            docs::of(&variant.docs, &format!("The member `{}`.", variant.member), 4);
        let alias = docs::alias(&variant.member, variant.name.as_str());
        let name = ident(variant.name.as_str());
        variants.extend(quote!(#documentation #alias #name(#payload),));
        let _ = writeln!(
            table,
            "        {}({}) = {:?}{},",
            variant.name,
            spelled(&payload),
            variant.member,
            spelling(&variant.ty)
        );
    }
    table.push_str("    }\n}\n");
    let unknown = imports.runtime("UnknownUnion");
    let tokens = quote! {
        #documentation
        #[derive(Clone)]
        #[non_exhaustive]
        pub enum #name {
            #variants
            /// None of the members that this version of the crate knows, or several at once: kept as it came.
            Unknown(#unknown),
        }
    };
    vec![Item::Rust(tokens), Item::Table(table)]
}

/// Writes a type without the spaces that tokens have between them.
fn spelled(ty: &TokenStream) -> String {
    ty.to_string().replace(" :: ", "::").replace(" < ", "<").replace(" >", ">").replace(" ,", ",")
}
