//! The files of the resources: a handle with a method for each operation, and the requests that the methods return.

use std::collections::BTreeMap;

use super::examples::Example;
use super::requests;
use crate::emit::Emitted;
use crate::emit::rust::arguments::{Argument, sent};
use crate::emit::rust::attributes::Attributes;
use crate::emit::rust::docs::{Doc, Inline, text};
use crate::emit::rust::page::Page;
use crate::emit::rust::print;
use crate::emit::rust::renamed;
use crate::ir::{Api, Body, Location, ModuleName, Operation, Resource};

/// Writes the file of every resource, and the module that holds them.
pub fn files(api: &Api, library: &str) -> Vec<Emitted> {
    let files = api.resources.iter().map(|resource| file(resource, api, library));
    let renamed = modules(api).into_iter().filter(|(_, resource)| resource.is_none());
    let renamed = renamed.map(|(name, _)| {
        let documentation = Doc::from(text!("The old names of what is renamed."));
        let old_names = renamed::types(&format!("resources::{name}"), api);
        let items = [documentation.inner(), old_names];
        let path = format!("src/resources/{}.rs", name.bare());
        print::file(path, "rust/renamed.rs", items)
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
    let declaration = |(name, resource)| {
        let mut text = String::new();
        Attributes::default().condition(resource).push_to("", &mut text);
        text + &format!("pub mod {name};\n")
    };
    let items = [
        documentation.inner(),
        modules(api).into_iter().map(declaration).collect(),
        // With its root, because a resource can be called `runtime`.
        "::runtime::internal::requests!();\n".to_owned(),
    ];
    print::file("src/resources/mod.rs".to_owned(), "operations/resources.rs", items)
}

fn file(resource: &Resource, api: &Api, library: &str) -> Emitted {
    let mut own: Vec<_> = resource.operations.iter().map(|operation| &operation.builder).collect();
    own.push(&resource.name);
    let mut page = Page::new(api, own);
    let mut items = vec![handle(resource), methods(resource, library, &mut page)];
    for operation in &resource.operations {
        items.extend(requests::items(resource, operation, &mut page));
    }
    items.push(requests::operations(resource));
    items.push(renamed::types(&format!("resources::{}", resource.module), api));
    let documentation =
        Doc::from(text!("[`{}`], and the requests that its methods return.", resource.name));
    let head = [documentation.inner(), "use runtime::internal;\n".to_owned(), page.declarations()];
    let path = format!("src/resources/{}.rs", resource.module.bare());
    let items = head.into_iter().chain(items);
    print::file(path, "operations/resources.rs, requests.rs", items)
}

fn handle(resource: &Resource) -> String {
    let accessor = &resource.accessor;
    let documentation = about(resource).paragraph(text!(
        "Returned by [`Client::{}`](crate::Client::{}).",
        accessor,
        accessor
    ));
    let field = print::field(&Attributes::default(), "client: runtime::Client,");
    let attributes = documentation.attributes(0).and("derive(Clone, Debug)");
    print::block(&attributes, &format!("pub struct {}", resource.name), &[field])
}

fn methods(resource: &Resource, library: &str, page: &mut Page<'_>) -> String {
    let new = print::function(
        &Attributes::default().and("inline"),
        "pub(crate) fn new(client: &runtime::Client) -> Self",
        &["Self { client: client.clone() }"],
    );
    let methods =
        resource.operations.iter().flat_map(|operation| method(resource, operation, library, page));
    let methods: Vec<String> = [new].into_iter().chain(methods).collect();
    print::implementation(&format!("impl {}", resource.name), &methods)
}

/// Writes the method of an operation. It has no variables, so that an argument can have any name.
fn method(
    resource: &Resource,
    operation: &Operation,
    library: &str,
    page: &mut Page<'_>,
) -> Vec<String> {
    let documentation = documentation(operation)
        .heading("Example")
        .program(Example { resource, operation, api: page.api }.program(library))
        .attributes(4);
    let (name, builder) = (&operation.method_name, &operation.builder);
    let mut arguments = String::new();
    let mut call = format!("internal::call::<operation::{builder}>(&self.client)");
    for parameter in operation.parameters.iter().filter(|parameter| parameter.required) {
        let name = &parameter.name;
        let (ty, send) = sent(parameter, "", name, page);
        arguments.extend([", ", name.as_str(), ": ", &ty]);
        call.extend([".", &send]);
    }
    let (more_arguments, body) = body(operation, page);
    let own =
        documentation.clone().deprecated(&operation.docs).alias(&operation.alias, name.bare());
    let owner = format!("resources::{}::{}", resource.module, resource.name);
    renamed::methods(&owner, name.as_str(), &documentation, own, page.api, |name, attributes| {
        let signature = format!("pub fn {name}(&self{arguments}{more_arguments}) -> {builder}");
        let request = format!("{builder} {{\n    call: {call},\n    {body},\n}}");
        print::function(&attributes.and("inline"), &signature, &[&request])
    })
}

/// Writes the arguments of the body, and the initializer of the request's field `body`.
fn body(operation: &Operation, page: &mut Page<'_>) -> (String, String) {
    match &operation.body {
        Body::None | Body::EmptyObject => (String::new(), "body: ()".to_owned()),
        Body::Fields(id, members) => {
            let model = page.model(id.type_id());
            let (mut arguments, mut values) = (String::new(), Vec::new());
            for (name, field) in page.api.given(*id, members).filter(|(_, field)| field.required) {
                let ty = Argument::of(&field.ty, name, page).ty;
                arguments.extend([", ", name.as_str(), ": ", &ty]);
                values.push(name.as_str());
            }
            (arguments, format!("body: {model}::new({})", values.join(", ")))
        }
        Body::Whole { ty, required: true } => {
            let Argument { ty, value, is_generic } = Argument::of(ty, "body", page);
            let init = if is_generic { format!("body: {value}") } else { value };
            (format!(", body: {ty}"), init)
        }
        Body::Whole { required: false, .. } => (String::new(), "body: None".to_owned()),
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
