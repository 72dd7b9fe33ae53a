//! A struct: its definition, its wire table, its constructor and setters.

use std::fmt::Write as _;

use proc_macro2::TokenStream;
use quote::quote;

use super::attributes::Model;
use super::{conventions, fields};
use crate::emit::rust::docs::{Doc, text};
use crate::emit::rust::inputs;
use crate::emit::rust::names::ident;
use crate::emit::rust::page::Page;
use crate::emit::rust::print::Part;
use crate::ir::{Constant, FieldWire, Null, Struct, Type, TypeDef};
use crate::items::{Conversion, Input, Path, Target, Ty, models};

/// Writes a struct.
pub fn items(model: Model<'_>, object: &Struct, page: &mut Page<'_>) -> Vec<Part> {
    let definition = model.definition;
    let mut items = vec![
        Part::Rust(definition_of(model, object, page)),
        Part::Table("object", table(definition, object)),
    ];
    if definition.in_requests {
        items.push(Part::Rust(methods(definition, object, page)));
    } else {
        items.push(Part::TestTable("setters", test_setters(definition, object, page)));
    }
    items.extend(map_conversion(definition, object, page).map(Part::Rust));
    items.extend(conventions::items(model, object, page).into_iter().map(Part::Rust));
    items
}

/// Writes the conversion into an object that is only a map.
fn map_conversion(
    definition: &TypeDef,
    object: &Struct,
    page: &mut Page<'_>,
) -> Option<TokenStream> {
    let (field, map) = models::map_conversion(definition, object, page.api)?;
    let name = &definition.name;
    let map = page.ty(&map);
    Some(quote! {
        impl From<#map> for #name {
            #[inline]
            fn from(#field: #map) -> Self {
                Self { #field, ..Self::default() }
            }
        }
    })
}

fn definition_of(model: Model<'_>, object: &Struct, page: &mut Page<'_>) -> TokenStream {
    let definition = model.definition;
    let name = &definition.name;
    let attributes = model.attributes();
    let fields = object.fields.iter().map(|field| {
        let name = &field.name;
        let attributes = fields::attributes(field, definition.in_requests, page.api)
            .alias(field.property(), name.bare());
        let ty = page.ty(&Ty::field(field, page.api));
        quote! {
            #attributes
            pub #name: #ty,
        }
    });
    let fields: TokenStream = fields.collect();
    let additional = object.additional.as_ref().map(|(name, ty)| {
        let attributes = fields::additional();
        let ty = page.ty(&Ty::additional(ty, page.api));
        quote! {
            #attributes
            pub #name: #ty,
        }
    });
    quote! {
        #attributes
        #[derive(Clone, Default)]
        #[non_exhaustive]
        pub struct #name {
            #fields
            #additional
            pub(crate) unknown: runtime::UnknownProperties,
        }
    }
}

/// Writes the table of the setters of a model that only tests build.
fn test_setters(definition: &TypeDef, object: &Struct, page: &mut Page<'_>) -> String {
    let mut out = format!("    {} {{\n", definition.name);
    for input in models::setters(definition, object, page.api) {
        let (is_deprecated, is_boxed) = match input.target {
            Target::Field(field) => (field.docs.deprecated, field.boxed),
            _ => (false, false),
        };
        let inner = |ty| Ty::inner(ty).first().map_or(ty, |inner| *inner);
        let argument = inner(&input.ty);
        let form = match (input.conversion, is_boxed) {
            (Conversion::None, false) => "value",
            (Conversion::None, true) => "boxed",
            (Conversion::Into, false) => "into",
            (Conversion::Into, true) => "into_boxed",
            (Conversion::Collect | Conversion::CollectInto, _) => "items",
            (Conversion::CollectOptions, _) => "options",
            (Conversion::IntoList, _) => "list",
            (Conversion::Integer, _) if is_required(&input) => "required_integer",
            (Conversion::Integer, _) => "integer",
        };
        let ty = page.ty_text(match input.conversion {
            Conversion::None => &input.ty,
            Conversion::CollectOptions => inner(inner(argument)),
            _ => argument,
        });
        let property = match input.conversion {
            Conversion::Integer => format!(" = {:?}", fields::wire(&input).unwrap_or_default()),
            _ => String::new(),
        };
        let deprecated = if is_deprecated { "#[deprecated] " } else { "" };
        let _ = writeln!(out, "        {deprecated}{}: {form}({ty}{property}),", ident(input.name));
    }
    out.push_str("    }\n");
    out
}

fn is_required(input: &Input<'_>) -> bool {
    matches!(input.target, Target::Field(field) if field.required)
}

/// Writes the constructor and the setters.
fn methods(definition: &TypeDef, object: &Struct, page: &mut Page<'_>) -> TokenStream {
    let api = page.api;
    let name = page.ty(&Ty::Item(Path::new(definition.path())));
    let new = new(definition, object, &models::constructor(definition, object, api), page);
    let inputs = models::setters(definition, object, api);
    let setters = inputs.iter().map(|input| {
        let documentation = fields::of_setter(input, None, api);
        let attributes = quote!(#documentation #[must_use]);
        inputs::setter(&ident(input.name), input, &quote!(self), &attributes, page)
    });
    let nulls = models::nulls(object).map(|setter| {
        let attributes = fields::of_null_setter(&setter);
        let attributes = quote!(#attributes #[must_use]);
        inputs::null_setter(&ident(&setter.name), &setter, &quote!(self), &attributes)
    });
    quote! {
        impl #name {
            #new
            #(#setters)*
            #(#nulls)*
        }
    }
}

fn new(
    definition: &TypeDef,
    object: &Struct,
    inputs: &[Input<'_>],
    page: &mut Page<'_>,
) -> TokenStream {
    let name = &definition.name;
    let arguments = inputs::arguments(inputs, page);
    let tags = object.fields.iter().filter_map(|field| {
        let value = match field.tag.as_ref()? {
            Constant::Text(text) => quote!(#text.into()),
            Constant::Json(json) => {
                let json: TokenStream = json.parse().ok()?;
                if field.ty == Type::BOOL { json } else { quote!(i64::into(#json)) }
            }
        };
        let value = if field.required { value } else { quote!(Some(#value)) };
        let name = &field.name;
        Some(quote!(#name: #value))
    });
    let tags: Vec<_> = tags.collect();
    let (documentation, body) = if inputs.is_empty() && tags.is_empty() {
        (text!("Creates an empty [`{}`].", name), quote!(Self::default()))
    } else {
        let (checked, others): (Vec<_>, Vec<_>) =
            inputs.iter().partition(|input| input.conversion == Conversion::Integer);
        let initializers: Vec<_> = others.into_iter().map(initializer).chain(tags).collect();
        let value = if initializers.is_empty() {
            quote!(Self::default())
        } else {
            quote!(Self { #(#initializers,)* ..Self::default() })
        };
        let setters = checked.into_iter().map(|input| {
            let name = ident(input.name);
            quote!(.#name(#name))
        });
        let is_tagged = object.fields.iter().all(|field| field.tag.is_none() || !field.required);
        let documentation = if inputs.is_empty() && is_tagged {
            text!("Creates a [`{}`] with only the values by which unions recognize it.", name)
        } else {
            text!("Creates a [`{}`] with the properties that the spec requires.", name)
        };
        (documentation, quote!(#value #(#setters)*))
    };
    let attributes = Doc::from(documentation).attributes(4);
    quote! {
        #attributes
        #[inline]
        #[must_use]
        pub fn new(#(#arguments),*) -> Self {
            #body
        }
    }
}

/// Writes the initializer of a field by the argument of the same name.
fn initializer(input: &Input<'_>) -> TokenStream {
    let name = ident(input.name);
    match input.target {
        Target::Field(field) if field.boxed || input.conversion != Conversion::None => {
            let value = inputs::stored(field, input, &name);
            quote!(#name: #value)
        }
        _ => quote!(#name),
    }
}

fn table(definition: &TypeDef, object: &Struct) -> String {
    let mut out = format!("    {} {{\n", definition.name);
    for field in &object.fields {
        let required = if field.required || field.null == Null::Always { "!" } else { "" };
        let (wire, form) = match &field.wire {
            FieldWire::Property(name) => (format!("{name:?}"), form(&field.ty)),
            FieldWire::Flattened => ("..".to_owned(), ""),
        };
        let access = models::access(definition, field).mark();
        let null = match field.null {
            Null::Received => " nullable",
            Null::Optional => " null",
            Null::Never | Null::Always => "",
        };
        let shown = shown(field.shown);
        let _ =
            writeln!(out, "        {}{required}: {wire}{form}{null}{access}{shown},", field.name);
    }
    out.push_str("    }\n");
    match &object.additional {
        None => out.push_str("    unknown\n"),
        Some((name, ty)) => {
            let _ = writeln!(out, "    additional: {name}{}", form(ty));
        }
    }
    out
}

/// Returns the mark of a property for which its name does not decide whether `Debug` shows it.
pub fn shown(shown: Option<bool>) -> &'static str {
    match shown {
        None => "",
        Some(true) => " shown",
        Some(false) => " secret",
    }
}

/// Returns the form of a type on the wire, if it differs from the form of its Rust type.
pub fn form(ty: &Type) -> &'static str {
    if ty.is_text() { " as text" } else { "" }
}
