//! Security schemes and requirements.

use super::{Object, Reader};
use crate::diagnostics::Place;
use crate::document::{
    Node, Pointer, SecurityFlow, SecurityRequirement, SecurityScheme, SecuritySchemeKind,
};

/// The flows that can stand under `flows`.
const FLOWS: &[&str] =
    &["implicit", "password", "clientCredentials", "authorizationCode", "deviceAuthorization"];

/// Reads the `security` of the document or an operation; `None` if it is not written.
pub(super) fn requirements(
    object: &mut Object<'_>,
    reader: &mut Reader<'_>,
) -> Option<Vec<SecurityRequirement>> {
    let alternatives = object.list("security", reader);
    let read = alternatives
        .into_iter()
        .filter_map(|(node, pointer)| requirement(node, &pointer, reader))
        .collect();
    object.has("security").then_some(read)
}

fn requirement(
    node: &Node,
    pointer: &Pointer,
    reader: &mut Reader<'_>,
) -> Option<SecurityRequirement> {
    let Some(members) = node.as_object() else {
        reader.wrong_type(pointer, "a security requirement", "an object", node);
        return None;
    };
    let mut schemes = Vec::with_capacity(members.len());
    for (name, node) in members {
        let pointer = pointer.join(name);
        let Some(items) = node.as_array() else {
            reader.wrong_type(&pointer, &format!("`{name}`"), "an array", node);
            continue;
        };
        let scope = |(index, item)| reader.text(item, &pointer.join_index(index), "a scope");
        schemes.push((name.clone(), items.iter().enumerate().filter_map(scope).collect()));
    }
    Some(schemes)
}

pub(super) fn scheme(
    node: &Node,
    pointer: Pointer,
    reader: &mut Reader<'_>,
) -> Option<SecurityScheme> {
    let mut object = Object::open(node, pointer, "a security scheme", reader)?;
    let help = "write `http`, `apiKey`, `oauth2`, `openIdConnect` or `mutualTLS`";
    let name = object.required_string("type", help, reader);
    let kind = kind(name.as_deref()?, node, &mut object, reader);
    let description = object.string("description", reader);
    object.accept(&[
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
    Some(SecurityScheme { kind: kind?, pointer: object.pointer, description })
}

fn kind(
    name: &str,
    node: &Node,
    object: &mut Object<'_>,
    reader: &mut Reader<'_>,
) -> Option<SecuritySchemeKind> {
    Some(match name {
        "http" => {
            let scheme = object.required_string("scheme", "write `bearer` or `basic`", reader)?;
            SecuritySchemeKind::Http { scheme: scheme.to_ascii_lowercase() }
        }
        "apiKey" => {
            let location =
                object.required_string("in", "write `query`, `header` or `cookie`", reader);
            let name = object.required_string("name", "give the name of the parameter", reader);
            let location = location?;
            if !matches!(location.as_str(), "query" | "header" | "cookie") {
                let message = format!("an API key cannot be sent in `{location}`");
                reader.invalid(
                    &object.pointer.join("in"),
                    message,
                    "write `query`, `header` or `cookie`",
                );
            }
            SecuritySchemeKind::ApiKey { location, name: name? }
        }
        "oauth2" => SecuritySchemeKind::OAuth2 { flows: flows(object, reader)? },
        "openIdConnect" => {
            let url =
                object.required_string("openIdConnectUrl", "give the discovery URL", reader)?;
            SecuritySchemeKind::OpenIdConnect { url }
        }
        "mutualTLS" => SecuritySchemeKind::MutualTls,
        _ => {
            let place = Place::Value(object.pointer.join("type"));
            reader
                .diagnostics
                .warning(
                    "unread",
                    place,
                    format!("security schemes of the type `{name}` are not read"),
                )
                .help("OpenAPI knows `http`, `apiKey`, `oauth2`, `openIdConnect` and `mutualTLS`");
            SecuritySchemeKind::Other(node.clone())
        }
    })
}

fn flows(scheme: &mut Object<'_>, reader: &mut Reader<'_>) -> Option<Vec<(String, SecurityFlow)>> {
    let Some((node, pointer)) = scheme.field("flows") else {
        scheme.missing("flows", "describe at least one flow, such as `clientCredentials`", reader);
        return None;
    };
    let mut object = Object::open(node, pointer, "`flows`", reader)?;
    let mut flows = Vec::new();
    for name in FLOWS {
        if let Some((node, pointer)) = object.field(name)
            && let Some(flow) = flow(name, node, pointer, reader)
        {
            flows.push(((*name).to_owned(), flow));
        }
    }
    object.close(reader);
    Some(flows)
}

fn flow(
    name: &str,
    node: &Node,
    pointer: Pointer,
    reader: &mut Reader<'_>,
) -> Option<SecurityFlow> {
    let mut object = Object::open(node, pointer, "an OAuth 2.0 flow", reader)?;
    let authorization_url = if matches!(name, "implicit" | "authorizationCode") {
        object.required_string(
            "authorizationUrl",
            "give the URL of the authorization endpoint",
            reader,
        )
    } else {
        object.string("authorizationUrl", reader)
    };
    let token_url = if name == "implicit" {
        object.string("tokenUrl", reader)
    } else {
        object.required_string("tokenUrl", "give the URL of the token endpoint", reader)
    };
    let mut scopes = Vec::new();
    for (scope, node, pointer) in object.map("scopes", reader) {
        scopes.push((
            scope.to_owned(),
            reader.text(node, &pointer, "the description of a scope").unwrap_or_default(),
        ));
    }
    object.accept(&["refreshUrl", "deviceAuthorizationUrl"]);
    object.close(reader);
    Some(SecurityFlow { authorization_url, token_url, scopes })
}
