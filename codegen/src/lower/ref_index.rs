//! The targets of `$ref`s other than schemas, by their place in the document.

use std::collections::HashMap;

use crate::document::{Document, Parameter, PathItem, Pointer, RefOr, RequestBody, Response};

/// Items of one kind, by place.
pub type Section<'d, T> = HashMap<&'d Pointer, &'d T>;

/// Everything but schemas that a `$ref` can name, under `components` or elsewhere in the document.
#[derive(Debug)]
pub struct RefIndex<'d> {
    pub path_items: Section<'d, PathItem>,
    pub parameters: Section<'d, RefOr<Parameter>>,
    pub bodies: Section<'d, RefOr<RequestBody>>,
    pub responses: Section<'d, RefOr<Response>>,
}

impl<'d> RefIndex<'d> {
    /// Indexes a document.
    pub fn of(document: &'d Document) -> Self {
        let (components, paths) = (&document.openapi.components, &document.openapi.paths);
        let path_items = components.path_items.iter().chain(paths).map(second);
        let parameters = components.parameters.iter().map(second);
        let parameters = parameters
            .chain(paths.iter().flat_map(|(_, item)| &item.parameters))
            .chain(document.operations().flat_map(|operation| &operation.parameters));
        let bodies =
            components.request_bodies.iter().map(second).chain(
                document.operations().filter_map(|operation| operation.request_body.as_ref()),
            );
        let responses = components.responses.iter().map(second).chain(
            document.operations().flat_map(|operation| operation.responses.iter().map(second)),
        );
        Self {
            path_items: path_items.map(|item| (&item.pointer, item)).collect(),
            parameters: by_place(parameters, |parameter| &parameter.pointer),
            bodies: by_place(bodies, |body| &body.pointer),
            responses: by_place(responses, |response| &response.pointer),
        }
    }
}

fn second<A, B>(pair: &(A, B)) -> &B {
    &pair.1
}

fn by_place<'d, T>(
    all: impl Iterator<Item = &'d RefOr<T>>,
    pointer_of: impl Fn(&'d T) -> &'d Pointer,
) -> Section<'d, RefOr<T>> {
    let place = |found: &'d RefOr<T>| match found {
        RefOr::Item(item) => pointer_of(item),
        RefOr::Ref(reference) => &reference.pointer,
    };
    all.map(|found| (place(found), found)).collect()
}
