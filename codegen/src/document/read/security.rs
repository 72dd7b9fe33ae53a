//! Security schemes and requirements.

use super::{Object, Reader};
use crate::diagnostics::Place;
use crate::document::{Node, Pointer};

/// The properties of `flows`.
const FLOWS: &[&str] =
    &["implicit", "password", "clientCredentials", "authorizationCode", "deviceAuthorization"];

/// Checks the `security` of the document or an operation.
pub(super) fn requirements(object: &mut Object<'_>, reader: &mut Reader<'_>) {
    for (node, pointer) in object.list("security", reader) {
        let Some(members) = node.as_object() else {
            reader.wrong_type(&pointer, "a security requirement", "an object", node);
            continue;
        };
        for (name, node) in members {
            requirement(name, node, &pointer.join(name), reader);
        }
    }
}

fn requirement(name: &str, node: &Node, pointer: &Pointer, reader: &mut Reader<'_>) {
    if node.is_null() {
        reader.no_value(pointer, &format!("`{name}`"));
        return;
    }
    let Some(items) = node.as_array() else {
        reader.wrong_type(pointer, &format!("`{name}`"), "an array", node);
        return;
    };
    for (index, item) in items.iter().enumerate() {
        reader.text(item, &pointer.join_index(index), "a scope");
    }
}

/// Checks a security scheme: clients are given their credentials.
pub(super) fn scheme(node: &Node, pointer: Pointer, reader: &mut Reader<'_>) -> Option<()> {
    let mut object = Object::open(node, pointer, "a security scheme", reader)?;
    let help = "write `http`, `apiKey`, `oauth2`, `openIdConnect` or `mutualTLS`";
    match object.required_string("type", help, reader).as_deref() {
        Some("http") => {
            object.required_string("scheme", "write `bearer` or `basic`", reader);
        }
        Some("oauth2") => flows(&mut object, reader),
        Some("apiKey") => api_key(&mut object, reader),
        Some("openIdConnect") => {
            object.required_string("openIdConnectUrl", "give the discovery URL", reader);
        }
        Some("mutualTLS") | None => {}
        Some(other) => {
            let message = format!("security schemes of the type `{other}` are not read");
            let place = Place::Value(object.pointer.join("type"));
            reader.diagnostics.warning("unread", place, message).help(help);
        }
    }
    object.accept(&[
        "description",
        "bearerFormat",
        "scheme",
        "in",
        "name",
        "flows",
        "openIdConnectUrl",
        "deprecated",
        "oauth2MetadataUrl",
    ]);
    object.close(reader);
    Some(())
}

fn api_key(object: &mut Object<'_>, reader: &mut Reader<'_>) {
    let help = "write `query`, `header` or `cookie`";
    object.required_string("name", "give the name of the parameter", reader);
    let Some(location) = object.required_string("in", help, reader) else {
        return;
    };
    if !matches!(location.as_str(), "query" | "header" | "cookie") {
        let message = format!("an API key cannot be sent in `{location}`");
        reader.invalid(&object.pointer.join("in"), message, help);
    }
}

fn flows(scheme: &mut Object<'_>, reader: &mut Reader<'_>) {
    let Some((node, pointer)) = scheme.field("flows", reader) else {
        scheme.missing("flows", "describe at least one flow, such as `clientCredentials`", reader);
        return;
    };
    let Some(mut object) = Object::open(node, pointer, "`flows`", reader) else {
        return;
    };
    for name in FLOWS {
        if let Some((node, pointer)) = object.field(name, reader) {
            flow(name, node, pointer, reader);
        }
    }
    object.close(reader);
}

fn flow(name: &str, node: &Node, pointer: Pointer, reader: &mut Reader<'_>) {
    let Some(mut object) = Object::open(node, pointer, "an OAuth 2.0 flow", reader) else {
        return;
    };
    if matches!(name, "implicit" | "authorizationCode") {
        let help = "give the URL of the authorization endpoint";
        object.required_string("authorizationUrl", help, reader);
    }
    if name != "implicit" {
        object.required_string("tokenUrl", "give the URL of the token endpoint", reader);
    }
    for (_, node, pointer) in object.map("scopes", reader) {
        reader.text(node, &pointer, "the description of a scope");
    }
    object.accept(&["authorizationUrl", "tokenUrl", "refreshUrl", "deviceAuthorizationUrl"]);
    object.close(reader);
}
