//! The root of a document, `info`, `tags` and `components`.

use super::example::check_examples;
use super::grammar::{Expected, Field, Object};
use super::header::HEADER;
use super::media_type::MEDIA_TYPE;
use super::operation::{PATH_ITEM, PATHS, REQUEST_BODY, RESPONSE};
use super::parameter::PARAMETER;
use super::schema::SCHEMA;
use super::security::{SECURITY, SECURITY_SCHEME, check_requirements};
use super::server::SERVERS;
use super::validator::Validator;
use crate::diagnostics::{Code, Diagnostics, Place};
use crate::document::Node;
use crate::document::view::{Version, View};
use crate::source_map::Pointer;

pub(super) static DOCUMENT: Object = Object {
    check,
    ..Object::new(
        "an OpenAPI document",
        &[
            Field::texts(&["openapi"])
                .expected("write `openapi: 3.1.1`, or 3.0.4 if the schemas are of that version"),
            Field::new(&["info"], Expected::Object(&INFO))
                .expected("write `info:` with a `title` and a `version`"),
            SERVERS,
            Field::new(&["tags"], Expected::List(&Expected::Object(&TAG))),
            SECURITY,
            Field::new(&["paths"], PATHS),
            Field::new(&["components"], Expected::Object(&COMPONENTS)),
            Field::silent(&["externalDocs", "jsonSchemaDialect", "$self"]),
            Field::unread(&["webhooks"], "nothing is generated for webhooks"),
        ],
    )
};

static INFO: Object = Object::new(
    "`info`",
    &[
        Field::texts(&["title"]).expected("add the name of the API"),
        Field::texts(&["version"]).expected("add the version of the document, such as '1.0.0'"),
        Field::texts(&["summary", "description"]),
        Field::silent(&["termsOfService", "contact", "license"]),
    ],
);

static TAG: Object = Object::new(
    "a tag",
    &[
        Field::texts(&["name"]).expected("add the name that operations list in `tags`"),
        Field::texts(&["description", "x-rust-name"]),
        Field::silent(&["externalDocs"]),
        Field::texts(&["summary", "parent", "kind"]).new_in_3_2(),
    ],
);

static COMPONENTS: Object = Object {
    check: check_examples,
    ..Object::new(
        "`components`",
        &[
            Field::new(&["schemas"], Expected::Map(&Expected::Object(&SCHEMA))),
            Field::new(&["responses"], Expected::Map(&Expected::Object(&RESPONSE))),
            Field::new(&["parameters"], Expected::Map(&Expected::Object(&PARAMETER))),
            Field::new(&["requestBodies"], Expected::Map(&Expected::Object(&REQUEST_BODY))),
            Field::new(&["pathItems"], Expected::Map(&Expected::Object(&PATH_ITEM))),
            Field::new(&["headers"], Expected::Map(&Expected::Object(&HEADER))),
            Field::new(&["securitySchemes"], Expected::Map(&Expected::Object(&SECURITY_SCHEME))),
            Field::new(&["mediaTypes"], Expected::Map(&Expected::Object(&MEDIA_TYPE))).new_in_3_2(),
            Field::silent(&["examples"]),
            Field::unread(&["links"], "nothing is generated for links"),
            Field::unread(&["callbacks"], "nothing is generated for callbacks"),
        ],
    )
};

/// Reports a document that describes nothing (OpenAPI 3.0.4 §4.7.1, 3.1.1 §4.8.1), and undeclared security schemes.
fn check(view: &View<'_>, validator: &mut Validator<'_>) {
    check_requirements(view, validator);
    if validator.is_version(Version::V3_0) {
        if view.raw("paths").is_none() {
            validator
                .at_value(Code::MissingField, &view.pointer, "the document has no `paths`")
                .help("write `paths: {}` if there are no operations");
        }
    } else if ["paths", "components", "webhooks"].iter().all(|name| view.raw(name).is_none()) {
        let message = "an OpenAPI document needs `paths`, `components` or `webhooks`";
        validator
            .at_value(Code::EmptyDocument, &view.pointer, message)
            .help("write `paths: {}` if there are no operations yet");
    }
}

/// Reads the version of a document; returns `None` if the rest cannot be read.
pub(super) fn version(root: &Node, diagnostics: &mut Diagnostics) -> Option<Version> {
    let version = Pointer::root().join("openapi");
    let Some(node) = root.get("openapi").filter(|node| !node.is_null()) else {
        if root.get("swagger").is_some() {
            let place = Place::Key(Pointer::root().join("swagger"));
            diagnostics
                .report(Code::UnsupportedVersion, place, "Swagger 2.0 is not supported")
                .help("convert the document to OpenAPI 3.0 or 3.1 first, for example with swagger2openapi");
            return None;
        }
        return Some(Version::V3_1);
    };
    let text = node.scalar().unwrap_or_else(|| "3.1".to_owned());
    let mut parts = text.split('.');
    match (parts.next(), parts.next()) {
        (Some("3"), Some("0")) => Some(Version::V3_0),
        (Some("3"), Some("1")) => Some(Version::V3_1),
        (Some("3"), Some("2")) => Some(Version::V3_2),
        _ => {
            diagnostics
                .report(Code::UnsupportedVersion, Place::Value(version), format!("OpenAPI `{text}` is not supported"))
                .help("versions 3.0, 3.1 and 3.2 are supported: write `openapi: 3.1.1` if the document follows that version");
            None
        }
    }
}
