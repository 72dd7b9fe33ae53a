//! The files of the resources: a handle with a method for each operation, and the requests that the methods return.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::quote;

use super::examples::Example;
use super::requests;
use crate::emit::Emitted;
use crate::emit::rust::arguments::{Argument, sent};
use crate::emit::rust::attributes::Attributes;
use crate::emit::rust::docs::{Doc, Inline, text};
use crate::emit::rust::page::Page;
use crate::emit::rust::print::{self, Item};
use crate::emit::rust::renamed;
use crate::ir::{Api, Body, Location, ModuleName, Operation, Resource};

/// Writes the file of every resource, and the module that holds them.
pub fn files(api: &Api, library: &str) -> Vec<Emitted> {
    let files = api.resources.iter().map(|resource| file(resource, api, library));
    let renamed = modules(api).into_iter().filter(|(_, resource)| resource.is_none());
    let renamed = renamed.map(|(name, _)| {
        let documentation = Doc::from(text!("The old names of what is renamed."));
        let old_names = renamed::types(&format!("resources::{name}"), api);
        let items = [Item::Text(documentation.inner()), Item::Text(old_names)];
        print::file(
            format!("src/resources/{}.rs", name.bare()),
            "rust/renamed.rs",
            &items,
            &Page::new(api, Vec::new()),
        )
    });
    files.chain(renamed).chain([module(api)]).collect()
}

/// Returns the modules with their resources; in those without one is nothing but old names.
fn modules(api: &Api) -> BTreeMap<ModuleName, Option<&Resource>> {
    let old_paths = api.aliases.types.keys().filter_map(|path| path.strip_prefix("resources::"));
    let old = old_paths.filter_map(|path| path.rsplit_once("::"));
    let old = old.map(|(module, _)| (ModuleName::new(module.to_owned()), None));
    let own = api.resources.iter().map(|resource| (resource.module.clone(), Some(resource)));
    old.chain(own).collect()
}

/// Returns the documentation of a resource.
pub fn about(resource: &Resource) -> Doc {
    Doc::of(&resource.docs, || text!("The operations of {}.", Inline::code(&resource.tag)))
}

fn module(api: &Api) -> Emitted {
    let documentation = Doc::from(text!(
        "The operations, by resource: a handle for each, and the requests that its methods return."
    ));
    let mut page = Page::new(api, Vec::new());
    let modules: TokenStream = modules(api)
        .into_iter()
        .map(|(name, resource)| {
            let attributes = page.attributes(Attributes::default().condition(resource));
            quote!(#attributes pub mod #name;)
        })
        .collect();
    let items = [
        Item::Text(documentation.inner()),
        Item::Rust(modules),
        // With its root, because a resource can be called `runtime`.
        Item::Text("::runtime::internal::requests!();\n".to_owned()),
    ];
    print::file("src/resources/mod.rs".to_owned(), "operations/resources.rs", &items, &page)
}

fn file(resource: &Resource, api: &Api, library: &str) -> Emitted {
    let mut own: Vec<_> = resource.operations.iter().map(|operation| &operation.builder).collect();
    own.push(&resource.name);
    let mut page = Page::new(api, own);
    let mut items = vec![
        Item::Rust(handle(resource, &mut page)),
        Item::Rust(methods(resource, library, &mut page)),
    ];
    for operation in &resource.operations {
        items.extend(requests::items(resource, operation, &mut page));
    }
    items.push(Item::Rust(requests::operations(resource)));
    items.push(Item::Text(renamed::types(&format!("resources::{}", resource.module), api)));
    let documentation =
        Doc::from(text!("[`{}`], and the requests that its methods return.", resource.name));
    let head = [
        Item::Text(documentation.inner()),
        Item::Rust(quote!(
            use runtime::internal;
        )),
        Item::Rust(page.declarations()),
    ];
    items.splice(0..0, head);
    let path = format!("src/resources/{}.rs", resource.module.bare());
    print::file(path, "operations/resources.rs, requests.rs", &items, &page)
}

fn handle(resource: &Resource, page: &mut Page<'_>) -> TokenStream {
    let name = &resource.name;
    let accessor = &resource.accessor;
    let documentation = about(resource)
        .paragraph(text!("Returned by [`Client::{}`](crate::Client::{}).", accessor, accessor))
        .attributes(0);
    let documentation = page.attributes(documentation);
    quote! {
        #documentation
        #[derive(Clone, Debug)]
        pub struct #name {
            client: runtime::Client,
        }
    }
}

fn methods(resource: &Resource, library: &str, page: &mut Page<'_>) -> TokenStream {
    let name = &resource.name;
    let methods: TokenStream = resource
        .operations
        .iter()
        .map(|operation| method(resource, operation, library, page))
        .collect();
    quote! {
        impl #name {
            #[inline]
            pub(crate) fn new(client: &runtime::Client) -> Self {
                Self { client: client.clone() }
            }

            #methods
        }
    }
}

/// Writes the method of an operation. It has no variables, so that an argument can have any name.
fn method(
    resource: &Resource,
    operation: &Operation,
    library: &str,
    page: &mut Page<'_>,
) -> TokenStream {
    let documentation = documentation(operation)
        .heading("Example")
        .program(Example { resource, operation, api: page.api }.program(library))
        .attributes(4);
    let last = operation.id.rsplit('.').next().unwrap_or(&operation.id);
    let (name, builder) = (&operation.method_name, &operation.builder);
    let (mut arguments, mut call) =
        (TokenStream::new(), quote!(internal::call::<operation::#builder>(&self.client)));
    for parameter in operation.parameters.iter().filter(|parameter| parameter.required) {
        let name = &parameter.name;
        let (ty, send) = sent(parameter, "", name, page);
        arguments.extend(quote!(, #name: #ty));
        call.extend(quote!(.#send));
    }
    let (more_arguments, body) = body(operation, page);
    let own = documentation.clone().deprecated(&operation.docs).alias(last, name.bare());
    let owner = format!("resources::{}::{}", resource.module, resource.name);
    let write = |name, attributes: Attributes, page: &mut Page<'_>| {
        let attributes = page.attributes(attributes.and("inline"));
        quote! {
            #attributes
            pub fn #name(&self #arguments #more_arguments) -> #builder {
                #builder { call: #call, #body }
            }
        }
    };
    renamed::methods(&owner, name.as_str(), &documentation, own, page, write)
}

/// Writes the arguments of the body, and the initializer of the request's field `body`.
fn body(operation: &Operation, page: &mut Page<'_>) -> (TokenStream, TokenStream) {
    match &operation.body {
        Body::None | Body::EmptyObject => (TokenStream::new(), quote!(body: ())),
        Body::Fields(id, members) => {
            let model = page.model(id.type_id());
            let (mut arguments, mut values) = (TokenStream::new(), Vec::new());
            for (name, field) in page.api.given(*id, members).filter(|(_, field)| field.required) {
                let ty = Argument::of(&field.ty, name, page).ty;
                arguments.extend(quote!(, #name: #ty));
                values.push(name);
            }
            (arguments, quote!(body: #model::new(#(#values),*)))
        }
        Body::Whole { ty, required: true } => {
            let body = quote!(body);
            let argument = Argument::of(ty, &body, page);
            let (ty, value) = (argument.ty, argument.value);
            let init = if argument.is_generic { quote!(body: #value) } else { body };
            (quote!(, body: #ty), init)
        }
        Body::Whole { required: false, .. } => (TokenStream::new(), quote!(body: None)),
    }
}

/// Returns the documentation of an operation: its description, its HTTP request, and its arguments.
fn documentation(operation: &Operation) -> Doc {
    let summary = operation.summary.as_deref().map(str::trim).filter(|summary| !summary.is_empty());
    let description = operation.docs.text.as_deref();
    // A summary that its description begins with is redundant.
    let summary = summary.filter(|summary| {
        description.is_none_or(|text| !text.trim_start().starts_with(summary.trim_end_matches('.')))
    });
    let summary = summary.map(|summary| {
        let stop = if summary.ends_with(['.', '!', '?']) { "" } else { "." };
        Doc::from(text!("{}{}", Inline::plain(summary), stop))
    });
    let id = Inline::code(&operation.id);
    let description = description.and_then(Doc::of_spec);
    let doc = match (summary, description) {
        (Some(summary), Some(description)) => summary.and(description),
        (Some(doc), None) | (None, Some(doc)) => doc,
        (None, None) => Doc::from(text!("Calls the operation {}.", id)),
    };
    let verb = operation.http_method;
    let request = Inline::code(&format!("{verb} {}", operation.path));
    let doc = doc.paragraph(text!("{}, operation {}.", request, id));
    let doc = if operation.paging.is_some() && !operation.has_items() {
        doc.paragraph(text!(
            "Returns the first page. The spec does not describe which query parameter takes the token of the next \
             one; if you know it, [`items_by`]({}::items_by) returns the items of all pages.",
            operation.builder
        ))
    } else {
        doc
    };
    let arguments = operation.parameters.iter().filter(|parameter| parameter.required);
    let mut arguments = arguments.peekable();
    let doc = if arguments.peek().is_some() { doc.heading("Arguments") } else { doc };
    arguments.fold(doc, |doc, parameter| {
        let place = match parameter.location {
            Location::Header => "headers",
            location => location.name(),
        };
        let about = Doc::of(&parameter.docs, || {
            text!("{} in the {}.", Inline::code(&parameter.wire), place)
        });
        doc.item(text!("`{}`: {}", parameter.name, about.inline()))
    })
}
