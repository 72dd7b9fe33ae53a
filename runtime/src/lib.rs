//! What emitted API bindings need to run: client, transport, credentials, retries, timeouts, paging,
//! errors, wire format.
//!
//! Users meet this crate through an emitted one, whose client and requests have the methods shown
//! here. These are the types that they may need by name:
//!
//! - [`ClientBuilder`] has all settings and their defaults; [`Client`] is what emitted clients wrap.
//! - [`Error`] is the one error; its predicates answer the usual questions, and printed it says what
//!   happened.
//! - [`Response`] is a value with the status, headers and body that it came in; [`Pages`] and
//!   [`Items`] are lists in pages.
//! - [`RetryPolicy`] and [`Backoff`] decide what is made again and when.
//! - [`TokenSource`] gives access tokens: [`BearerToken`], [`ClientCredentials`], [`JwtBearer`], or one
//!   of your own.
//! - [`Transport`] sends requests: reqwest by default, a configured `reqwest::Client`, a tower
//!   service, or a fake in a test. [`Interceptor`] sees what goes out and what comes in.
//!
//! The README tells how a call is made, what is repeated, what happens with every fault, and why
//! each dependency is there.

mod auth;
mod client;
mod clock;
mod error;
mod execute;
#[doc(hidden)]
pub mod internal;
mod percent;
mod redact;
mod request;
mod response;
mod retry;
mod transport;
mod wire;

use std::error::Error as StdError;
use std::pin::Pin;

pub use bytes::Bytes;
pub use http;
pub use jiff::Timestamp;
#[cfg(feature = "reqwest")]
pub use reqwest;
pub use secrecy::SecretString;

pub use self::auth::{
    AssertionClaims, AssertionSigner, BearerToken, ClientCredentials, JwtBearer, Token,
    TokenContext, TokenError, TokenSetup, TokenSource,
};
pub use self::client::Client;
pub use self::client::builder::ClientBuilder;
pub use self::clock::{Clock, SystemClock};
pub use self::error::{Error, ErrorKind};
pub use self::execute::interceptor::{Attempt, Interceptor};
pub use self::request::call::Operation;
pub use self::response::drift::DriftReport;
pub use self::response::paging::{Items, Pages};
pub use self::response::{Response, Sending, SendingRaw};
pub use self::retry::backoff::Backoff;
pub use self::retry::{FailedAttempt, RetryPolicy};
#[cfg(feature = "reqwest")]
pub use self::transport::ReqwestTransport;
#[cfg(feature = "tower")]
pub use self::transport::TowerTransport;
pub use self::transport::{Body, Transport, TransportError};
pub use self::wire::{
    DecodeError, Drift, DriftKind, Map, Model, Secret, Sensitive, UnknownMembers, UnknownUnion,
    UnknownValue, Value,
};

/// A boxed future that can move between threads.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A boxed error that can move between threads.
pub type BoxError = Box<dyn StdError + Send + Sync>;
