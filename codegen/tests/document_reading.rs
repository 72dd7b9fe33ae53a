//! What the typed view says of a document, and what is said about mistakes in it.

use codegen::diagnostics::{Diagnostics, Severity, render};
use codegen::document::{
    self, AdditionalProperties, Document, Parameter, ParameterContent, ParameterIn, RefOr, Schema, SchemaType,
    SecuritySchemeKind, StatusKey, Style, Version,
};

fn read(text: &str) -> (Option<Document>, Diagnostics, String) {
    let mut diagnostics = Diagnostics::new();
    let document = document::read(text, &mut diagnostics);
    let rendered = render(&diagnostics, "api.yaml", text, false);
    (document, diagnostics, rendered)
}

#[track_caller]
fn accepted(text: &str) -> Document {
    let (document, diagnostics, rendered) = read(text);
    assert!(diagnostics.is_empty(), "{rendered}");
    document.unwrap()
}

/// A document of a version with a single schema in flow style, which begins in line 3, column 27.
fn schema_text(version: &str, schema: &str) -> String {
    format!("openapi: {version}\ninfo: {{title: t, version: '1'}}\ncomponents: {{schemas: {{A: {schema}}}}}\npaths: {{}}\n")
}

#[track_caller]
fn schema(version: &str, text: &str) -> Schema {
    let mut document = accepted(&schema_text(version, text));
    document.openapi.components.schemas.remove(0).1
}

/// A document with a single parameter in flow style, which begins in line 5, column 5.
fn parameter_text(parameter: &str) -> String {
    format!("openapi: 3.1.0\ninfo: {{title: t, version: '1'}}\ncomponents:\n  parameters:\n    P: {parameter}\n")
}

#[track_caller]
fn parameter(text: &str) -> Parameter {
    match accepted(&parameter_text(text)).openapi.components.parameters.remove(0).1 {
        RefOr::Item(parameter) => parameter,
        RefOr::Ref(reference) => panic!("{reference:?}"),
    }
}

/// Checks what is said about a mistake: its severity and code, its place, and a part of the cure.
#[track_caller]
fn complains(text: &str, title: &str, place: &str, cure: &str) {
    let (_, _, rendered) = read(text);
    let start = rendered.find(title).unwrap_or_else(|| panic!("no {title}:\n{rendered}"));
    let report = rendered[start..].split("\n\n").next().unwrap();
    assert!(report.contains(&format!("--> api.yaml:{place}\n")), "not at {place}:\n{report}");
    assert!(report.contains(cure), "no {cure}:\n{report}");
}

#[test]
fn the_versions_of_openapi() {
    let version = |text: &str| {
        let (document, _, rendered) = read(&format!("openapi: {text}\ninfo: {{title: t, version: '1'}}\npaths: {{}}\n"));
        (document.map(|document| document.openapi.version), rendered)
    };
    assert_eq!(version("3.0.4"), (Some(Version::V3_0), String::new()));
    assert_eq!(version("3.1.1"), (Some(Version::V3_1), String::new()));
    assert_eq!(version("3.2.0").0, Some(Version::V3_2));
    assert!(version("3.2.0").1.contains("warning[version]"));
    assert_eq!(version("4.0.0").0, None);
    assert!(version("4.0.0").1.contains("error[unsupported-version]"));
    assert!(version("3.1").1.contains("put the value in quotes"));
    complains("swagger: '2.0'\ninfo: {}\n", "error[unsupported-version]", "1:1", "convert");
}

#[test]
fn missing_fields() {
    complains("info: {title: t, version: '1'}\npaths: {}\n", "needs the field `openapi`", "1:1", "3.1.1");
    complains("openapi: 3.1.0\npaths: {}\n", "needs the field `info`", "1:1", "`title`");
    complains("openapi: 3.1.0\ninfo: {}\npaths: {}\n", "needs the field `title`", "2:1", "name the API");
    complains("openapi: 3.1.0\ninfo: {}\npaths: {}\n", "needs the field `version`", "2:1", "'1.0.0'");
    complains("openapi: 3.0.3\ninfo: {title: t, version: '1'}\n", "needs the field `paths`", "1:1", "paths: {}");
    complains(&parameter_text("{in: query, schema: {}}"), "needs the field `name`", "5:5", "on the wire");
    complains(&parameter_text("{name: a, schema: {}}"), "needs the field `in`", "5:5", "`query`");
}

#[test]
fn wrong_types() {
    let text = "openapi: 3.1.0\ninfo: {title: [a], version: 1.0}\npaths: []\ntags: {a: b}\nservers: [{url: 1}]\n";
    let (_, diagnostics, rendered) = read(text);
    assert_eq!(diagnostics.count(Severity::Error), 5, "{rendered}");
    complains(text, "`title` must be a string, not an array", "2:15", "");
    complains(text, "`version` must be a string, not a number", "2:29", "in quotes");
    complains(text, "`paths` must be an object, not an array", "3:8", "key: value");
    complains(text, "`tags` must be an array, not an object", "4:7", "- ");
    complains(text, "`url` must be a string, not a number", "5:17", "in quotes");
    complains(&schema_text("3.1.0", "{$ref: 1}"), "`$ref` must be a string", "3:35", "");
    complains(&schema_text("3.1.0", "{properties: []}"), "`properties` must be an object", "3:41", "");
    complains(&schema_text("3.1.0", "{nullable: 'yes'}"), "`nullable` must be true or false", "3:39", "");
    complains(&schema_text("3.1.0", "{allOf: {}}"), "`allOf` must be an array", "3:36", "");
    complains(&schema_text("3.1.0", "{required: [1]}"), "a member must be a string", "3:40", "in quotes");
}

#[test]
fn unknown_fields_and_what_was_meant() {
    let text = "openapi: 3.1.0\ninfo: {title: t, version: '1', summry: x, x-own: 1}\npaths: {/a: {GET: {}, get: {operationID: a}}}\n";
    complains(text, "`summry` is not a field", "2:32", "did you mean `summary`?");
    complains(text, "`GET` is not a field", "3:14", "did you mean `get`?");
    complains(text, "`operationID` is not a field", "3:29", "did you mean `operationId`?");
    complains(&schema_text("3.1.0", "{min_items: 1}"), "`min_items`", "3:28", "did you mean `minItems`?");
    complains(&schema_text("3.1.0", "{zzz: 1}"), "`zzz` is not a field of a schema", "3:28", "x-");
    let (_, diagnostics, _) = read(text);
    assert!(!diagnostics.has_errors());
}

#[test]
fn keys_of_paths_and_responses() {
    let text = "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n  a: {}\n  x-own: 1\n  /b: {get: {responses: {20: {description: ''}, x-own: 1}}}\n";
    complains(text, "the path `a` does not begin with a slash", "4:3", "write `/a`");
    complains(text, "`20` is not the status", "6:26", "4XX");
    let document = accepted(
        "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {/b: {get: {responses: {200: &r {description: d}, 4XX: *r, default: *r}}}}\n",
    );
    let keys: Vec<StatusKey> = document.openapi.paths[0].1.operations[0].1.responses.iter().map(|(key, _)| *key).collect();
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
        ("path, required: true, style: matrix, explode: true", ParameterIn::Path, Style::Matrix, true),
    ];
    for (text, location, style, explode) in defaults {
        let read = parameter(&format!("{{name: a, schema: {{}}, in: {text}}}"));
        assert_eq!((read.location, read.style, read.explode), (location, style, explode), "{text}");
        assert_eq!(read.required, location == ParameterIn::Path, "{text}");
    }
    let media = parameter("{name: a, in: query, content: {application/json: {schema: {type: string}}}}");
    assert!(matches!(media.content, ParameterContent::Media(media) if media.name == "application/json"));
    assert!(matches!(parameter("{name: a, in: query}").content, ParameterContent::Unspecified));
}

#[test]
fn invalid_parameters() {
    let wrong = |text: &str, title: &str, place: &str, cure: &str| complains(&parameter_text(text), title, place, cure);
    wrong("{name: a, in: body, schema: {}}", "error[invalid-value]", "5:22", "`requestBody`");
    wrong("{name: a, in: elsewhere}", "error[invalid-value]", "5:22", "`cookie`");
    wrong("{name: a, in: path}", "warning[optional-path-parameter]", "5:5", "`required: true`");
    wrong("{name: a, in: path, required: false}", "error[optional-path-parameter]", "5:38", "`required: true`");
    wrong("{name: a, in: query, style: matrix}", "error[invalid-value]", "5:36", "`form`, `spaceDelimited`");
    wrong("{name: a, in: query, style: curly}", "error[invalid-value]", "5:36", "`deepObject`");
    wrong("{name: a, in: query, schema: {}, content: {}}", "error[conflicting-fields]", "5:41", "keep one");
    wrong("{name: a, in: query, content: {}}", "exactly one media type", "5:38", "`schema`");
    wrong("{name: a, in: query, content: {a/b: {}, c/d: {}}}", "exactly one media type", "5:38", "`schema`");
    wrong("{name: a, in: header, allowReserved: true}", "error[misplaced-field]", "5:30", "remove");
}

#[test]
fn schemas_of_both_dialects() {
    assert_eq!(schema("3.1.0", "{type: [string, 'null']}").types, [SchemaType::String, SchemaType::Null]);
    assert_eq!(schema("3.1.0", "true").boolean, Some(true));
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
    let object = schema("3.1.0", "{properties: {}, required: [a], minProperties: 1, example: {}, x-rust-name: B}");
    assert!(object.has_properties && object.properties.is_empty());
    assert_eq!((object.required, object.rust_name.as_deref()), (vec!["a".to_owned()], Some("B")));
    let nested = schema("3.1.0", "{properties: {a/b: {items: {oneOf: [{const: 1}, {}]}}}}");
    let items = nested.properties[0].1.items.as_ref().unwrap();
    assert_eq!(items.one_of[0].pointer.to_string(), "/components/schemas/A/properties/a~1b/items/oneOf/0");
}

#[test]
fn references_with_siblings() {
    let old = "{$ref: '#/components/schemas/A', description: d, nullable: true, deprecated: true, example: 1}";
    let read = schema("3.0.3", old);
    assert_eq!(read.reference.as_deref(), Some("#/components/schemas/A"));
    assert_eq!((read.description.as_deref(), read.nullable, read.deprecated), (Some("d"), true, true));
    let text = schema_text("3.0.3", "{$ref: '#/components/schemas/A', type: string}");
    complains(&text, "warning[ref-sibling]: `type` beside a `$ref`", "3:61", "allOf");
    assert_eq!(schema("3.1.0", "{$ref: '#/a', type: string}").types, [SchemaType::String]);
    complains(&parameter_text("{$ref: '#/a', name: b}"), "warning[ref-sibling]", "5:22", "");
}

#[test]
fn invalid_schemas() {
    let wrong = |text: &str, title: &str, place: &str, cure: &str| complains(&schema_text("3.1.0", text), title, place, cure);
    wrong("{type: strin}", "error[invalid-value]", "3:35", "`string`");
    wrong("{type: [string, float]}", "error[invalid-value]", "3:44", "`type: number`");
    wrong("{type: []}", "error[invalid-value]", "3:35", "any type");
    wrong("{type: null}", "warning[unquoted-null]", "3:35", "'null'");
    wrong("{required: true}", "warning[unread]", "3:39", "`required` of the object");
    wrong("{items: [{}]}", "error[invalid-value]", "3:36", "`prefixItems`");
    wrong("{oneOf: []}", "error[invalid-value]", "3:36", "list the schemas");
    wrong("{discriminator: kind}", "error[invalid-value]", "3:44", "`propertyName`");
    wrong("{discriminator: {}}", "needs the field `propertyName`", "3:28", "tells the schemas apart");
    wrong("{properties: {a: null}}", "error[wrong-type]", "3:45", "remove the key");
}

#[test]
fn constructs_that_are_not_read_are_told() {
    let text = "openapi: 3.1.0\ninfo: {title: t, version: '1'}\nwebhooks: {}\npaths: {/a: {get: {callbacks: {}, responses: {200: {description: '', links: {}}}}}}\n";
    for (name, place) in [("webhooks", "3:1"), ("callbacks", "4:20"), ("links", "4:70")] {
        complains(text, &format!("warning[unread]: `{name}` is not read"), place, "nothing is generated");
    }
    let text = schema_text("3.1.0", "{type: string, not: {}, if: {}, pattern: a}");
    complains(&text, "the keyword `not` is not read", "3:42", "");
    let (document, ..) = read(&text);
    assert_eq!(document.unwrap().openapi.components.schemas[0].1.unread, ["not", "if"]);
}

#[test]
fn the_same_warning_is_shown_three_times_and_counted() {
    let schemas: String = (0..40).map(|index| format!("a{index}: {{not: {{}}}}, ")).collect();
    let (_, diagnostics, rendered) = read(&schema_text("3.1.0", &format!("{{properties: {{{schemas}}}}}")));
    assert_eq!(diagnostics.count(Severity::Warning), 40);
    assert_eq!(rendered.matches("warning[unread]").count(), 3, "{rendered}");
    assert!(rendered.contains("the same in 37 more places"), "{rendered}");
}

#[test]
fn security() {
    let document = accepted(
        "openapi: 3.1.0\ninfo: {title: t, version: '1'}\nsecurity: [{}, {a: [], b: [r, w]}]\ncomponents:\n  securitySchemes:\n    a: {type: http, scheme: Bearer, bearerFormat: JWT}\n    b: {type: oauth2, flows: {clientCredentials: {tokenUrl: /t, scopes: {r: read}}}}\n    c: {type: apiKey, in: header, name: K}\n    d: {type: openIdConnect, openIdConnectUrl: u}\n    e: {type: mutualTLS}\n    f: {$ref: '#/components/securitySchemes/a'}\n",
    );
    let scopes = vec!["r".to_owned(), "w".to_owned()];
    assert_eq!(document.openapi.security, [vec![], vec![("a".to_owned(), vec![]), ("b".to_owned(), scopes)]]);
    let schemes = &document.openapi.components.security_schemes;
    let kind = |index: usize| match &schemes[index].1 {
        RefOr::Item(scheme) => Some(&scheme.kind),
        RefOr::Ref(_) => None,
    };
    assert!(matches!(kind(0), Some(SecuritySchemeKind::Http { scheme }) if scheme == "bearer"));
    assert!(matches!(kind(1), Some(SecuritySchemeKind::OAuth2 { flows }) if flows[0].0 == "clientCredentials"));
    assert!(matches!(kind(2), Some(SecuritySchemeKind::ApiKey { location, .. }) if location == "header"));
    assert!(kind(5).is_none());
    let wrong = "openapi: 3.1.0\ninfo: {title: t, version: '1'}\ncomponents:\n  securitySchemes:\n    a: {type: basic}\n    b: {type: oauth2, flows: {clientCredentials: {}}}\n    c: {type: apiKey, in: body, name: k}\n";
    complains(wrong, "warning[unread]: security schemes of the type `basic`", "5:15", "`http`");
    complains(wrong, "needs the field `tokenUrl`", "6:31", "token endpoint");
    complains(wrong, "cannot be sent in `body`", "7:27", "`header`");
}

#[test]
fn schemas_outside_components_are_found_by_their_references() {
    let text = "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n  /a/{b}:\n    get: {responses: {200: {description: '', content: {a/b: {schema: {type: integer}}}}}}\ncomponents:\n  schemas:\n    A: {properties: {b: {properties: {c: {type: string}}}}}\n    B: {$ref: '#/components/schemas/A/properties/b'}\n    C: {oneOf: [{$ref: '#/paths/~1a~1%7Bb%7D/get/responses/200/content/a~1b/schema'}]}\n    D: {$ref: '#/components/schemas/A/properties/nowhere'}\n    E: {$ref: '#/info/title'}\n";
    let document = accepted(text);
    let types = |target: &str| document.schema_at(target).map(|schema| schema.types.clone());
    assert_eq!(types("#/components/schemas/A"), Some(vec![]));
    assert_eq!(types("#/paths/~1a~1%7Bb%7D/get/responses/200/content/a~1b/schema"), Some(vec![SchemaType::Integer]));
    let member = document.schema_at("#/components/schemas/A/properties/b").unwrap();
    assert_eq!(member.properties[0].1.pointer.to_string(), "/components/schemas/A/properties/b/properties/c");
    assert_eq!(types("#/components/schemas/A/properties/nowhere"), None);
    assert_eq!(types("#/info/title"), None);
}

#[test]
fn colours_are_only_there_when_asked_for() {
    let text = "openapi: 1\n";
    let mut diagnostics = Diagnostics::new();
    document::read(text, &mut diagnostics);
    assert!(!render(&diagnostics, "a", text, false).contains('\u{1b}'));
    assert!(render(&diagnostics, "a", text, true).contains('\u{1b}'));
}
