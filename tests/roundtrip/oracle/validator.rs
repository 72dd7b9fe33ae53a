//! Validation by JSON Schema, with a validator that shares no code with the generator.

use std::collections::HashMap;

use jsonschema::{Registry, Validator};
use serde_json::{Map, Value, json};

use crate::subject::Failure;

/// The keywords that do not affect Rust types, and those that are not schemas. Instances do not follow them.
const IGNORED: [&str; 28] = [
    "$anchor", "$id", "$schema", "contains", "contentEncoding", "contentMediaType",
    "contentSchema", "default", "discriminator", "example", "examples", "exclusiveMaximum",
    "exclusiveMinimum", "format", "maxContains", "maxItems", "maxLength", "maxProperties",
    "maximum", "minContains", "minItems", "minLength", "minProperties", "minimum", "multipleOf",
    "pattern", "propertyNames", "uniqueItems",
];

/// The keywords with schemas and other elements by name. A name is not a keyword.
const MAPS: [&str; 13] = [
    "$defs", "callbacks", "content", "definitions", "dependentSchemas", "headers", "parameters",
    "pathItems", "paths", "properties", "requestBodies", "responses", "schemas",
];

/// The location of the document. It is never read.
const LOCATION: &str = "document:///";

/// Registers the files of a document.
///
/// # Errors
///
/// When a reference does not exist.
pub fn registry(files: &Map<String, Value>) -> Result<Registry<'static>, Failure> {
    let version = files.get("").and_then(|root| root.get("openapi")?.as_str());
    let is_3_0 = version.is_some_and(|version| version.starts_with("3.0"));
    let mut registry = Registry::new();
    for (file, root) in files {
        let mut root = root.clone();
        relax(&mut root, is_3_0);
        registry = registry.add(format!("{LOCATION}{file}"), root)?;
    }
    Ok(registry.prepare()?)
}

/// Turns the schemas within a value into JSON Schema 2020-12 without constraints.
fn relax(value: &mut Value, is_3_0: bool) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| relax(item, is_3_0)),
        Value::Object(object) => {
            if is_3_0 && object.contains_key("$ref") {
                object.retain(|name, _| name == "$ref");
            }
            object.retain(|name, _| !IGNORED.contains(&name.as_str()));
            // Documents write it for schemas without a type.
            if object.get("type") == Some(&Value::Null) {
                object.remove("type");
            }
            if let Some(Value::String(reference)) = object.get_mut("$ref") {
                reference.insert_str(0, LOCATION);
            }
            let parts = object.get("allOf").and_then(Value::as_array).into_iter().flatten();
            let asks_for_null =
                parts.filter_map(Value::as_object).any(asks_for_null) || asks_for_null(object);
            if object.remove("nullable") == Some(Value::Bool(true)) {
                allow_null(object);
            }
            for (name, inner) in object {
                match inner.as_object_mut().filter(|_| MAPS.contains(&name.as_str())) {
                    Some(named) => named.values_mut().for_each(|value| relax(value, is_3_0)),
                    None => relax(inner, is_3_0),
                }
            }
            if asks_for_null {
                *value = json!({"anyOf": [value.take(), {"type": "null"}]});
            }
        }
        _ => {}
    }
}

/// Returns whether a schema without a type allows null, which applies to the schemas around it.
fn asks_for_null(schema: &Map<String, Value>) -> bool {
    schema.get("nullable") == Some(&Value::Bool(true)) && !schema.contains_key("type")
}

/// Adds null to the values that a schema of OpenAPI 3.0 allows.
fn allow_null(schema: &mut Map<String, Value>) {
    if let Some(ty @ Value::String(_)) = schema.get_mut("type") {
        *ty = json!([ty, "null"]);
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.push(Value::Null);
    }
}

/// The validators of the schemas that were asked about.
pub struct Validators<'r> {
    registry: &'r Registry<'r>,
    built: HashMap<String, Result<Validator, String>>,
}

impl<'r> Validators<'r> {
    pub fn new(registry: &'r Registry<'r>) -> Self {
        Self { registry, built: HashMap::new() }
    }

    /// Returns whether the schema at a pointer allows a value. Returns `None` if it is not a schema.
    pub fn allows(&mut self, pointer: &str, value: &Value) -> Option<bool> {
        Some(self.at(pointer).as_ref().ok()?.is_valid(value))
    }

    /// Returns the reason why a value is not an instance of the schema at a pointer. A null has no type of its own.
    pub fn reason(&mut self, pointer: &str, value: &Value) -> Option<String> {
        if value.is_null() {
            return Some("null".to_owned());
        }
        match self.at(pointer) {
            Ok(validator) => {
                let error = validator.validate(value).err()?;
                Some(format!("{} at `{}`", error.masked(), error.instance_path()))
            }
            Err(why) => Some(format!("its schema is invalid: {why}")),
        }
    }

    /// Returns the validator of the schema at a pointer, or the reason why it is not a schema.
    fn at(&mut self, pointer: &str) -> &Result<Validator, String> {
        let registry = self.registry;
        self.built.entry(pointer.to_owned()).or_insert_with(|| {
            // The name of another file is before its pointer. A key may have a `#` as well.
            let (file, keys) = match pointer.split_once('#') {
                Some(parts) if !pointer.starts_with('/') => parts,
                _ => ("", pointer),
            };
            let place = format!("{LOCATION}{}#{}", encoded(file), encoded(keys));
            let schema = json!({ "$ref": place });
            jsonschema::options()
                .with_registry(registry)
                .should_validate_formats(false)
                .build(&schema)
                .map_err(|error| error.to_string())
        })
    }
}

/// Writes a part of a pointer in a URI.
fn encoded(pointer: &str) -> String {
    const SAFE: percent_encoding::AsciiSet = percent_encoding::NON_ALPHANUMERIC
        .remove(b'/')
        .remove(b'~')
        .remove(b'-')
        .remove(b'_')
        .remove(b'.');
    percent_encoding::utf8_percent_encode(pointer, &SAFE).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table with which the generator tests what it reads of schemas.
    const SCHEMAS: &str = include_str!("../../../codegen/src/facts/schemas.yaml");

    #[test]
    fn the_generator_tests_itself_with_the_values_that_schemas_allow() {
        let table: Value = serde_yaml::from_str(SCHEMAS).unwrap();
        let samples = table["samples"].as_object().unwrap();
        let schemas = table["schemas"].as_array().unwrap();
        let named = schemas.iter().enumerate();
        let named = named.map(|(index, row)| (format!("S{index}"), row["schema"].clone()));
        let named: Map<String, Value> = named.collect();
        let files = json!({"": {"openapi": "3.1.0", "components": {"schemas": named}}});
        let registry = registry(files.as_object().unwrap()).unwrap();
        let mut validators = Validators::new(&registry);
        for (index, row) in schemas.iter().enumerate() {
            let listed: Vec<&str> = row["allows"].as_str().unwrap().split(' ').collect();
            // The meaning of a format is not that of JSON Schema.
            let has_format = row["schema"].to_string().contains("format");
            for (name, value) in samples {
                let pointer = format!("/components/schemas/S{index}");
                let is_valid = validators.allows(&pointer, value).unwrap();
                let is_listed = listed.contains(&name.as_str());
                let agrees = is_valid == is_listed || has_format && is_valid;
                assert!(agrees, "{name} for {}", row["schema"]);
            }
        }
    }

    #[test]
    fn schemas_allow_values_by_their_types_not_by_their_constraints() {
        let files = json!({"": {"openapi": "3.0.3", "components": {"schemas": {
            "Pet": {"type": "object", "required": ["name"], "additionalProperties": false, "properties": {
                "name": {"type": "string", "maxLength": 1, "nullable": true},
                "pattern": {"$ref": "#/components/schemas/a%20b", "type": "string"},
                "type": {"type": null, "anyOf": [{"type": "string"}]}
            }},
            "a b": {"type": "integer", "enum": [1], "nullable": true},
            "a#b": {"type": "boolean"}
        }}}});
        let registry = registry(files.as_object().unwrap()).unwrap();
        let mut validators = Validators::new(&registry);
        let mut allows = |pointer, value| validators.allows(pointer, &value);
        let pet = "/components/schemas/Pet";
        assert_eq!(allows(pet, json!({"name": "long", "pattern": 1})), Some(true));
        assert_eq!(allows(pet, json!({"name": null, "pattern": null})), Some(true));
        assert_eq!(allows(pet, json!({"name": "", "type": "cat"})), Some(true));
        for other in [
            json!({}),
            json!({"name": 1}),
            json!({"name": "", "pattern": ""}),
            json!({"name": "", "type": 1}),
            json!([]),
        ] {
            assert_eq!(allows(pet, other), Some(false));
        }
        assert_eq!(allows("/components/schemas/a b", json!(1)), Some(true));
        assert_eq!(allows("/components/schemas/a#b", json!(true)), Some(true));
        let none = "/components/schemas/None";
        assert_eq!(allows(none, json!(1)), None);
        let reason = validators.reason(none, &json!(1)).unwrap();
        assert!(reason.starts_with("its schema is invalid: "), "{reason}");
    }
}
