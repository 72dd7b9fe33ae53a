//! The typed view of documents.

use super::{accepted, complains, parameter_text, read, schema_text};
use crate::document::{
    AdditionalProperties, Parameter, ParameterContent, ParameterIn, RefOr, Schema, SchemaType,
    StatusKey, Style,
};

#[track_caller]
fn schema(version: &str, text: &str) -> Schema {
    let mut document = accepted(&schema_text(version, text));
    document.openapi.components.schemas.remove(0).1
}

#[track_caller]
fn parameter(text: &str) -> Parameter {
    match accepted(&parameter_text(text)).openapi.components.parameters.remove(0).1 {
        RefOr::Item(parameter) => parameter,
        RefOr::Ref(reference) => panic!("{reference:?}"),
    }
}

#[test]
fn the_versions_of_openapi() {
    let version = |text: &str| {
        let (document, _, rendered) =
            read(&format!("openapi: {text}\ninfo: {{title: t, version: '1'}}\npaths: {{}}\n"));
        (document.is_some(), rendered)
    };
    assert_eq!(version("3.0.4"), (true, String::new()));
    assert_eq!(version("3.1.1"), (true, String::new()));
    assert!(version("3.2.0").0 && version("3.2.0").1.contains("warning[version]"));
    assert!(!version("4.0.0").0 && version("4.0.0").1.contains("error[unsupported-version]"));
    assert!(version("3.1").0 && version("3.1").1.contains("it is read as '3.1'"));
    complains("swagger: '2.0'\ninfo: {}\n", "error[unsupported-version]", "1:1", "convert");
}

#[test]
fn keys_of_paths_and_responses() {
    let text = "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n  a: {}\n  x-own: 1\n  /b: {get: {responses: {20: {description: ''}, x-own: 1}}}\n";
    complains(text, "the path `a` does not begin with a slash", "4:3", "write `/a`");
    complains(text, "`20` is not the status", "6:26", "4XX");
    let document = accepted(
        "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {/b: {get: {responses: {200: &r {description: d}, 4XX: *r, default: *r}}}}\n",
    );
    let keys: Vec<StatusKey> = document.openapi.paths[0].1.item().unwrap().operations[0]
        .1
        .responses
        .iter()
        .map(|(key, _)| *key)
        .collect();
    assert_eq!(keys, [StatusKey::Code(200), StatusKey::Range(4), StatusKey::Default]);
}

#[test]
fn defaults_of_parameters() {
    let defaults = [
        ("path, required: true", ParameterIn::Path, Style::Simple, false),
        ("query", ParameterIn::Query, Style::Form, true),
        ("header", ParameterIn::Header, Style::Simple, false),
        ("cookie", ParameterIn::Cookie, Style::Form, true),
        ("query, style: deepObject", ParameterIn::Query, Style::DeepObject, false),
        ("query, style: form, explode: false", ParameterIn::Query, Style::Form, false),
        (
            "path, required: true, style: matrix, explode: true",
            ParameterIn::Path,
            Style::Matrix,
            true,
        ),
    ];
    for (text, location, style, explode) in defaults {
        let read = parameter(&format!("{{name: a, schema: {{}}, in: {text}}}"));
        assert_eq!((read.location, read.style, read.explode), (location, style, explode), "{text}");
        assert_eq!(read.required, location == ParameterIn::Path, "{text}");
    }
    let media =
        parameter("{name: a, in: query, content: {application/json: {schema: {type: string}}}}");
    assert!(matches!(media.content, ParameterContent::Media));
    assert!(matches!(parameter("{name: a, in: query}").content, ParameterContent::Unspecified));
}

#[test]
fn schemas_of_both_dialects() {
    assert_eq!(
        schema("3.1.0", "{type: [string, 'null']}").types,
        [SchemaType::String, SchemaType::Null]
    );
    assert!(schema("3.1.0", "true").types.is_empty());
    assert_eq!(schema("3.1.0", "{type: string, nullable: true}").types, [SchemaType::String]);
    assert!(schema("3.1.0", "{type: string, nullable: true}").nullable);
    assert!(schema("3.0.3", "{type: string, nullable: true, exclusiveMinimum: true}").nullable);
    let any = |text: &str| match schema("3.1.0", text).additional_properties {
        Some(AdditionalProperties::Any(any)) => Some(any),
        _ => None,
    };
    assert_eq!(any("{additionalProperties: false}"), Some(false));
    assert_eq!(any("{additionalProperties: {}}"), Some(true));
    assert_eq!(any("{additionalProperties: {type: string}}"), None);
    let object = schema(
        "3.1.0",
        "{properties: {}, required: [a], minProperties: 1, example: {}, x-rust-name: B}",
    );
    assert_eq!((object.required, object.rust_name.as_deref()), (vec!["a".to_owned()], Some("B")));
    let nested = schema("3.1.0", "{properties: {a/b: {items: {oneOf: [{const: 1}, {}]}}}}");
    let items = nested.properties[0].1.items.as_ref().unwrap();
    assert_eq!(
        items.one_of[0].pointer.to_string(),
        "/components/schemas/A/properties/a~1b/items/oneOf/0"
    );
}

#[test]
fn references_with_siblings() {
    let old = "{$ref: '#/components/schemas/A', description: d, nullable: true, deprecated: true, example: 1}";
    let read = schema("3.0.3", old);
    assert_eq!(read.reference.as_deref(), Some("#/components/schemas/A"));
    assert_eq!(
        (read.description.as_deref(), read.nullable, read.deprecated),
        (Some("d"), true, true)
    );
    let text = schema_text("3.0.3", "{$ref: '#/components/schemas/A', type: string}");
    complains(&text, "warning[ref-sibling]: `type` beside a `$ref`", "3:60", "allOf");
    assert_eq!(schema("3.1.0", "{$ref: '#/a', type: string}").types, [SchemaType::String]);
    complains(&parameter_text("{$ref: '#/a', name: b}"), "warning[ref-sibling]", "5:22", "");
}

#[test]
fn schemas_outside_components_are_found_by_their_references() {
    let text = "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n  /a/{b}:\n    get: {responses: {200: {description: '', content: {a/b: {schema: {type: integer}}}}}}\ncomponents:\n  schemas:\n    A: {properties: {b: {properties: {c: {type: string}}}}}\n    B: {$ref: '#/components/schemas/A/properties/b'}\n    C: {oneOf: [{$ref: '#/paths/~1a~1%7Bb%7D/get/responses/200/content/a~1b/schema'}]}\n    D: {$ref: '#/components/schemas/A/properties/nowhere'}\n    E: {$ref: '#/info/title'}\n";
    let document = read(text).0.unwrap();
    let types = |target: &str| document.schema_at(target).map(|schema| schema.types.clone());
    assert_eq!(types("#/components/schemas/A"), Some(vec![]));
    assert_eq!(
        types("#/paths/~1a~1%7Bb%7D/get/responses/200/content/a~1b/schema"),
        Some(vec![SchemaType::Integer])
    );
    let member = document.schema_at("#/components/schemas/A/properties/b").unwrap();
    assert_eq!(
        member.properties[0].1.pointer.to_string(),
        "/components/schemas/A/properties/b/properties/c"
    );
    assert_eq!(types("#/components/schemas/A/properties/nowhere"), None);
    assert_eq!(types("#/info/title"), None);
}
