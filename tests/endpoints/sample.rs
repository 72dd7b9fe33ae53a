//! Samples of responses, written by hand from the reference of the API.
//!
//! `samples/OPERATION.json` is one response. Where a place can have one of several things that do not fit into one
//! body,
//! `samples/OPERATION.alternatives.json` lists the others under the JSON pointer of the place.

use std::fs;
use std::path::PathBuf;

use access_governance::{Map, Value};

/// The sample of one operation's response.
pub struct Sample {
    /// The response.
    pub body: Value,
    /// Places, with other possible values.
    alternatives: Map,
}

impl Sample {
    /// Reads the sample of an operation.
    pub fn new(operation: &str) -> Self {
        let body = read(&format!("{operation}.json")).unwrap_or_else(|| {
            panic!("add tests/samples/{operation}.json, a response of {operation}")
        });
        let alternatives = match read(&format!("{operation}.alternatives.json")) {
            Some(Value::Object(alternatives)) => alternatives,
            Some(_) => panic!("the alternatives of {operation} are not an object"),
            None => Map::new(),
        };
        Self { body, alternatives }
    }

    /// Returns the body, and the body with each of the alternatives in its place.
    pub fn bodies(&self) -> Vec<Value> {
        let mut bodies = vec![self.body.clone()];
        for (pointer, values) in &self.alternatives {
            for value in values.as_array().unwrap() {
                let mut body = self.body.clone();
                *body.pointer_mut(pointer).unwrap() = value.clone();
                bodies.push(body);
            }
        }
        bodies
    }
}

fn read(name: &str) -> Option<Value> {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "samples", name].iter().collect();
    let text = fs::read(&path).ok()?;
    Some(
        serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display())),
    )
}
