//! An open enum: its definition, and the table of its values.

use std::fmt::Write as _;

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::rust::docs;
use crate::emit::rust::imports::Imports;
use crate::emit::rust::print::Item;
use crate::emit::rust::rust_types::ident;
use crate::ir::{OpenEnum, TypeDef};

/// Writes an open enum.
pub fn items(definition: &TypeDef, values: &OpenEnum, imports: &mut Imports) -> Vec<Item> {
    vec![
        Item::Rust(definition_of(definition, values, imports)),
        Item::Table(table(definition, values)),
    ]
}

fn definition_of(definition: &TypeDef, values: &OpenEnum, imports: &mut Imports) -> TokenStream {
    let name = ident(definition.name.as_str());
    let documentation =
        docs::of(&definition.docs, &format!("The values of `{}`.", definition.name), 0);
    let variants = values.variants.iter().map(|variant| {
        let documentation = docs::attributes(&format!("`{}`", variant.value.replace('`', "'")), 4);
        let alias = docs::alias(&variant.value, variant.name.as_str());
        let name = ident(variant.name.as_str());
        quote!(#documentation #alias #name,)
    });
    let variants: TokenStream = variants.collect();
    let unknown = imports.runtime("UnknownValue");
    quote! {
        #documentation
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum #name {
            #variants
            /// A value that this version of the crate does not know.
            Unknown(#unknown),
        }
    }
}

fn table(definition: &TypeDef, values: &OpenEnum) -> String {
    let mut out = format!("runtime::internal::open_enum! {{\n    {} {{\n", definition.name);
    for variant in &values.variants {
        let _ = writeln!(out, "        {} = {:?},", variant.name, variant.value);
    }
    out.push_str("    }\n}\n");
    out
}
