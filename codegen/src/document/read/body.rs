//! Request bodies and responses.

use super::{Object, Reader, media_type, parameter};
use crate::diagnostics::Place;
use crate::document::{Node, Pointer, RequestBody, Response, Version};

pub(super) fn request_body(
    node: &Node,
    pointer: Pointer,
    reader: &mut Reader<'_>,
) -> Option<RequestBody> {
    let mut object = Object::open(node, pointer, "a request body", reader)?;
    if !object.has("content") {
        object.missing(
            "content",
            "name the media type and its schema, under `application/json` for example",
            reader,
        );
    }
    object.accept(&["description"]);
    let required = object.flag("required", reader);
    let content = media_type::content(&mut object, reader);
    object.close(reader);
    Some(RequestBody { pointer: object.pointer, required, content })
}

pub(super) fn response(node: &Node, pointer: Pointer, reader: &mut Reader<'_>) -> Option<Response> {
    let mut object = Object::open(node, pointer, "a response", reader)?;
    if !object.has("description") && reader.version != Version::V3_2 {
        reader
            .diagnostics
            .warning(
                "missing-field",
                Place::key(&object.pointer),
                "a response needs the field `description`",
            )
            .help("describe in a sentence when the response is sent");
    }
    object.accept(&["description"]);
    for (_, node, pointer) in object.map("headers", reader) {
        parameter::response_header(node, pointer, reader);
    }
    let content = media_type::content(&mut object, reader);
    object.unread("links", "nothing is generated for links", reader);
    if reader.version == Version::V3_2 {
        object.accept(&["summary"]);
    }
    object.close(reader);
    Some(Response { pointer: object.pointer, content })
}
