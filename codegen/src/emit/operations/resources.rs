//! The files of the resources: a handle with a method for each operation, and the requests that the methods return.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::requests;
use crate::emit::SourceFile;
use crate::emit::rust::imports::Imports;
use crate::emit::rust::print::{self, Item, Source};
use crate::emit::rust::rust_types::{argument, ident};
use crate::emit::rust::{docs, sorting};
use crate::emit::work::{self, Workers};
use crate::ir::{Api, Body, Operation, Parameter, Resource, Shape, Struct, Type};

/// Writes the file of every resource, and the module that holds them.
pub fn files(api: &Api, workers: Workers<'_>) -> Vec<SourceFile> {
    let mut files = work::map(&api.resources, workers, |resource| file(resource, api));
    files.push(module(api));
    files
}

fn module(api: &Api) -> SourceFile {
    let mut names: Vec<&str> =
        api.resources.iter().map(|resource| resource.module.as_str()).collect();
    names.sort_by(|left, right| sorting::modules(left, right));
    let text: Vec<String> = names.iter().map(|name| format!("pub mod {name};\n")).collect();
    let source = Source {
        path: "src/resources/mod.rs".to_owned(),
        emitter: "resources.rs",
        docs: "The operations, by resource: a handle for each, and the requests that its methods return.".to_owned(),
        attributes: String::new(),
    };
    print::file(&source, &Imports::of_file(Vec::new()), &[Item::Table(text.concat())])
}

fn file(resource: &Resource, api: &Api) -> SourceFile {
    let mut own: Vec<String> =
        resource.operations.iter().map(|operation| operation.builder.to_string()).collect();
    own.push(resource.name.to_string());
    let mut imports = Imports::of_file(own);
    let mut items =
        vec![Item::Rust(handle(resource)), Item::Rust(methods(resource, api, &mut imports))];
    for operation in &resource.operations {
        items.extend(requests::items(resource, operation, api, &mut imports));
    }
    let source = Source {
        path: format!("src/resources/{}.rs", resource.module.bare()),
        emitter: "resources.rs",
        docs: resource
            .docs
            .text
            .clone()
            .unwrap_or_else(|| format!("The operations of `{}`.", resource.tag)),
        attributes: String::new(),
    };
    print::file(&source, &imports, &items)
}

fn handle(resource: &Resource) -> TokenStream {
    let name = ident(resource.name.as_str());
    let about = resource
        .docs
        .text
        .clone()
        .unwrap_or_else(|| format!("The operations of `{}`.", resource.tag));
    let about = docs::attributes(&about, 0);
    let made = format!(" Made by [`Client::{0}`](crate::Client::{0}).", resource.accessor.bare());
    quote! {
        #about
        #[doc = ""]
        #[doc = #made]
        #[derive(Clone, Debug)]
        pub struct #name {
            client: runtime::Client,
        }
    }
}

fn methods(resource: &Resource, api: &Api, imports: &mut Imports) -> TokenStream {
    let name = ident(resource.name.as_str());
    let methods: TokenStream =
        resource.operations.iter().map(|operation| method(operation, api, imports)).collect();
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

fn method(operation: &Operation, api: &Api, imports: &mut Imports) -> TokenStream {
    let documentation = documentation(operation);
    let last = operation.id.rsplit('.').next().unwrap_or(&operation.id);
    let alias = docs::alias(last, operation.method_name.bare());
    let name = ident(operation.method_name.as_str());
    let builder = ident(operation.builder.as_str());
    let call = imports.internal("Call");
    let mut arguments = TokenStream::new();
    let mut filled = TokenStream::new();
    for parameter in &operation.path_parameters {
        let (ty, statement) = filled_in(parameter, "set_path", api, imports);
        let name = ident(parameter.name.as_str());
        arguments.extend(quote!(, #name: #ty));
        filled.extend(statement);
    }
    for (parameter, setter) in requests::required_parameters(operation) {
        let (ty, statement) = filled_in(parameter, setter, api, imports);
        let name = ident(parameter.name.as_str());
        arguments.extend(quote!(, #name: #ty));
        filled.extend(statement);
    }
    let (more_arguments, body) = body(operation, api, imports);
    let body = body.map(|body| quote!(, #body));
    let mutable = (!filled.is_empty()).then(|| quote!(mut));
    let value = if filled.is_empty() && body.is_none() {
        quote!(#builder { call: #call::new(&self.client, #builder::OPERATION) })
    } else {
        quote! {
            let #mutable call = #call::new(&self.client, #builder::OPERATION);
            #filled
            #builder { call #body }
        }
    };
    let deprecated = operation.docs.deprecated.then(|| quote!(#[deprecated]));
    quote! {
        #documentation
        #deprecated
        #alias
        #[inline]
        pub fn #name(&self #arguments #more_arguments) -> #builder {
            #value
        }
    }
}

/// Writes the argument of a required parameter, and the statement that fills it in.
fn filled_in(
    parameter: &Parameter,
    setter: &str,
    api: &Api,
    imports: &mut Imports,
) -> (TokenStream, TokenStream) {
    let name = ident(parameter.name.as_str());
    let wire = &parameter.wire;
    let setter = format_ident!("{setter}");
    match &parameter.ty {
        Type::String => (quote!(impl AsRef<str>), quote!(call.#setter(#wire, #name.as_ref());)),
        ty => {
            let argument = argument(ty, &name, api, imports);
            let value = argument.value;
            (argument.ty, quote!(call.#setter(#wire, &#value);))
        }
    }
}

/// Writes the arguments that the body takes, and the initializer of the request's field `body`.
fn body(
    operation: &Operation,
    api: &Api,
    imports: &mut Imports,
) -> (TokenStream, Option<TokenStream>) {
    match &operation.body {
        Body::None | Body::EmptyObject => (TokenStream::new(), None),
        Body::Fields(id, members) => {
            let definition = api.definition(*id);
            let model = imports.model(definition);
            let Shape::Struct(object) = &definition.shape else {
                return (TokenStream::new(), None);
            };
            let mut arguments = TokenStream::new();
            let mut values = Vec::new();
            for field in object.required() {
                let given = members.iter().find(|member| is_field(object, member.field, field));
                let name = ident(given.map_or(&field.name, |member| &member.name).as_str());
                let ty = argument(&field.ty, &name, api, imports).ty;
                arguments.extend(quote!(, #name: #ty));
                values.push(quote!(#name));
            }
            (arguments, Some(quote!(body: #model::new(#(#values),*))))
        }
        Body::Whole { ty, required: true } => {
            let argument = argument(ty, &ident("body"), api, imports);
            let (ty, value) = (argument.ty, argument.value);
            (
                quote!(, body: #ty),
                Some(if value.to_string() == "body" { quote!(body) } else { quote!(body: #value) }),
            )
        }
        Body::Whole { required: false, .. } => (TokenStream::new(), Some(quote!(body: None))),
    }
}

fn is_field(object: &Struct, index: usize, field: &crate::ir::Field) -> bool {
    object.fields.get(index).is_some_and(|found| found.name == field.name)
}

/// Writes what an operation tells about itself, and how it is called on the wire.
fn documentation(operation: &Operation) -> TokenStream {
    let mut paragraphs: Vec<String> = Vec::new();
    let description = operation.docs.text.clone();
    match (&operation.summary, description) {
        (Some(summary), Some(description))
            if !description.starts_with(summary.trim_end_matches('.')) =>
        {
            let stop = if summary.ends_with(['.', '!', '?']) { "" } else { "." };
            paragraphs.push(format!("{summary}{stop}"));
            paragraphs.push(description);
        }
        (_, Some(description)) => paragraphs.push(description),
        (Some(summary), None) => paragraphs.push(summary.clone()),
        (None, None) => paragraphs.push(format!("Calls the operation `{}`.", operation.id)),
    }
    paragraphs.push(format!(
        "`{} {}`, operation `{}`.",
        operation.http_method.as_str(),
        operation.path,
        operation.id
    ));
    let arguments = argument_docs(operation);
    if !arguments.is_empty() {
        paragraphs.push(format!("# Arguments\n\n{arguments}"));
    }
    docs::attributes(&paragraphs.join("\n\n"), 4)
}

fn argument_docs(operation: &Operation) -> String {
    let path = operation.path_parameters.iter().map(|parameter| (parameter, "path"));
    let query = operation.query_parameters.iter().map(|parameter| (parameter, "query"));
    let header = operation.header_parameters.iter().map(|parameter| (parameter, "header"));
    let required = path.chain(query).chain(header).filter(|(parameter, _)| parameter.required);
    let lines = required.map(|(parameter, place)| match &parameter.docs.text {
        Some(text) => format!("- `{}`: {}\n", parameter.name, text.replace('\n', " ")),
        None => format!("- `{}`: `{}` in the {place}.\n", parameter.name, parameter.wire),
    });
    lines.collect()
}
