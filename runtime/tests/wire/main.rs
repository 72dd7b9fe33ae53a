//! The wire format, with models as emitted code has them.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a failure is what a test is for")]

mod bounds;
mod choices;
mod drift;
mod enums;
mod equality;
mod errors;
mod flattened;
mod formats;
mod integer_enums;
mod keys;
mod kinds;
mod lossless;
#[allow(dead_code, reason = "some are made for the tests of bodies")]
mod models;
mod nulls;
mod numbers;
mod parameters;
mod reading;
mod secrets;
mod timestamps;
mod unfit;
mod unions;

use openapi_bindings_runtime::internal::decode as decode_with;
use openapi_bindings_runtime::{Drift, DriftKind, Model};
use serde_json::Value;

#[track_caller]
fn decode<T: Model + Default>(json: &Value) -> T {
    T::from_json(json.to_string().as_bytes()).unwrap_or_else(|error| panic!("{error}: {json}"))
}

fn encode(model: &impl Model) -> Value {
    serde_json::from_slice(&model.to_json()).unwrap()
}

/// Decodes a value, and asserts that it is encoded as it was.
#[track_caller]
fn retained<T: Model>(json: &Value) -> T {
    let value: T = decode(json);
    assert_eq!(encode(&value), *json);
    value
}

/// Returns the kind of the drift of a value that is not of the described type.
const fn wrong(expected: &'static str, found: &'static str) -> DriftKind {
    DriftKind::WrongType { expected, found }
}

/// Returns the paths and kinds of the drift that decoding a value reports.
fn drift<T: Model>(json: &Value) -> Vec<(String, DriftKind)> {
    let mut drift: Vec<Drift> = Vec::new();
    decode_with::<T>(json.to_string().as_bytes(), Some(&mut drift)).unwrap();
    drift.into_iter().map(|drift| (drift.path, drift.kind)).collect()
}
