//! Discriminators of unions within, beside and around others, and of hierarchies.

use codegen::Source;

use crate::support::case::Case;

const DOCUMENT: &str = "
openapi: 3.1.1
info: {title: Discriminators, version: '1'}
components:
  schemas:
    A: {type: object, required: [x], properties: {type: {type: string}, x: {type: string}}}
    B: {type: object, required: [y], properties: {type: {type: string}, y: {type: string}}}
    C: {type: object, properties: {type: {type: string}, z: {type: string}}}
    Outer:
      oneOf:
        - {title: Inner, type: object, required: [t], properties: {t: {const: inner}}, oneOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/B'}]}
        - {title: Other, type: object, required: [t], properties: {t: {const: other}}}
      discriminator: {propertyName: t}
    Nested:
      oneOf:
        - oneOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/B'}]
          discriminator: {propertyName: type, mapping: {a: A, b: B}}
        - $ref: '#/components/schemas/C'
      discriminator: {propertyName: type, mapping: {c: C}}
    Tool: {type: object, required: [name, input], properties: {type: {const: custom}, name: {type: string}, input: {type: string}}}
    Bash: {type: object, required: [name, type], properties: {type: {const: bash_1}, name: {const: bash}}}
    Shell: {type: object, required: [name, type], properties: {type: {const: shell_1}, name: {const: shell}}}
    Tools: {oneOf: [{$ref: '#/components/schemas/Tool'}, {$ref: '#/components/schemas/Bash'}, {$ref: '#/components/schemas/Shell'}]}
    Base:
      type: object
      required: [kind]
      properties: {kind: {type: string}}
      discriminator: {propertyName: kind, mapping: {cat: Cat, mid: Mid}}
    Cat: {allOf: [{$ref: '#/components/schemas/Base'}, {type: object, properties: {x: {type: string}}}]}
    Mid:
      allOf: [{$ref: '#/components/schemas/Base'}, {type: object, required: [sub], properties: {sub: {type: string}}}]
      discriminator: {propertyName: sub, mapping: {one: Leaf1, two: Leaf2}}
    Leaf1: {allOf: [{$ref: '#/components/schemas/Mid'}, {type: object, properties: {x: {type: string}}}]}
    Leaf2: {allOf: [{$ref: '#/components/schemas/Mid'}, {type: object, properties: {x: {type: string}, y: {type: string}}}]}
    Cross: {oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Leaf1'}, {$ref: '#/components/schemas/Leaf2'}]}
    Lister:
      type: object
      required: [kind]
      properties: {kind: {type: string}, name: {type: string}}
      oneOf: [{$ref: '#/components/schemas/Crow'}, {$ref: '#/components/schemas/Lion'}]
      discriminator: {propertyName: kind, mapping: {crow: Crow, lion: Lion}}
    Crow: {allOf: [{$ref: '#/components/schemas/Lister'}, {type: object, properties: {wings: {type: integer}}}]}
    Lion: {allOf: [{$ref: '#/components/schemas/Lister'}, {type: object, properties: {mane: {type: boolean}}}]}
    Wolf: {allOf: [{$ref: '#/components/schemas/Lister'}, {type: object, properties: {pack: {type: string}}}]}
    Listed: {oneOf: [{$ref: '#/components/schemas/Crow'}, {$ref: '#/components/schemas/Wolf'}]}
    Wild: {oneOf: [{$ref: '#/components/schemas/Lister'}, {$ref: '#/components/schemas/Wolf'}]}
    One: {type: object, properties: {n: {type: integer, enum: [1]}, x: {type: string}}}
    Two: {type: object, required: [n], properties: {n: {type: integer}, x: {type: string}}}
    Numbers:
      oneOf: [{$ref: '#/components/schemas/One'}, {$ref: '#/components/schemas/Two'}]
      discriminator: {propertyName: n, mapping: {'1': One, '2': Two}}
";

/// Parts of the tables that the unions must have.
const EXPECTED: [(&str, &str); 8] = [
    // The discriminator of the union around an object is not that of the union beside its properties.
    (
        "OuterInnerKind",
        r#"A: as_a, into_a -> A, B: as_b, into_b -> B, } object => required { "x" => A, "y" => B, }"#,
    ),
    // The discriminator around another one has no names for branches that have a value.
    ("Nested", r#"A writes { "type" = "a" }"#),
    // Without the tag, a value of another property means no branch that requires the tag if only another one fits.
    (
        "Tools",
        r#"missing => tag "name" { "bash" => required { "input" => Tool, otherwise => Bash, }"#,
    ),
    // Classes of several levels have the values of none of them: such a value is unknown, and not another class.
    ("Cross", r#"object => tag "kind" { "Leaf1" => Leaf1, "Leaf2" => Leaf2, "cat" => Cat, }"#),
    // A base is a variant by its name.
    ("Base", r#"object => tag "kind" { "Base" => Base, "cat" => Cat, "mid" => Mid, }"#),
    // A base that lists schemas that extend it also tells them apart elsewhere. It does not stand for those that it does
    // not list.
    ("Listed", r#"object => tag "kind" { "Wolf" => Wolf, "crow" => Crow, }"#),
    ("Wild", "object => fit { Lister"),
    // The keys of a mapping are texts, and the values can be numbers.
    ("Numbers", r#"Two writes { "n" = json "2" }"#),
];

#[test]
fn each_discriminator_applies_to_the_branches_that_it_distinguishes() {
    let source = Source { name: "openapi.yaml".to_owned(), text: DOCUMENT.to_owned() };
    let output = Case { name: "discriminators".to_owned(), source }.output();
    let emitted: String = output.files.iter().map(|file| file.text.as_str()).collect();
    for (union, expected) in EXPECTED {
        let (_, table) = emitted.split_once(&format!("choice! {{\n    {union} {{\n")).unwrap();
        let (table, _) = table.split_once("\n}\n").unwrap();
        let table = table.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(table.contains(expected), "{union}: {table}");
    }
}
