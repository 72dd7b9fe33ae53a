//! `Cargo.toml`.

use super::print;
use super::{Settings, SourceFile};

/// Writes `Cargo.toml`.
pub fn file(settings: &Settings) -> SourceFile {
    let header = print::header("manifest.rs", "#");
    let Settings { package, version, runtime, .. } = settings;
    let workspace = if settings.standalone { "\n[workspace]\n" } else { "" };
    let text = format!(
        r#"{header}
[package]
name = "{package}"
version = "{version}"
edition = "2024"
rust-version = "1.88"
description = "Typed bindings, generated from an OpenAPI description"
license = "Apache-2.0"

[features]
default = ["reqwest"]
# The transport that is used unless another is given: reqwest with rustls.
reqwest = ["runtime/reqwest"]
# `send_blocking()` on every request.
blocking = ["runtime/blocking"]

[dependencies]
# Emitted code writes `runtime::…`, whatever description it comes from.
runtime = {runtime}
{workspace}"#
    );
    SourceFile { path: "Cargo.toml".to_owned(), text }
}
