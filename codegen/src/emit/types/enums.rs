//! An open enum: its definition and its wire table.

use std::fmt::Write as _;

use proc_macro2::TokenStream;
use quote::quote;

use super::attributes;
use super::usage::Usage;
use crate::emit::rust::alias::alias;
use crate::emit::rust::docs::{Doc, Inline, text};
use crate::emit::rust::print::Item;
use crate::emit::rust::renamed;
use crate::ir::{Api, OpenEnum, TypeDef, TypeId};

/// Writes an open enum.
pub fn items(
    id: TypeId,
    definition: &TypeDef,
    values: &OpenEnum,
    usage: &Usage<'_>,
    api: &Api,
) -> Vec<Item> {
    vec![
        Item::Rust(definition_of(id, definition, values, usage)),
        Item::Macro(table(definition, values)),
        Item::Rust(old_names(definition, values, api)),
    ]
}

/// Writes the old names of variants: constants, which work in expressions and in patterns.
fn old_names(definition: &TypeDef, values: &OpenEnum, api: &Api) -> TokenStream {
    let owner = definition.path();
    let constants = values.variants.iter().flat_map(|variant| {
        let name = &variant.name;
        api.old_names(&owner, name.as_str()).iter().map(move |old| {
            let documentation = Doc::from(text!("The old name of [`Self::{}`].", name));
            let documentation = documentation.attributes(4);
            let deprecated = renamed::deprecated(name.as_str());
            quote!(#documentation #deprecated pub const #old: Self = Self::#name;)
        })
    });
    let constants: TokenStream = constants.collect();
    if constants.is_empty() {
        return constants;
    }
    let name = &definition.name;
    quote! {
        #[allow(non_upper_case_globals, reason = "named as the variants were")]
        impl #name { #constants }
    }
}

fn definition_of(
    id: TypeId,
    definition: &TypeDef,
    values: &OpenEnum,
    usage: &Usage<'_>,
) -> TokenStream {
    let name = &definition.name;
    let attributes = attributes::of(id, definition, usage);
    let variants = values.variants.iter().map(|variant| {
        let description = variant.description.as_deref().and_then(Doc::of_spec);
        let documentation = description.unwrap_or_else(|| Inline::code(&variant.value).into());
        let documentation = documentation.attributes(4);
        let alias = alias(&variant.value, variant.name.as_str());
        let name = &variant.name;
        quote!(#documentation #alias #name,)
    });
    let variants: TokenStream = variants.collect();
    quote! {
        #attributes
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum #name {
            #variants
            /// A value that this version of the crate does not know.
            Unknown(runtime::UnknownValue),
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
