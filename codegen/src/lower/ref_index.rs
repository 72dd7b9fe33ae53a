//! The targets of `$ref`s other than schemas, by their place in the document.

use std::collections::HashMap;

use crate::document::{Document, Parameter, PathItem, Pointer, RefOr, RequestBody, Response};

/// Items of one kind, by place.
pub type Section<'d, T> = HashMap<Pointer, &'d T>;

/// Everything but schemas that a `$ref` can name, under `components` or in a path.
#[derive(Debug)]
pub struct RefIndex<'d> {
    pub path_items: Section<'d, RefOr<PathItem>>,
    pub parameters: Section<'d, RefOr<Parameter>>,
    pub bodies: Section<'d, RefOr<RequestBody>>,
    pub responses: Section<'d, RefOr<Response>>,
}

impl<'d> RefIndex<'d> {
    /// Indexes a document.
    pub fn of(document: &'d Document) -> Self {
        let (components, paths) = (&document.openapi.components, &document.openapi.paths);
        let operations = || document.operations();
        let parameters = paths
            .iter()
            .filter_map(|(_, item)| item.item())
            .flat_map(|item| &item.parameters)
            .chain(operations().flat_map(|operation| &operation.parameters))
            .map(|parameter| (place(parameter, |parameter| &parameter.pointer), parameter));
        let bodies = operations()
            .filter_map(|operation| operation.request_body.as_ref())
            .map(|body| (place(body, |body| &body.pointer), body));
        let responses = operations()
            .flat_map(|operation| operation.responses.iter().map(|(_, response)| response))
            .map(|response| (place(response, |response| &response.pointer), response));
        let root = Pointer::root().join("components");
        let paths = members(Pointer::root().join("paths"), paths);
        Self {
            path_items: members(root.join("pathItems"), &components.path_items)
                .chain(paths)
                .collect(),
            parameters: members(root.join("parameters"), &components.parameters)
                .chain(parameters)
                .collect(),
            bodies: members(root.join("requestBodies"), &components.request_bodies)
                .chain(bodies)
                .collect(),
            responses: members(root.join("responses"), &components.responses)
                .chain(responses)
                .collect(),
        }
    }
}

/// Returns the members of an object by place; what one refers to may be written elsewhere.
fn members<T>(pointer: Pointer, members: &[(String, T)]) -> impl Iterator<Item = (Pointer, &T)> {
    members.iter().map(move |(key, member)| (pointer.join(key), member))
}

fn place<'d, T>(found: &'d RefOr<T>, pointer_of: impl Fn(&'d T) -> &'d Pointer) -> Pointer {
    match found {
        RefOr::Item(item) => pointer_of(item).clone(),
        RefOr::Ref(reference) => reference.pointer.clone(),
    }
}
