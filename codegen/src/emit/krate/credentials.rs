//! Credentials: the schemes of the API, the methods of the builder, and how both are documented.

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::servers;
use crate::emit::rust::docs::{Doc, Inline, text};
use crate::emit::rust::names::ident;
use crate::emit::rust::page::Page;
use crate::ir::{
    Alternatives, Api, ClientCredentials, CredentialScheme, Login, Operation, SentAs, UrlVariable,
    sets_of_schemes,
};
use crate::items::credentials::{CredentialMethod, Given, methods};
use crate::settings::Settings;

pub fn schemes(api: &Api) -> TokenStream {
    let schemes = api.credentials.schemes.iter().map(|scheme| {
        let CredentialScheme { method, variable, .. } = scheme;
        let method = method.bare();
        let place = place(&scheme.place);
        let grant = scheme.client_credentials.as_ref();
        let scope = grant.map(|grant| grant.scopes.join(" ")).unwrap_or_default();
        let url = grant.map(|grant| grant.complete_url().unwrap_or_default());
        let client_credentials = url.map_or(quote!(None), |url| quote!(Some(#url)));
        quote! {
            runtime::internal::Scheme {
                method: #method,
                variable: #variable,
                place: runtime::internal::Place::#place,
                client_credentials: #client_credentials,
                scope: #scope,
            }
        }
    });
    quote!(&[#(#schemes),*])
}

fn place(place: &SentAs) -> TokenStream {
    match place {
        SentAs::Bearer => quote!(Bearer),
        SentAs::Basic => quote!(Basic),
        SentAs::Http(scheme) => quote!(Http(#scheme)),
        SentAs::Header(name) => quote!(Header(#name)),
        SentAs::Query(name) => quote!(Query(#name)),
        SentAs::Cookie(name) => quote!(Cookie(#name)),
        SentAs::Certificate => quote!(Certificate),
    }
}

/// Returns the sets of schemes, one of which is needed, for the runtime.
pub fn alternatives(alternatives: &Alternatives) -> TokenStream {
    let sets = sets_of_schemes(alternatives).into_iter().map(|set| {
        let schemes = set.into_iter().map(Literal::usize_unsuffixed);
        quote!(&[#(#schemes),*])
    });
    quote!(&[#(#sets),*])
}

pub fn builder(api: &Api) -> TokenStream {
    let schemes = api.credentials.schemes.iter().enumerate();
    let methods: TokenStream = schemes
        .flat_map(|(index, scheme)| {
            let credentials = methods(scheme).into_iter();
            credentials.map(move |credential| method(index, scheme, &credential, api))
        })
        .collect();
    if methods.is_empty() { methods } else { quote!(impl ClientBuilder { #methods }) }
}

fn method(
    index: usize,
    scheme: &CredentialScheme,
    method: &CredentialMethod<'_>,
    api: &Api,
) -> TokenStream {
    let described = match method.given {
        Given::Value | Given::Password => scheme.docs.text.as_deref().and_then(Doc::of_spec),
        Given::Client(_) | Given::Source | Given::Login(_) => None,
    };
    let variables = match method.given {
        Given::Client(ClientCredentials { variables, .. })
        | Given::Login(Login { variables, .. }) => variables.as_slice(),
        Given::Value | Given::Password | Given::Source => &[],
    };
    let documentation = Doc::from(about(index, scheme, method, api))
        .and(described.unwrap_or_default())
        .paragraphs((!variables.is_empty()).then(servers::values))
        .attributes(4);
    let deprecated = scheme.docs.deprecated.then(|| quote!(#[deprecated]));
    let name = ident(method.name.as_str());
    let index = Literal::usize_unsuffixed(index);
    let mut page = Page::new(api, String::new(), Vec::new());
    let arguments = method.arguments.iter().map(|(name, ty)| {
        let name = ident(name);
        let ty = page.ty(ty);
        quote!(#name: #ty)
    });
    let arguments: Vec<_> = arguments.collect();
    let call = match method.given {
        Given::Value => quote!(credential(#index, value)),
        Given::Password => quote!(password(#index, user, password)),
        Given::Client(ClientCredentials { token_url, variables, scopes, .. }) => {
            let url = match (token_url, values(variables)) {
                (None, _) => quote!(token_url),
                (Some(url), None) => quote!(#url),
                (Some(url), Some(values)) => quote!(runtime::internal::filled(#url, #values)),
            };
            let scopes = (!scopes.is_empty()).then(|| scopes.join(" "));
            let scope = scopes.map(|scopes| quote!(.scope(#scopes)));
            let source = quote!(runtime::ClientCredentials::new(#url, client_id, secret) #scope);
            quote!(credential_source(#index, #source))
        }
        Given::Login(login) => return login_method(login, &documentation, deprecated.as_ref()),
        Given::Source => quote!(credential_source(#index, source)),
    };
    quote! {
        #documentation
        #deprecated
        pub fn #name(self, #(#arguments),*) -> Self {
            Self { inner: self.inner.#call }
        }
    }
}

fn login_method(
    login: &Login,
    documentation: &impl ToTokens,
    deprecated: Option<&TokenStream>,
) -> TokenStream {
    let name = &login.method;
    let urls = [
        ("authorization_url", &login.authorization_url),
        ("token_url", &login.token_url),
        ("device_url", &login.device_url),
        ("discovery_url", &login.discovery_url),
    ];
    let setters = urls.into_iter().filter_map(|(setter, url)| {
        let (setter, url) = (format_ident!("{setter}"), url.as_ref()?);
        Some(quote!(.#setter(#url)))
    });
    let variables = login.variables.iter().map(|variable| ident(variable.name.as_str()));
    let filled = values(&login.variables).map(|values| quote!(.filled(#values)));
    quote! {
        #documentation
        ///
        /// # Errors
        ///
        /// Fails if a setting is invalid.
        #[cfg(feature = "login")]
        #[cfg_attr(docsrs, doc(cfg(feature = "login")))]
        #deprecated
        pub fn #name(
            self,
            #(#variables: impl Into<String>,)*
            client_id: impl Into<String>
        ) -> Result<runtime::Login, runtime::Error> {
            self.inner.login(runtime::Provider::new() #(#setters)* #filled, client_id)
        }
    }
}

/// Returns the values of the variables of a URL, if it has any.
fn values(variables: &[UrlVariable]) -> Option<TokenStream> {
    let values = variables.iter().map(|UrlVariable { name, wire }| {
        let name = ident(name.as_str());
        quote!((#wire, #name.into()))
    });
    (!variables.is_empty()).then(|| quote!(&[#(#values),*]))
}

/// Returns the constants of the scopes.
pub fn scopes(api: &Api) -> TokenStream {
    let scopes = &api.credentials.scopes;
    if scopes.is_empty() {
        return TokenStream::new();
    }
    let constants = scopes.iter().map(|scope| {
        let (name, value) = (format_ident!("{}", scope.name), &scope.value);
        let described = scope.docs.text.as_deref().and_then(Doc::of_spec).unwrap_or_default();
        let documentation =
            Doc::from(text!("The scope {}.", Inline::code(value))).and(described).attributes(4);
        quote! {
            #documentation
            pub const #name: &'static str = #value;
        }
    });
    quote! {
        /// The OAuth 2.0 scopes in the spec. To request several, separate them by spaces.
        #[derive(Clone, Debug)]
        pub struct Scopes;

        impl Scopes {
            #(#constants)*
        }
    }
}

/// Returns a sentence about the effect of a method.
fn about(
    index: usize,
    scheme: &CredentialScheme,
    method: &CredentialMethod<'_>,
    api: &Api,
) -> Inline {
    match (method.given, &scheme.place) {
        (Given::Password, _) => text!("Authenticates by a user and a password (RFC 7617)."),
        (Given::Login(_), _) => text!(
            "Begins the login of a user, for a client that is registered at the provider. `{}` takes the session that it \
             returns.",
            scheme.source
        ),
        (Given::Client(ClientCredentials { token_url: None, scopes, .. }), _) => text!(
            "Obtains access tokens with the client credentials grant of OAuth 2.0. The token URL is absolute, or relative to the \
             base URL. A secret that is a private key signs assertions, with the feature `jwk`.{}",
            about_scopes(scopes, index, scheme, api)
        ),
        (Given::Client(ClientCredentials { token_url: Some(url), scopes, .. }), _) => text!(
            "Obtains access tokens with the client credentials grant of OAuth 2.0, from {}. A secret that is a private key signs \
             assertions, with the feature `jwk`.{}",
            Inline::code(url),
            about_scopes(scopes, index, scheme, api)
        ),
        (Given::Value, SentAs::Bearer | SentAs::Basic | SentAs::Certificate) => {
            text!("Sends a fixed access token.")
        }
        (Given::Value, SentAs::Http(name)) => text!(
            "Sends fixed credentials of the HTTP scheme {}; pass them without the name of the scheme.",
            Inline::code(name)
        ),
        (Given::Value, SentAs::Header(name)) => {
            text!("Sends an API key in the header {}.", Inline::code(name))
        }
        (Given::Value, SentAs::Query(name)) => {
            text!("Sends an API key in the query parameter {}.", Inline::code(name))
        }
        (Given::Value, SentAs::Cookie(name)) => {
            text!("Sends an API key in the cookie {}.", Inline::code(name))
        }
        (Given::Source, SentAs::Bearer) => text!(
            "Obtains access tokens from a source: `JwtBearer` or `ClientCredentials` of the runtime, with options, or your own."
        ),
        (Given::Source, SentAs::Basic) => text!(
            "Obtains the user and the password from a source, as one string with a colon between them."
        ),
        (Given::Source, _) => text!("Obtains the credentials from a source, when they are needed."),
    }
}

/// Returns a sentence about the scopes that are requested, if operations need some.
fn about_scopes(scopes: &[String], index: usize, scheme: &CredentialScheme, api: &Api) -> Inline {
    let needed = api.operations().flat_map(|it| it.needed(&api.credentials).iter().flatten());
    let mut needed = needed.filter(|it| it.scheme == index).flat_map(|it| &it.scopes);
    match scopes {
        [] if needed.next().is_none() => Inline::default(),
        [] => text!(
            " It requests no scopes, because operations need different ones: `{}` takes `ClientCredentials` with some.",
            scheme.source
        ),
        scopes => text!(
            " It requests the scopes that every operation needs, {}.",
            Inline::code(&scopes.join(" "))
        ),
    }
}

/// Returns an item for each method, for the README.
pub fn listed(api: &Api) -> String {
    let methods = api.credentials.schemes.iter().enumerate().flat_map(|(index, scheme)| {
        methods(scheme).into_iter().map(move |method| {
            let about = about(index, scheme, &method, api);
            format!("- `{}`: {about}\n", method.name.bare())
        })
    });
    methods.collect()
}

/// Returns the environment variables of the credentials, as a part of a sentence; `None` if there are none.
pub fn variables(api: &Api, settings: &Settings) -> Option<Inline> {
    let prefix = settings.env_prefix();
    let groups = api.credentials.schemes.iter().filter_map(|scheme| {
        let variable = |suffix: &str| {
            let separator = if scheme.variable.is_empty() { "" } else { "_" };
            Inline::code(&format!("{prefix}_{}{separator}{suffix}", scheme.variable))
        };
        Some(match (&scheme.place, &scheme.client_credentials) {
            (SentAs::Bearer, None) => variable("TOKEN"),
            (SentAs::Bearer, Some(grant)) => {
                let (id, secret) = (variable("CLIENT_ID"), variable("CLIENT_SECRET"));
                let client = match grant.complete_url() {
                    None => text!("{}, {} and {}", variable("TOKEN_URL"), id, secret),
                    Some(_) => text!("{} and {}", id, secret),
                };
                let scope = variable("SCOPE");
                text!(
                    "{}, or without it from {} (and the scope from {})",
                    variable("TOKEN"),
                    client,
                    scope
                )
            }
            (SentAs::Basic, _) => text!("{} and {}", variable("USERNAME"), variable("PASSWORD")),
            (SentAs::Certificate, _) => return None,
            _ => Inline::code(&format!("{prefix}_{}", scheme.variable)),
        })
    });
    groups.reduce(|all, group| text!("{}, or from {}", all, group))
}

/// Returns the calls of the builder that give an operation credentials, if the document declares any.
pub fn example(api: &Api, operation: Option<&Operation>) -> Vec<String> {
    if !api.credentials.are_declared() {
        return Vec::new();
    }
    let needed =
        operation.map_or(&api.credentials.default, |operation| operation.needed(&api.credentials));
    let set = needed.first().map(Vec::as_slice).unwrap_or_default();
    let schemes = set.iter().filter_map(|requirement| api.credentials.scheme(requirement));
    let calls = schemes.map(|scheme| match scheme.place {
        SentAs::Certificate => ".identity(\"…\")".to_owned(),
        SentAs::Basic => format!(".{}(\"user\", \"…\")", scheme.method),
        _ => format!(".{}(\"…\")", scheme.method),
    });
    calls.collect()
}
