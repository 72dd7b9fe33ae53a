//! A request: its setters, and its conversion into a call.

use crate::emit::rust::arguments::sent;
use crate::emit::rust::attributes::Attributes;
use crate::emit::rust::docs::{Doc, Inline, text};
use crate::emit::rust::page::Page;
use crate::emit::rust::print;
use crate::emit::rust::renamed;
use crate::emit::rust::types::plain;
use crate::emit::types::fields;
use crate::ir::{
    Body, Field, FieldName, Operation, Output, PageToken, Paging, Parameter, Resource,
};

/// Writes the request of an operation.
pub fn items(resource: &Resource, operation: &Operation, page: &mut Page<'_>) -> Vec<String> {
    let mut items = vec![
        definition(resource, operation),
        setters(resource, operation, page),
        endpoint(operation, page),
    ];
    if let Some(paging) = &operation.paging {
        items.push(paged(operation, paging, page));
        if paging.token.is_some() {
            let name = &operation.builder;
            items.push(format!("impl internal::TakesPageToken for operation::{name} {{}}\n"));
        }
    }
    items
}

/// Writes the types that name the operations.
pub fn operations(resource: &Resource) -> String {
    let names = resource.operations.iter().map(|operation| &operation.builder);
    let types: Vec<String> = names.map(|name| format!("    pub struct {name};\n")).collect();
    let attributes = Attributes::default().text("/// The operations, as types.\n");
    print::block(&attributes.and("doc(hidden)"), "pub mod operation", &types)
}

fn definition(resource: &Resource, operation: &Operation) -> String {
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
    let code = format!("pub type {name} = super::Request<operation::{name}>;");
    print::item(&documentation.attributes(0), &code)
}

/// Returns the type of the request's body.
fn body_type(operation: &Operation, page: &mut Page<'_>) -> String {
    match &operation.body {
        Body::None | Body::EmptyObject => "()".to_owned(),
        Body::Fields(id, _) => page.model(id.type_id()),
        Body::Whole { ty, required: true } => plain(ty, page),
        Body::Whole { ty, required: false } => format!("Option<{}>", plain(ty, page)),
    }
}

fn setters(resource: &Resource, operation: &Operation, page: &mut Page<'_>) -> String {
    let owner = format!("resources::{}::{}", resource.module, operation.builder);
    let optional = operation.parameters.iter().filter(|parameter| !parameter.required);
    let mut setters: Vec<String> =
        optional.flat_map(|parameter| parameter_setter(&owner, parameter, page)).collect();
    match &operation.body {
        Body::Fields(id, members) => {
            let optional = page.api.given(*id, members).filter(|(_, field)| !field.required);
            setters
                .extend(optional.flat_map(|(name, field)| body_setter(&owner, name, field, page)));
            let model = page.model(id.type_id());
            let attributes = Attributes::default().text(BODY).and("inline");
            let signature = format!("pub fn body(mut self, value: {model}) -> Self");
            setters.push(print::function(&attributes, &signature, &["self.body = value;", "self"]));
        }
        Body::Whole { ty, required: false } => {
            let taken = fields::taken(ty, page);
            let statement = format!("self.body = Some({});", taken.argument.value);
            let attributes = Doc::from(text!("Sends this body.")).attributes(4);
            setters.push(fields::setter_of("body", &taken, attributes, &statement));
        }
        Body::None | Body::EmptyObject | Body::Whole { .. } => {}
    }
    print::implementation(&format!("impl {}", operation.builder), &setters)
}

const BODY: &str = "\
/// Sends this body, in place of all arguments and setters of its properties so far.
";

fn parameter_setter(owner: &str, parameter: &Parameter, page: &mut Page<'_>) -> Vec<String> {
    let (name, wire) = (&parameter.name, &parameter.wire);
    let documentation = Doc::of(&parameter.docs, || text!("The parameter {}.", Inline::code(wire)));
    let documentation = documentation.attributes(4);
    let own = documentation.clone().deprecated(&parameter.docs).alias(wire, name.bare());
    let (ty, call) = sent(parameter, "set_", "value", page);
    renamed::methods(owner, name.as_str(), &documentation, own, page.api, |name, attributes| {
        let signature = format!("pub fn {name}(mut self, value: {ty}) -> Self");
        let body = [&format!("self.call.{call};"), "self"];
        print::function(&attributes.and("inline"), &signature, &body)
    })
}

fn body_setter(owner: &str, name: &FieldName, field: &Field, page: &mut Page<'_>) -> Vec<String> {
    let documentation = fields::documentation(field, true).attributes(4);
    let own = fields::aliased(documentation.clone().deprecated(&field.docs), field, name);
    let target = format!("body.{}", field.name);
    let taken = fields::taken(&field.ty, page);
    renamed::methods(owner, name.as_str(), &documentation, own, page.api, |name, attributes| {
        fields::setter(field, name, &target, &taken, attributes)
    })
}

fn endpoint(operation: &Operation, page: &mut Page<'_>) -> String {
    let Operation { id, path, builder, http_method, .. } = operation;
    let body = body_type(operation, page);
    let output = match &operation.output {
        Output::Nothing | Output::EmptyObject => "()".to_owned(),
        Output::Json(ty) => plain(ty, page),
    };
    let payload = match &operation.body {
        Body::None => "",
        Body::EmptyObject => ".empty_object()",
        Body::Fields(..) | Body::Whole { required: true, .. } => ".json(body)",
        Body::Whole { required: false, .. } => ".optional_json(body.as_ref())",
    };
    let ignored =
        if matches!(operation.output, Output::Nothing) { ".ignore_response()" } else { "" };
    let argument = match operation.body {
        Body::None | Body::EmptyObject => "_body",
        Body::Fields(..) | Body::Whole { .. } => "body",
    };
    let none = Attributes::default();
    let constants = [
        print::associated(&none, &format!("type Body = {body};")),
        print::associated(&none, &format!("type Output = {output};")),
        format!(
            "    const OPERATION: &'static internal::Operation = &internal::Operation {{\n        id: {id:?},\n        \
             method: internal::Method::{http_method},\n        path: {path:?},\n    }};\n"
        ),
    ];
    let mut members = vec![constants.concat()];
    if !(payload.is_empty() && ignored.is_empty()) {
        members.push(print::function(
            &none.and("inline"),
            &format!("fn encode(call: internal::Call, {argument}: &Self::Body) -> internal::Call"),
            &[&format!("call{payload}{ignored}")],
        ));
    }
    print::implementation(&format!("impl internal::Endpoint for operation::{builder}"), &members)
}

fn paged(operation: &Operation, paging: &Paging, page: &mut Page<'_>) -> String {
    let item = plain(&paging.item, page);
    let inline = |signature: &str, body: &str| {
        print::function(&Attributes::default().and("inline"), signature, &[body])
    };
    let item_type = format!("type Item = {item};");
    let mut members = vec![print::associated(&Attributes::default(), &item_type)];
    members.extend(paging.token.as_ref().map(|token| {
        let (call, body, statement) = match token {
            PageToken::Query(parameter) => {
                ("call", "_body", format!("call.set_query({parameter:?}, token);"))
            }
            PageToken::Body(field) => {
                ("_call", "body", format!("body.{field} = Some(token.to_owned());"))
            }
        };
        let signature = format!(
            "fn set_page_token({call}: &mut internal::Call, {body}: &mut Self::Body, token: &str)"
        );
        inline(&signature, &statement)
    }));
    let (token, list) = (&paging.next_token, &paging.items);
    let next = if paging.next_token_required {
        format!("Some(&page.{token})")
    } else {
        format!("page.{token}.as_deref()")
    };
    let items = if paging.items_required { "" } else { ".unwrap_or_default()" };
    members.push(inline("fn next_page_token(page: &Self::Output) -> Option<&str>", &next));
    let into_items = format!("fn into_items(page: Self::Output) -> Vec<{item}>");
    members.push(inline(&into_items, &format!("page.{list}{items}")));
    let name = &operation.builder;
    print::implementation(&format!("impl internal::PagedEndpoint for operation::{name}"), &members)
}
