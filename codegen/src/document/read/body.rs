//! Request bodies, responses and media types.

use super::{Object, Reader, media_type, parameter, schema};
use crate::diagnostics::Place;
use crate::document::{MediaType, Node, Pointer, RequestBody, Response, Version};

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
    let content = content(&mut object, reader);
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
    let content = content(&mut object, reader);
    object.unread("links", "nothing is generated for links", reader);
    if reader.version == Version::V3_2 {
        object.accept(&["summary"]);
    }
    object.close(reader);
    Some(Response { pointer: object.pointer, content })
}

/// Reads the `content` of a body, a response or a parameter.
pub(super) fn content(object: &mut Object<'_>, reader: &mut Reader<'_>) -> Vec<MediaType> {
    let referenced = object.field("content").and_then(|(node, _)| reader.referenced(node));
    let media_types = match referenced {
        Some((node, pointer)) => members(node, &pointer),
        None => object.map("content", reader),
    };
    media_types
        .into_iter()
        .filter_map(|(name, node, pointer)| media_type(name, node, pointer, reader))
        .collect()
}

fn members<'n>(node: &'n Node, pointer: &Pointer) -> Vec<(&'n str, &'n Node, Pointer)> {
    let members = node.as_object().unwrap_or_default();
    members.iter().map(|(key, node)| (key.as_str(), node, pointer.join(key))).collect()
}

fn media_type(
    name: &str,
    node: &Node,
    pointer: Pointer,
    reader: &mut Reader<'_>,
) -> Option<MediaType> {
    media_type::check(name, &pointer, reader);
    let (node, pointer) = reader.referenced(node).unwrap_or((node, pointer));
    let mut object = Object::open(node, pointer, "a media type", reader)?;
    let schema =
        object.field("schema").map(|(node, pointer)| schema::schema(node, pointer, reader));
    object.accept(&["encoding", "example", "examples"]);
    object.exclusive("example", "examples", reader);
    if reader.version == Version::V3_2 {
        for name in ["itemSchema", "itemEncoding", "prefixEncoding"] {
            object.unread(name, "the items of a stream have no type", reader);
        }
    }
    object.close(reader);
    Some(MediaType { pointer: object.pointer, name: name.to_owned(), schema })
}
