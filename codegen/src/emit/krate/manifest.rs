//! `Cargo.toml`.

use std::fmt::Write as _;

use super::about::{RUST_VERSION, api_name};
use crate::emit::Emitted;
use crate::emit::types::usage::Usage;
use crate::ir::Api;
use crate::items::features::{self, Group, OPERATIONS};
use crate::items::gates::Gates;
use crate::settings::Settings;
use crate::visible::visible;

const GENERATOR: &str = env!("CARGO_PKG_VERSION");

/// Writes `Cargo.toml`.
pub fn file(api: &Api, usage: &Usage<'_>, settings: &Settings) -> Emitted {
    let Settings { package, version, runtime, .. } = settings;
    let metadata = metadata(api, settings);
    let features = features(api, &usage.gates);
    let dependencies = settings.dependencies.iter();
    let dependencies = dependencies.map(|(name, value)| format!("{name} = {value}\n"));
    let dependencies: String = dependencies.collect();
    let workspace = if settings.standalone { "\n[workspace]\n" } else { "" };
    let text = format!(
        r#"
[package]
name = "{package}"
version = "{version}"
edition = "2024"
rust-version = "{RUST_VERSION}"
{metadata}
[package.metadata.docs.rs]
all-features = true
rustdoc-args = ["--cfg", "docsrs"]

[package.metadata.openapi-bindings]
generator = "{GENERATOR}"

[lib]
# There are no unit tests, so `cargo test` compiles the crate once.
test = false

[features]
{features}
[dependencies]
# Emitted code names the runtime `runtime`, whichever package it is.
runtime = {runtime}
{dependencies}{workspace}"#
    );
    Emitted { path: "Cargo.toml".to_owned(), emitters: "krate/manifest.rs".to_owned(), text }
}

/// Writes the metadata of the package: from the settings, and the metadata of every crate of bindings.
fn metadata(api: &Api, settings: &Settings) -> String {
    let defaults = [
        ("description", string(&format!("Typed bindings of the {}", api_name(api)))),
        ("keywords", r#"["api", "bindings", "client", "openapi"]"#.to_owned()),
        ("categories", r#"["api-bindings"]"#.to_owned()),
    ];
    let given = &settings.metadata;
    let defaults =
        defaults.into_iter().filter(|(key, _)| given.iter().all(|(given, _)| given != key));
    let given = given.iter().map(|(key, value)| (key.as_str(), value.clone()));
    defaults
        .chain(given)
        .fold(String::new(), |text, (key, value)| text + &format!("{key} = {value}\n"))
}

/// Writes the features of every crate and of the resources.
fn features(api: &Api, gates: &Gates) -> String {
    let mut text = format!("default = {}\n", list(&features::default(api)));
    for Group { comment, features } in features::groups(api) {
        for line in comment.lines() {
            let _ = writeln!(text, "# {line}");
        }
        for (name, enabled) in *features {
            let _ = writeln!(text, "{name} = {}", list(enabled));
        }
    }
    let resources = features::of_resources(api);
    if resources.is_empty() {
        return text;
    }
    text.push_str("# The operations and the models of all resources.\n");
    let _ = writeln!(text, "{OPERATIONS} = [");
    for feature in &resources {
        let _ = writeln!(text, "    \"{feature}\",");
    }
    text.push_str("]\n# The operations of one resource, with the models that they reach.\n");
    let hidden = gates.hidden();
    for feature in &resources {
        let implied = hidden.iter().filter(|(_, implied_by)| implied_by.contains(feature));
        let implied: Vec<&str> = implied.map(|(name, _)| *name).collect();
        let _ = writeln!(text, "{feature} = {}", list(&implied));
    }
    if !hidden.is_empty() {
        text.push_str("# The models that the same resources share; not part of the API.\n");
    }
    for name in hidden.keys() {
        let _ = writeln!(text, "{name} = []");
    }
    text
}

/// Writes an array of names, which have nothing to escape.
fn list(names: &[&str]) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("\"{name}\"")).collect();
    format!("[{}]", names.join(", "))
}

/// Writes a string of TOML, in which every character is visible.
fn string(text: &str) -> String {
    let text = visible(text).replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{text}\"")
}
