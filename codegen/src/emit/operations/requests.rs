//! A request builder: what is optional as setters, and how it becomes a call.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::emit::rust::docs;
use crate::emit::rust::imports::Imports;
use crate::emit::rust::print::Item;
use crate::emit::rust::rust_types::{argument, ident, plain};
use crate::emit::types::fields;
use crate::emit::types::structs::stored;
use crate::ir::{
    Api, Body, BodyMember, Operation, Output, PageToken, Paging, Parameter, Resource, Shape, Struct,
};

/// The longest line that `cargo fmt` leaves alone.
const WIDTH: usize = 100;

/// Returns the required parameters outside the path, with the method of the call that each is filled in by.
pub fn required_parameters(
    operation: &Operation,
) -> impl Iterator<Item = (&Parameter, &'static str)> {
    parameters(operation).filter(|(parameter, _)| parameter.required)
}

fn parameters(operation: &Operation) -> impl Iterator<Item = (&Parameter, &'static str)> {
    let query = operation.query_parameters.iter().map(|parameter| (parameter, "set_query"));
    query.chain(operation.header_parameters.iter().map(|parameter| (parameter, "set_header")))
}

/// Writes the request of an operation.
pub fn items(
    resource: &Resource,
    operation: &Operation,
    api: &Api,
    imports: &mut Imports,
) -> Vec<Item> {
    let mut items = vec![Item::Rust(definition(resource, operation, api, imports))];
    items.extend(setters(operation, api, imports).map(Item::Rust));
    items.push(Item::Rust(request(operation, api, imports)));
    items.extend(
        operation.paging.as_ref().map(|paging| Item::Rust(paged(operation, paging, api, imports))),
    );
    items.push(methods("request_methods", operation));
    items.extend(operation.paging.as_ref().map(|_| methods("paged_methods", operation)));
    items
}

/// Writes the call of a macro that gives a request its methods.
fn methods(name: &str, operation: &Operation) -> Item {
    let line = format!("runtime::internal::{name}!({});\n", operation.builder);
    Item::Table(if line.len() <= WIDTH + 1 {
        line
    } else {
        format!("runtime::internal::{name}!(\n    {}\n);\n", operation.builder)
    })
}

fn definition(
    resource: &Resource,
    operation: &Operation,
    api: &Api,
    imports: &mut Imports,
) -> TokenStream {
    let name = ident(operation.builder.as_str());
    let documentation = format!(
        "A request of [`{0}::{1}`]: `{2} {3}`.",
        resource.name,
        operation.method_name.bare(),
        operation.http_method.as_str(),
        operation.path
    );
    let documentation = docs::own(&documentation, 0);
    let call = imports.internal("Call");
    let body = body_type(operation, api, imports).map(|ty| quote!(body: #ty,));
    quote! {
        #documentation
        #[derive(Clone, Debug)]
        #[must_use = "a request does nothing until it is sent or awaited"]
        pub struct #name {
            call: #call,
            #body
        }
    }
}

/// Returns the type of the request's field `body`, where it has one.
fn body_type(operation: &Operation, api: &Api, imports: &mut Imports) -> Option<TokenStream> {
    match &operation.body {
        Body::None | Body::EmptyObject => None,
        Body::Fields(id, _) => Some(imports.model(api.definition(*id))),
        Body::Whole { ty, required } => {
            let ty = plain(ty, api, imports);
            Some(if *required { ty } else { quote!(Option<#ty>) })
        }
    }
}

fn setters(operation: &Operation, api: &Api, imports: &mut Imports) -> Option<TokenStream> {
    let optional = parameters(operation).filter(|(parameter, _)| !parameter.required);
    let mut setters: TokenStream = optional
        .map(|(parameter, setter)| parameter_setter(parameter, setter, api, imports))
        .collect();
    match &operation.body {
        Body::Fields(id, members) => {
            if let Shape::Struct(object) = &api.definition(*id).shape {
                setters.extend(
                    members.iter().filter_map(|member| body_setter(object, member, api, imports)),
                );
            }
        }
        Body::Whole { ty, required: false } => {
            let argument = argument(ty, &ident("value"), api, imports);
            let (ty, value, inline) = (argument.ty, argument.value, argument.inline);
            let documentation = docs::attributes("Sets the body.", 4);
            setters.extend(setter(
                &quote!(#documentation #inline),
                &ident("body"),
                &ty,
                &quote!(self.body = Some(#value);),
            ));
        }
        Body::None | Body::EmptyObject | Body::Whole { .. } => {}
    }
    let name = ident(operation.builder.as_str());
    (!setters.is_empty()).then(|| quote!(impl #name { #setters }))
}

fn setter(
    documentation: &TokenStream,
    name: &syn::Ident,
    ty: &TokenStream,
    statement: &TokenStream,
) -> TokenStream {
    quote! {
        #documentation
        pub fn #name(mut self, value: #ty) -> Self {
            #statement
            self
        }
    }
}

fn parameter_setter(
    parameter: &Parameter,
    setter_name: &str,
    api: &Api,
    imports: &mut Imports,
) -> TokenStream {
    let name = ident(parameter.name.as_str());
    let wire = &parameter.wire;
    let documentation = docs::of(&parameter.docs, &format!("Sets the parameter `{wire}`."), 4);
    let alias = docs::alias(wire, parameter.name.bare());
    let method = format_ident!("{setter_name}");
    let (ty, value, inline) = match &parameter.ty {
        crate::ir::Type::String => (quote!(impl AsRef<str>), quote!(value.as_ref()), None),
        ty => {
            let argument = argument(ty, &ident("value"), api, imports);
            let value = argument.value;
            (argument.ty, quote!(&#value), argument.inline)
        }
    };
    setter(
        &quote!(#documentation #alias #inline),
        &name,
        &ty,
        &quote!(self.call.#method(#wire, #value);),
    )
}

fn body_setter(
    object: &Struct,
    member: &BodyMember,
    api: &Api,
    imports: &mut Imports,
) -> Option<TokenStream> {
    let field = object.fields.get(member.field).filter(|field| !field.required)?;
    let argument = argument(&field.ty, &ident("value"), api, imports);
    let (value, inline) = (stored(field, &argument.value), &argument.inline);
    let target = ident(field.name.as_str());
    let documentation = fields::documented(field, 4);
    Some(setter(
        &quote!(#documentation #inline),
        &ident(member.name.as_str()),
        &argument.ty,
        &quote!(self.body.#target = #value;),
    ))
}

fn request(operation: &Operation, api: &Api, imports: &mut Imports) -> TokenStream {
    let name = ident(operation.builder.as_str());
    let (request, call) = (imports.internal("Request"), imports.internal("Call"));
    let (operation_type, method_type) = (imports.internal("Operation"), imports.internal("Method"));
    let method = format_ident!("{}", operation.http_method.as_str());
    let (id, path) = (&operation.id, &operation.path);
    let output = match &operation.output {
        Output::Nothing | Output::EmptyObject => quote!(()),
        Output::Json(ty) => plain(ty, api, imports),
    };
    let into_call = match &operation.body {
        Body::None => quote!(self.call),
        Body::EmptyObject => quote!(self.call.empty_object()),
        Body::Fields(..) | Body::Whole { required: true, .. } => quote!(self.call.json(&self.body)),
        Body::Whole { required: false, .. } => quote! {
            match &self.body {
                Some(body) => self.call.json(body),
                None => self.call,
            }
        },
    };
    let into_call = match (&operation.output, &operation.body) {
        (Output::EmptyObject | Output::Json(_), _) => into_call,
        (Output::Nothing, Body::Whole { required: false, .. }) => {
            quote!(let call = #into_call; call.ignore_response())
        }
        (Output::Nothing, _) => quote!(#into_call.ignore_response()),
    };
    quote! {
        impl #request for #name {
            type Output = #output;
            const OPERATION: &'static #operation_type = &#operation_type { id: #id, method: #method_type::#method, path: #path };

            #[inline]
            fn into_call(self) -> #call {
                #into_call
            }
        }
    }
}

fn paged(operation: &Operation, paging: &Paging, api: &Api, imports: &mut Imports) -> TokenStream {
    let name = ident(operation.builder.as_str());
    let trait_name = imports.internal("Paged");
    let item = plain(&paging.item, api, imports);
    let set_token = match &paging.token {
        PageToken::Query(parameter) => quote!(self.call.set_query(#parameter, token);),
        PageToken::Body(field) => {
            let field = ident(field.as_str());
            quote!(self.body.#field = Some(token.to_owned());)
        }
    };
    let (token, list) = (ident(paging.next_token.as_str()), ident(paging.items.as_str()));
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
        impl #trait_name for #name {
            type Item = #item;

            #[inline]
            fn set_page_token(&mut self, token: &str) {
                #set_token
            }

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
