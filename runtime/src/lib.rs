//! The support crate of emitted API bindings: client, transport, credentials, retries, timeouts,
//! paging, errors, wire format.
//!
//! Users depend on an emitted crate, whose client and requests have the methods shown here. These are
//! the types that they may need by name:
//!
//! - [`ClientBuilder`] has all settings and their defaults; emitted clients wrap a [`Client`].
//! - [`Error`] is the error of every call, with predicates such as [`Error::is_not_found`].
//! - [`Request`] is the trait of all requests, for generic functions; [`Response`] is a value with the status, headers and
//!   body of its response; [`Pages`] and [`Items`] are paged lists.
//! - [`RetryPolicy`] and [`Backoff`] decide what is retried and when.
//! - [`TokenSource`] provides access tokens: [`ClientCredentials`], [`JwtBearer`], or your own source.
//! - `Login`, with the feature `login`, obtains tokens for users: authorization code, device flow, sessions.
//! - [`Transport`] sends requests: reqwest by default, a tower service, or a fake in a test.
//!   [`Interceptor`] sees requests and responses.
//!
//! The README describes the steps of a call, retries, credentials, secrets, faults and features, and the manifest the
//! purpose of each dependency.
//!
//! # Requests
//!
//! - Required values are arguments of an operation's method; optional values have setters on the request that it returns.
//!   `.set_if_some(option, setter)` calls a setter if there is a value, and `.with_body(model)` sends a whole body. Options
//!   of the call begin with `with_`, too. `.send().await`, or simply `.await`, sends a request; `.send_raw()` also returns
//!   status, headers and body.
//! - Optional properties are an `Option`: absent and null are both `None`.
//! - Free-form objects are a [`Map`], such as `map([("key", "value")])`.
//! - Enums and unions have a variant `Unknown` for values and properties that are not in the spec; a `match` needs a `_` arm
//!   as well, because enums are `#[non_exhaustive]`. Unknown values and properties are retained, and sent back unchanged.
//! - `KNOWN` lists the values of an enum in the spec, for example for the help of a command line. `try_parse` rejects other
//!   text; `From` and `FromStr` accept it.
//! - A file is an [`Upload`]: bytes, text, a path (`Upload::from_path`, with the feature `fs`), or a
//!   [stream](Upload::from_stream). A retry sends bytes and paths again; a stream is sent only once.
//! - With the feature `blocking`, every request has `send_blocking()`, which blocks the current thread.
//!
//! # Settings
//!
//! | purpose | client | call | default |
//! |---|---|---|---|
//! | timeout of an attempt | [`timeout`](ClientBuilder::timeout) | `with_timeout` | 60 seconds |
//! | timeout of a call, with its retries | [`total_timeout`](ClientBuilder::total_timeout) | `with_total_timeout` | 3 minutes |
//! | timeout of connecting | [`connect_timeout`](ClientBuilder::connect_timeout) | | 10 seconds |
//! | retries | [`retry`](ClientBuilder::retry) | `with_retry` | [`RetryPolicy::standard`]: at most 4 attempts |
//! | size of a response | [`max_response_bytes`](ClientBuilder::max_response_bytes) | `with_max_response_bytes` | 64 MiB |
//! | headers | [`default_header`](ClientBuilder::default_header), [`user_agent`](ClientBuilder::user_agent) | `with_header` | |
//! | query | | `with_query`, `set_query` | |
//! | proxy | `proxy`, `no_proxy` | | `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY` |
//! | pings of HTTP/2 | `http2_keep_alive` | | after 20 s, closed after 10 s |
//! | headers of a response, HTTP/2 | `http2_max_header_bytes` | | 64 KiB |
//! | certificates | `add_root_certificate`, `identity` | | from the operating system |
//! | HTTP client | `reqwest_client`, [`transport`](ClientBuilder::transport) | | reqwest with rustls |
//! | requests and responses | [`interceptor`](ClientBuilder::interceptor) | `send_raw` | |
//! | responses that deviate from the spec | [`on_drift`](ClientBuilder::on_drift), [`strict`](ClientBuilder::strict) | | decoded and retained |
//! | requests and responses in a file | `record`, with the feature `record` | | not written |
//! | values of the path in errors | [`hide_path_values`](ClientBuilder::hide_path_values) | | shown |
//! | credentials over http | [`allow_http`](ClientBuilder::allow_http) | | only to this machine |
//! | all items of a list | | `items().collect()` | |
//! | continuation of a list | | `pages().resume_from(token)`, `items().resume_from(token)` | |
//!
//! An interceptor makes a client read-only:
//!
//! ```
//! use openapi_bindings_runtime::{Attempt, BoxError, BoxFuture, Interceptor, RequestBody, http};
//!
//! struct ReadOnly;
//!
//! impl Interceptor for ReadOnly {
//!     fn before<'a>(
//!         &'a self,
//!         attempt: &'a Attempt,
//!         _: &'a mut http::Request<RequestBody>,
//!     ) -> BoxFuture<'a, Result<(), BoxError>> {
//!         Box::pin(async move {
//!             match attempt.operation.method {
//!                 "GET" | "HEAD" => Ok(()),
//!                 _ => Err("this client is read-only".into()),
//!             }
//!         })
//!     }
//! }
//! ```
//!
//! # Tracing
//!
//! Spans and events of the crate `tracing`, with the names of OpenTelemetry's semantic conventions where these have
//! one. They contain no header values, query values, bodies and values of the path. Their target is
//! `openapi_bindings_runtime`, whichever crate was emitted: `rpc.service` names it.
//!
//! A call ends when its response is decoded, so that a login page with the status 200 has the outcome `decode`, is
//! reported to [`Interceptor::failed`] and is not a success for the [`RetryBudget`], whereas its attempt has a response and no
//! `error.type`. A call of `send_raw` ends with the response, and a call of a stream with its head. Errors of
//! lists ([`ErrorKind::Paging`]) and waits belong to no call.
//!
//! | | level | when | fields |
//! |---|---|---|---|
//! | span `api.call` | info | a call | `rpc.service` (the package), `rpc.method` (the operationId), `attempts`, `outcome` (`ok` or [`ErrorKind::name`]), `error.type` |
//! | span `http.client.request` | info | an attempt, inside the call | `http.request.method`, `url.template`, `server.address`, `http.request.resend_count`, `http.response.status_code`, `http.response.body.size`, `error.type` |
//! | span `http.client.request` | info | a request for a token, inside the call that begins it, or another request of a login | the same without `resend_count` and `body.size`; `url.template` is the path |
//! | event `retrying the call` | debug; info for the last retry | before the pause | `http.request.resend_count`, `error.type`, `http.response.status_code`, `pause_ms` |
//! | event `the server rejected the access token; refreshing it` | debug | after a 401 | `rpc.method` |
//! | event `failed to refresh the access token, which is about to expire` | warn | no call fails yet, because the token is still valid | `error.type` (the code of the token endpoint, or `auth`), `url.full` (of the token endpoint), `expires_in_s` |
//!
//! # Tests
//!
//! With the feature `test-util`, a `testing::FakeTransport` replaces the network: pass it to [`ClientBuilder::transport`].
//! Models have `new` and setters for the values of its replies.
//!
//! A `testing::Replay` answers from a file that a `Recorder` wrote: with the feature `record`, pass one to
//! `ClientBuilder::record`. The file has placeholders instead of texts, so it contains no secrets.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    not(feature = "client"),
    allow(dead_code, unused_imports, reason = "requests and replies use the rest of the values")
)]

#[cfg(feature = "client")]
mod auth;
#[cfg(feature = "client")]
mod client;
#[cfg(feature = "client")]
mod edit;
#[cfg(feature = "client")]
mod error;
#[doc(hidden)]
pub mod internal;
#[cfg(feature = "login")]
mod login;
#[cfg(feature = "record")]
mod record;
#[cfg(feature = "client")]
mod repeat;
#[cfg(feature = "client")]
mod reply;
#[cfg(feature = "client")]
mod request;
mod secrets;
#[cfg(feature = "client")]
mod send;
#[cfg(feature = "client")]
mod stream;
#[cfg(feature = "test-util")]
pub mod testing;
mod time;
#[cfg(feature = "client")]
mod transport;
mod url;
mod wire;

pub use bytes::Bytes;
pub use jiff;
pub use secrecy::{ExposeSecret, SecretString};

#[cfg(feature = "client")]
pub use self::{
    auth::assertion::{AssertionClaims, AssertionSigner},
    auth::client_credentials::{ClientCredentials, OAuthClient},
    auth::context::{TokenContext, TokenSetup},
    auth::grant::Grant,
    auth::jwt_bearer::{AssertionIssuer, JwtBearer},
    auth::refresh_token::{RefreshToken, Session},
    auth::secret::SecretSource,
    auth::source::TokenSource,
    auth::token::{Token, TokenError},
    client::Client,
    client::builder::ClientBuilder,
    client::drift::DriftReport,
    edit::sending::SendingEdit,
    edit::value::Edit,
    error::operation::Operation,
    error::retry::backoff::Backoff,
    error::retry::budget::RetryBudget,
    error::retry::policy::{FailedAttempt, Retry, RetryPolicy},
    error::{Error, ErrorKind},
    repeat::paging::{Items, Paged, Pages},
    repeat::poll::polling::{Polling, Waits},
    repeat::poll::wait::Waited,
    reply::header::{FromHeader, ReplyHeader},
    reply::raw::RawReply,
    reply::rejection::Fails,
    send::request::Request,
    send::sending::{Sending, SendingRaw},
    send::typed::Response,
    stream::bytes::{ByteStream, Opening},
    stream::events::{Event, Events},
    stream::lines::Lines,
    time::clock::{Clock, SystemClock},
    transport::body::Body,
    transport::error::TransportError,
    transport::interceptor::{Attempt, Interceptor},
    transport::{SendProgress, Transport},
    url::server::Server,
};
#[cfg(feature = "client")]
pub use http;

#[cfg(feature = "jwk")]
pub use self::auth::client_key::ClientKey;
#[cfg(feature = "fs")]
pub use self::error::part::Part;
#[cfg(feature = "login")]
pub use self::login::{
    Login,
    authorization::Authorization,
    device::DeviceLogin,
    file_store::FileStore,
    provider::Provider,
    session::LoginSession,
    store::{LockedStore, MemoryStore, StoredTokens, TokenStore},
};
#[cfg(feature = "record")]
pub use self::record::Recorder;
#[cfg(feature = "blocking")]
pub use self::repeat::paging::blocking::{BlockingItems, BlockingPages};
#[cfg(feature = "blocking")]
pub use self::send::blocking::BlockingStream;
pub use self::time::future::{BoxError, BoxFuture};
#[cfg(feature = "reqwest")]
pub use self::transport::reqwest::ReqwestTransport;
#[cfg(feature = "tower")]
pub use self::transport::tower::TowerTransport;
/// The private field of models.
#[doc(hidden)]
pub use self::wire::UnknownProperties;
pub use self::wire::list::IntoList;
pub use self::wire::property::Property;
pub use self::wire::related::expanded::{Expanded, RelatedObjects};
pub use self::wire::related::typed_object::TypedObject;
pub use self::wire::upload::Upload;
pub use self::wire::upload::body::RequestBody;
pub use self::wire::{
    DecodeError, Drift, DriftKind, IntoInteger, Map, Model, Param, Secret, Sensitive, Timestamp,
    Typed, UnixTime, UnknownInteger, UnknownUnion, UnknownValue, UnknownVariant, Value, map,
};
pub use serde_json::json;

/// Types of the version of reqwest that this crate uses.
///
/// [`client_builder`](reqwest::client_builder) replaces `reqwest::Client::builder()`, which panics in a
/// process without a TLS provider.
#[cfg(feature = "reqwest")]
pub mod reqwest {
    #[doc(hidden)]
    pub use ::reqwest::Client;
    #[cfg(any(feature = "__rustls", feature = "native-tls"))]
    pub use ::reqwest::{Certificate, Identity, tls};
    pub use ::reqwest::{NoProxy, Proxy, Url, dns, redirect, retry};

    pub use crate::transport::reqwest::client_builder;
}
