//! Reading documents: the reports, and that no text makes the reader panic.

mod attacks;
mod texts;

use super::{Document, Source};
use crate::diagnostics::{Diagnostics, render};

/// A document in block style, with syntax that only YAML has.
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

/// A document in JSON, with syntax that only JSON has.
const SMALL_JSON: &str = r##"{"openapi": "3.1.0", "info": {"title": "\ud83d\ude00", "version": "1"},
	"paths": {"/a": {"get": {"responses": {"200": {"description": "", "content": {"a/b": {"schema": {"$ref": "#/components/schemas/A"}}}}}}}},
	"components": {"schemas": {"A": {"type": ["string", "null"], "minimum": -1.5e3, "default": null, "deprecated": true}}}}"##;

/// Reads a text, and renders its diagnostics.
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

/// Reads a text that must be rejected, and returns the rendered diagnostics.
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
