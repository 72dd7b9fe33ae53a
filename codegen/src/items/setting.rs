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
    /// Returns the word for it in `api.txt`.
    pub fn name(self) -> &'static str {
        match self {
            Self::TokenUrl => "token-url",
            Self::AuthorizationUrl => "authorization-url",
            Self::DeviceUrl => "device-url",
            Self::DiscoveryUrl => "discovery-url",
            Self::Scopes => "scopes",
            Self::Variable => "variable",
            Self::EnvPrefix => "env-prefix",
            Self::RequestId => "request-id",
            Self::Default => "default",
            Self::Mask => "mask",
            Self::Wait => "wait",
            Self::PageToken => "page-token",
            Self::IdempotencyKey => "idempotency-key",
            Self::Sentinel => "sentinel",
            Self::MediaType => "media-type",
        }
    }

    /// Returns the table or the key of `codegen.toml` that decides it, if the spec does not.
    pub fn key(self) -> Option<&'static str> {
        match self {
            Self::EnvPrefix => Some("client"),
            Self::RequestId => Some("errors"),
            Self::Mask => Some("masks"),
            Self::Wait => Some("wait"),
            Self::PageToken => Some("paging"),
            Self::IdempotencyKey => Some("parameters"),
            Self::Sentinel => Some("streams"),
            _ => None,
        }
    }

    /// Returns the method of requests that it belongs to.
    pub(crate) fn method(self) -> Option<&'static str> {
        match self {
            Self::Mask => Some("with_edit"),
            Self::Wait => Some("wait"),
            Self::PageToken => Some("items"),
            _ => None,
        }
    }
}
