//! `Cargo.toml`.

use std::fmt::Write as _;

use crate::emit::{Emitted, Settings};
use crate::ir::Api;

/// Writes `Cargo.toml`.
pub fn file(api: &Api, settings: &Settings) -> Emitted {
    let Settings { package, version, runtime, .. } = settings;
    let workspace = if settings.standalone { "\n[workspace]\n" } else { "" };
    let metadata = metadata(&settings.metadata);
    let features = api.features();
    let (default, operations) = if features.is_empty() {
        ("", String::new())
    } else {
        (", \"operations\"", by_tag(&features))
    };
    let text = format!(
        r#"
[package]
name = "{package}"
version = "{version}"
edition = "2024"
rust-version = "1.89"
{metadata}
[package.metadata.docs.rs]
all-features = true

[features]
default = ["reqwest", "tls-ring"{default}]
# The transport that is used unless another is given: reqwest.
reqwest = ["runtime/reqwest", "runtime/http2"]
# TLS: rustls with ring, aws-lc-rs or Graviola, or the operating system's. One that is turned on takes precedence over `tls-ring`;
# `native-tls` is used without the others.
tls-ring = ["runtime/tls-ring"]
tls-aws-lc-rs = ["runtime/tls-aws-lc-rs"]
tls-graviola = ["runtime/tls-graviola"]
native-tls = ["runtime/native-tls"]
# Compressed responses.
gzip = ["runtime/gzip"]
brotli = ["runtime/brotli"]
deflate = ["runtime/deflate"]
# `send_blocking()` on every request.
blocking = ["runtime/blocking"]
# `runtime::testing`: a fake transport for tests.
test-util = ["runtime/test-util"]
# tower services as transports.
tower = ["runtime/tower"]
{operations}
[dependencies]
# Emitted code writes `runtime::…`, whatever document it comes from.
runtime = {runtime}
{workspace}"#
    );
    Emitted { path: "Cargo.toml".to_owned(), emitters: "krate/manifest.rs".to_owned(), text }
}

/// Writes the metadata of the package.
fn metadata(given: &[(String, String)]) -> String {
    let mut text = String::new();
    if given.iter().all(|(key, _)| key != "description") {
        text.push_str("description = \"Typed bindings, generated from an OpenAPI document\"\n");
    }
    given.iter().fold(text, |text, (key, value)| text + &format!("{key} = {value}\n"))
}

/// Writes a feature for each tag, and one for all.
fn by_tag(features: &[&str]) -> String {
    let mut text = String::from(
        "# The operations of all resources; each tag also has a feature of its own.\noperations = [\n",
    );
    for feature in features {
        let _ = writeln!(text, "    \"{feature}\",");
    }
    text.push_str("]\n");
    for feature in features {
        let _ = writeln!(text, "{feature} = []");
    }
    text
}
