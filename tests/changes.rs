//! Changes of a spec are reported whatever else changes: each entry of a report on one edit is in the report on two.

use std::collections::BTreeSet;

use codegen::compare::{Change, Class, compare};
use codegen::{Described, Settings, Source, SourceFile};

const SPEC: &str = "\
openapi: 3.1.0
info: {title: Pets, version: 1.0.0}
servers: [{url: 'https://pets.example.com'}]
security: [{token: []}]
paths:
  /pets/{pet_id}:
    parameters: [{name: pet_id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: pets.get
      x-backend: {default: 5, responses: {'204': {statusCode: 204}}}
      parameters: [{$ref: '#/components/parameters/default'}, {name: Of, in: header, required: true, schema: {type: boolean, const: true}}]
      responses:
        '200': {description: The pet., content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
        '404': {description: No pet., content: {application/json: {schema: {$ref: '#/components/schemas/Problem'}}}}
    put:
      operationId: pets.replace
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}
      responses:
        '200': {description: The pet., content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
        '404': {description: No pet., content: {application/json: {schema: {$ref: '#/components/schemas/Problem'}}}}
components:
  securitySchemes:
    token: {type: http, scheme: bearer}
    key: {type: apiKey, in: header, name: X-Key}
    default: {type: http, scheme: basic, description: One.}
  parameters:
    default: {name: size, in: query, schema: {type: integer, default: 1}}
  schemas:
    Pet: {type: object, required: [name], properties: {name: {type: string}, note: {type: string}, variables: {$ref: '#/x-schemas/Named'}}}
    Problem: {type: object, properties: {text: {type: string}}}
x-schemas:
  Named: {type: object, properties: {default: {type: integer, default: 3}, responses: {type: object, properties: {content: {type: string}}}}}
";

/// An edit: a text, and what replaces it everywhere.
type Edit<'a> = (&'a str, &'a str);

/// Edits that programs notice, although some of them change no item.
const NOTICED: [Edit<'_>; 9] = [
    ("const: true", "const: false"),
    ("'404'", "'410'"),
    ("'200'", "'206'"),
    (
        "        '404'",
        "        '203': {$ref: '#/paths/~1pets~1{pet_id}/get/responses/200'}\n        '404'",
    ),
    ("default: 1", "default: 2"),
    ("default: 3", "default: 4"),
    ("note: {type: string}", "note: {type: string, format: byte}"),
    ("required: [name]", "required: [note]"),
    (
        "application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}\n        '4",
        "application/xml: {}}}\n        '4",
    ),
];

/// Edits that programs do not notice.
const COMPATIBLE: [Edit<'_>; 13] = [
    ("{pet_id}", "{id}"),
    ("operationId: pets.", "operationId: v1.pets."),
    ("security: [{token: []}]", "security: [{token: []}, {key: []}]"),
    ("      operationId", "      deprecated: true\n      operationId"),
    (
        "{description: The pet., content",
        "{headers: {X-Rest: {schema: {type: integer}}}, description: The pet., content",
    ),
    (
        "    parameters: [{name: pet_id",
        "    parameters: [{name: Idempotency-Key, in: header, schema: {type: string}}, {name: pet_id",
    ),
    (
        "    parameters: [{name: pet_id",
        "    parameters: [{name: color, in: query, schema: {type: string}}, {name: pet_id",
    ),
    ("operationId: pets.get", "operationId: pets.fetch"),
    ("default: 5", "default: 6"),
    ("'204'", "'205'"),
    ("One.", "Two."),
    ("content: {type: string}", "content: {type: string, description: A text.}"),
    (
        "    parameters: [{name: pet_id",
        "    parameters: [{name: Edition, in: header, required: true, schema: {const: 7}}, {name: pet_id",
    ),
];

/// An edit that programs notice, and that explains no other.
const RENAMED: Edit<'_> = ("Problem", "Fault");

/// The crate of a spec.
struct Crate {
    api: codegen::items::PublicApi,
    described: Described,
    files: Vec<SourceFile>,
}

impl Crate {
    fn new(edits: &[Edit<'_>]) -> Self {
        let text = edits.iter().fold(SPEC.to_owned(), |text, (from, to)| {
            assert!(text.contains(from), "{from}");
            text.replace(from, to)
        });
        let text = text.replace(
            "name: pet_id",
            if text.contains("{id}") { "name: id" } else { "name: pet_id" },
        );
        let source = Source { name: "openapi.yaml".to_owned(), text };
        let aliases = ["Pets::get", "Get"].map(|old| {
            let new = old.replace("get", "fetch").replace("Get", "Fetch");
            (format!("resources::pets::{old}"), format!("resources::pets::{new}"))
        });
        let settings =
            Settings { package: "pets".to_owned(), aliases: aliases.into(), ..Settings::default() };
        let outcome = codegen::generate(&source, &settings);
        let output = outcome.output.unwrap();
        Self { api: output.public_api, described: Described::new(&source), files: output.files }
    }

    /// Returns the entries of a report that more than documentation causes.
    fn entries_since(&self, old: &Self) -> BTreeSet<(Class, String)> {
        let apis = [&old.api, &self.api];
        let mut comparison = compare(&old.api, &self.api);
        comparison.add_described(apis, [&old.described, &self.described]);
        let texts = [old, self].map(|of| {
            of.files.iter().map(|file| (file.path.as_str(), file.text.as_str())).collect()
        });
        comparison.add_code(apis, &texts);
        let entries =
            comparison.changes.iter().flat_map(|Change { class, main, others, .. }| {
                std::iter::once(main)
                    .chain(others)
                    .map(|it| (*class, it.id.replace("Fetch", "Get")))
            });
        entries.filter(|(class, _)| *class > Class::Compatible).collect()
    }
}

#[test]
fn a_compatible_edit_hides_no_other() {
    let old = Crate::new(&[]);
    for noticed in NOTICED {
        let alone = Crate::new(&[noticed]).entries_since(&old);
        assert!(!alone.is_empty(), "{noticed:?}");
        for compatible in COMPATIBLE.into_iter().chain([RENAMED]) {
            let both = Crate::new(&[noticed, compatible]).entries_since(&old);
            let lost: Vec<_> = alone.difference(&both).collect();
            assert!(lost.is_empty(), "{noticed:?} with {compatible:?}: {lost:?}");
        }
    }
    for compatible in COMPATIBLE {
        let entries = Crate::new(&[compatible]).entries_since(&old);
        assert_eq!(entries, BTreeSet::new(), "{compatible:?}");
    }
}

#[test]
fn a_second_error_response_is_no_change_of_the_first() {
    let old = Crate::new(&[]);
    for (status, schema) in [("'409'", "Problem"), ("'409'", "Pet"), ("default", "Problem")] {
        let content =
            format!("application/json: {{schema: {{$ref: '#/components/schemas/{schema}'}}}}");
        let response = format!("{status}: {{description: Failed., content: {{{content}}}}}");
        let responses = format!("      responses:\n        {response}\n");
        let mut entries = Crate::new(&[("      responses:\n", &responses)]).entries_since(&old);
        // Code that decodes errors, and their type, can differ.
        entries.retain(|(_, id)| id.starts_with('/'));
        assert_eq!(entries, BTreeSet::new(), "{response}");
    }
}
