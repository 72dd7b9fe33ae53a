//! The client: its constructors, and the handle of each resource.

use proc_macro2::TokenStream;
use quote::quote;

use super::about::api_name;
use super::{about, credentials, servers};
use crate::emit::Emitted;
use crate::emit::operations::resources;
use crate::emit::rust::docs::{Doc, Inline, text};
use crate::emit::rust::names::ident;
use crate::emit::rust::print::{self, Part};
use crate::emit::rust::renamed;
use crate::ir::{Api, Handle, Resource};
use crate::settings::Settings;

/// Writes `client.rs`.
pub fn file(api: &Api, settings: &Settings) -> Emitted {
    let prefix = settings.env_prefix();
    let request_id = settings.request_id.as_ref().map_or(quote!(None), |it| quote!(Some(#it)));
    let schemes = credentials::schemes(api);
    let security = credentials::alternatives(&api.credentials.default);
    let servers = servers::of_service(api);
    let documentation = Doc::from(text!("The client and its resources."));
    let import = api.resources.iter().any(|resource| resource.handle.is_some()).then(|| {
        quote!(
            use crate::resources;
        )
    });
    let parts = [
        documentation.inner(),
        import.unwrap_or_default(),
        quote! {
            const SERVICE: runtime::internal::Service = runtime::internal::Service {
                package: env!("CARGO_PKG_NAME"),
                version: env!("CARGO_PKG_VERSION"),
                env_prefix: #prefix,
                request_id: #request_id,
                schemes: #schemes,
                security: #security,
                servers: #servers,
            };
        },
        definition(api),
        quote! {
            /// Builds a [`Client`]: credentials, transport, retries, timeouts.
            ///
            /// [`runtime::ClientBuilder`] describes the settings that do not depend on the API.
            #[must_use = "a builder does nothing until `build` is called"]
            #[derive(Clone, Debug)]
            pub struct ClientBuilder {
                inner: runtime::ClientBuilder<Client>,
            }
        },
        quote!(runtime::internal::client_builder!();),
        builder_from_env(api, settings),
        credentials::builder(api),
        credentials::scopes(api),
        servers::accept(api),
        methods(api),
        quote! {
            impl From<runtime::Client> for Client {
                fn from(inner: runtime::Client) -> Self {
                    Self { inner }
                }
            }
        },
    ];
    print::file("src/client.rs".to_owned(), "krate/client.rs", parts.map(Part::Rust))
}

fn definition(api: &Api) -> TokenStream {
    let documentation = Doc::from(text!("A client of the {}.", Inline::plain(&api_name(api))))
        .paragraph(text!("Cheap to clone; clones share connections and tokens."))
        .attributes(0);
    quote! {
        #documentation
        #[derive(Clone, Debug)]
        pub struct Client {
            pub(crate) inner: runtime::Client,
        }
    }
}

fn builder_from_env(api: &Api, settings: &Settings) -> TokenStream {
    let afterwards = if api.credentials.are_declared() {
        text!(
            "Methods called afterwards replace them: credentials that the environment does not have can be added, \
             and it is [`build`](Self::build) that fails without any."
        )
    } else {
        text!("Methods called afterwards replace them.")
    };
    let attributes =
        Doc::from(text!("Returns a builder with the settings of environment variables."))
            .paragraph(about::from_env(api, settings, "It"))
            .paragraph(afterwards)
            .heading("Errors")
            .paragraph(text!(
                "Fails if the base URL or a part of the credentials is missing or not UTF-8; the error names \
                 the variable."
            ))
            .attributes(4);
    quote! {
        impl ClientBuilder {
            #attributes
            pub fn from_env() -> Result<Self, runtime::Error> {
                Ok(Self { inner: runtime::ClientBuilder::from_env(&SERVICE)? })
            }
        }
    }
}

fn methods(api: &Api) -> TokenStream {
    let from_env = Doc::from(text!("Builds a client from environment variables."))
        .paragraph(text!(
            "[`ClientBuilder::from_env`] names the variables, and allows other settings beside them."
        ))
        .heading("Errors")
        .paragraph(text!("Fails if a variable is missing or invalid; the error names it."))
        .attributes(4);
    let with_handles = api.resources.iter();
    let handles = with_handles.filter_map(|it| Some(accessor(it, it.handle.as_ref()?, api)));
    let base_url = api.base_url.as_ref().map(|url| {
        let documentation =
            Doc::from(text!("The base URL that the spec names: {}.", Inline::code(url)));
        let documentation = documentation.attributes(4);
        quote! {
            #documentation
            pub const DEFAULT_BASE_URL: &'static str = #url;
        }
    });
    let builder = Doc::from(text!(
        "Returns a builder for a client with this base URL{}, to which the paths of the operations are appended.",
        about::base_path(api)
    ))
    .attributes(4);
    quote! {
        impl Client {
            #base_url
            #builder
            pub fn builder(base_url: impl Into<String>) -> ClientBuilder {
                ClientBuilder { inner: runtime::ClientBuilder::new(&SERVICE, base_url) }
            }

            #from_env
            pub fn from_env() -> Result<Self, runtime::Error> {
                ClientBuilder::from_env()?.build()
            }

            #(#handles)*
        }
    }
}

fn accessor(resource: &Resource, handle: &Handle, api: &Api) -> TokenStream {
    let attributes =
        resources::about(resource).attributes(4).condition(resource.feature.as_deref());
    let module = &resource.module;
    let name = &handle.name;
    let accessor = handle.accessor.as_str();
    let mut method =
        renamed::methods("Client", accessor, &attributes, api, |accessor, attributes| {
            quote! {
                #attributes
                #[inline]
                #[must_use]
                pub fn #accessor(&self) -> resources::#module::#name {
                    resources::#module::#name::new(&self.inner)
                }
            }
        });
    method.extend(resource.feature.as_ref().map(|feature| missing(accessor, feature)));
    method
}

/// Writes the method in place of a handle that is not compiled: the warning for its use names the feature.
fn missing(accessor: &str, feature: &str) -> TokenStream {
    let accessor = ident(accessor);
    let note = format!("enable the feature `{feature}`");
    quote! {
        #[cfg(not(feature = #feature))]
        #[doc(hidden)]
        #[deprecated(note = #note)]
        #[must_use]
        pub fn #accessor(&self) -> runtime::internal::MissingFeature {
            runtime::internal::MissingFeature
        }
    }
}
