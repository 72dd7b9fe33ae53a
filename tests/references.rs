//! Keywords next to a `$ref` apply as next to an `allOf` of it (JSON Schema 2020-12, section 8.2.3.1).

use codegen::Source;

use crate::support::case::Case;

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

/// Returns the items of a crate with an operation that reads this path.
fn items(path: &str, operation: &str, components: &str) -> String {
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
    Case { name: "references".to_owned(), source }.output().public_api.to_string()
}
