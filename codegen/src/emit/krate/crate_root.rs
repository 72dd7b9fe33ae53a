//! `lib.rs`: the start page of the crate's documentation.

use super::client::env_prefix;
use super::readme::first_program;
use crate::emit::rust::docs;
use crate::emit::rust::imports::declaration;
use crate::emit::rust::print;
use crate::emit::{Settings, SourceFile};
use crate::ir::Api;

/// Writes `lib.rs`.
pub fn file(api: &Api, settings: &Settings) -> SourceFile {
    let mut text = print::header("crate_root.rs", "//");
    let about = api.description.as_deref().unwrap_or_default();
    text.push_str(&docs::inner(&format!(
        "Typed bindings of the {}, version {}.\n\n{about}",
        docs::api_name(api),
        api.version
    )));
    text.push_str("//!\n//! # A first program\n//!\n//! ```no_run\n");
    for line in first_program(api, settings).lines() {
        text.push_str(if line.is_empty() { "//!" } else { "//! " });
        text.push_str(line);
        text.push('\n');
    }
    text.push_str("//! ```\n//!\n");
    text.push_str(&docs::own_inner(&format!(
        "[`Client::from_env`] reads the base URL from `{0}_BASE_URL` and the credentials from `{0}_TOKEN`, or from its \
         companions.",
        env_prefix(settings)
    )));
    text.push_str("//!\n//! # Resources\n//!\n");
    for resource in &api.resources {
        let about = resource
            .docs
            .text
            .as_deref()
            .map_or_else(|| format!("`{}`.", resource.tag), docs::summary);
        text.push_str(&docs::own_inner(&format!(
            "- [`{0}()`](Client::{0}): {about}",
            resource.accessor.bare()
        )));
    }
    text.push_str("//!\n");
    text.push_str(&docs::own_inner(GUIDE));
    text.push_str(ATTRIBUTES);
    if api.resources.iter().any(|resource| resource.feature.is_some()) {
        text.push_str(WITHOUT_ALL_FEATURES);
    }
    text.push('\n');
    text.push_str("mod client;\npub mod models;\npub mod resources;\n\n");
    text.push_str("pub use client::{Client, ClientBuilder};\npub use runtime;\n");
    text.push_str(&declaration("pub use", "runtime", OFFERED));
    text.push('\n');
    SourceFile { path: "src/lib.rs".to_owned(), text }
}

/// What of the runtime every user meets.
const OFFERED: &[&str] = &[
    "ClientCredentials",
    "DriftReport",
    "Error",
    "ErrorKind",
    "Map",
    "Model",
    "Response",
    "RetryPolicy",
    "Secret",
    "Timestamp",
    "Value",
];

const GUIDE: &str = "\
# How it reads

- What an operation requires is an argument of its method; what is optional is a setter of the request that the method \
returns, named as the member; options of the call are `with_…`. A request is sent by `.send().await`, or simply by `.await`; \
`.send_raw()` gives status, headers and body beside the value.
- Free-form objects are a `Map`, such as `Map::from_iter([(\"key\".to_owned(), \"value\".into())])`.
- What the description does not require is an `Option`: absent and null both read as `None`.
- Enums have a variant `Unknown` for values that came later, and unions have one for members that came later. What was \
unknown goes out again unchanged, and so do members that no field describes.
- Errors say which operation failed, how, and after how many attempts: see [`Error`].
";

const ATTRIBUTES: &str = r#"
#![deny(missing_docs)]
#![forbid(unsafe_code)]
#![allow(
    clippy::large_enum_variant,
    reason = "whether a variant is boxed must not depend on how large its type happens to be"
)]
#![allow(
    clippy::doc_markdown,
    reason = "descriptions are in the words of the API"
)]
#![allow(
    deprecated,
    reason = "what the description deprecates is encoded and decoded all the same"
)]
#![allow(
    clippy::fn_params_excessive_bools,
    clippy::many_single_char_names,
    clippy::should_implement_trait,
    clippy::similar_names,
    clippy::struct_excessive_bools,
    clippy::struct_field_names,
    clippy::too_many_arguments,
    clippy::too_many_lines,
    reason = "the description decides which members there are and what they are called"
)]
"#;

const WITHOUT_ALL_FEATURES: &str = r#"#![cfg_attr(
    not(feature = "operations"),
    allow(
        dead_code,
        unused_imports,
        rustdoc::broken_intra_doc_links,
        reason = "resources may be left out, and what only they need is there nevertheless"
    )
)]
"#;
