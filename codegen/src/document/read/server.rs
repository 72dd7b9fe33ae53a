//! Servers and the variables of their URLs.

use super::{Object, Reader};
use crate::document::{Node, Pointer, Server, ServerVariable, Version};

/// Reads the `servers` of the document.
pub(super) fn servers(object: &mut Object<'_>, reader: &mut Reader<'_>) -> Vec<Server> {
    object
        .list("servers", reader)
        .into_iter()
        .filter_map(|(node, pointer)| server(node, pointer, reader))
        .collect()
}

/// Reads the `servers` of a path item or an operation, which have no effect.
pub(super) fn unread(object: &mut Object<'_>, reader: &mut Reader<'_>) {
    servers(object, reader);
    object.unread("servers", "requests go to the base URL of the client", reader);
}

fn server(node: &Node, pointer: Pointer, reader: &mut Reader<'_>) -> Option<Server> {
    let mut object = Object::open(node, pointer, "a server", reader)?;
    let url = object.required_string(
        "url",
        "give the base URL, such as `https://api.example.com`",
        reader,
    );
    object.accept(&["description"]);
    let variables = object.map("variables", reader);
    let variables = variables
        .into_iter()
        .filter_map(|(name, node, pointer)| {
            Some((name.to_owned(), variable(node, pointer, reader)?))
        })
        .collect();
    if reader.version == Version::V3_2 {
        object.accept(&["name"]);
    }
    object.close(reader);
    Some(Server { url: url?, variables })
}

fn variable(node: &Node, pointer: Pointer, reader: &mut Reader<'_>) -> Option<ServerVariable> {
    let mut object = Object::open(node, pointer, "a server variable", reader)?;
    let help = "give the value to use when none is given";
    let default = object.required_string("default", help, reader);
    let values = object.list("enum", reader);
    for (node, pointer) in &values {
        reader.text(node, pointer, "a value");
    }
    if values.is_empty() && object.has("enum") {
        let pointer = object.pointer.join("enum");
        reader.invalid(
            &pointer,
            "the `enum` of a server variable must list at least one value",
            "remove it to allow any value",
        );
    }
    object.accept(&["description"]);
    object.close(reader);
    Some(ServerVariable { default: default? })
}
