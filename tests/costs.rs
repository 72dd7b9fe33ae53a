//! What the mistakes of real documents cost, in each version of OpenAPI: nothing else decides their severity.

use codegen::diagnostics::{Code, Cost, Severity, render};
use codegen::{Input, Settings, Source, generate};

/// A document with two operations.
const DOCUMENT: &str = "
info: {title: Pets, version: '1'}
paths:
  /pets/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        '200': {description: A pet., content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
    delete:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {'204': {description: Done.}}
components:
  schemas:
    Pet: {type: object, properties: {name: {type: string}}}
";

/// Mistakes in the operation `get`: its fields, and what is reported.
const OF_OPERATION: &[(&str, Option<Code>)] = &[
    ("parameters: [{name: a, in: header, allowReserved: false, schema: {type: string}}]", None),
    ("parameters: [{name: a, in: cookie, allowReserved: false, schema: {type: string}}]", None),
    (
        "parameters: [{name: a, in: header, allowReserved: true, schema: {type: string}}]",
        Some(Code::MisplacedField),
    ),
    (
        "parameters: [{name: a, in: query, example: b, examples: {c: {value: d}}, schema: {type: string}}]",
        Some(Code::ConflictingFields),
    ),
    (
        "parameters: [{name: a, in: query, schema: {type: string}, content: {text/plain: {schema: {type: string}}}}]",
        Some(Code::ConflictingFields),
    ),
    ("description: [a, b]", Some(Code::NotText)),
    ("externalDocs: {$ref: 'https://example.com/docs.yaml'}", None),
    ("externalDocs: {url: {$ref: 'https://example.com/docs.yaml'}}", None),
    ("responses: {'600': {description: No.}}", Some(Code::ReplyStatus)),
    ("responses: {'99': {description: No.}}", Some(Code::ReplyStatus)),
    ("responses: {ok: {description: No.}}", Some(Code::ReplyStatus)),
    ("responses: {Default: {description: No.}}", Some(Code::ReplyStatus)),
    ("responses: {20X: {description: No.}}", Some(Code::ReplyStatus)),
    ("responses: {200-299: {description: No.}}", Some(Code::ReplyStatus)),
    ("responses: {'404': {$ref: '#/components/responses/Gone'}}", Some(Code::ReplyRef)),
    ("responses: {'404': {$ref: '#/components/schemas/Pet'}}", Some(Code::ReplyRef)),
    (
        "responses: {'204': {description: Done., content: {application/json: {schema: {type: string}}}}}",
        None,
    ),
    ("security: [{key: [reed]}]", Some(Code::UndeclaredScope)),
    ("security: [{keey: []}]", Some(Code::UndeclaredSecurity)),
    ("parameters: [{name: X Y, in: header, schema: {type: string}}]", Some(Code::HeaderName)),
    ("parameters: [{name: Größe, in: header, schema: {type: string}}]", Some(Code::HeaderName)),
    (
        "parameters: [{name: Content-Length, in: header, schema: {type: string}}]",
        Some(Code::IgnoredParameter),
    ),
    ("requestBdoy: {content: {}}", Some(Code::UnknownField)),
    (
        "responses: {'200': {description: A., content: {aplication/json: {schema: {type: string}}}}}",
        Some(Code::MediaType),
    ),
    ("parameters: [{name: a, in: body, schema: {type: string}}]", Some(Code::InvalidValue)),
    ("parameters: [{$ref: '#/components/parameters/Gone'}]", Some(Code::DanglingRef)),
];

/// Mistakes elsewhere, by the JSONPath of their object.
const ELSEWHERE: &[(&str, &str, Option<Code>)] = &[
    ("$", "tags: [{description: A.}]", Some(Code::MissingField)),
    ("$", "servers: [{description: A.}]", Some(Code::MissingField)),
    ("$", "servers: http://example.com", Some(Code::WrongType)),
    (
        "$.components.schemas.Pet",
        "allOf: [{$ref: '#/components/schemas/Pet'}, {type: object, properties: {age: {type: integer}}}]",
        Some(Code::SelfReference),
    ),
    ("$.components.schemas.Pet", "discriminator: {propertyName: nmae}", Some(Code::Discriminator)),
    ("$.components.schemas.Pet", "propertis: {}", Some(Code::UnknownField)),
    (
        "$.components.schemas.Pet",
        "properties: {owner: {$ref: '#/components/schemas/Owner'}}",
        Some(Code::DanglingRef),
    ),
];

#[test]
fn a_mistake_costs_the_same_in_every_version() {
    let operation = "$.paths['/pets/{id}'].get";
    let of_operation = OF_OPERATION.iter().map(|(fields, code)| (operation, *fields, *code));
    for (target, fields, code) in of_operation.chain(ELSEWHERE.iter().copied()) {
        for version in ["3.0.4", "3.1.1", "3.2.0"] {
            check(version, target, fields, code);
        }
    }
}

fn check(version: &str, target: &str, fields: &str, code: Option<Code>) {
    let source = |text: String| Source { name: "openapi.yaml".to_owned(), text };
    let scheme = "securitySchemes: {key: {type: oauth2, flows: {clientCredentials: {tokenUrl: 'https://example.com', \
                  scopes: {read: Read.}}}}}";
    let mut input = Input::from(&source(format!("openapi: {version}{DOCUMENT}  {scheme}\n")));
    input.overlays.push(source(format!(
        "overlay: 1.0.0\ninfo: {{title: A mistake, version: '1'}}\nactions:\n  - {{target: \"{target}\", update: {{{fields}}}}}\n"
    )));
    let settings =
        |keep_going| Settings { package: "pets".to_owned(), keep_going, ..Settings::default() };
    let outcome = generate(input.clone(), &settings(false));
    let shown = format!("{version}: {fields}\n{}", render(&outcome.diagnostics, false));
    let reported: Vec<_> =
        outcome.diagnostics.iter().filter(|it| it.severity != Severity::Note).collect();
    let codes: Vec<Code> = reported.iter().map(|it| it.code).collect();
    assert_eq!(codes, Vec::from_iter(code), "{shown}");
    // Errors outside of paths and components cost no operation.
    let is_error = code.is_some_and(|code| code.cost() == Cost::Operation) && target != "$";
    assert_eq!(outcome.output.is_none(), is_error, "{shown}");
    let kept = generate(input, &settings(true)).output.unwrap();
    assert_eq!(kept.summary.operations, if is_error { 1 } else { 2 }, "{shown}");
    let rest = outcome.diagnostics.rest.map(|rest| (rest.operations, rest.all));
    assert_eq!(rest, is_error.then_some((1, 2)), "{shown}");
}
