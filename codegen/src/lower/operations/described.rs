//! The parameters that an operation and its path item describe, compared with the path template.

use std::collections::HashMap;

use super::Draft;
use crate::diagnostics::{Code, Place, help_for_unknown};
use crate::document::{Document, Kind, Location, ParameterView, Pointer, View, is_token};
use crate::lower::Context;

/// Headers that OpenAPI ignores as parameters (OpenAPI 3.1 §4.8.12.2.1).
const RESERVED_HEADERS: &[&str] = &["accept", "content-type", "authorization"];

/// Headers of the connection and the framing of a message (RFC 9110, sections 6.4.1 and 7.6.1), and the host: the HTTP client
/// sets them, and the runtime refuses others.
const CLIENT_HEADERS: &[&str] = &[
    "connection", "content-length", "host", "keep-alive", "proxy-connection", "te", "trailer",
    "transfer-encoding", "upgrade",
];

/// A parameter of an operation, before it is lowered.
#[derive(Debug)]
pub struct ParameterDraft<'d> {
    pub location: Location,
    pub name: String,
    /// `None` if only the path template has it.
    pub parameter: Option<ParameterView<'d>>,
    pub pointer: Pointer,
}

/// Returns the parameters of an operation and of its path item; those of the path are first, in its order.
pub fn parameters<'d>(draft: &Draft<'d>, context: &Context<'d>) -> Vec<ParameterDraft<'d>> {
    let (all, are_complete) = own_and_shared(draft, context);
    let variables = template_variables(draft.path, context);
    let respelled = check_path_parameters(&all, are_complete, &variables, draft, context);
    let mut described = Vec::with_capacity(all.len());
    for name in variables {
        let written = respelled.get(&name).copied().unwrap_or(&name);
        let has_name = |parameter: &&ParameterView<'_>| {
            parameter.location == Location::Path && parameter.name == written
        };
        let parameter = all.iter().find(has_name).cloned();
        let place = parameter.as_deref().unwrap_or(&draft.operation);
        let pointer = place.pointer.clone();
        described.push(ParameterDraft { location: Location::Path, name, parameter, pointer });
    }
    for parameter in all {
        match parameter.location {
            Location::Path => {}
            Location::Header if RESERVED_HEADERS.contains(&&*parameter.name.to_lowercase()) => {
                report_ignored(&parameter, draft, context);
            }
            Location::Header if CLIENT_HEADERS.contains(&&*parameter.name.to_lowercase()) => {
                let name = parameter.name;
                let message = format!("the HTTP client decides on the header `{name}`");
                context
                    .report(Code::IgnoredParameter, place_in(draft, &parameter), message)
                    .help("the method has no argument for it, because a program cannot set it");
            }
            Location::Header if !is_token(parameter.name) => {}
            _ if is_credential(&parameter, draft, context.document) => {
                let message = format!("`{}` is sent by a credential of the client", parameter.name);
                context
                    .report(Code::CredentialParameter, place_in(draft, &parameter), message)
                    .help("the method has no argument for it: pass the credential to the client");
            }
            location => described.push(ParameterDraft {
                location,
                name: parameter.name.to_owned(),
                pointer: parameter.pointer.clone(),
                parameter: Some(parameter),
            }),
        }
    }
    described
}

/// Warns of a header for credentials that are not described in another way. `Accept` and `Content-Type` follow from the
/// media types.
fn report_ignored(parameter: &ParameterView<'_>, draft: &Draft<'_>, context: &Context<'_>) {
    let is_secured = secured(draft, context.document).is_some_and(|owner| owner.has("security"));
    if is_secured || !parameter.name.eq_ignore_ascii_case("authorization") {
        return;
    }
    let name = parameter.name;
    let message = format!("OpenAPI ignores the header parameter `{name}`, so it is not sent");
    context.report(Code::IgnoredParameter, place_in(draft, parameter), message).help(
        "declare a security scheme by an action of an overlay: `{target: $, update: {components: {securitySchemes: \
         {token: {type: http, scheme: bearer}}}, security: [{token: []}]}}`",
    );
}

/// Returns the operation or the document, whichever has the `security` that applies.
fn secured<'d>(draft: &Draft<'d>, document: &'d Document) -> Option<View<'d>> {
    let owners = [draft.operation.clone(), document.root()];
    owners.into_iter().find(|owner| owner.child("security").is_some())
}

/// Returns whether an API key of the operation, or of a document that requires none, is sent in the place of a parameter.
fn is_credential(parameter: &ParameterView<'_>, draft: &Draft<'_>, document: &Document) -> bool {
    let owner = secured(draft, document);
    let is_needed = |key: &str| {
        owner
            .as_ref()
            .is_none_or(|owner| owner.list("security").any(|set| set.node.get(key).is_some()))
    };
    let is_header = parameter.location == Location::Header;
    let is_same = |name: &str| {
        name == parameter.name || is_header && name.eq_ignore_ascii_case(parameter.name)
    };
    let schemes = document.components("securitySchemes").filter(|(key, _)| is_needed(key));
    schemes.filter_map(|(_, scheme)| scheme.followed()).any(|scheme| {
        scheme.text("type") == Some("apiKey")
            && scheme.text("in") == Some(parameter.location.name())
            && scheme.text("name").is_some_and(is_same)
    })
}

/// Returns the parameters of an operation; its own replace parameters of the path item with the same name and location.
fn own_and_shared<'d>(draft: &Draft<'d>, context: &Context<'d>) -> (Vec<ParameterView<'d>>, bool) {
    let mut own: Vec<ParameterView<'d>> = Vec::new();
    let (of_operation, has_own) = parameters_in(&draft.operation, context);
    for parameter in of_operation {
        let Some(first) = own.iter().find(|first| first.has_same_key(&parameter)) else {
            own.push(parameter);
            continue;
        };
        // The names of headers are case-insensitive (RFC 9110 §5.1), which frameworks forget.
        let is_copy = first.is_same(&parameter) || first.name != parameter.name;
        let code = if is_copy { Code::DuplicateParameter } else { Code::ConflictingParameters };
        let place = place_in(draft, &parameter);
        let message = format!("duplicate parameter `{}`", parameter.name);
        context
            .report(code, place, message)
            .related(Place::value(&first.pointer), "first defined here")
            .help("remove one of the two");
    }
    let (mut all, has_shared) = parameters_in(&draft.item, context);
    all.retain(|shared| !own.iter().any(|own| own.has_same_key(shared)));
    all.extend(own);
    (all, has_own && has_shared)
}

/// Returns the `parameters` of an operation or a path item, and whether all could be read.
fn parameters_in<'d>(owner: &View<'d>, context: &Context<'d>) -> (Vec<ParameterView<'d>>, bool) {
    let views = owner.list("parameters");
    let items = views.filter_map(|view| context.item(&view, Kind::Parameter));
    let read: Vec<_> = items.filter_map(ParameterView::new).collect();
    let written = context.document.tree.at(&owner.pointer.join("parameters"));
    let are_complete = written
        .is_none_or(|list| list.as_array().map_or(list.is_null(), |all| all.len() == read.len()));
    (read, are_complete)
}

/// Returns the variables of a path template; reports unbalanced braces and duplicates.
fn template_variables(template: &str, context: &Context<'_>) -> Vec<String> {
    let mut variables: Vec<String> = Vec::new();
    let place = Place::Key(Pointer::root().join("paths").join(template));
    let mut rest = template;
    while let Some((_, after)) = rest.split_once('{') {
        let Some((variable, after)) = after.split_once('}') else {
            let help = "close the brace, or write `%7B` for the character itself";
            context.report(Code::PathTemplate, place, "a `{` of the path has no `}`").help(help);
            break;
        };
        if variables.iter().any(|earlier| earlier == variable) {
            let message = format!("`{{{variable}}}` occurs twice in the path");
            let help = "give each path parameter its own name (OpenAPI 3.1 §4.8.8)";
            context.report(Code::PathTemplate, place.clone(), message).help(help);
        } else {
            variables.push(variable.to_owned());
        }
        rest = after;
    }
    variables
}

/// Reports path parameters that the template lacks, and variables of the template without a parameter, unless one cannot
/// be read. Returns the parameters that match a variable except for case and signs.
fn check_path_parameters<'d>(
    described: &[ParameterView<'d>],
    are_complete: bool,
    variables: &[String],
    draft: &Draft<'_>,
    context: &Context<'_>,
) -> HashMap<String, &'d str> {
    let mut respelled = HashMap::new();
    let in_path = || described.iter().filter(|parameter| parameter.location == Location::Path);
    let mut undescribed: Vec<&str> = variables
        .iter()
        .map(String::as_str)
        .filter(|variable| !in_path().any(|parameter| parameter.name == *variable))
        .collect();
    for parameter in in_path() {
        let name = parameter.name;
        if variables.iter().any(|variable| variable == name) {
            continue;
        }
        let place = place_in(draft, parameter);
        let same = undescribed.iter().position(|variable| words(variable) == words(name));
        if let Some(variable) = same.map(|index| undescribed.remove(index)) {
            let message = format!("the path has `{{{variable}}}`, not `{{{name}}}`");
            let help = format!("`{name}` is read as `{variable}`: give both the same name");
            context.report(Code::PathParameter, place, message).help(help);
            respelled.insert(variable.to_owned(), name);
            continue;
        }
        let intended = context.diagnostics().spelling().closest(name, undescribed.iter().copied());
        let message = format!("the path has no `{{{name}}}`; the parameter is ignored");
        let otherwise = format!("put `{{{name}}}` into the path, or remove the parameter");
        let help = help_for_unknown(intended, &otherwise);
        context.report(Code::PathParameter, place, message).help(help);
    }
    for variable in undescribed.into_iter().filter(|_| are_complete) {
        let place = Place::key(&draft.operation.pointer);
        let message =
            format!("`{{{variable}}}` of the path has no parameter; it is treated as a string");
        let help = format!(
            "add `{{name: {variable}, in: path, required: true, schema: {{type: string}}}}` to the parameters"
        );
        context.report(Code::PathParameter, place, message).help(help);
    }
    respelled
}

/// Returns a name without its case, the separators of its words, and the signs by which routers match more or less than
/// a segment: `{path+}`, `{*path}`, `{path...}`, `{path:.*}`.
fn words(name: &str) -> String {
    let name = name.split_once(':').map_or(name, |(name, _)| name);
    name.chars().filter(|char| char.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns the place of an error in the use of a parameter, which other operations may use correctly.
fn place_in(draft: &Draft<'_>, parameter: &ParameterView<'_>) -> Place {
    let is_own = parameter.pointer.and_outer().any(|place| *place == draft.item.pointer);
    if is_own { Place::value(&parameter.pointer) } else { Place::key(&draft.operation.pointer) }
}
