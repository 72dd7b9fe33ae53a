//! The client: how it is built, and the handle of each resource.

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::rust::docs;
use crate::emit::rust::imports::Imports;
use crate::emit::rust::print::{self, Item, Source};
use crate::emit::rust::rust_types::ident;
use crate::emit::{Settings, SourceFile};
use crate::ir::{Api, Resource};

/// Writes `client.rs`.
pub fn file(api: &Api, settings: &Settings) -> SourceFile {
    let mut imports = Imports::of_file(vec!["Client".to_owned(), "ClientBuilder".to_owned()]);
    let service = imports.internal("Service");
    let error = imports.runtime("Error");
    if !api.resources.is_empty() {
        imports.own_module("resources");
    }
    let prefix = env_prefix(settings);
    let items = [
        Item::Rust(quote! {
            const SERVICE: #service = #service { package: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION"), env_prefix: #prefix };
        }),
        Item::Rust(definition(api)),
        Item::Rust(quote! {
            /// Builds a [`Client`]: credentials, transport, retries, timeouts.
            pub type ClientBuilder = runtime::ClientBuilder<Client>;
        }),
        Item::Rust(methods(api, &prefix, &error)),
        Item::Rust(quote! {
            impl From<runtime::Client> for Client {
                fn from(inner: runtime::Client) -> Self {
                    Self { inner }
                }
            }
        }),
    ];
    let source = Source {
        path: "src/client.rs".to_owned(),
        emitter: "client.rs",
        docs: "The client and its resources.".to_owned(),
        attributes: String::new(),
    };
    print::file(&source, &imports, &items)
}

/// Returns the prefix of the environment variables that the client reads.
pub fn env_prefix(settings: &Settings) -> String {
    settings.env_prefix.clone().unwrap_or_else(|| settings.package.replace('-', "_").to_uppercase())
}

fn definition(api: &Api) -> TokenStream {
    let about = docs::attributes(&format!("A client of the {}.", docs::api_name(api)), 0);
    let unread = api
        .resources
        .is_empty()
        .then(|| quote!(#[expect(dead_code, reason = "there is no operation yet")]));
    quote! {
        #about
        ///
        /// Cheap to clone; clones share connections and tokens.
        #[derive(Clone, Debug)]
        pub struct Client {
            #unread
            inner: runtime::Client,
        }
    }
}

fn methods(api: &Api, prefix: &str, error: &TokenStream) -> TokenStream {
    let variables = docs::attributes(
        &format!(
            "The base URL is in `{prefix}_BASE_URL`. The credentials are a bearer token in `{prefix}_TOKEN`, or OAuth 2.0 client \
             credentials in `{prefix}_TOKEN_URL`, `{prefix}_CLIENT_ID` and `{prefix}_CLIENT_SECRET`."
        ),
        4,
    );
    let handles: TokenStream = api.resources.iter().map(handle).collect();
    let base_url = api.base_url.as_ref().map(|url| {
        let about =
            docs::attributes(&format!("The base URL that the description names: <{url}>."), 4);
        quote!(#about pub const DEFAULT_BASE_URL: &'static str = #url;)
    });
    quote! {
        impl Client {
            #base_url
            /// Begins a client for the API at a base URL, to which the paths of the operations are appended.
            pub fn builder(base_url: impl Into<String>) -> ClientBuilder {
                ClientBuilder::new(&SERVICE, base_url)
            }

            /// Builds a client from environment variables.
            ///
            #variables
            ///
            /// # Errors
            ///
            /// Fails if a variable is missing or makes no sense; the error names it.
            pub fn from_env() -> Result<Self, #error> {
                ClientBuilder::from_env(&SERVICE)?.build()
            }

            #handles
        }
    }
}

fn handle(resource: &Resource) -> TokenStream {
    let about = resource
        .docs
        .text
        .clone()
        .unwrap_or_else(|| format!("The operations of `{}`.", resource.tag));
    let about = docs::attributes(&about, 4);
    let accessor = ident(resource.accessor.as_str());
    let (module, name) = (ident(resource.module.as_str()), ident(resource.name.as_str()));
    let condition = resource.feature.as_ref().map(|feature| quote!(#[cfg(feature = #feature)]));
    quote! {
        #about
        #condition
        #[inline]
        #[must_use]
        pub fn #accessor(&self) -> resources::#module::#name {
            resources::#module::#name::new(&self.inner)
        }
    }
}
