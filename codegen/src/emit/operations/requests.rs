//! A request: its setters, and its conversion into a call.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::emit::rust::arguments::sent;
use crate::emit::rust::attributes::Attributes;
use crate::emit::rust::docs::{Doc, Inline, text};
use crate::emit::rust::page::Page;
use crate::emit::rust::print::Item;
use crate::emit::rust::renamed;
use crate::emit::rust::types::plain;
use crate::emit::types::fields;
use crate::ir::{
    Body, Field, FieldName, Operation, Output, PageToken, Paging, Parameter, Resource,
};

/// Writes the request of an operation.
pub fn items(resource: &Resource, operation: &Operation, page: &mut Page<'_>) -> Vec<Item> {
    let mut items = vec![
        Item::Rust(definition(resource, operation, page)),
        Item::Rust(setters(resource, operation, page)),
        Item::Rust(endpoint(operation, page)),
    ];
    if let Some(paging) = &operation.paging {
        items.push(Item::Rust(paged(operation, paging, page)));
        if paging.token.is_some() {
            let name = &operation.builder;
            items.push(Item::Rust(quote!(impl internal::TakesPageToken for operation::#name {})));
        }
    }
    items
}

/// Writes the types that name the operations.
pub fn operations(resource: &Resource) -> TokenStream {
    let names = resource.operations.iter().map(|operation| &operation.builder);
    quote! {
        /// The operations, as types.
        #[doc(hidden)]
        pub mod operation {
            #(pub struct #names;)*
        }
    }
}

fn definition(resource: &Resource, operation: &Operation, page: &mut Page<'_>) -> TokenStream {
    let name = &operation.builder;
    let verb = operation.http_method;
    let documentation = Doc::from(text!(
        "A request of [`{}::{}`]: {}.",
        resource.name,
        operation.method_name,
        Inline::code(&format!("{verb} {}", operation.path))
    ));
    let documentation = match operation.paging.as_ref().map(|paging| &paging.token) {
        None => documentation,
        Some(Some(_)) => documentation.paragraph(text!(
            "Sent, it returns one page; [`items`](super::Request::items) returns the items of all."
        )),
        Some(None) => documentation.paragraph(text!(
            "Sent, it returns the first page. The spec does not describe which query parameter takes the token of the \
             next one; if you know it, [`items_by`](super::Request::items_by) returns the items of all pages."
        )),
    };
    let documentation = page.attributes(documentation.attributes(0));
    quote! {
        #documentation
        pub type #name = super::Request<operation::#name>;
    }
}

/// Returns the type of the request's body.
fn body_type(operation: &Operation, page: &mut Page<'_>) -> TokenStream {
    match &operation.body {
        Body::None | Body::EmptyObject => quote!(()),
        Body::Fields(id, _) => page.model(id.type_id()),
        Body::Whole { ty, required } => {
            let ty = plain(ty, page);
            if *required { ty } else { quote!(Option<#ty>) }
        }
    }
}

fn setters(resource: &Resource, operation: &Operation, page: &mut Page<'_>) -> TokenStream {
    let owner = format!("resources::{}::{}", resource.module, operation.builder);
    let optional = operation.parameters.iter().filter(|parameter| !parameter.required);
    let mut setters: TokenStream =
        optional.map(|parameter| parameter_setter(&owner, parameter, page)).collect();
    match &operation.body {
        Body::Fields(id, members) => {
            let optional = page.api.given(*id, members).filter(|(_, field)| !field.required);
            setters.extend(optional.map(|(name, field)| body_setter(&owner, name, field, page)));
            let model = page.model(id.type_id());
            setters.extend(quote! {
                /// Sends this body, in place of all arguments and setters of its properties so far.
                #[inline]
                pub fn body(mut self, value: #model) -> Self {
                    self.body = value;
                    self
                }
            });
        }
        Body::Whole { ty, required: false } => {
            let taken = fields::taken(ty, page);
            let value = &taken.argument.value;
            let statement = quote!(self.body = Some(#value););
            let attributes = Doc::from(text!("Sends this body.")).attributes(4);
            let name = quote!(body);
            setters.extend(fields::setter_of(&name, &taken, attributes, &statement, page));
        }
        Body::None | Body::EmptyObject | Body::Whole { .. } => {}
    }
    let name = &operation.builder;
    if setters.is_empty() { setters } else { quote!(impl #name { #setters }) }
}

fn parameter_setter(owner: &str, parameter: &Parameter, page: &mut Page<'_>) -> TokenStream {
    let (name, wire) = (&parameter.name, &parameter.wire);
    let documentation = Doc::of(&parameter.docs, || text!("The parameter {}.", Inline::code(wire)));
    let documentation = documentation.attributes(4);
    let own = documentation.clone().deprecated(&parameter.docs).alias(wire, name.bare());
    let (ty, call) = sent(parameter, "set_", &quote!(value), page);
    let write = |name, attributes: Attributes, page: &mut Page<'_>| {
        let attributes = page.attributes(attributes.and("inline"));
        quote! {
            #attributes
            pub fn #name(mut self, value: #ty) -> Self {
                self.call.#call;
                self
            }
        }
    };
    renamed::methods(owner, name.as_str(), &documentation, own, page, write)
}

fn body_setter(owner: &str, name: &FieldName, field: &Field, page: &mut Page<'_>) -> TokenStream {
    let documentation = fields::documentation(field, true).attributes(4);
    let own = fields::aliased(documentation.clone().deprecated(&field.docs), field, name);
    let target = &field.name;
    let target = quote!(body.#target);
    let write = |name, attributes, page: &mut Page<'_>| {
        fields::setter(field, &name, &target, attributes, page)
    };
    renamed::methods(owner, name.as_str(), &documentation, own, page, write)
}

fn endpoint(operation: &Operation, page: &mut Page<'_>) -> TokenStream {
    let name = &operation.builder;
    let method = format_ident!("{}", operation.http_method);
    let (id, path) = (&operation.id, &operation.path);
    let body = body_type(operation, page);
    let output = match &operation.output {
        Output::Nothing | Output::EmptyObject => quote!(()),
        Output::Json(ty) => plain(ty, page),
    };
    let payload = match &operation.body {
        Body::None => None,
        Body::EmptyObject => Some(quote!(.empty_object())),
        Body::Fields(..) | Body::Whole { required: true, .. } => Some(quote!(.json(body))),
        Body::Whole { required: false, .. } => Some(quote!(.optional_json(body.as_ref()))),
    };
    let ignored = matches!(operation.output, Output::Nothing).then(|| quote!(.ignore_response()));
    let argument = match operation.body {
        Body::None | Body::EmptyObject => quote!(_body: &Self::Body),
        Body::Fields(..) | Body::Whole { .. } => quote!(body: &Self::Body),
    };
    let encode = (payload.is_some() || ignored.is_some()).then(|| {
        quote! {
            #[inline]
            fn encode(call: internal::Call, #argument) -> internal::Call {
                call #payload #ignored
            }
        }
    });
    quote! {
        impl internal::Endpoint for operation::#name {
            type Body = #body;
            type Output = #output;
            const OPERATION: &'static internal::Operation = &internal::Operation {
                id: #id,
                method: internal::Method::#method,
                path: #path,
            };

            #encode
        }
    }
}

fn paged(operation: &Operation, paging: &Paging, page: &mut Page<'_>) -> TokenStream {
    let name = &operation.builder;
    let item = plain(&paging.item, page);
    let set_token = paging.token.as_ref().map(|token| {
        let (call, body, statement) = match token {
            PageToken::Query(parameter) => {
                (quote!(call), quote!(_body), quote!(call.set_query(#parameter, token);))
            }
            PageToken::Body(field) => {
                (quote!(_call), quote!(body), quote!(body.#field = Some(token.to_owned());))
            }
        };
        quote! {
            #[inline]
            fn set_page_token(#call: &mut internal::Call, #body: &mut Self::Body, token: &str) {
                #statement
            }
        }
    });
    let (token, list) = (&paging.next_token, &paging.items);
    let next = if paging.next_token_required {
        quote!(Some(&page.#token))
    } else {
        quote!(page.#token.as_deref())
    };
    let items = if paging.items_required {
        quote!(page.#list)
    } else {
        quote!(page.#list.unwrap_or_default())
    };
    quote! {
        impl internal::PagedEndpoint for operation::#name {
            type Item = #item;

            #set_token

            #[inline]
            fn next_page_token(page: &Self::Output) -> Option<&str> {
                #next
            }

            #[inline]
            fn into_items(page: Self::Output) -> Vec<#item> {
                #items
            }
        }
    }
}
