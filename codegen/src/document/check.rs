//! Checks over a whole document. Each rule is one function, and only warns.

use std::collections::{HashMap, HashSet};

use super::Parts;
use super::keys::is_extension;
use super::references::{mapped, targets};
use super::view::{Document, View};
use crate::diagnostics::{Code, Diagnostics, Place, listed};
use crate::source_map::Pointer;

/// The sections of `components` that operations refer to and that have no types, each with the noun for one of its components.
const SECTIONS: [(&str, &str, &str); 5] = [
    ("responses", "response", "responses"),
    ("parameters", "parameter", "parameters"),
    ("requestBodies", "request body", "request bodies"),
    ("headers", "header", "headers"),
    ("pathItems", "path item", "path items"),
];

/// Reports warnings that depend on the whole document. An omitted element could make others seem unused, so this comes
/// last, for documents without errors.
pub(crate) fn check(document: &Document, diagnostics: &mut Diagnostics) {
    misspelled_tags(document, diagnostics);
    doubled_ids(document, diagnostics);
    similar_paths(document, diagnostics);
    illegal_keys(document, diagnostics);
    exclusive_types(document, diagnostics);
    dangling_references(document, diagnostics);
    unused_components(document, diagnostics);
}

/// Warns of tags that are probably misspelled, which begin another handle. Others need not be declared (OpenAPI 3.1.1
/// §4.8.1.1).
fn misspelled_tags(document: &Document, diagnostics: &mut Diagnostics) {
    let root = document.root();
    let declared: HashSet<&str> = root.list("tags").filter_map(|tag| tag.text("name")).collect();
    for view in document.operations().flat_map(|operation| operation.list("tags")) {
        let Some(tag) = view.node.as_str().filter(|tag| !declared.contains(tag)) else { continue };
        if let Some(meant) = diagnostics.spelling().closest(tag, declared.iter().copied()) {
            let message = format!("the tag `{tag}` is not declared");
            let help = format!("did you mean `{meant}`?");
            diagnostics.report(Code::UndeclaredTag, Place::Value(view.pointer), message).help(help);
        }
    }
}

/// Warns of an `operationId` that several operations have (OpenAPI 3.1.1 §4.8.10.1). Their methods are distinguished by
/// verb and path.
fn doubled_ids(document: &Document, diagnostics: &mut Diagnostics) {
    let mut first: HashMap<&str, Pointer> = HashMap::new();
    for operation in document.operations() {
        let Some(id) = operation.text("operationId") else { continue };
        let Some(earlier) = first.get(id) else {
            first.insert(id, operation.pointer);
            continue;
        };
        if *earlier != operation.pointer {
            let message = format!("the `operationId` `{id}` is not unique");
            diagnostics
                .report(Code::DuplicateOperationId, Place::Value(operation.pointer.join("operationId")), message)
                .related(Place::Value(earlier.join("operationId")), "first used here")
                .help(
                    "give each operation its own ID, or remove it: the method is then named after verb and path",
                );
        }
    }
}

/// Warns of operations whose paths differ only in the names of their variables: a server cannot distinguish them (OpenAPI
/// 3.1.1 §4.8.8).
fn similar_paths(document: &Document, diagnostics: &mut Diagnostics) {
    let mut first: HashMap<String, &str> = HashMap::new();
    let paths = Pointer::root().join("paths");
    let items = document.root().map("paths");
    let items = items.filter_map(|(path, item)| Some((path, item.followed()?)));
    for (path, method) in
        items.flat_map(|(path, item)| item.operations().map(move |(method, _)| (path, method)))
    {
        let parts = path.split('{').enumerate().map(|(index, part)| match index {
            0 => part,
            _ => part.split_once('}').map_or("", |(_, rest)| rest),
        });
        let without_names = format!("{method} {}", parts.collect::<Vec<_>>().join("{"));
        let Some(earlier) = first.insert(without_names, path) else { continue };
        let message = format!("a server cannot distinguish the paths `{path}` and `{earlier}`");
        diagnostics
            .report(Code::SimilarPaths, Place::Key(paths.join(path)), message)
            .related(Place::Key(paths.join(earlier)), "the other one")
            .help("describe the operations of both under one path");
    }
}

/// Warns of keys of components that OpenAPI does not allow (OpenAPI 3.1.1 §4.8.7.1).
fn illegal_keys(document: &Document, diagnostics: &mut Diagnostics) {
    let sections = document.root().map("components").filter(|(name, _)| !is_extension(name));
    for (key, component) in sections.flat_map(|(_, section)| View::members(section)) {
        if key.is_empty()
            || key.contains(|c: char| !c.is_ascii_alphanumeric() && !".-_".contains(c))
        {
            let (place, message) =
                (Place::Key(component.pointer), "this is not a valid key of a component");
            diagnostics
                .report(Code::ComponentKey, place, message)
                .help("keys of components may contain only letters, digits, `.`, `-` and `_`");
        }
    }
}

/// Warns of an `allOf` whose parts have contradictory types, or a property with contradictory types.
fn exclusive_types(document: &Document, diagnostics: &mut Diagnostics) {
    for schema in document.descriptions() {
        let branches = ["oneOf", "anyOf"].into_iter().flat_map(|keyword| schema.list(keyword));
        let mut branches = branches.map(|branch| branch.clone().followed().unwrap_or(branch));
        if let Some(ty) = schema.text("type")
            && let Some((excluded, branch)) = branches.find_map(|branch| {
                let excluded =
                    branch.text("type").filter(|it| *it != "null" && !share_values(it, ty))?;
                Some((excluded, branch))
            })
        {
            let message = format!("the type `{ty}` excludes an alternative of type `{excluded}`");
            diagnostics
                .report(Code::ExclusiveTypes, Place::Value(schema.pointer.join("type")), message)
                .related(Place::Value(branch.pointer.join("type")), format!("`{excluded}` here"))
                .help("remove the type: the alternatives have their own");
        }
        let mut types: HashMap<Option<&str>, (&str, Pointer)> = HashMap::new();
        let parts = schema.list("allOf").map(|part| part.clone().followed().unwrap_or(part));
        let has_own = ["type", "properties", "allOf"].iter().any(|key| schema.get(key).is_some());
        let target = schema.reference().filter(|_| has_own);
        let target = target.and_then(|_| schema.clone().followed());
        let mut parts = parts.chain(target).peekable();
        let own = parts.peek().is_some().then(|| schema.clone());
        for part in parts.chain(own) {
            let properties = part.map("properties").map(|(name, property)| (Some(name), property));
            for (name, view) in properties.chain([(None, part)]) {
                let Some(ty) = view.text("type") else { continue };
                let place = view.pointer.join("type");
                let (earlier, first) = types.entry(name).or_insert_with(|| (ty, place.clone()));
                if share_values(earlier, ty) {
                    continue;
                }
                let what =
                    name.map_or("a value".to_owned(), |name| format!("the property `{name}`"));
                let message = format!("{what} cannot be both of type `{earlier}` and `{ty}`");
                diagnostics
                    .report(Code::ExclusiveTypes, Place::Value(place), message)
                    .related(Place::value(first), format!("`{earlier}` here"))
                    .help("use the same type in both: values have both schemas");
            }
        }
    }
}

/// Warns of unresolved references in what is not generated, such as branches of an untyped `oneOf`, and callbacks.
fn dangling_references(document: &Document, diagnostics: &mut Diagnostics) {
    for view in document.descriptions() {
        if let Some(target) = view.reference().and_then(Pointer::from_reference)
            && target.file().is_none()
            && document.tree.at(&target).is_none()
        {
            let message = format!("`#{target}` does not exist");
            diagnostics
                .report(Code::UnreadRef, Place::Value(view.pointer.join("$ref")), message)
                .help("correct the reference, or add the missing component");
        }
        let discriminator = view.child("discriminator");
        for (_, value) in discriminator.iter().flat_map(|parts| parts.map("mapping")) {
            let Some(text) = value.node.as_str() else { continue };
            if mapped(value.node).and_then(|target| document.tree.at(&target)).is_none() {
                let message = format!("the mapping refers to `{text}`, which does not exist");
                diagnostics
                    .report(Code::UnreadRef, Place::Value(value.pointer), message)
                    .help("write the name of a schema in `components`, or a reference to one");
            }
        }
    }
}

/// Returns whether a value can be of both types.
fn share_values(one: &str, other: &str) -> bool {
    let numbers = ["integer", "number"];
    one == other || numbers.contains(&one) && numbers.contains(&other)
}

/// Returns whether a text is a token (RFC 9110, section 5.6.2): the name of a header, a cookie or an HTTP scheme.
pub fn is_token(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c))
}

/// Warns of components that no operation uses, once for each section. A document without operations is a library.
fn unused_components(document: &Document, diagnostics: &mut Diagnostics) {
    if document.operations().next().is_none() {
        return;
    }
    let webhooks = document.tree.root.get("webhooks").map(targets).unwrap_or_default();
    let used = Parts::new(&document.tree).needed_by(webhooks);
    for (section, one, many) in SECTIONS {
        let components = document.components(section);
        let unused: Vec<_> = components.filter(|(_, view)| !used.contains(&view.pointer)).collect();
        let Some((_, first)) = unused.first() else { continue };
        let what = if unused.len() == 1 { one } else { many };
        let keys: Vec<&str> = unused.iter().map(|(key, _)| *key).collect();
        let message = format!("no operation uses the {what} {}", listed(&keys));
        diagnostics
            .report(Code::UnusedComponent, Place::key(&first.pointer), message)
            .help("remove the component, or refer to it");
    }
}
