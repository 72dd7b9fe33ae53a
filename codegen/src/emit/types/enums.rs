//! An open enum: its definition and its wire table.

use std::fmt::Write as _;

use proc_macro2::TokenStream;
use quote::quote;

use super::attributes;
use super::usage::Usage;
use crate::emit::rust::docs::{Doc, Inline, text};
use crate::emit::rust::print::Part;
use crate::emit::rust::renamed;
use crate::ir::{Api, OpenEnum, TypeDef, TypeId};

/// Writes an open enum.
pub fn items(
    id: TypeId,
    definition: &TypeDef,
    values: &OpenEnum,
    usage: &Usage<'_>,
    api: &Api,
) -> Vec<Part> {
    vec![
        Part::Rust(definition_of(id, definition, values, usage)),
        Part::Table("open_enum", table(definition, values)),
        Part::Rust(old_names(definition, values, api)),
    ]
}

/// Writes the old names of variants: constants, which work in expressions and in patterns.
fn old_names(definition: &TypeDef, values: &OpenEnum, api: &Api) -> TokenStream {
    let owner = definition.path();
    let mut constants = TokenStream::new();
    for variant in &values.variants {
        let name = &variant.name;
        for old in renamed::old_names(&owner, name.as_str(), api) {
            let documentation = Doc::from(text!("The old name of [`Self::{}`].", name));
            let attributes = documentation.attributes(4).renamed(name.as_str());
            constants.extend(quote!(#attributes pub const #old: Self = Self::#name;));
        }
    }
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
        let name = &variant.name;
        let description = variant.description.as_deref().and_then(Doc::of_spec);
        let documentation = description.unwrap_or_else(|| Inline::code(&variant.value).into());
        let attributes = documentation.attributes(4).alias(Some(&variant.value), name.as_str());
        quote!(#attributes #name,)
    });
    quote! {
        #attributes
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum #name {
            #(#variants)*
            /// A value that this version of the crate does not know.
            Unknown(runtime::UnknownValue),
        }
    }
}

fn table(definition: &TypeDef, values: &OpenEnum) -> String {
    let mut out = format!("    {} {{\n", definition.name);
    for variant in &values.variants {
        let _ = writeln!(out, "        {} = {:?},", variant.name, variant.value);
    }
    out + if values.takes_any { "    }\n    any\n" } else { "    }\n" }
}
