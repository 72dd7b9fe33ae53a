//! `lib.rs`: the start page of the crate's documentation.

use std::fmt::Write as _;

use super::client::env_prefix;
use super::print;
use super::readme::first_program;
use super::{Settings, SourceFile, docs};
use crate::ir::Api;

/// Writes `lib.rs`.
pub fn file(api: &Api, settings: &Settings) -> SourceFile {
    let mut text = print::header("crate_root.rs", "//");
    let about = api.description.as_deref().unwrap_or_default();
    text.push_str(&docs::inner(&format!("Typed bindings of the {}, version {}.\n\n{about}", api.title, api.version)));
    text.push_str("//!\n//! # A first program\n//!\n//! ```no_run\n");
    for line in first_program(api, settings).lines() {
        text.push_str(if line.is_empty() { "//!" } else { "//! " });
        text.push_str(line);
        text.push('\n');
    }
    text.push_str("//! ```\n//!\n");
    text.push_str(&docs::inner(&format!(
        "`Client::from_env()` reads the base URL and the credentials from `{0}_BASE_URL`, `{0}_TOKEN` and their \
         companions.",
        env_prefix(settings)
    )));
    text.push_str("//!\n//! # Resources\n//!\n");
    for resource in &api.resources {
        let about = resource.docs.text.as_deref().map_or_else(|| format!("`{}`.", resource.tag), |text| docs::first_sentence(text).to_owned());
        let line = format!("- [`{0}()`](Client::{0}): {about}", resource.accessor.bare());
        text.push_str(&format!("//! {line}\n"));
    }
    text.push_str(GUIDE);
    text.push_str(ATTRIBUTES);
    let modules = ["mod client;", "pub mod models;", "pub mod resources;"];
    let _ = write!(text, "{}\n\n", modules.join("\n"));
    text.push_str("pub use client::{Client, ClientBuilder};\n");
    text.push_str("pub use runtime;\npub use runtime::{Error, Map, Model, Response, Timestamp, Value};\n");
    SourceFile { path: "src/lib.rs".to_owned(), text }
}

const GUIDE: &str = r"//!
//! # How it reads
//!
//! - What an operation requires is an argument of its method; what is optional is a setter of the request it returns, named
//!   as the member; options of the call are `with_…`. A request is sent by `.send().await`, or simply by `.await`;
//!   `.send_raw()` returns status, headers and body beside the value.
//! - What the description does not require is an `Option`: absent and null both read as `None`.
//! - Enums have a variant `Unknown` for values that came later, and unions one for members that came later. What was
//!   unknown goes out again unchanged, and so do members that no field describes.
";

const ATTRIBUTES: &str = r#"
#![deny(missing_docs)]
#![forbid(unsafe_code)]
#![allow(
    clippy::large_enum_variant,
    reason = "whether a variant is boxed must not depend on how large its type happens to be"
)]
#![allow(
    clippy::struct_excessive_bools,
    clippy::struct_field_names,
    reason = "the description decides which members there are and what they are called"
)]

"#;
