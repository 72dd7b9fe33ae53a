//! Paths and operations.

use super::{Object, Reader, body, parameter, security, server};
use crate::diagnostics::Place;
use crate::document::{
    METHODS, Node, Operation, PathItem, Pointer, RefOr, Response, StatusKey, Version,
};

/// Reads the `paths` of the document.
pub(super) fn paths(
    root: &mut Object<'_>,
    reader: &mut Reader<'_>,
) -> Vec<(String, RefOr<PathItem>)> {
    let mut paths = Vec::new();
    for (path, node, pointer) in root.map("paths", reader) {
        if let Some(wrong) = path.chars().find(|c| is_impossible_in_path(*c)) {
            let message = format!("a path cannot have {} in it", described(wrong));
            reader
                .diagnostics
                .error("invalid-key", Place::Key(pointer), message)
                .help("remove it, or percent-encode it");
        } else if path.starts_with('/') {
            let template = without_fragment(path, &pointer, reader);
            if template.contains('?') {
                let message = "a path has no query; this one is sent with every request";
                reader
                    .diagnostics
                    .warning("path-query", Place::key(&pointer), message)
                    .help("describe what follows the `?` as parameters in the query");
            }
            let item = reader.ref_or(node, pointer, path_item);
            paths.extend(item.map(|item| (template, item)));
        } else if !path.starts_with("x-") {
            reader
                .diagnostics
                .error(
                    "invalid-key",
                    Place::Key(pointer),
                    format!("the path `{path}` does not begin with a slash"),
                )
                .help(format!(
                    "write `/{path}`; what comes before the path belongs into `servers`"
                ));
        }
    }
    paths
}

/// Returns the template without a fragment, which documents use to describe one path several times.
fn without_fragment(path: &str, pointer: &Pointer, reader: &mut Reader<'_>) -> String {
    let Some((template, _)) = path.split_once('#') else {
        return path.to_owned();
    };
    let message = "the fragment of the path is not sent";
    reader
        .diagnostics
        .warning("path-fragment", Place::key(pointer), message)
        .help("describe the operations of the path under one key");
    template.to_owned()
}

/// Returns whether a character can be in no URL.
fn is_impossible_in_path(c: char) -> bool {
    c == '\\' || c.is_control()
}

/// Returns a character as a message shows it.
fn described(c: char) -> String {
    if c.is_control() {
        format!("the character U+{:04X}", u32::from(c))
    } else {
        format!("a `{c}`")
    }
}

pub(super) fn path_item(
    node: &Node,
    pointer: Pointer,
    reader: &mut Reader<'_>,
) -> Option<PathItem> {
    let mut object = Object::open(node, pointer, "a path item", reader)?;
    let mut item = PathItem {
        summary: object.string("summary", reader),
        description: object.string("description", reader),
        parameters: parameter::parameters(&mut object, reader),
        operations: Vec::new(),
        pointer: object.pointer.clone(),
    };
    server::unread(&mut object, reader);
    object.expect(METHODS.iter().map(|(name, _)| *name));
    for (key, node, pointer) in object.members() {
        if let Some((_, method)) = METHODS.iter().find(|(name, _)| *name == key) {
            item.operations
                .extend(operation(node, pointer, reader).map(|operation| (*method, operation)));
        }
    }
    if reader.version == Version::V3_2 {
        object.unread("query", "the method QUERY is not supported", reader);
        object.unread(
            "additionalOperations",
            "only the methods with a field of their own are supported",
            reader,
        );
    }
    object.close(reader);
    Some(item)
}

fn operation(node: &Node, pointer: Pointer, reader: &mut Reader<'_>) -> Option<Operation> {
    let mut object = Object::open(node, pointer, "an operation", reader)?;
    let operation = Operation {
        operation_id: object.string("operationId", reader),
        tags: object.strings("tags", reader),
        summary: object.string("summary", reader),
        description: object.string("description", reader),
        parameters: parameter::parameters(&mut object, reader),
        request_body: object
            .field("requestBody", reader)
            .and_then(|(node, at)| reader.ref_or(node, at, body::request_body)),
        responses: responses(&mut object, reader),
        deprecated: object.flag("deprecated", reader),
        rust_name: object.string("x-rust-name", reader),
        pointer: object.pointer.clone(),
    };
    security::requirements(&mut object, reader);
    server::unread(&mut object, reader);
    object.accept(&["externalDocs"]);
    object.unread("callbacks", "nothing is generated for callbacks", reader);
    object.close(reader);
    Some(operation)
}

fn responses(
    operation: &mut Object<'_>,
    reader: &mut Reader<'_>,
) -> Vec<(StatusKey, RefOr<Response>)> {
    let mut responses = Vec::new();
    for (key, node, pointer) in operation.map("responses", reader) {
        match status_key(key) {
            Some(status) => {
                responses.extend(
                    reader.ref_or(node, pointer, body::response).map(|response| (status, response)),
                );
            }
            None if key.starts_with("x-") => {}
            None => {
                reader
                    .diagnostics
                    .error(
                        "invalid-key",
                        Place::Key(pointer),
                        format!("`{key}` is not the status of a response"),
                    )
                    .help("write a code such as `200`, a range such as `4XX`, or `default`");
            }
        }
    }
    responses
}

/// Reads the key of a response (OpenAPI 3.1.1 §4.8.16.2).
fn status_key(key: &str) -> Option<StatusKey> {
    let [first @ b'1'..=b'5', rest @ ..] = key.as_bytes() else {
        return (key == "default").then_some(StatusKey::Default);
    };
    match rest {
        [b'X' | b'x', b'X' | b'x'] => Some(StatusKey::Range(first - b'0')),
        [b'0'..=b'9', b'0'..=b'9'] => key.parse().ok().map(StatusKey::Code),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_codes_ranges_and_the_default() {
        assert_eq!(status_key("204"), Some(StatusKey::Code(204)));
        assert_eq!(status_key("4XX"), Some(StatusKey::Range(4)));
        assert_eq!(status_key("default"), Some(StatusKey::Default));
        for wrong in ["", "2", "20", "2000", "099", "600", "2X0", "4X", "ok", "2é"] {
            assert_eq!(status_key(wrong), None, "{wrong}");
        }
    }
}
