//! Schemas that contain themselves, by every keyword that has a schema.

use codegen::Node;
use tests::Tape;

/// Maximum number of keywords on the way from a schema to itself.
const MAX_STEPS: usize = 4;

/// The components that schemas refer to, which are recursive themselves.
const COMPONENTS: [&str; 2] = ["#/components/schemas/Here", "#/components/schemas/There"];

/// Returns a schema that leads to one of [`COMPONENTS`] by some keywords.
pub fn recursive(tape: &mut Tape<'_>) -> Node {
    let target = tape.choose(&COMPONENTS).unwrap_or_default();
    let mut schema = object("$ref", Node::String(target.to_owned()));
    for _ in 0..tape.below(MAX_STEPS) {
        schema = around(schema, tape);
    }
    schema
}

/// Returns a schema that has another one, perhaps among others.
fn around(inner: Node, tape: &mut Tape<'_>) -> Node {
    let key = tape.choose(&KEYWORDS).unwrap_or_default();
    let value = match key {
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => list(inner, tape),
        "properties" | "patternProperties" | "$defs" => object("kind", inner),
        "mapping" => {
            let target = tape.choose(&COMPONENTS).unwrap_or_default();
            let mapping = object("a", Node::String(target.to_owned()));
            let name = ("propertyName".to_owned(), Node::String("kind".to_owned()));
            let discriminator = Node::Object(vec![name, ("mapping".to_owned(), mapping)]);
            let branches = ("oneOf".to_owned(), list(inner, tape));
            return Node::Object(vec![branches, ("discriminator".to_owned(), discriminator)]);
        }
        _ => inner,
    };
    object(key, value)
}

/// The keywords that have schemas; `mapping` represents a discriminator.
const KEYWORDS: [&str; 13] = [
    "anyOf",
    "oneOf",
    "allOf",
    "items",
    "properties",
    "additionalProperties",
    "prefixItems",
    "patternProperties",
    "mapping",
    "not",
    "$defs",
    "$ref",
    "propertyNames",
];

/// Returns a list of a schema and others.
fn list(inner: Node, tape: &mut Tape<'_>) -> Node {
    let mut schemas = vec![inner];
    for _ in 0..tape.below(3) {
        let kind = tape.choose(&["null", "string", "object", "array", "integer"]);
        schemas.push(object("type", Node::String(kind.unwrap_or_default().to_owned())));
    }
    if tape.one_in(2) {
        schemas.reverse();
    }
    Node::Array(schemas)
}

/// Returns an object of one property.
pub fn object(key: &str, value: Node) -> Node {
    Node::Object(vec![(key.to_owned(), value)])
}
