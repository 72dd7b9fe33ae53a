//! What is said about mistakes in a description, where, and with which cure.

use codegen::diagnostics::{Diagnostics, Severity, render};
use codegen::document;

use crate::{complains, parameter_text, read, schema_text};

#[test]
fn missing_fields() {
    complains(
        "info: {title: t, version: '1'}\npaths: {}\n",
        "needs the field `openapi`",
        "1:1",
        "3.1.1",
    );
    complains("openapi: 3.1.0\npaths: {}\n", "needs the field `info`", "1:1", "`title`");
    complains(
        "openapi: 3.1.0\ninfo: {}\npaths: {}\n",
        "needs the field `title`",
        "2:1",
        "name the API",
    );
    complains(
        "openapi: 3.1.0\ninfo: {}\npaths: {}\n",
        "needs the field `version`",
        "2:1",
        "'1.0.0'",
    );
    complains(
        "openapi: 3.0.3\ninfo: {title: t, version: '1'}\n",
        "needs the field `paths`",
        "1:1",
        "paths: {}",
    );
    complains(
        &parameter_text("{in: query, schema: {}}"),
        "needs the field `name`",
        "5:5",
        "on the wire",
    );
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
    complains(&schema_text("3.1.0", "{$ref: 1}"), "`$ref` must be a string", "3:34", "");
    complains(
        &schema_text("3.1.0", "{properties: []}"),
        "`properties` must be an object",
        "3:40",
        "",
    );
    complains(
        &schema_text("3.1.0", "{nullable: 'yes'}"),
        "`nullable` must be true or false",
        "3:38",
        "",
    );
    complains(&schema_text("3.1.0", "{allOf: {}}"), "`allOf` must be an array", "3:35", "");
    complains(
        &schema_text("3.1.0", "{required: [1]}"),
        "a member must be a string",
        "3:39",
        "in quotes",
    );
}

#[test]
fn unknown_fields_and_what_was_meant() {
    let text = "openapi: 3.1.0\ninfo: {title: t, version: '1', summry: x, x-own: 1}\npaths: {/a: {GET: {}, get: {operationID: a}}}\n";
    complains(text, "`summry` is not a field", "2:32", "did you mean `summary`?");
    complains(text, "`GET` is not a field", "3:14", "did you mean `get`?");
    complains(text, "`operationID` is not a field", "3:29", "did you mean `operationId`?");
    complains(
        &schema_text("3.1.0", "{min_items: 1}"),
        "`min_items`",
        "3:28",
        "did you mean `minItems`?",
    );
    complains(&schema_text("3.1.0", "{zzz: 1}"), "`zzz` is not a field of a schema", "3:28", "x-");
    let (_, diagnostics, _) = read(text);
    assert!(!diagnostics.has_errors());
}

#[test]
fn invalid_parameters() {
    let wrong = |text: &str, title: &str, place: &str, cure: &str| {
        complains(&parameter_text(text), title, place, cure);
    };
    wrong("{name: a, in: body, schema: {}}", "error[invalid-value]", "5:22", "`requestBody`");
    wrong("{name: a, in: elsewhere}", "error[invalid-value]", "5:22", "`cookie`");
    wrong("{name: a, in: path}", "warning[optional-path-parameter]", "5:5", "`required: true`");
    wrong(
        "{name: a, in: path, required: false}",
        "error[optional-path-parameter]",
        "5:38",
        "`required: true`",
    );
    wrong(
        "{name: a, in: query, style: matrix}",
        "error[invalid-value]",
        "5:36",
        "`form`, `spaceDelimited`",
    );
    wrong("{name: a, in: query, style: curly}", "error[invalid-value]", "5:36", "`deepObject`");
    wrong(
        "{name: a, in: query, schema: {}, content: {}}",
        "error[conflicting-fields]",
        "5:41",
        "keep one",
    );
    wrong("{name: a, in: query, content: {}}", "exactly one media type", "5:38", "`schema`");
    wrong(
        "{name: a, in: query, content: {a/b: {}, c/d: {}}}",
        "exactly one media type",
        "5:38",
        "`schema`",
    );
    wrong("{name: a, in: header, allowReserved: true}", "error[misplaced-field]", "5:30", "remove");
}

#[test]
fn invalid_schemas() {
    let wrong = |text: &str, title: &str, place: &str, cure: &str| {
        complains(&schema_text("3.1.0", text), title, place, cure);
    };
    wrong("{type: strin}", "error[invalid-value]", "3:34", "`string`");
    wrong("{type: [string, float]}", "error[invalid-value]", "3:43", "`type: number`");
    wrong("{type: []}", "error[invalid-value]", "3:34", "any type");
    wrong("{type: null}", "warning[unquoted-null]", "3:34", "'null'");
    wrong("{required: true}", "warning[unread]", "3:38", "`required` of the object");
    wrong("{items: [{}]}", "error[invalid-value]", "3:35", "`prefixItems`");
    wrong("{oneOf: []}", "error[invalid-value]", "3:35", "list the schemas");
    wrong("{discriminator: kind}", "error[invalid-value]", "3:43", "`propertyName`");
    wrong(
        "{discriminator: {}}",
        "needs the field `propertyName`",
        "3:28",
        "tells the schemas apart",
    );
    wrong("{properties: {a: null}}", "error[wrong-type]", "3:44", "remove the key");
}

#[test]
fn constructs_that_are_not_read_are_told() {
    let text = "openapi: 3.1.0\ninfo: {title: t, version: '1'}\nwebhooks: {}\npaths: {/a: {get: {callbacks: {}, responses: {200: {description: '', links: {}}}}}}\n";
    for (name, place) in [("webhooks", "3:1"), ("callbacks", "4:20"), ("links", "4:70")] {
        complains(
            text,
            &format!("warning[unread]: `{name}` is not read"),
            place,
            "nothing is generated",
        );
    }
    let text = schema_text("3.1.0", "{type: string, not: {}, if: {}, pattern: a}");
    complains(&text, "the keyword `not` is not read", "3:42", "");
    let (document, ..) = read(&text);
    assert_eq!(document.unwrap().openapi.components.schemas[0].1.unread, ["not", "if"]);
}

#[test]
fn the_same_warning_is_shown_three_times_and_counted() {
    let schemas: Vec<String> = (0..40).map(|index| format!("a{index}: {{not: {{}}}}")).collect();
    let (_, diagnostics, rendered) =
        read(&schema_text("3.1.0", &format!("{{properties: {{{}}}}}", schemas.join(", "))));
    assert_eq!(diagnostics.count(Severity::Warning), 40);
    assert_eq!(rendered.matches("warning[unread]").count(), 3, "{rendered}");
    assert!(rendered.contains("the same in 37 more places"), "{rendered}");
}

#[test]
fn colours_are_only_there_when_asked_for() {
    let text = "openapi: 1\n";
    let mut diagnostics = Diagnostics::new();
    document::read(text, &mut diagnostics);
    assert!(!render(&diagnostics, "a", text, false).contains('\u{1b}'));
    assert!(render(&diagnostics, "a", text, true).contains('\u{1b}'));
}
