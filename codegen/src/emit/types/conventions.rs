//! Additions to a struct by the conventions of an API: names of properties, related objects, keys.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use super::attributes::Model;
use crate::emit::operations::requests;
use crate::emit::rust::attributes::Attributes;
use crate::emit::rust::docs::{Doc, Inline, text};
use crate::emit::rust::names::ident;
use crate::emit::rust::page::Page;
use crate::ir::{Api, Expanded, Field, Struct, Type, TypeDef, TypeId, WaitEnd};
use crate::items::conventions::{self, Constant, RelatedMethod};
use crate::items::{Path, Ty};

/// Writes the additions to a struct.
pub fn items(model: Model<'_>, object: &Struct, page: &mut Page<'_>) -> Vec<TokenStream> {
    let Model { id, definition, usage } = model;
    let api = page.api;
    let name = &definition.name;
    let constants = conventions::constants(object, api);
    let related = conventions::related(definition, object, api);
    let end = object.conventions.end.as_ref().map(is_finished);
    let members: Vec<_> = constants
        .iter()
        .map(constant)
        .chain(related.iter().map(related_method))
        .chain(end)
        .collect();
    let mut items = Vec::new();
    if !members.is_empty() {
        items.push(quote!(impl #name { #(#members)* }));
    }
    items.extend(object.conventions.expanded.as_ref().map(|it| expanded(definition, it)));
    if object.conventions.is_key {
        items.push(quote!(runtime::internal::key!(#name);));
    }
    let models = object.conventions.models.iter();
    items.extend(models.map(|&model| {
        // Not all features that compile the reference compile the model.
        let feature = match usage.gates.feature(model) {
            feature if feature == usage.gates.feature(id) => None,
            feature => feature,
        };
        let condition = Attributes::default().condition(feature);
        let path = Path::new(api.definition(model).path());
        let source = match feature {
            None => page.ty(&Ty::Item(path)),
            Some(_) => page.path(path.as_str()).into_token_stream(),
        };
        let conversion = conversion(definition, object, model, &source, api);
        quote!(#condition #conversion)
    }));
    items
}

/// Writes the method of a reply that ends a wait.
fn is_finished(end: &WaitEnd) -> TokenStream {
    let property = Inline::code(&end.property.join("."));
    let values = end.values.iter().map(|value| Inline::code(value));
    let documentation = match values.reduce(|all, value| text!("{} or {}", all, value)) {
        None => text!("Returns whether {} is present, which ends a `wait()`.", property),
        Some(values) => text!("Returns whether {} is {}, which ends a `wait()`.", property, values),
    };
    let attributes = Doc::from(documentation).attributes(4);
    let end = requests::end(end);
    quote! {
        #attributes
        #[must_use]
        pub fn is_finished(&self) -> bool {
            runtime::internal::is_finished(self, &runtime::#end)
        }
    }
}

fn constant(Constant { name, wire, docs, .. }: &Constant<'_>) -> TokenStream {
    let documentation = Doc::from(text!("The name of {} in an update mask.", Inline::code(wire)));
    let attributes = documentation.attributes(4).deprecated(docs);
    let name = ident(name);
    quote! {
        #attributes
        pub const #name: runtime::Property<Self> = runtime::Property::new(#wire);
    }
}

/// Writes a method that returns related objects.
fn related_method(method: &RelatedMethod<'_>) -> TokenStream {
    let path = method.path;
    let wire = Inline::code(&path.wire);
    let documentation = if path.is_plural {
        text!("The related objects that {} locates; none if the response does not have them.", wire)
    } else {
        text!("The related object that {} locates; `None` if the response does not have it.", wire)
    };
    let attributes = Doc::from(documentation).attributes(4);
    let name = &path.method;
    let field = &path.field;
    let next = (!path.is_plural).then(|| quote!(.next()));
    let Some(view) = method.view else {
        let output = output(path.is_plural, &quote!('a));
        let located =
            if path.required { quote!(Some(&self.#field)) } else { quote!(self.#field.as_deref()) };
        return quote! {
            #attributes
            #[must_use]
            pub fn #name<'a>(&'a self, reply: &'a impl runtime::Expanded) -> #output {
                runtime::internal::related(reply, #located) #next
            }
        };
    };
    let output = output(path.is_plural, &quote!('_));
    let holder = &view.field;
    let located = match (view.required, path.required) {
        (true, true) => quote!(Some(&self.#holder.#field)),
        (true, false) => quote!(self.#holder.#field.as_deref()),
        (false, true) => quote!(self.#holder.as_ref().map(|view| &*view.#field)),
        (false, false) => quote!(self.#holder.as_ref().and_then(|view| view.#field.as_deref())),
    };
    quote! {
        #attributes
        #[inline]
        #[must_use]
        pub fn #name(&self) -> #output {
            runtime::internal::related(self, #located) #next
        }
    }
}

fn output(is_plural: bool, lifetime: &TokenStream) -> TokenStream {
    if is_plural {
        quote!(runtime::RelatedObjects<#lifetime>)
    } else if lifetime.to_string() == "'_" {
        quote!(Option<&runtime::TypedObject>)
    } else {
        quote!(Option<&#lifetime runtime::TypedObject>)
    }
}

fn expanded(definition: &TypeDef, Expanded { field, required, .. }: &Expanded) -> TokenStream {
    let name = &definition.name;
    let objects = if *required {
        quote!(&self.#field)
    } else {
        quote!(self.#field.as_deref().unwrap_or_default())
    };
    quote! {
        impl runtime::Expanded for #name {
            #[inline]
            fn expanded(&self) -> &[runtime::TypedObject] {
                #objects
            }
        }
    }
}

/// Writes the conversion of a model into its reference.
fn conversion(
    definition: &TypeDef,
    object: &Struct,
    model: TypeId,
    source: &TokenStream,
    api: &Api,
) -> TokenStream {
    let name = &definition.name;
    let model = api.as_struct(&Type::Named(model));
    let fields = model.map_or(&[][..], |(_, model)| &model.fields);
    let values = object.fields.iter().filter_map(|field| {
        let from = fields.iter().find(|from| from.wire == field.wire)?;
        Some(copied(field, from))
    });
    let values: Vec<_> = values.collect();
    quote! {
        impl From<&#source> for #name {
            #[inline]
            fn from(model: &#source) -> Self {
                Self { #(#values,)* ..Self::default() }
            }
        }
    }
}

/// Writes the initializer of a field from the field of a model.
fn copied(to: &Field, from: &Field) -> TokenStream {
    let name = &to.name;
    let value = &from.name;
    if from.required && !to.required {
        quote!(#name: Some(model.#value.clone()))
    } else {
        quote!(#name: model.#value.clone())
    }
}
