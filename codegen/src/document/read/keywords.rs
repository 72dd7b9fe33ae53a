//! The keywords of schemas that have no field of their own in [`Schema`](crate::document::Schema).

/// Keywords that constrain or explain values without changing their type (JSON Schema 2020-12 Validation §6, §9;
/// OpenAPI 3.0.4 §4.7.24, 3.1.1 §4.8.24), and those that only hold or name other schemas.
pub(super) const SILENT: &[&str] = &[
    "$comment",
    "$defs",
    "$schema",
    "$vocabulary",
    "contains",
    "contentEncoding",
    "contentMediaType",
    "definitions",
    "dependentRequired",
    "example",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "externalDocs",
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
    "propertyNames",
    "uniqueItems",
    "xml",
];

/// Keywords that change the type of values or the target of references, and are not read.
pub(super) const UNREAD: &[&str] = &[
    "$anchor",
    "$dynamicAnchor",
    "$dynamicRef",
    "$id",
    "$recursiveAnchor",
    "$recursiveRef",
    "additionalItems",
    "contentSchema",
    "dependencies",
    "dependentSchemas",
    "else",
    "if",
    "not",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];

/// Keywords that are read, to find what a misspelled one was meant to be.
pub(super) const READ: &[&str] = &[
    "$ref",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "default",
    "deprecated",
    "description",
    "discriminator",
    "enum",
    "format",
    "items",
    "nullable",
    "oneOf",
    "patternProperties",
    "prefixItems",
    "properties",
    "readOnly",
    "required",
    "title",
    "type",
    "writeOnly",
];

/// Keywords that OpenAPI 3.0 allows beside a `$ref` in practice: nothing is lost without them.
pub(super) const HARMLESS_SIBLINGS: &[&str] =
    &["$ref", "default", "description", "example", "examples", "externalDocs", "title", "xml"];
