//! Random requests and streams for other implementations to judge, which `cargo xtask conformance --judges` runs.

mod requests;
mod streams;

use std::{env, fs};

use openapi_bindings_runtime::Value;

/// Writes the input of the judges.
fn write(name: &str, value: &Value) {
    let folder = env::var("JUDGED")
        .unwrap_or_else(|_| panic!("no folder JUDGED: run `cargo xtask conformance --judges`"));
    fs::write(format!("{folder}/{name}.json"), value.to_string()).unwrap();
}
