//! Reading documents: the typed view, the reports, and that no text makes the reader panic.

mod attacks;
mod reading;
mod texts;

use super::{Document, Source};
use crate::diagnostics::{Diagnostics, render};

/// A document in block style, with what YAML has and JSON lacks.
const SMALL: &str = r#"openapi: 3.1.0
info: {title: Tälles, version: '1'}
paths:
  /a/{id}:
    get:
      parameters:
        - name: id
          in: path
          required: true
          schema: &id {type: string, enum: ["a\"b", 'ü']}
      responses:
        200:
          description: |
            Good.
            Very good.
          content:
            application/json:
              schema: *id
"#;

/// A document in JSON, with what JSON has and YAML lacks.
const SMALL_JSON: &str = r##"{"openapi": "3.1.0", "info": {"title": "\ud83d\ude00", "version": "1"},
	"paths": {"/a": {"get": {"responses": {"200": {"description": "", "content": {"a/b": {"schema": {"$ref": "#/components/schemas/A"}}}}}}}},
	"components": {"schemas": {"A": {"type": ["string", "null"], "minimum": -1.5e3, "default": null, "deprecated": true}}}}"##;

/// Reads a text, and renders what is reported about it.
fn read(text: &str) -> (Option<Document>, Diagnostics, String) {
    let mut diagnostics = Diagnostics::new();
    let source = Source { name: "api.yaml".to_owned(), text: text.to_owned() };
    let tree = super::load(&(&source).into(), &mut diagnostics);
    let document = tree.and_then(|tree| super::read(tree, &mut diagnostics));
    let rendered = render(&diagnostics, false);
    (document, diagnostics, rendered)
}

/// Reads a text that must be read without a report.
#[track_caller]
fn accepted(text: &str) -> Document {
    let (document, diagnostics, rendered) = read(text);
    assert!(diagnostics.is_empty(), "{rendered}");
    document.unwrap()
}

/// Reads a text that must be rejected, and returns what the user sees.
#[track_caller]
fn rejected(text: &str) -> String {
    let (_, diagnostics, rendered) = read(text);
    assert!(diagnostics.has_errors(), "{rendered}");
    rendered
}

/// A document with a single schema in block style, whose first line is line 6.
fn with_schema(schema: &str) -> String {
    format!(
        "openapi: 3.1.0\ninfo: {{title: t, version: '1'}}\ncomponents:\n  schemas:\n    A:\n{schema}"
    )
}

/// A document of a version with a single schema in flow style, which begins in line 3, column 27.
fn schema_text(version: &str, schema: &str) -> String {
    format!(
        "openapi: {version}\ninfo: {{title: t, version: '1'}}\ncomponents: {{schemas: {{A: {schema}}}}}\npaths: {{}}\n"
    )
}

/// A document with a single parameter in flow style, which begins in line 5, column 5.
fn parameter_text(parameter: &str) -> String {
    format!(
        "openapi: 3.1.0\ninfo: {{title: t, version: '1'}}\ncomponents:\n  parameters:\n    P: {parameter}\n"
    )
}

/// Checks what is reported about a mistake: its severity and code, its place, and a part of the cure.
#[track_caller]
fn complains(text: &str, title: &str, place: &str, cure: &str) {
    let (_, _, rendered) = read(text);
    let start = rendered.find(title).unwrap_or_else(|| panic!("no {title}:\n{rendered}"));
    let report = rendered[start..].split("\n\n").next().unwrap();
    assert!(report.contains(&format!("--> api.yaml:{place}\n")), "not at {place}:\n{report}");
    assert!(report.contains(cure), "no {cure}:\n{report}");
}
