//! The samples have everything that is described of the responses, and nothing else.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use access_governance::{Client, Value};
use tests::{Reply, Server};

use crate::every;
use crate::sample::Sample;

/// The keywords whose schemas hold for the same value.
const COMBINATIONS: [&str; 3] = ["allOf", "anyOf", "oneOf"];

#[test]
fn samples_have_everything_that_is_described() {
    let text = include_str!("../../spec/openapi.yaml");
    let document: Value = serde_yaml::from_str(text).unwrap();
    let schemas = Schemas(&document);
    let (mut described, mut seen) = (BTreeSet::new(), BTreeSet::new());
    for operation in every::operation(&Client::builder("http://localhost").build().unwrap()) {
        if operation.returns_nothing {
            continue;
        }
        let schema = schemas.of_response(operation.id);
        schemas.describe(schema, "", &mut BTreeSet::new(), &mut described);
        for body in Sample::of(operation.id).bodies() {
            schemas.see(schema, "", &body, &mut seen);
        }
    }
    let missing: Vec<_> = described.difference(&seen).collect();
    assert!(missing.is_empty(), "no sample in tests/samples has: {missing:#?}");
}

#[tokio::test]
async fn samples_have_nothing_else() {
    let findings = Arc::new(Mutex::new(Vec::new()));
    let answered = Arc::new(Mutex::new(Value::Null));
    let server = Server::start({
        let answered = Arc::clone(&answered);
        move |_| Reply::json(&*answered.lock().unwrap())
    });
    let builder = Client::builder(server.unwrap().url());
    let client = builder.on_drift({
        let findings = Arc::clone(&findings);
        move |report| findings.lock().unwrap().push(format!("{report:?}"))
    });
    for operation in every::operation(&client.build().unwrap()) {
        if !operation.returns_nothing {
            *answered.lock().unwrap() = Sample::of(operation.id).body;
            operation.call.await.unwrap();
        }
    }
    assert_eq!(*findings.lock().unwrap(), Vec::<String>::new());
}

/// The schemas of an OpenAPI document.
struct Schemas<'a>(&'a Value);

impl<'a> Schemas<'a> {
    /// Returns the schema of an operation's successful response.
    fn of_response(&self, operation_id: &str) -> &'a Value {
        let paths = self.0["paths"].as_object().unwrap().values();
        let mut operations = paths.flat_map(|path| path.as_object().unwrap().values());
        let operation =
            operations.find(|operation| operation["operationId"] == operation_id).unwrap();
        &operation["responses"]["200"]["content"]["application/json"]["schema"]
    }

    /// Collects the members and enum values that a schema describes, as `Owner member` and `Owner = VALUE`.
    fn describe(
        &self,
        schema: &'a Value,
        owner: &str,
        visited: &mut BTreeSet<String>,
        described: &mut BTreeSet<String>,
    ) {
        if let Some((name, target)) = self.target(schema)
            && visited.insert(name.to_owned())
        {
            self.describe(target, name, visited, described);
        }
        for part in parts(schema) {
            self.describe(part, owner, visited, described);
        }
        for (name, member) in members(schema) {
            described.insert(format!("{owner} {name}"));
            self.describe(member, owner, visited, described);
        }
        for inner in
            ["items", "additionalProperties"].into_iter().filter_map(|keyword| schema.get(keyword))
        {
            self.describe(inner, owner, visited, described);
        }
        for value in schema["enum"].as_array().into_iter().flatten() {
            described.insert(format!("{owner} = {value}"));
        }
    }

    /// Collects what of a schema a value has, as [`describe`](Self::describe) does.
    fn see(&self, schema: &'a Value, owner: &str, value: &Value, seen: &mut BTreeSet<String>) {
        if let Some((name, target)) = self.target(schema) {
            self.see(target, name, value, seen);
        }
        for part in parts(schema) {
            self.see(part, owner, value, seen);
        }
        for (name, member) in members(schema) {
            if let Some(value) = value.get(name) {
                seen.insert(format!("{owner} {name}"));
                self.see(member, owner, value, seen);
            }
        }
        for element in value.as_array().into_iter().flatten() {
            self.see(&schema["items"], owner, element, seen);
        }
        for (_, member) in value.as_object().into_iter().flatten() {
            self.see(&schema["additionalProperties"], owner, member, seen);
        }
        if schema["enum"].as_array().is_some_and(|values| values.contains(value)) {
            seen.insert(format!("{owner} = {value}"));
        }
    }

    /// Returns the component that a schema refers to.
    fn target(&self, schema: &'a Value) -> Option<(&'a str, &'a Value)> {
        let name = schema["$ref"].as_str()?.strip_prefix("#/components/schemas/")?;
        Some((name, &self.0["components"]["schemas"][name]))
    }
}

fn parts(schema: &Value) -> impl Iterator<Item = &Value> {
    COMBINATIONS.into_iter().flat_map(|keyword| schema[keyword].as_array().into_iter().flatten())
}

fn members(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema["properties"].as_object().into_iter().flatten()
}
