//! `new` sets the value by which unions recognize an object.

use std::collections::BTreeMap;

use codegen::Source;

use crate::support::case::Case;

/// Schemas whose `new` sets tags, with the values; and those whose `new` sets none.
const SCHEMAS: &str = r"
    # Optional constants, and the default of several values.
    Pay: {oneOf: [{$ref: '#/components/schemas/Apple'}, {$ref: '#/components/schemas/Google'}, {$ref: '#/components/schemas/Card'}, {$ref: '#/components/schemas/Cash'}, {$ref: '#/components/schemas/Kept'}]}
    Apple: {type: object, properties: {type: {const: apple}, token: {type: string}}}
    Google: {allOf: [{properties: {token: {type: string}}}], properties: {type: {type: [string, 'null'], enum: [google, null]}}}
    Card: {type: object, properties: {type: {enum: [scheme, bcmc], default: scheme}, token: {type: string}}}
    # The body of a request, which would overwrite the property.
    Kept: {type: object, properties: {type: {const: kept}, token: {type: string}}}
    Cash: {type: object, properties: {type: {enum: [coins, notes]}, token: {type: string}}}
    # The tag of an inline branch, a boolean, an integer, and a tag that is asked after another.
    Task:
      oneOf:
        - {title: Cut, type: object, properties: {name: {const: cut}}}
        - {title: Join, type: object, properties: {name: {const: join}, deep: {const: true}, only: {const: one}}}
        - {title: Flat, type: object, properties: {name: {const: join}, deep: {const: false}}}
    Level: {oneOf: [{title: One, type: object, properties: {level: {const: -1}}}, {title: Two, type: object, properties: {level: {const: 2}}}]}
    # Texts that a discriminator maps, also of a union within another.
    Outer: {oneOf: [{$ref: '#/components/schemas/Inner'}, {title: Other, type: object, properties: {family: {const: other}}}]}
    Inner:
      oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]
      discriminator: {propertyName: kind, mapping: {cat: Cat, dog: Dog}}
    Cat: {type: object, properties: {kind: {type: string}, family: {const: pet}}}
    Dog: {type: object, properties: {kind: {type: string}, family: {const: pet}}}
    # Two unions that recognize it by different values; a tag that requests do not send; a constant outside of unions.
    First: {oneOf: [{$ref: '#/components/schemas/Shared'}, {title: Left, type: object, properties: {side: {const: left}}}], discriminator: {propertyName: side, mapping: {one: Shared}}}
    Second: {oneOf: [{$ref: '#/components/schemas/Shared'}, {$ref: '#/components/schemas/Seen'}], discriminator: {propertyName: side, mapping: {two: Shared, seen: Seen}}}
    Shared: {type: object, properties: {side: {type: string}}}
    Seen: {type: object, properties: {side: {type: string, readOnly: true}}}
    Alone: {type: object, properties: {mode: {const: plain}, pay: {$ref: '#/components/schemas/Pay'}, task: {$ref: '#/components/schemas/Task'}, level: {$ref: '#/components/schemas/Level'}, outer: {$ref: '#/components/schemas/Outer'}, first: {$ref: '#/components/schemas/First'}, second: {$ref: '#/components/schemas/Second'}}}
";

const EXPECTED: [(&str, &str); 12] = [
    ("Apple", r#"r#type: Some("apple".into()),"#),
    ("Card", r#"r#type: Some("scheme".into()),"#),
    ("Cat", r#"kind: Some("cat".into()), family: Some("pet".into()),"#),
    ("Dog", r#"kind: Some("dog".into()), family: Some("pet".into()),"#),
    ("Google", r#"r#type: Some("google".into()),"#),
    ("LevelOne", "level: Some(i64::into(-1)),"),
    ("LevelTwo", "level: Some(i64::into(2)),"),
    ("FirstLeft", r#"side: Some("left".into()),"#),
    ("OuterOther", r#"family: Some("other".into()),"#),
    ("TaskCut", r#"name: Some("cut".into()),"#),
    ("TaskFlat", r#"name: Some("join".into()), deep: Some(false),"#),
    ("TaskJoin", r#"name: Some("join".into()), deep: Some(true),"#),
];

#[test]
fn new_sets_the_values_by_which_unions_recognize_an_object() {
    let text = format!(
        "openapi: 3.1.1\ninfo: {{title: Tags, version: '1'}}\npaths:\n  /a:\n    post:\n      operationId: a.send\n      \
         requestBody: {{required: true, content: {{application/json: {{schema: {{$ref: '#/components/schemas/Alone'}}}}}}}}\n      \
         responses: {{'204': {{description: Done.}}}}\n  /b:\n    patch:\n      operationId: a.update\n      \
         requestBody: {{content: {{application/json: {{schema: {{$ref: '#/components/schemas/Kept'}}}}}}}}\n      \
         responses: {{'204': {{description: Done.}}}}\ncomponents:\n  schemas:{SCHEMAS}"
    );
    let source = Source { name: "openapi.yaml".to_owned(), text };
    let output = Case { name: "tags".to_owned(), source }.output();
    let mut found = BTreeMap::new();
    for block in output.files.iter().flat_map(|file| file.text.split("\nimpl ").skip(1)) {
        let Some((name, methods)) = block.split_once(" {\n") else { continue };
        let Some((_, body)) = methods.split_once("pub fn new() -> Self {") else { continue };
        let (body, _) = body.split_once("\n    }\n").unwrap();
        if let Some((fields, _)) = body.split_once("..Self::default()") {
            let words: Vec<_> = fields.split_whitespace().skip(2).collect();
            found.insert(name.to_owned(), words.join(" "));
        }
    }
    let expected = EXPECTED.map(|(name, fields)| (name.to_owned(), fields.to_owned()));
    assert_eq!(found, BTreeMap::from(expected));
}
