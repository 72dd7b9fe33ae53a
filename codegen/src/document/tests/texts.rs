//! Syntax of YAML and JSON that is not represented in a tree, and how trees are read.

use std::fmt::Write;

use super::{SMALL, SMALL_JSON, accepted, read, rejected, with_schema};
use crate::diagnostics::Severity;
use crate::document::{Node, Schema};

#[test]
fn every_duplicate_key_is_shown_with_both_places() {
    let text = with_schema(
        "      type: object\n      properties:\n        b: {type: string, type: string}\n        'b': {}\n        b: {}\n      type: object\n",
    );
    let (_, diagnostics, rendered) = read(&text);
    assert_eq!(diagnostics.count(Severity::Error), 4, "{rendered}");
    for place in ["8:27", "9:9", "10:9", "11:7"] {
        assert!(rendered.contains(&format!("--> api.yaml:{place}\n")), "{place}: {rendered}");
    }
    assert_eq!(rendered.matches("first written here").count(), 4, "{rendered}");

    let (_, _, rendered) = read(
        r#"{"openapi": "3.1.0", "info": {"title": "a", "version": "1", "\u0076ersion": "2"}, "paths": {}}"#,
    );
    assert!(rendered.contains("duplicate key `version`"), "{rendered}");
    assert!(rendered.contains("api.yaml:1:61"), "{rendered}");
}

#[test]
fn duplicate_keys_in_large_objects_are_found() {
    let mut properties = String::from("      properties:\n");
    for index in (0..500).chain([250]) {
        let _ = writeln!(properties, "        p{index}: {{}}");
    }
    let rendered = rejected(&with_schema(&properties));
    assert!(rendered.contains("duplicate key `p250`"), "{rendered}");
}

#[test]
fn numbers_are_keys_and_other_scalars_are_not() {
    accepted(SMALL);
    for key in ["true", "null", "~", "False"] {
        let rendered = rejected(&with_schema(&format!("      properties:\n        {key}: {{}}\n")));
        assert!(
            rendered.contains(&format!("put it in quotes: '{key}'")) && rendered.contains(":7:9"),
            "{rendered}"
        );
    }
    for key in ["yes", "no", "on", "y", "'true'", "\"null\"", "0x1F", "1.0", "1e3", "2024-01-01"] {
        accepted(&with_schema(&format!("      properties:\n        {key}: {{}}\n")));
    }
    for key in ["? [a, b]\n        ", "{a: b}", "[a]"] {
        assert!(
            rejected(&with_schema(&format!("      properties:\n        {key}: {{}}\n")))
                .contains("a key that is a string")
        );
    }
}

#[test]
fn aliases_and_merge_keys_are_read() {
    let text = with_schema(
        "      properties: &p {a: &a {type: string}, b: *a}\n    B:\n      properties:\n        <<: *p\n        a: {type: integer}\n    C: {properties: {<<: [{a: {type: integer}}, *p]}}\n",
    );
    let document = accepted(&text);
    let types = |schema: Schema<'_>| {
        let properties = schema.properties();
        properties
            .map(|(name, schema)| format!("{name} {:?}", schema.text("type")))
            .collect::<Vec<_>>()
    };
    let types: Vec<_> = document.schemas().map(|(_, schema)| types(schema)).collect();
    let merged = ["a Some(\"integer\")", "b Some(\"string\")"];
    assert_eq!(types[0], ["a Some(\"string\")", "b Some(\"string\")"]);
    assert_eq!(types[1..], [merged, merged]);

    let rendered = rejected(&with_schema("      properties: {<<: text}\n"));
    assert!(rendered.contains("`<<` merges only mappings"), "{rendered}");
}

#[test]
fn mistakes_in_aliased_text_are_shown_at_the_anchor() {
    let (_, diagnostics, rendered) =
        read(&with_schema("      properties: {a: &a {type: 12345}, b: *a}\n"));
    assert_eq!(diagnostics.count(Severity::Error), 2);
    assert_eq!(rendered.matches("api.yaml:6:33").count(), 2, "{rendered}");
}

#[test]
fn further_yaml_documents_are_errors() {
    let rendered = rejected(&format!("{SMALL}---\na: 1\n"));
    assert!(
        rendered.contains("another YAML document begins here") && rendered.contains(":19:1"),
        "{rendered}"
    );
    accepted(&format!("%YAML 1.2\n---\n{SMALL}...\n"));
}

#[test]
fn tags_are_warned_of() {
    let (document, diagnostics, rendered) =
        read(&with_schema("      title: !secret text\n      description: !!str 12\n"));
    assert!(!diagnostics.has_errors(), "{rendered}");
    assert!(rendered.contains("`!secret`") && rendered.contains(":6:14"), "{rendered}");
    let document = document.unwrap();
    let schema = document.schema_at("#/components/schemas/A").unwrap();
    assert_eq!((schema.title(), schema.description()), (Some("text"), Some("12")));
}

#[test]
fn byte_order_mark_line_ends_and_tabs_do_not_move_places() {
    let wrong = SMALL.replace("type: string", "type: 12345");
    let expected = "--> api.yaml:10:30";
    assert!(rejected(&wrong).contains(expected));
    assert!(rejected(&format!("\u{feff}{wrong}")).contains(expected));
    assert!(rejected(&wrong.replace('\n', "\r\n")).contains(expected));
    accepted(&format!("\u{feff}{SMALL}"));
    accepted(&SMALL.replace('\n', "\r\n"));
    accepted(&format!("\u{feff}{SMALL_JSON}"));
    accepted(&SMALL_JSON.replace('\n', "\r\n"));
    assert!(
        rejected("openapi: 3.1.0\ninfo:\n\ttitle: a\n").contains("indent with spaces, not tabs")
    );
}

#[test]
fn columns_count_characters() {
    let rendered = rejected(&with_schema("      {title: 日本ü😀, type: 12345}\n"));
    assert!(rendered.contains("--> api.yaml:6:27"), "{rendered}");
    let rendered = rejected(&with_schema("      properties: {日本: {type: 12345}}\n"));
    assert!(rendered.contains("--> api.yaml:6:31"), "{rendered}");
}

#[test]
fn numbers_of_any_size_are_read() {
    let text = with_schema(
        "      enum: [9223372036854775808, -9223372036854775809, 18446744073709551616, 1e400, 340282366920938463463374607431768211456, 0x10, 007, .5]\n",
    );
    let document = accepted(&text);
    let values = document.schema_at("#/components/schemas/A").unwrap().enumeration().unwrap();
    assert_eq!(
        values[..3],
        [Node::Integer(1 << 63), Node::Integer(-(1 << 63) - 1), Node::Integer(1 << 64)]
    );
    assert!(matches!(values[4], Node::Float(value) if value > 3.4e38), "{:?}", values[4]);
    assert_eq!(values[6], Node::String("007".to_owned()));
    accepted(&SMALL_JSON.replace("-1.5e3", "123456789012345678901234567890"));
}

#[test]
fn syntax_errors_have_a_place_and_a_fix() {
    let cases = [
        ("openapi: 3.1.0\ninfo:\n  title: a: b\n", ":3:11", "quote a text"),
        ("openapi: 3.1.0\n info:\n", ":2:6", "indentation"),
        ("openapi: 3.1.0\ninfo:\n  title: \"a\n", ":3:11", "close the open quote"),
        ("openapi: 3.1.0\ninfo: [a\n", ":2:8", "close the bracket"),
        ("openapi: @3\n", ":1:10", "quote a text"),
        ("a: \"\\q\"\n", ":1:5", "backslash"),
        ("{\"openapi\": \"3.1.0\",\n \"info\": {\"title\": ]}", ":2:20", "syntax"),
        ("{\"openapi\": \"3.1.0\",\n \"info\": {", ":2:10", "ends too early"),
        ("{\"openapi\": \"3.1.0\"} x", ":1:22", "remove the text after"),
        ("{\n  // a\n  \"openapi\": \"3.1.0\"}", ":2:3", "remove the comments"),
    ];
    for (text, place, fix) in cases {
        let rendered = rejected(text);
        assert!(rendered.contains(&format!("--> api.yaml{place}\n")), "{place}: {rendered}");
        assert!(rendered.contains(fix) && rendered.contains("not valid"), "{fix}: {rendered}");
        assert!(rendered.contains('^'), "{rendered}");
    }
}

#[test]
fn other_texts_are_read_or_say_what_to_do() {
    // Commas after the last element, which JSON does not allow and YAML does.
    accepted("{\"openapi\":\"3.0.3\",\"info\":{\"title\":\"D\",\"version\":\"1\",},\"paths\":{},}");
    accepted("openapi: '3.1'\ninfo: {title: D, version: '1'}\npaths: {}\n");
    accepted("openapi: 3.1.0\ninfo: {title: D, version: '1'}\ncomponents: {schemas: {A: {}}}\n");
    let cases = [
        ("", "the document is empty"),
        ("[]", "must be an object, not an array"),
        ("<html><body>Login</body></html>", "must be an object, not a string"),
        ("hello: world\n", "an OpenAPI document needs `paths`, `components` or `webhooks`"),
        ("{\"asyncapi\":\"2.6.0\",\"info\":{}}", "`asyncapi` is not a field of"),
        ("openapi: 4.0.0\n", "versions 3.0, 3.1 and 3.2 are supported"),
        ("swagger: '2.0'\n", "convert the document to OpenAPI 3.0 or 3.1 first"),
    ];
    for (text, expected) in cases {
        let rendered = rejected(text);
        assert!(rendered.contains(expected), "{text}: {rendered}");
    }
    let scalars =
        "openapi: 3.0\ninfo: {title: D, version: 1.10}\ntags: [{name: on}, {name: 1}]\npaths: {}\n";
    let (document, diagnostics, rendered) = read(scalars);
    assert!(document.is_some() && !diagnostics.has_errors(), "{rendered}");
    assert_eq!(rendered.matches("put it in quotes; it is read as").count(), 3, "{rendered}");
}

#[test]
fn yaml_in_flow_style_is_not_taken_for_json() {
    accepted("{openapi: 3.1.0, info: {title: t, version: '1'}, paths: {}}");
    assert!(rejected("{openapi: 3.1.0, info: ]}").contains("not valid YAML"));
    assert!(rejected("{\"openapi\": \"3.1.0\" \"info\": {}}").contains("not valid JSON"));
}

#[test]
fn fields_after_an_empty_map_are_its_entries_by_their_form_and_not_by_likeness() {
    let is_error = |field: &str| {
        let start = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n  /a:\n    get:\n";
        let (_, _, rendered) = read(&format!("{start}      responses:\n      {field}\n"));
        rendered.contains("error[indentation]")
    };
    assert!(is_error("'200': {description: Good.}"));
    for field in ["sumary: A text", "colour: A text", "colours: {red: A text}"] {
        assert!(!is_error(field), "{field}");
    }
}

#[test]
fn references_in_place_of_maps_and_lists_say_what_to_do() {
    let of_reply = |schema: &str| {
        format!(
            "paths: {{/a: {{get: {{responses: {{'200': {{description: A., content: {{a/json: {{schema: {schema}}}}}}}}}}}}}}}"
        )
    };
    let cases = [
        "paths: {$ref: ./a.yaml}".to_owned(),
        "paths: {/a: {get: {parameters: {$ref: ./a.yaml}}}}".to_owned(),
        of_reply("{type: string, enum: {$ref: './a.yaml#/A'}}"),
        of_reply("{oneOf: {$ref: './a.yaml#/A'}}"),
    ];
    for rest in cases {
        let text = format!("openapi: 3.1.0\ninfo: {{title: T, version: '1'}}\n{rest}\n");
        let rendered = rejected(&text);
        assert!(rendered.contains("bundle the files of the document first"), "{rest}: {rendered}");
    }
}
