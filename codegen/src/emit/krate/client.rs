//! The client: its constructors, and the handle of each resource.

use quote::quote;

use super::readme::api_name;
use crate::emit::operations::resources;
use crate::emit::rust::attributes::Attributes;
use crate::emit::rust::docs::{Doc, Inline, text};
use crate::emit::rust::print;
use crate::emit::rust::renamed;
use crate::emit::{Emitted, Settings};
use crate::ir::{Api, Resource};

/// Writes `client.rs`.
pub fn file(api: &Api, settings: &Settings) -> Emitted {
    let prefix = env_prefix(settings);
    let request_id = match &settings.request_id {
        None => quote!(None),
        Some(pattern) => quote!(Some(#pattern)),
    };
    let documentation = Doc::from(text!("The client and its resources."));
    let items = [
        documentation.inner(),
        print::tokens(&quote! {
            const SERVICE: runtime::internal::Service = runtime::internal::Service {
                package: env!("CARGO_PKG_NAME"),
                version: env!("CARGO_PKG_VERSION"),
                env_prefix: #prefix,
                request_id: #request_id,
            };
        }),
        definition(api),
        print::tokens(&quote! {
            /// Builds a [`Client`]: credentials, transport, retries, timeouts.
            pub type ClientBuilder = runtime::ClientBuilder<Client>;
        }),
        methods(&prefix, api),
        print::tokens(&quote! {
            impl From<runtime::Client> for Client {
                fn from(inner: runtime::Client) -> Self {
                    Self { inner }
                }
            }
        }),
    ];
    print::file("src/client.rs".to_owned(), "krate/client.rs", items)
}

/// Returns the prefix of the environment variables that the client reads.
pub fn env_prefix(settings: &Settings) -> String {
    settings.env_prefix.clone().unwrap_or_else(|| settings.package.replace('-', "_").to_uppercase())
}

fn definition(api: &Api) -> String {
    let documentation = Doc::from(text!("A client of the {}.", api_name(api)))
        .paragraph(text!("Cheap to clone; clones share connections and tokens."));
    let mut attributes = Attributes::default();
    if api.resources.is_empty() {
        attributes = attributes.and("expect(dead_code, reason = \"there is no operation yet\")");
    }
    let field = print::field(&attributes, "inner: runtime::Client,");
    let attributes = documentation.attributes(0).and("derive(Clone, Debug)");
    print::block(&attributes, "pub struct Client", &[field])
}

fn methods(prefix: &str, api: &Api) -> String {
    let variable = |name: &str| Inline::code(&format!("{prefix}_{name}"));
    let base_url = api.base_url.as_ref().map(|url| {
        let documentation =
            Doc::from(text!("The base URL that the spec names: {}.", Inline::code(url)));
        let code = format!("pub const DEFAULT_BASE_URL: &'static str = {url:?};");
        print::associated(&documentation.attributes(4), &code)
    });
    let builder = print::function(
        &Attributes::default().text(BUILDER),
        "pub fn builder(base_url: impl Into<String>) -> ClientBuilder",
        &["ClientBuilder::new(&SERVICE, base_url)"],
    );
    let from_env = Doc::from(text!("Builds a client from environment variables."))
        .paragraph(text!(
            "The base URL is in {}. The credentials are a bearer token in {}, or OAuth 2.0 client credentials in {}, {} and {}.",
            variable("BASE_URL"),
            variable("TOKEN"),
            variable("TOKEN_URL"),
            variable("CLIENT_ID"),
            variable("CLIENT_SECRET"),
        ))
        .heading("Errors")
        .paragraph(text!("Fails if a variable is missing or invalid; the error names it."));
    let from_env = print::function(
        &from_env.attributes(4),
        "pub fn from_env() -> Result<Self, runtime::Error>",
        &["ClientBuilder::from_env(&SERVICE)?.build()"],
    );
    let mut methods: Vec<String> = base_url.into_iter().chain([builder, from_env]).collect();
    methods.extend(api.resources.iter().flat_map(|resource| handle(resource, api)));
    print::implementation("impl Client", &methods)
}

const BUILDER: &str = "\
/// Returns a builder of a client with this base URL, to which the paths of the operations are appended.
";

fn handle(resource: &Resource, api: &Api) -> Vec<String> {
    let documentation = resources::about(resource).attributes(4);
    let own = documentation.clone();
    let path = format!("crate::resources::{}::{}", resource.module, resource.name);
    let accessor = resource.accessor.as_str();
    renamed::methods("Client", accessor, &documentation, own, api, |accessor, attributes| {
        let attributes = attributes.condition(Some(resource)).and("inline").and("must_use");
        let signature = format!("pub fn {accessor}(&self) -> {path}");
        print::function(&attributes, &signature, &[&format!("{path}::new(&self.inner)")])
    })
}
