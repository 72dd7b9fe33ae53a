//! References to other files, and keywords next to a `$ref`, which apply as next to an `allOf` of it (JSON Schema 2020-12,
//! section 8.2.3.1).

use std::rc::Rc;

use codegen::{Input, Outcome, Settings, Source};

use crate::support::case::{Case, rendered};

/// Keywords, and the component that the reference next to them names.
const SIBLINGS: [(&str, &str); 14] = [
    ("type: string", "Color"),
    ("type: [string, 'null']", "Color"),
    ("type: string", "Time"),
    ("type: string", "Secret"),
    ("type: integer", "Number"),
    ("type: object", "Owner"),
    ("type: array", "List"),
    ("format: password", "Text"),
    ("format: date-time", "Text"),
    ("format: int32", "Number"),
    ("items: {type: string}", "List"),
    ("required: [name]", "Owner"),
    ("additionalProperties: {type: integer}", "Map"),
    ("oneOf: [{required: [name], properties: {name: {type: string}}}]", "Owner"),
];

const COMPONENTS: &str = "
    Color: {type: string, enum: [red, green]}
    Time: {type: string, format: date-time}
    Secret: {type: string, format: password}
    Number: {type: integer}
    Text: {type: string}
    List: {type: array}
    Map: {type: object}
    Owner: {type: object, properties: {name: {type: string}}}
";

#[test]
fn keywords_next_to_a_reference_apply() {
    let [next_to, all_of] = [false, true].map(public_items);
    assert_eq!(next_to, all_of);
    for field in ["p0: Option<models::Color>", "p3: Option<Secret<String>>", "p7: Option<Secret<"] {
        assert!(next_to.contains(field), "{field}: {next_to}");
    }
}

#[test]
fn a_list_of_itself_outside_components_is_any_json() {
    let place = "#/paths/~1lists/get/responses/200/content/application~1json/schema";
    let operation = format!(
        "
      operationId: lists.get
      responses:
        '200': {{description: Lists., content: {{application/json: {{schema: {{type: array, items: {{$ref: '{place}'}}}}}}}}}}"
    );
    assert!(items("lists", &operation, "").contains("output Vec<Vec<Value>>"));
}

#[test]
fn a_part_has_the_unions_of_both_keywords() {
    let branch = |[one, other]: [&str; 2]| {
        format!("{{required: [{one}], properties: {{{one}: {{type: string}}, {other}: {{}}}}}}")
    };
    let [a, b, c, d] = [["a", "x"], ["b", "x"], ["c", "y"], ["d", "y"]].map(branch);
    let part = format!("{{oneOf: [{a}, {b}], anyOf: [{c}, {d}]}}");
    let components = format!(
        "
    Model: {{allOf: [{{properties: {{id: {{}}}}}}, {part}]}}"
    );
    let operation = "
      operationId: models.get
      responses: {'200': {description: A model., content: {application/json: {schema: {$ref: '#/components/schemas/Model'}}}}}";
    let items = items("models", operation, &components);
    assert_eq!(items.matches(" as oneof").count(), 2, "{items}");
}

/// A schema, and two others in it.
const FILE: &str = "{type: object, properties: {a: {type: string}}, M: {type: string}, definitions: {T: {type: string}}}";

/// References in an operation, and what is said of each; nothing of those that are read.
const TO_FILES: [(&str, &str); 10] = [
    ("schemas.yaml", ""),
    ("./schemas/T.json#/definitions/T", ""),
    ("./a%20folder/a%20b.yaml", ""),
    ("./a folder/a b.yaml", ""),
    ("schemas.yaml#M", "did you mean `schemas.yaml#/M`?"),
    ("schemas/T.json#definitions/T", "did you mean `schemas/T.json#/definitions/T`?"),
    ("schemas.yaml#N", "add `$anchor: N`"),
    (r".\schemas\T.json#/definitions/T", r"write `/` in place of each `\`"),
    (r"schemas\T.json", r"write `/` in place of each `\`"),
    ("schemas/t.json", "`schemas/t.json` cannot be read"),
];

#[test]
fn references_to_files_are_read_or_corrected() {
    for (reference, expected) in TO_FILES {
        let found = with_files(&format!("schema: {{$ref: '{reference}'}}"), "{}");
        let shown = rendered(&found);
        assert_eq!(found.output.is_some(), expected.is_empty(), "{reference}: {shown}");
        assert!(shown.contains(expected) && shown.is_empty() == expected.is_empty(), "{shown}");
    }
}

#[test]
fn components_in_another_file_are_one_problem() {
    let uses = "schema: {properties: {a: {$ref: '#/components/schemas/M'}, b: {$ref: '#/components/schemas/M/not'}}}";
    // Beside components, it is a component without an object.
    let beside = with_files(
        "schema: {$ref: '#/components/schemas/M'}",
        "{schemas: {$ref: './schemas.yaml', M: {type: string}}}",
    );
    assert!(beside.output.is_some(), "{}", rendered(&beside));
    let places = [
        ("components", "{$ref: './schemas.yaml'}"),
        ("schemas", "{schemas: {$ref: './schemas.yaml'}}"),
    ];
    for (what, components) in places {
        for (schema, severity) in [(uses, "error"), ("schema: {}", "warning")] {
            let found = with_files(schema, components);
            let shown = rendered(&found);
            assert_eq!(found.output.is_some(), severity == "warning", "{shown}");
            assert_eq!(found.diagnostics.iter().count(), 1, "{components}: {shown}");
            assert!(
                shown.starts_with(&format!("{severity}[wrong-type]: `{what}` cannot")),
                "{shown}"
            );
            assert!(shown.contains("bundle the files of the document first"), "{shown}");
            assert_eq!(
                shown.contains("this part, which no operation needs"),
                severity == "warning"
            );
        }
    }
}

/// Generates from a document with an operation and components, and with other files.
fn with_files(media_type: &str, components: &str) -> Outcome {
    let text = format!(
        "openapi: 3.1.1
info: {{title: Files, version: 1.0.0}}
paths:
  /pets: {{get: {{responses: {{'200': {{description: A pet., content: {{application/json: {{{media_type}}}}}}}}}}}}}
components: {components}
"
    );
    let source = Source { name: "openapi.yaml".to_owned(), text };
    let files = ["schemas.yaml", "schemas/T.json", "a folder/a b.yaml"];
    let read_file = move |file: &str| {
        let is_known = files.contains(&file);
        if is_known { Ok(FILE.to_owned()) } else { Err("the file does not exist".to_owned()) }
    };
    let input = Input { read_file: Rc::new(read_file), ..Input::from(&source) };
    codegen::generate(input, &Settings { package: "pets".to_owned(), ..Settings::default() })
}

/// Returns the items of a crate with a property, a list and a parameter for each row.
fn public_items(is_all_of: bool) -> String {
    let reference = |name| {
        let reference = format!("$ref: '#/components/schemas/{name}'");
        if is_all_of { format!("allOf: [{{{reference}}}]") } else { reference }
    };
    let rows = SIBLINGS.iter().enumerate();
    let schemas: Vec<_> =
        rows.map(|(row, (keys, name))| (row, format!("{{{}, {keys}}}", reference(name)))).collect();
    let all = |show: fn(usize, &str) -> String, separator: &str| {
        schemas.iter().map(|(row, it)| show(*row, it)).collect::<Vec<_>>().join(separator)
    };
    let properties =
        all(|row, it| format!("p{row}: {it}, l{row}: {{type: array, items: {it}}}"), ", ");
    let parameters = all(|row, it| format!("{{name: q{row}, in: query, schema: {it}}}"), ", ");
    let operation = format!(
        "
      operationId: pets.list
      parameters: [{parameters}]
      responses:
        '200': {{description: Pets., content: {{application/json: {{schema: {{$ref: '#/components/schemas/Pet'}}}}}}}}"
    );
    let pet = format!(
        "
    Pet: {{type: object, properties: {{{properties}}}}}{COMPONENTS}"
    );
    items("pets", &operation, &pet)
}

#[test]
fn references_within_their_own_component_are_reported_where_nothing_is() {
    let operation = "
      operationId: lists.get
      responses:
        '200': {description: Lists., content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}";
    let to = |name: &str, member: &str| {
        format!("properties: {{x: {{$ref: '#/components/schemas/{name}/properties/{member}'}}}}")
    };
    let cases = [
        (to("A", "gone"), to("A", "x"), 1),
        (to("B", "gone"), to("A", "gone"), 2),
        (to("B", "gone"), "type: 12345".to_owned(), 1),
    ];
    for (a, b, count) in cases {
        let components = format!("\n    A: {{{a}}}\n    B: {{{b}}}");
        let outcome = generate("lists", operation, &components);
        let errors = rendered(&outcome).matches("error[").count();
        assert_eq!((errors, outcome.output.is_none()), (count, true), "{}", rendered(&outcome));
    }
}

/// Returns the items of a crate with an operation that reads this path.
fn items(path: &str, operation: &str, components: &str) -> String {
    generate(path, operation, components).output.unwrap().public_api.to_string()
}

fn generate(path: &str, operation: &str, components: &str) -> Outcome {
    let text = format!(
        "openapi: 3.1.1
info: {{title: References, version: 1.0.0}}
paths:
  /{path}:
    get:{operation}
components:
  schemas:{components}
    Other: {{type: string}}"
    );
    let source = Source { name: "openapi.yaml".to_owned(), text };
    Case { name: "references".to_owned(), source }.generate()
}
