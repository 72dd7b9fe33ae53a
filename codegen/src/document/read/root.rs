//! The root of a document, `info` and `tags`.

use super::{Object, Reader, components, operation, security, server};
use crate::diagnostics::Place;
use crate::document::{Components, Info, Node, OpenApi, Pointer, Tag, Version};

pub(super) fn openapi(root: &Node, reader: &mut Reader<'_>) -> Option<OpenApi> {
    let mut object = Object::open(root, Pointer::root(), "an OpenAPI document", reader)?;
    reader.version = version(&mut object, reader)?;
    let info = info(&mut object, reader);
    let servers = server::servers(&mut object, reader);
    let tags = object
        .list("tags", reader)
        .into_iter()
        .filter_map(|(node, pointer)| tag(node, pointer, reader))
        .collect();
    security::requirements(&mut object, reader);
    let paths = operation::paths(&mut object, reader);
    let components = match object.field("components", reader) {
        Some((node, pointer)) => components::components(node, pointer, reader),
        None => Components::default(),
    };
    object.accept(&["externalDocs", "jsonSchemaDialect", "$self"]);
    object.unread("webhooks", "nothing is generated for webhooks", reader);
    containers(&object, reader);
    object.close(reader);
    Some(OpenApi { info, servers, tags, paths, components })
}

/// Reads the version; `None` if the rest cannot be read.
fn version(object: &mut Object<'_>, reader: &mut Reader<'_>) -> Option<Version> {
    if object.has("swagger") && !object.has("openapi") {
        reader
            .diagnostics
            .error("unsupported-version", Place::Key(object.pointer.join("swagger")), "Swagger 2.0 cannot be read")
            .help("convert the document to OpenAPI 3.0 or 3.1 first, with swagger2openapi for example");
        return None;
    }
    if !object.has("openapi") {
        object.missing(
            "openapi",
            "write `openapi: 3.1.1`, or 3.0.4 if the schemas are of that version",
            reader,
        );
        return Some(Version::V3_1);
    }
    let text = object.string("openapi", reader)?;
    let pointer = object.pointer.join("openapi");
    let mut parts = text.split('.');
    match (parts.next(), parts.next()) {
        (Some("3"), Some("0")) => Some(Version::V3_0),
        (Some("3"), Some("1")) => Some(Version::V3_1),
        (Some("3"), Some("2")) => {
            let message = "OpenAPI 3.2 is read as 3.1: what is new in 3.2 has no effect";
            reader.diagnostics.warning("version", Place::value(&pointer), message);
            Some(Version::V3_2)
        }
        _ => {
            reader
                .diagnostics
                .error("unsupported-version", Place::value(&pointer), format!("OpenAPI `{text}` cannot be read"))
                .help("OpenAPI 3.0 and 3.1 can: write `openapi: 3.1.1` if that is what the document follows");
            None
        }
    }
}

/// Reports a document that describes nothing (OpenAPI 3.0.4 §4.7.1, 3.1.1 §4.8.1).
fn containers(object: &Object<'_>, reader: &mut Reader<'_>) {
    let is_written = |name: &str| object.members().any(|(key, ..)| key == name);
    if reader.version == Version::V3_0 {
        if !is_written("paths") {
            reader
                .diagnostics
                .warning("missing-field", Place::document(), "the document has no `paths`")
                .help("write `paths: {}` if there are no operations");
        }
    } else if !["paths", "components", "webhooks"].into_iter().any(is_written) {
        reader
            .diagnostics
            .error(
                "missing-field",
                Place::document(),
                "an OpenAPI document needs `paths`, `components` or `webhooks`",
            )
            .help("write `paths: {}` if there are no operations yet");
    }
}

fn info(root: &mut Object<'_>, reader: &mut Reader<'_>) -> Info {
    let mut info =
        Info { title: String::new(), version: String::new(), summary: None, description: None };
    let Some((node, pointer)) = root.field("info", reader) else {
        root.missing("info", "write `info:` with a `title` and a `version`", reader);
        return info;
    };
    if let Some(mut object) = Object::open(node, pointer, "`info`", reader) {
        info.title = object.required_string("title", "name the API", reader).unwrap_or_default();
        let help = "give the version of the document, such as '1.0.0'";
        info.version = object.required_string("version", help, reader).unwrap_or_default();
        info.summary = object.string("summary", reader);
        info.description = object.string("description", reader);
        object.accept(&["termsOfService", "contact", "license"]);
        object.close(reader);
    }
    info
}

fn tag(node: &Node, pointer: Pointer, reader: &mut Reader<'_>) -> Option<Tag> {
    let mut object = Object::open(node, pointer, "a tag", reader)?;
    let name =
        object.required_string("name", "give the name that operations list in `tags`", reader);
    let description = object.string("description", reader);
    let rust_name = object.string("x-rust-name", reader);
    object.accept(&["externalDocs"]);
    if reader.version == Version::V3_2 {
        object.accept(&["summary", "parent", "kind"]);
    }
    object.close(reader);
    Some(Tag { name: name?, description, rust_name })
}
