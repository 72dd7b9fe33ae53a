//! Credentials: sources of access tokens, and the cache in front of them.

pub(crate) mod assertion;
pub(crate) mod cache;
pub(crate) mod client_credentials;
#[cfg(feature = "jwk")]
pub(crate) mod client_key;
pub(crate) mod context;
pub(crate) mod credentials;
pub(crate) mod endpoint;
pub(crate) mod form;
pub(crate) mod grant;
pub(crate) mod jwt_bearer;
pub(crate) mod key_text;
mod refresh;
pub(crate) mod refresh_token;
pub(crate) mod response;
pub(crate) mod scheme;
pub(crate) mod secret;
pub(crate) mod source;
pub(crate) mod token;
pub(crate) mod trace;
