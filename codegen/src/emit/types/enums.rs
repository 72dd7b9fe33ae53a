//! An open enum: its definition and its wire table.

use std::fmt::Write as _;

use proc_macro2::TokenStream;
use quote::quote;

use super::attributes::Model;
use crate::emit::rust::docs::{Doc, Inline, text};
use crate::emit::rust::print::Part;
use crate::emit::rust::renamed;
use crate::ir::{Api, EnumKind, EnumVariant, OpenEnum, TypeDef};

/// Writes an open enum.
pub fn items(model: Model<'_>, values: &OpenEnum, api: &Api) -> Vec<Part> {
    let definition = model.definition;
    let name = match values.kind {
        EnumKind::Text => "open_enum",
        EnumKind::Integer => "integer_enum",
    };
    vec![
        Part::Rust(definition_of(model, values)),
        Part::Table(name, table(definition, values)),
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

fn definition_of(model: Model<'_>, values: &OpenEnum) -> TokenStream {
    let name = &model.definition.name;
    let attributes = model.attributes();
    let variants = values.variants.iter().map(|variant| {
        let name = &variant.name;
        let value = Inline::code(&variant.value);
        let description = variant.description.as_deref().and_then(Doc::of_spec);
        let attributes = match (values.kind, description) {
            (EnumKind::Text, description) => {
                let documentation = description.unwrap_or_else(|| value.into());
                documentation.attributes(4).alias(Some(&variant.value), name.as_str())
            }
            (EnumKind::Integer, Some(description)) => {
                description.paragraph(text!("The value {}.", value)).attributes(4)
            }
            (EnumKind::Integer, None) => Doc::from(value).attributes(4),
        };
        quote!(#attributes #name,)
    });
    let (copy, unknown) = match values.kind {
        EnumKind::Text => (quote!(), quote!(runtime::UnknownValue)),
        EnumKind::Integer => (quote!(Copy,), quote!(runtime::UnknownInteger)),
    };
    quote! {
        #attributes
        #[derive(Clone, #copy Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum #name {
            #(#variants)*
            /// A value that this version of the crate does not know.
            Unknown(#unknown),
        }
    }
}

fn table(definition: &TypeDef, values: &OpenEnum) -> String {
    let mut out = format!("    {} {{\n", definition.name);
    for variant in &values.variants {
        let EnumVariant { name, value, .. } = variant;
        let _ = match values.kind {
            EnumKind::Text => writeln!(out, "        {name} = {value:?},"),
            EnumKind::Integer => writeln!(out, "        {name} = {},", separated(value)),
        };
    }
    out + if values.takes_any { "    }\n    any\n" } else { "    }\n" }
}

/// Writes an integer with a separator between groups of three digits.
fn separated(value: &str) -> String {
    let digits = value.trim_start_matches('-').len();
    let mut out = String::with_capacity(value.len() + digits / 3);
    for (index, char) in value.chars().enumerate() {
        let rest = value.len() - index;
        if rest.is_multiple_of(3) && rest < digits {
            out.push('_');
        }
        out.push(char);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::separated;

    #[test]
    fn long_integers_have_separators() {
        let cases = ["0", "-999", "1000", "-123456", "9223372036854775807"];
        let separated = cases.map(separated);
        assert_eq!(separated, ["0", "-999", "1_000", "-123_456", "9_223_372_036_854_775_807"]);
    }
}
