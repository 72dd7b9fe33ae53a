//! `lib.rs`: the start page of the crate's documentation.

use proc_macro2::TokenStream;
use quote::quote;

use super::about::{from_env, title};
use super::readme::first_program;
use crate::emit::Emitted;
use crate::emit::operations::examples::Example;
use crate::emit::operations::resources;
use crate::emit::rust::docs::{Doc, Inline, text};
use crate::emit::rust::names::ident;
use crate::emit::rust::print::{self, Part};
use crate::emit::types::usage::Usage;
use crate::ir::{Api, Handle, Resource};
use crate::items::common::reexports;
use crate::settings::Settings;

/// Writes `lib.rs`.
pub fn file(api: &Api, usage: &Usage<'_>, settings: &Settings) -> Emitted {
    let documentation = documentation(api, settings).inner();
    let scopes = (!api.credentials.scopes.is_empty()).then(|| quote!(, Scopes));
    let servers = (!api.servers.is_empty()).then(|| {
        quote!(
            #[cfg(feature = "client")]
            pub mod servers;
        )
    });
    let [of_models, of_client] = reexports().map(|names| names.into_iter().map(ident));
    let parts = [
        documentation,
        attributes(api, usage),
        quote! {
            #[cfg(feature = "client")]
            mod client;
            pub mod models;
            #[cfg(feature = "client")]
            pub mod resources;
            #servers
        },
        quote! {
            #[cfg(feature = "client")]
            pub use client::{Client, ClientBuilder #scopes};
            pub use runtime;
            pub use runtime::{#(#of_models),*};
            #[cfg(feature = "client")]
            pub use runtime::{#(#of_client),*};
        },
    ];
    print::file("src/lib.rs".to_owned(), "krate/crate_root.rs", parts.map(Part::Rust))
}

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
    let is_hashed =
        api.emitted().any(|(_, it)| it.derives.iter().any(|path| path.ends_with("Hash")));
    let hashed = is_hashed.then(|| {
        quote! {
            #![allow(clippy::derived_hash_with_manual_eq, reason = "equal models have equal fields")]
        }
    });
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
        #hashed
        #left_out
    }
}

fn documentation(api: &Api, settings: &Settings) -> Doc {
    let about = api.description.as_deref().and_then(Doc::of_spec).unwrap_or_default();
    let doc = Doc::from(title(api))
        .and(about)
        .heading("A first program")
        .program(first_program(api, settings))
        .paragraph(from_env(api, settings, "[`Client::from_env`]"));
    let doc = if api.resources.is_empty() { doc } else { doc.heading("Resources") };
    let doc = api.resources.iter().map(listed).fold(doc, Doc::item).and(guide(api, settings));
    match api.recursion_limit {
        Some(limit) => doc.heading("Recursion limit").paragraph(text!(
            "The models nest deeply. A crate that uses them may also need {}.",
            Inline::code(&format!("#![recursion_limit = \"{limit}\"]"))
        )),
        None => doc,
    }
}

/// Returns an item for a resource: its handle, and the first sentence about it.
fn listed(resource: &Resource) -> Inline {
    let about = resources::about(resource).summary();
    let link = match &resource.handle {
        Some(Handle { accessor, .. }) => text!("[`{}()`](Client::{})", accessor, accessor),
        None => text!("[`Client`]"),
    };
    match &resource.feature {
        None => text!("{}: {}", link, about),
        Some(feature) => text!("{} (feature {}): {}", link, Inline::code(feature), about),
    }
}

/// Returns the guide: links to that of the runtime, and what depends on the API.
fn guide(api: &Api, settings: &Settings) -> Doc {
    let doc = Doc::default()
        .heading("Guide")
        .item(text!(
            "[Requests](runtime#requests): arguments, setters and options of calls; enums, unions and free-form objects; files; \
             blocking calls."
        ))
        .item(text!(
            "[Settings](runtime#settings), which a [`ClientBuilder`] sets for all calls of a client, and `with_…` for one call: \
             timeouts, retries, limits, drift, interceptors, proxies, certificates."
        ))
        .item(text!("[Tracing](runtime#tracing): the spans and events of calls."))
        .item(text!("[Tests](runtime#tests): a fake transport, and a replay of recorded calls."))
        .heading("Errors")
        .paragraph(errors(api));
    match Example::with_failures(api) {
        Some(example) => doc.program(example.with_errors(&settings.library())),
        None => doc,
    }
}

/// Returns sentences on errors, before a program that handles them.
fn errors(api: &Api) -> Inline {
    let is_declared = api.operations().any(|operation| operation.failures.is_some());
    let body = if is_declared {
        "`error.failure::<R>()` returns the body that the spec declares for the status of a request `R`"
    } else {
        "`error.body()` returns the body of the response"
    };
    text!(
        "An [`Error`] reports the operation, the kind of failure, and the number of attempts. {}. Other methods classify it:",
        body
    )
}
