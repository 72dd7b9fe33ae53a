//! Settings: values in emitted code that no program names, and that decide where and how requests are sent.

/// What a setting decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Where tokens are requested.
    TokenUrl,
    /// Where users log in.
    AuthorizationUrl,
    /// Where logins on other devices begin.
    DeviceUrl,
    /// Where the metadata of OpenID Connect is.
    DiscoveryUrl,
    /// The scopes that client credentials request.
    Scopes,
    /// The environment variable with credentials.
    Variable,
    /// The prefix of all environment variables.
    EnvPrefix,
    /// The pattern of the identifier of requests in error messages.
    RequestId,
    /// The default of a variable of a server.
    Default,
    /// The update mask.
    Mask,
    /// The end of a wait.
    Wait,
    /// Where the token of a page is sent.
    PageToken,
    /// The header with the idempotency key.
    IdempotencyKey,
    /// The data after which a stream ends.
    Sentinel,
    /// The media type that a method asks for.
    MediaType,
}

impl Setting {
    /// Returns the word for it in `api.txt`, the table of `codegen.toml` that decides it, if the spec does not, and the method
    /// of requests that it belongs to.
    fn row(self) -> (&'static str, Option<&'static str>, Option<&'static str>) {
        match self {
            Self::TokenUrl => ("token-url", None, None),
            Self::AuthorizationUrl => ("authorization-url", None, None),
            Self::DeviceUrl => ("device-url", None, None),
            Self::DiscoveryUrl => ("discovery-url", None, None),
            Self::Scopes => ("scopes", None, None),
            Self::Variable => ("variable", None, None),
            Self::EnvPrefix => ("env-prefix", Some("client"), None),
            Self::RequestId => ("request-id", Some("errors"), None),
            Self::Default => ("default", None, None),
            Self::Mask => ("mask", Some("masks"), Some("with_edit")),
            Self::Wait => ("wait", Some("wait"), Some("wait")),
            Self::PageToken => ("page-token", Some("paging"), Some("items")),
            Self::IdempotencyKey => ("idempotency-key", Some("parameters"), None),
            Self::Sentinel => ("sentinel", Some("streams"), None),
            Self::MediaType => ("media-type", None, None),
        }
    }

    /// Returns the word for it in `api.txt`.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// Returns the table or the key of `codegen.toml` that decides it, if the spec does not.
    pub fn key(self) -> Option<&'static str> {
        self.row().1
    }

    /// Returns the method of requests that it belongs to.
    pub(crate) fn method(self) -> Option<&'static str> {
        self.row().2
    }
}
