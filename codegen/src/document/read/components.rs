//! The `components` object.

use super::{Object, Reader, body, operation, parameter, schema, security};
use crate::document::{Components, Node, Pointer, RefOr, Version};

pub(super) fn components(node: &Node, pointer: Pointer, reader: &mut Reader<'_>) -> Components {
    let Some(mut object) = Object::open(node, pointer, "`components`", reader) else {
        return Components::default();
    };
    let schemas = object.map("schemas", reader);
    let components = Components {
        schemas: schemas
            .into_iter()
            .map(|(key, node, at)| (key.to_owned(), schema::schema(node, at, reader)))
            .collect(),
        responses: section(&mut object, "responses", body::response, reader),
        parameters: section(&mut object, "parameters", parameter::parameter, reader),
        request_bodies: section(&mut object, "requestBodies", body::request_body, reader),
        path_items: section(&mut object, "pathItems", operation::path_item, reader),
    };
    section(&mut object, "headers", parameter::header, reader);
    section(&mut object, "securitySchemes", security::scheme, reader);
    object.accept(&["examples"]);
    object.unread("links", "nothing is generated for links", reader);
    object.unread("callbacks", "nothing is generated for callbacks", reader);
    if reader.version == Version::V3_2 {
        object.unread("mediaTypes", "write the media types where they are used", reader);
    }
    object.close(reader);
    components
}

fn section<T>(
    object: &mut Object<'_>,
    name: &'static str,
    read: fn(&Node, Pointer, &mut Reader<'_>) -> Option<T>,
    reader: &mut Reader<'_>,
) -> Vec<(String, RefOr<T>)> {
    let members = object.map(name, reader);
    members
        .into_iter()
        .filter_map(|(key, node, pointer)| {
            Some((key.to_owned(), reader.ref_or(node, pointer, read)?))
        })
        .collect()
}
