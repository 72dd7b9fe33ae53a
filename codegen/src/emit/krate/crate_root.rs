//! `lib.rs`: the start page of the crate's documentation.

use proc_macro2::TokenStream;
use quote::quote;

use super::about::{self, from_env, title};
use super::readme::first_program;
use crate::emit::Emitted;
use crate::emit::operations::examples::Example;
use crate::emit::operations::resources;
use crate::emit::rust::docs::{Doc, Inline, text};
use crate::emit::rust::names::ident;
use crate::emit::rust::print::{self, Part};
use crate::emit::types::usage::Usage;
use crate::ir::{Api, Handle, Operation};
use crate::items::common::REEXPORTS;
use crate::settings::Settings;

/// Writes `lib.rs`.
pub fn file(api: &Api, usage: &Usage<'_>, settings: &Settings) -> Emitted {
    let documentation = documentation(api, settings).inner();
    let scopes = (!api.credentials.scopes.is_empty()).then(|| quote!(, Scopes));
    let servers = (!api.servers.is_empty()).then(|| {
        quote!(
            pub mod servers;
        )
    });
    let reexports = REEXPORTS.map(ident);
    let parts = [
        documentation,
        attributes(api, usage),
        quote! {
            mod client;
            pub mod models;
            pub mod resources;
            #servers
        },
        quote! {
            pub use client::{Client, ClientBuilder #scopes};
            pub use runtime;
            pub use runtime::{#(#reexports),*};
        },
    ];
    print::file("src/lib.rs".to_owned(), "krate/crate_root.rs", parts.map(Part::Rust))
}

/// Returns the attributes of the crate.
fn attributes(api: &Api, usage: &Usage<'_>) -> TokenStream {
    let left_out = api.resources.iter().any(|resource| resource.feature.is_some()).then(|| {
        quote! {
            #![cfg_attr(
                not(feature = "operations"),
                allow(
                    dead_code,
                    unused_imports,
                    rustdoc::broken_intra_doc_links,
                    reason = "a resource that is not compiled leaves links and the client's fields behind"
                )
            )]
        }
    });
    let features = usage.gates.hidden().into_keys();
    let hidden = (features.len() > 0)
        .then(|| quote!(#![cfg_attr(docsrs, doc(auto_cfg(hide(#(feature = #features),*))))]));
    let recursion_limit = api.recursion_limit.map(|limit| {
        let limit = limit.to_string();
        quote!(#![recursion_limit = #limit])
    });
    quote! {
        #recursion_limit
        #![cfg_attr(docsrs, feature(doc_cfg))]
        #hidden
        #![forbid(unsafe_code)]
        #![allow(
            clippy::large_enum_variant,
            clippy::result_large_err,
            reason = "whether a variant is boxed must not depend on how large its type happens to be"
        )]
        #![allow(clippy::doc_markdown, reason = "descriptions contain the names of the API")]
        #![allow(
            rustdoc::redundant_explicit_links,
            reason = "whether a file imports a type that it links to depends on its other operations"
        )]
        #![allow(
            deprecated,
            reason = "deprecated fields are encoded and decoded, too"
        )]
        #![allow(
            confusable_idents,
            mixed_script_confusables,
            uncommon_codepoints,
            clippy::fn_params_excessive_bools,
            clippy::many_single_char_names,
            clippy::module_inception,
            clippy::self_named_constructors,
            clippy::should_implement_trait,
            clippy::similar_names,
            clippy::struct_excessive_bools,
            clippy::struct_field_names,
            clippy::too_many_arguments,
            clippy::too_many_lines,
            reason = "the spec decides which properties there are and what they are called"
        )]
        #left_out
    }
}

fn documentation(api: &Api, settings: &Settings) -> Doc {
    let about = api.description.as_deref().and_then(Doc::of_spec).unwrap_or_default();
    let mut doc = Doc::from(title(api))
        .and(about)
        .heading("A first program")
        .program(first_program(api, settings))
        .paragraph(from_env(api, settings, "[`Client::from_env`]"));
    if !api.resources.is_empty() {
        doc = doc.heading("Resources");
    }
    for resource in &api.resources {
        let about = resources::about(resource).summary();
        let link = match &resource.handle {
            Some(Handle { accessor, .. }) => text!("[`{}()`](Client::{})", accessor, accessor),
            None => text!("[`Client`]"),
        };
        doc = doc.item(match &resource.feature {
            None => text!("{}: {}", link, about),
            Some(feature) => text!("{} (feature {}): {}", link, Inline::code(feature), about),
        });
    }
    doc = doc.and(guide(api, settings));
    match api.recursion_limit {
        Some(limit) => doc.heading("Recursion limit").paragraph(text!(
            "The models nest deeply. A crate that uses them may also need {}.",
            Inline::code(&format!("#![recursion_limit = \"{limit}\"]"))
        )),
        None => doc,
    }
}

/// Returns the guide to every crate, with examples of the API.
fn guide(api: &Api, settings: &Settings) -> Doc {
    let library = settings.library();
    let simplest = Example::simplest(api);
    let mut doc = Doc::default()
        .heading("Requests")
        .item(text!(
            "Required values are arguments of an operation's method; optional values have setters on the request that it returns. \
             `.set_if_some(option, setter)` calls a setter if there is a value, and `.with_body(model)` sends a whole body. Options of \
             the call begin with `with_`, too. `.send().await`, or simply `.await`, sends a request; `.send_raw()` also returns status, headers and body."
        ))
        .item(text!(
            "Optional properties are an `Option`: absent and null are both `None`."
        ))
        .item(text!(
            "Free-form objects are a [`Map`], such as \
             `Map::from_iter([(\"key\".to_owned(), \"value\".into())])`."
        ))
        .item(text!(
            "Enums and unions have a variant `Unknown` for values and properties that are not in the spec; \
             a `match` needs a `_` arm as well, because enums are `#[non_exhaustive]`. Unknown values and properties are retained, \
             and sent back unchanged."
        ))
        .item(text!(
            "`KNOWN` lists the values of an enum in the spec, for example for the help of a command line. `try_parse` rejects other \
             text; `From` and `FromStr` accept it."
        ));
    if let Some(example) = Example::with_body(api) {
        doc = doc.paragraph(text!("A request with a body:")).program(example.program(&library));
    }
    if let Some(example) = Example::with_upload(api) {
        doc = doc.paragraph(about::uploads()).program(example.uploading(&library));
    }
    doc = doc
        .heading("Settings")
        .paragraph(text!(
            "A [`ClientBuilder`] sets these for all calls of a client, and `with_…` for one call. \
             [`runtime`](runtime#settings) lists all settings:"
        ))
        .table(["setting", "meaning", "default"], settings_table(api));
    doc = doc.heading("Errors").paragraph(about::errors(api, "An [`Error`]"));
    if let Some(example) = Example::with_failures(api) {
        doc = doc.program(example.with_errors(&library));
    }
    doc = doc.heading("Blocking").paragraph(text!(
        "With the feature `blocking` every request has `send_blocking()`, which blocks the current thread:"
    ));
    if let Some(example) = simplest {
        doc = doc.program(example.blocking(&library));
    }
    doc = doc.heading("Testing your code").paragraph(text!(
        "With the feature `test-util`, a `runtime::testing::FakeTransport` replaces the network: pass it to \
         [`ClientBuilder::transport`]. `reply` adds a reply for a request type in \
         [`resources`]: the value that the call returns, built by `new` and the setters of its model. `reply_json` takes JSON that the spec allows. `respond` adds statuses, faults and delays, `answer` a closure. \
         `requests` returns the requests that were sent, and `verify` checks that every reply was used, and that every call had a reply. \
         A `runtime::testing::Replay` answers from a file that a `runtime::Recorder` wrote: with the feature `record`, pass one to \
         `ClientBuilder::record`. The file has placeholders instead of texts, so it contains no secrets."
    ));
    match simplest {
        Some(example) => doc.program(example.testing(&library)),
        None => doc,
    }
}

/// Returns the rows of the most important settings. Those of the default transport are not links: its feature can be off.
fn settings_table(api: &Api) -> Vec<[Inline; 3]> {
    let cells = |setting, about: &'static str, default: &'static str| {
        [setting, text!("{}", about), text!("{}", default)]
    };
    let row = |name: &'static str, about, default| {
        cells(text!("[`{}`](ClientBuilder::{})", name, name), about, default)
    };
    let other = |name: &'static str, about, default| cells(Inline::code(name), about, default);
    let mut rows = vec![
        row("timeout", "limit of each attempt", "60 seconds"),
        row("total_timeout", "limit of a call with all attempts", "3 minutes"),
        row("connect_timeout", "limit of connecting", "10 seconds"),
        row(
            "retry",
            "which failures are retried, and when",
            "[`RetryPolicy::standard`]: at most 4 attempts",
        ),
        row("max_response_bytes", "limit of a response body", "64 MiB"),
        row("strict", "whether a response that deviates from the spec is an error", "no"),
        row("on_drift", "a hook for responses that deviate from the spec", "none"),
        row(
            "interceptor",
            "hooks that can change or reject requests; [`runtime`](runtime#settings) shows one for a read-only client",
            "none",
        ),
        other("record", "a file for requests and responses, without secrets", "none"),
        row("user_agent", "a product before the default `User-Agent`", "none"),
        other("proxy", "the proxy of all requests", "that of the environment"),
        other(
            "add_root_certificate",
            "an additional trusted certificate",
            "those of the operating system",
        ),
        cells(
            text!("[`tracing`](runtime#tracing)"),
            "a span for each call and each attempt, and an event for each retry; target `openapi_bindings_runtime`",
            "without a subscriber, nothing is recorded",
        ),
    ];
    if api.operations().any(Operation::has_items) {
        rows.push(other("items().collect()", "all items of a list at once", ""));
        rows.push(other(
            "items().resume_from(token)",
            "the page at which a list begins, for example after an error",
            "the first page",
        ));
    }
    rows
}
