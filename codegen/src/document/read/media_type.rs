//! Media types, and their names.

use super::{Object, Reader, schema};
use crate::diagnostics::Place;
use crate::document::{MediaType, Node, Pointer, Version};

/// The registered top-level types (RFC 6838 §4.2), and `*` of ranges.
const TYPES: [&str; 12] = [
    "application",
    "audio",
    "example",
    "font",
    "haptics",
    "image",
    "message",
    "model",
    "multipart",
    "text",
    "video",
    "*",
];

/// The media types that bodies usually have.
const USUAL: [&str; 6] = [
    "application/json",
    "application/octet-stream",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "text/event-stream",
    "text/plain",
];

/// Media types that resemble a usual one, and are others.
const OTHERS: [&str; 4] =
    ["application/bson", "application/jsonl", "application/ndjson", "application/x-json"];

/// Reads the `content` of a body, a response or a parameter.
pub(super) fn content(object: &mut Object<'_>, reader: &mut Reader<'_>) -> Vec<MediaType> {
    let referenced = object.field("content", reader).and_then(|(node, _)| reader.referenced(node));
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
    check(name, &pointer, reader);
    let (node, pointer) = reader.referenced(node).unwrap_or((node, pointer));
    let mut object = Object::open(node, pointer, "a media type", reader)?;
    let schema =
        object.field("schema", reader).map(|(node, pointer)| schema::schema(node, pointer, reader));
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

/// Reports the key of a `content` that is no media type, or probably a misspelled one.
fn check(name: &str, pointer: &Pointer, reader: &mut Reader<'_>) {
    let essence = name.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if USUAL.contains(&essence.as_str()) || OTHERS.contains(&essence.as_str()) {
        return;
    }
    let top = essence.split_once('/').map(|(top, _)| top);
    let meant = USUAL.into_iter().find(|usual| is_close(&essence, usual));
    let meant = match top {
        Some(top) if meant.is_none() && !TYPES.contains(&top) => {
            reader.diagnostics.spelling().closest(top, TYPES.into_iter())
        }
        _ => meant,
    };
    let (place, message) = (Place::key(pointer), format!("`{name}` is not a media type"));
    if let Some(meant) = meant {
        let help = format!("did you mean `{meant}`?");
        reader.diagnostics.error("media-type", place, message).help(help);
    } else if top.is_none() {
        let help = "write a type and a subtype, such as `application/json`";
        reader.diagnostics.warning("media-type", place, message).help(help);
    }
}

/// Returns whether a media type is one letter away from a usual one: more would take other types for misspelled.
fn is_close(name: &str, usual: &str) -> bool {
    name.len().abs_diff(usual.len()) <= 1 && strsim::osa_distance(name, usual) == 1
}
