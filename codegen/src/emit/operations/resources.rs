//! The files of the resources: a handle with a method for each operation, and the requests that the methods return.

use proc_macro2::TokenStream;
use quote::quote;

use super::documentation;
use super::examples::Example;
use super::requests as request;
use crate::emit::rust::attributes::Attributes;
use crate::emit::rust::docs::{Doc, Inline, text};
use crate::emit::rust::inputs;
use crate::emit::rust::names::ident;
use crate::emit::rust::page::Page;
use crate::emit::rust::print::{self, Part};
use crate::emit::rust::renamed;
use crate::emit::types::usage::Usage;
use crate::emit::{Emitted, Emitter};
use crate::ir::{Api, Body, Handle, ModuleName, Resource};
use crate::items::requests::{self, RequestItems};
use crate::items::{Conversion, Input, Target, modules};
use crate::settings::Settings;

/// Returns the emitters of the files of all resources, and of the module that holds them.
pub fn emitters<'a>(
    api: &'a Api,
    usage: &'a Usage<'a>,
    settings: &'a Settings,
) -> Vec<Emitter<'a>> {
    let modules = modules::of_resources(api).into_iter();
    let emitters = modules.map(|(name, resource)| -> Emitter<'a> {
        match resource {
            Some(resource) => Box::new(move || file(resource, api, usage, &settings.library())),
            None => Box::new(move || old_names(&name, api, usage)),
        }
    });
    let mut emitters: Vec<_> = emitters.collect();
    emitters.push(Box::new(|| module(api)));
    emitters
}

/// Writes the file of a module without a resource.
fn old_names(name: &ModuleName, api: &Api, usage: &Usage<'_>) -> Emitted {
    let documentation = Doc::from(text!("Old names of renamed items."));
    let old_names = renamed::types(&format!("resources::{name}"), api, &usage.gates);
    let path = format!("src/resources/{}.rs", name.bare());
    let parts = [documentation.inner(), old_names].map(Part::Rust);
    print::file(path, "rust/renamed.rs", parts)
}

pub fn about(resource: &Resource) -> Doc {
    Doc::new(&resource.docs, || {
        Some(match &resource.handle {
            Some(handle) => text!("The operations of {}.", Inline::code(&handle.tag)),
            None => text!("The operations without a tag are methods of the client."),
        })
    })
}

fn module(api: &Api) -> Emitted {
    let documentation = Doc::from(text!(
        "The operations, by resource: a handle for each, and the requests that the methods return."
    ));
    let modules = modules::of_resources(api).into_iter().map(|(name, resource)| {
        let feature = resource.and_then(|resource| resource.feature.as_deref());
        let condition = Attributes::default().condition(feature);
        quote! {
            #condition
            pub mod #name;
        }
    });
    let parts = [
        documentation.inner(),
        modules.collect(),
        // With its root, because a resource can be called `runtime`.
        quote! {
            #[comment = " Defines `Request`, the type of all requests."]
            ::runtime::internal::requests!();
        },
    ];
    let parts = parts.map(Part::Rust);
    print::file("src/resources/mod.rs".to_owned(), "operations/resources.rs", parts)
}

fn file(resource: &Resource, api: &Api, usage: &Usage<'_>, library: &str) -> Emitted {
    let mut own: Vec<_> = resource.operations.iter().map(|operation| &operation.builder).collect();
    own.extend(resource.handle.as_ref().map(|handle| &handle.name));
    let mut page = Page::new(api, format!("resources::{}", resource.module), own);
    let operations = resource.operations.iter();
    let requests: Vec<_> = operations.map(|operation| RequestItems::new(operation, api)).collect();
    let mut items: Vec<_> =
        resource.handle.iter().map(|handle| definition(resource, handle)).collect();
    items.push(methods(resource, &requests, library, &mut page));
    for request in &requests {
        items.extend(request::items(resource, request, &mut page));
    }
    items.push(request::operations(resource));
    items.push(renamed::types(&format!("resources::{}", resource.module), api, &usage.gates));
    let documentation = Doc::from(match &resource.handle {
        Some(Handle { name, .. }) => {
            text!("[`{}`], and the requests that its methods return.", name)
        }
        None => text!(
            "The operations that are methods of [`Client`](crate::Client), and their requests."
        ),
    });
    let imports = quote! {
        use runtime::internal;
    };
    let head = [documentation.inner(), imports, page.imports()];
    let parts = head.into_iter().chain(items).map(Part::Rust);
    print::file(resource.file(), "operations/resources.rs, requests.rs", parts)
}

fn definition(resource: &Resource, handle: &Handle) -> TokenStream {
    let Handle { name, accessor, .. } = handle;
    let documentation = about(resource)
        .paragraph(text!("Returned by [`Client::{}`](crate::Client::{}).", accessor, accessor))
        .attributes(0);
    quote! {
        #documentation
        #[derive(Clone, Debug)]
        pub struct #name {
            client: runtime::Client,
        }
    }
}

fn methods(
    resource: &Resource,
    requests: &[RequestItems<'_>],
    library: &str,
    page: &mut Page<'_>,
) -> TokenStream {
    let methods = requests.iter().map(|items| method(resource, items, library, page));
    let Some(Handle { name, .. }) = &resource.handle else {
        return quote! {
            impl crate::Client {
                #(#methods)*
            }
        };
    };
    quote! {
        impl #name {
            #[inline]
            pub(crate) fn new(client: &runtime::Client) -> Self {
                Self { client: client.clone() }
            }

            #(#methods)*
        }
    }
}

/// Writes the method of an operation. It has no variables, so that an argument can have any name.
fn method(
    resource: &Resource,
    items: &RequestItems<'_>,
    library: &str,
    page: &mut Page<'_>,
) -> TokenStream {
    let api = page.api;
    let operation = items.operation;
    let attributes = documentation::of_method(resource, items, page)
        .heading("Example")
        .program(Example { resource, operation, api }.program(library))
        .attributes(4)
        .deprecated(&operation.docs)
        .alias(Some(&operation.alias), operation.method_name.bare());
    let owner = requests::owner(resource);
    let name = operation.method_name.as_str();
    let builder = &operation.builder;
    let client = ident(if resource.handle.is_some() { "client" } else { "inner" });
    let inputs = &items.arguments;
    let arguments = inputs::arguments(inputs, page);
    let constants = operation.parameters.iter().filter_map(inputs::constant);
    let passed = inputs.iter().filter_map(|input| sent(input, page));
    let sent: TokenStream = constants.chain(passed).collect();
    let body = body(items, page);
    renamed::methods(owner.as_str(), name, &attributes, api, |name, attributes| {
        quote! {
            #attributes
            #[inline]
            pub fn #name(&self #(, #arguments)*) -> #builder {
                #builder {
                    call: internal::call::<operation::#builder>(&self.#client) #sent,
                    #body,
                }
            }
        }
    })
}

/// Writes the call that sends an argument, if it is a parameter.
fn sent(input: &Input<'_>, page: &mut Page<'_>) -> Option<TokenStream> {
    let Target::Parameter(parameter) = input.target else { return None };
    let call = inputs::sent("", parameter, input, &ident(input.name), page);
    Some(quote!(.#call))
}

/// Writes the initializer of the request's field `body`.
fn body(items: &RequestItems<'_>, page: &mut Page<'_>) -> TokenStream {
    let inputs = &items.arguments;
    match &items.operation.body {
        Body::None | Body::EmptyObject => quote!(body: ()),
        Body::Fields(..) => {
            let model = items.body.as_ref().map(|ty| page.ty(ty));
            let fields = inputs.iter().filter(|input| matches!(input.target, Target::Field(_)));
            let values = fields.map(|input| ident(input.name));
            quote!(body: #model::new(#(#values),*))
        }
        Body::Whole { required: false, .. } => quote!(body: None),
        Body::Whole { required: true, .. } => {
            let whole = inputs.iter().find(|input| matches!(input.target, Target::Body(_)));
            let converted = whole.filter(|input| input.conversion != Conversion::None);
            let value = converted.map(|input| inputs::value(input, &ident(input.name), None));
            value.map_or_else(|| quote!(body), |value| quote!(body: #value))
        }
    }
}
