//! Operations and responses by the spec alone.

use std::ptr;
use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use crate::server::response;
use crate::{Act, route};

static SPEC: LazyLock<Value> = LazyLock::new(|| {
    serde_yaml::from_str(include_str!("../../../spec/openapi.yaml")).unwrap_or_default()
});

/// Values by kind and format, those of the round trips.
static SAMPLES: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../roundtrip/samples.json")).unwrap_or_default()
});

/// An operation of the spec.
pub(crate) struct Operation {
    /// The method and the path, with `*` for parameters.
    pub(crate) line: String,
    value: &'static Value,
}

/// The operations of the spec.
pub(crate) static OPERATIONS: LazyLock<Vec<Operation>> = LazyLock::new(|| {
    let paths = SPEC["paths"].as_object().into_iter().flatten();
    let operations = paths.flat_map(|(path, item)| {
        let described = item.as_object().into_iter().flatten();
        let described = described.filter(|(_, value)| value.get("responses").is_some());
        described.map(|(method, value)| {
            let line = format!("{} {}", method.to_uppercase(), route::template(path));
            Operation { line, value }
        })
    });
    operations.collect()
});

impl Operation {
    /// Returns whether it does not need the credentials of the others.
    pub(crate) fn has_own_security(&self) -> bool {
        self.value.get("security").is_some()
    }

    /// Returns a response with the first successful status, and a sample of its schema.
    pub(crate) fn answer(&self) -> Act {
        let responses = &self.value["responses"];
        let successes = responses.as_object().into_iter().flatten();
        let success = successes.into_iter().find(|(status, _)| status.starts_with('2'));
        let status = success.and_then(|(status, _)| status.parse().ok()).unwrap_or(200);
        let reply = success.map_or(&responses["default"], |(_, reply)| reply);
        let reply = referenced(reply).unwrap_or(reply);
        let Some((media_type, content)) = reply["content"].as_object().and_then(first) else {
            return response(status, &[], "");
        };
        let body = match content.get("schema").filter(|_| media_type.contains("json")) {
            Some(schema) => sample(schema, &[]).unwrap_or_default().to_string(),
            None => "text".to_owned(),
        };
        response(status, &[("content-type", media_type)], &body)
    }
}

fn first(map: &Map<String, Value>) -> Option<(&str, &Value)> {
    map.iter().next().map(|(name, value)| (name.as_str(), value))
}

/// Returns the object that a reference names.
fn referenced(value: &Value) -> Option<&'static Value> {
    SPEC.pointer(value.get("$ref")?.as_str()?.strip_prefix('#')?)
}

/// Returns a value that a schema allows: all properties, lists of one element, and the first of alternatives. `within`
/// are the schemas around it, of which it contains no other value.
fn sample(schema: &'static Value, within: &[&'static Value]) -> Option<Value> {
    if within.iter().any(|outer| ptr::eq(*outer, schema)) {
        return None;
    }
    let within = &[within, &[schema]].concat();
    if let Some(target) = referenced(schema) {
        return sample(target, within);
    }
    if let Some(value) = schema.get("const").or_else(|| schema["enum"].get(0)) {
        return Some(value.clone());
    }
    let list = |keyword: &str| schema[keyword].as_array().into_iter().flatten();
    let parts = list("allOf").filter_map(|part| sample(part, within));
    let branches = ["oneOf", "anyOf"]
        .map(|keyword| list(keyword).find_map(|branch| Some((branch, sample(branch, within)?))));
    let branches = branches.into_iter().flatten();
    let tags = branches.clone().filter_map(|(branch, _)| tag(schema, branch));
    let others = parts.chain(branches.map(|(_, value)| value)).chain(tags);
    own_sample(schema, within).into_iter().chain(others).reduce(|value, other| {
        match (value, other) {
            (Value::Object(mut object), Value::Object(more)) => {
                object.extend(more);
                Value::Object(object)
            }
            (value, _) => value,
        }
    })
}

/// Returns an object with the property that names a branch, if there is a discriminator.
fn tag(schema: &Value, branch: &Value) -> Option<Value> {
    let discriminator = schema.get("discriminator")?;
    let reference = branch["$ref"].as_str()?;
    let mapping = discriminator["mapping"].as_object().into_iter().flatten();
    let mapped =
        mapping.into_iter().find(|(_, to)| *to == reference).map(|(value, _)| value.as_str());
    let value = mapped.or_else(|| reference.rsplit('/').next())?;
    Some(json!({ discriminator["propertyName"].as_str()?: value }))
}

/// Returns a value of the kind of a schema, without its parts and alternatives.
fn own_sample(schema: &'static Value, within: &[&'static Value]) -> Option<Value> {
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().find(|kind| *kind != "null")?.as_str()?,
        Value::String(kind) => kind,
        _ if schema["properties"].is_object() => "object",
        _ => return None,
    };
    match kind {
        "object" => {
            let properties = schema["properties"].as_object().into_iter().flatten();
            let readable = properties.filter(|(_, property)| property["writeOnly"] != true);
            let sampled = |(name, property): (&String, &'static Value)| {
                Some((name.clone(), sample(property, within)?))
            };
            Some(readable.filter_map(sampled).collect())
        }
        "array" => Some(sample(&schema["items"], within).into_iter().collect()),
        // The first text is empty: if it is the token of the next page, there is none.
        kind => {
            let values = &SAMPLES[kind];
            let format = schema["format"].as_str().unwrap_or_default();
            values.get(format).unwrap_or(&values[""]).get(0).cloned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::OPERATIONS;
    use crate::Act;

    #[test]
    fn every_operation_of_the_spec_succeeds() {
        assert!(OPERATIONS.len() >= 20, "the spec was not read");
        for operation in OPERATIONS.iter() {
            let Act::Send(response) = operation.answer() else { continue };
            assert!(response.starts_with(b"HTTP/1.1 2"), "{}", operation.line);
            assert!(!response.ends_with(b"\r\n\r\nnull"), "{} has no sample", operation.line);
        }
    }
}
