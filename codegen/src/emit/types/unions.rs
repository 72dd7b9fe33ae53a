//! A union: its definition, and the table of its variants.

use std::fmt::Write as _;

use proc_macro2::TokenStream;
use quote::quote;

use super::attributes::Model;
use super::rules;
use super::structs::{form, shown};
use crate::emit::rust::attributes::Attributes;
use crate::emit::rust::docs::{Doc, Inline, text};
use crate::emit::rust::page::Page;
use crate::emit::rust::print::Part;
use crate::ir::{Decision, JsonKind, Rules, Type, TypeDef, Union, UnionVariant};
use crate::items::{Ty, models};

/// Writes a union.
pub fn items(model: Model<'_>, union: &Union, page: &mut Page<'_>) -> Vec<Part> {
    let definition = model.definition;
    let name = &definition.name;
    let attributes = model.attributes();
    let mut variants = TokenStream::new();
    for (index, variant) in union.variants.iter().enumerate() {
        let payload = page.ty(&Ty::payload(&variant.ty, variant.boxed, page.api));
        let name = &variant.name;
        let attributes = variant_attributes(variant, &union.decision, index)
            .alias(variant.property.as_deref(), name.as_str());
        variants.extend(quote!(#attributes #name(#payload),));
    }
    let (macro_name, table, unknown) = match &union.decision {
        Decision::Property => (
            "union",
            table(definition, union, page),
            quote! {
                /// None of the properties above, or more than one. What was received is retained.
                Unknown(runtime::UnknownUnion),
            },
        ),
        Decision::Rules(rules) => (
            "choice",
            rules::table(definition, union, rules, page),
            quote! {
                /// None of the variants above. What was received is retained.
                Unknown(runtime::UnknownVariant),
            },
        ),
    };
    let tokens = quote! {
        #attributes
        #[derive(Clone)]
        #[non_exhaustive]
        pub enum #name {
            #variants
            #unknown
        }
    };
    let mut items = vec![Part::Rust(tokens), Part::Table(macro_name, table)];
    items.extend(conversions(definition, union, page).into_iter().map(Part::Rust));
    items
}

/// Writes the wire table of a union of properties.
fn table(definition: &TypeDef, union: &Union, page: &mut Page<'_>) -> String {
    let mut table = format!("    {} {{\n", definition.name);
    let rows = rules::variants(union, page, |_, variant| {
        let property = variant.property.as_deref().unwrap_or_default();
        format!(" = {property:?}{}{}", form(&variant.ty), shown(variant.shown))
    });
    for row in rows {
        let _ = writeln!(table, "        {row}");
    }
    table.push_str("    }\n");
    table
}

fn variant_attributes(variant: &UnionVariant, decision: &Decision, index: usize) -> Attributes {
    let documentation = Doc::new(&variant.docs, || match (&variant.property, decision) {
        (Some(_), _) | (None, Decision::Property) => None,
        (None, Decision::Rules(rules)) => undescribed(&variant.ty, rules, index),
    });
    documentation.attributes(4).deprecated(&variant.docs)
}

/// Returns the documentation of a variant that the spec does not describe.
fn undescribed(ty: &Type, rules: &Rules, index: usize) -> Option<Inline> {
    Some(match ty {
        &Type::BOOL => text!("A boolean."),
        &Type::FLOAT64 => text!("A number."),
        ty if ty.kind() == Some(JsonKind::Number) => text!("An integer."),
        Type::String => text!("A text."),
        Type::List(_) => text!("A list."),
        Type::Map | Type::Dictionary(_) => text!("A map."),
        _ => return rules::recognized(rules, index),
    })
}

/// Writes the method that returns what all variants have, and the conversions from types that only one variant has.
fn conversions(definition: &TypeDef, union: &Union, page: &mut Page<'_>) -> Vec<TokenStream> {
    let api = page.api;
    let of = &definition.name;
    let base = union.base.map(|base| {
        let base = page.ty(&Ty::new(&Type::Named(base), api));
        quote! {
            impl #of {
                /// Returns the properties that all variants have in common, also those of an unknown one.
                #[must_use]
                pub fn base(&self) -> #base {
                    runtime::internal::base(self)
                }
            }
        }
    });
    let conversions = models::conversions(definition, union, api).map(|variant| {
        let value = if variant.boxed { quote!(Box::new(value)) } else { quote!(value) };
        (page.ty(&Ty::new(&variant.ty, api)), &variant.name, quote!(value), value)
    });
    let text = models::text_variant(definition, union, api);
    let text = text.map(|it| (quote!(&str), &it.name, quote!(text), quote!(text.into())));
    let conversions = conversions.chain(text).map(|(from, name, argument, value)| {
        quote! {
            impl From<#from> for #of {
                #[inline]
                fn from(#argument: #from) -> Self {
                    Self::#name(#value)
                }
            }
        }
    });
    base.into_iter().chain(conversions).collect()
}
