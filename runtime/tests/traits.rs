//! The traits of the public types (Rust API Guidelines, C-COMMON-TRAITS and C-SEND-SYNC). What compiles holds.

use std::collections::BTreeSet;
use std::error::Error as StdError;
use std::fmt::Debug;
use std::hash::Hash;

#[cfg(feature = "fs")]
use openapi_bindings_runtime::Part;
use openapi_bindings_runtime::{
    AssertionClaims, AssertionIssuer, Attempt, Backoff, Body, ByteStream, Client, ClientBuilder,
    ClientCredentials, DecodeError, Drift, DriftKind, DriftReport, Edit, Error, ErrorKind, Event,
    Events, FailedAttempt, Grant, Items, JwtBearer, Lines, Map, OAuthClient, Opening, Operation,
    Pages, Polling, Property, RawReply, RefreshToken, RelatedObjects, ReplyHeader, RequestBody,
    ReqwestTransport, Response, Retry, RetryBudget, RetryPolicy, Secret, SecretSource,
    SendProgress, Sending, SendingEdit, SendingRaw, Session, SystemClock, Timestamp, Token,
    TokenContext, TokenError, TokenSetup, TransportError, Typed, TypedObject, UnixTime,
    UnknownInteger, UnknownProperties, UnknownUnion, UnknownValue, UnknownVariant, Upload, Value,
    Waited,
};
#[cfg(feature = "login")]
use openapi_bindings_runtime::{
    Authorization, DeviceLogin, FileStore, Login, LoginSession, MemoryStore, Provider, StoredTokens,
};
#[cfg(feature = "blocking")]
use openapi_bindings_runtime::{BlockingItems, BlockingPages, BlockingStream};

use crate::support::api::{GetPet, ListPets, Request};

/// What is exported beside types.
const TRAITS: [&str; 21] = [
    "AssertionSigner", "BoxError", "BoxFuture", "Clock", "Expanded", "Fails", "FromHeader",
    "IntoInteger", "IntoList", "Interceptor", "LockedStore", "Model", "Paged", "Param", "Request",
    "Sensitive", "Server", "TokenSource", "TokenStore", "Transport", "Waits",
];

/// A type that has no traits.
struct Bare;

fn is_shared<T: Debug + Send + Sync + Unpin>() {}

/// As the futures in them, they are moved to another task, but not used by two at once.
fn is_sent<T: Debug + Send + Unpin>() {}

/// The private field of models, whose values they show themselves.
fn is_hidden<T: Clone + Default + Send + Sync + Unpin>() {}

fn is_cloned<T: Clone>() {}

fn is_error<T: StdError + Send + Sync + 'static>() {}

fn is_compared<T: Clone + Eq>() {}

fn has_default<T: Default>() {}

fn is_value<T: Copy + Eq + Hash>() {}

fn is_copied<T: Copy>() {}

#[test]
fn public_types_have_the_common_traits() {
    is_shared::<(Client, ClientBuilder<Client>, Request<GetPet>, Error, RawReply, RelatedObjects)>(
    );
    is_shared::<(Retry, RetryPolicy, RetryBudget, Backoff, TransportError, TokenError, DecodeError)>(
    );
    is_shared::<(Token, ClientCredentials, JwtBearer, RefreshToken, SecretSource, Attempt)>();
    is_shared::<(OAuthClient, AssertionIssuer, Session, Grant<Session>, TokenSetup, TokenContext)>(
    );
    is_shared::<(Upload, RequestBody, Edit<Map>, TypedObject, UnknownUnion)>();
    is_shared::<(UnknownValue, UnknownVariant, Secret<String>, Event<Map>, Waited<Map>, Drift)>();
    is_shared::<(Response<Bare>, ReplyHeader<Bare>, ReqwestTransport, SendProgress, Value)>();
    is_shared::<(Typed<u8>, SystemClock, AssertionClaims, DriftReport, FailedAttempt)>();
    is_sent::<(Sending<Bare>, SendingRaw<Bare>, SendingEdit<Bare>, Body, ByteStream, Opening)>();
    is_sent::<(Pages<Request<ListPets>>, Items<Request<ListPets>>, Polling<Request<GetPet>>)>();
    is_sent::<(Events<Bare>, Lines<Bare>)>();
    is_cloned::<(Client, ClientBuilder<Client>, Request<GetPet>, Response<Bare>, RelatedObjects)>();
    is_cloned::<(Retry, RetryPolicy, RetryBudget, Token, TokenError, ClientCredentials, JwtBearer)>(
    );
    is_cloned::<(RefreshToken, Session, SecretSource, OAuthClient, AssertionIssuer, Edit<Map>)>();
    is_cloned::<(Upload, RequestBody, ReqwestTransport, Typed<u8>)>();
    is_hidden::<UnknownProperties>();
    is_error::<Error>();
    is_error::<TransportError>();
    is_error::<TokenError>();
    is_error::<DecodeError>();
    is_compared::<(RawReply, TypedObject, UnknownUnion, UnknownVariant, Secret<String>, Drift)>();
    is_compared::<(Event<Map>, Waited<Map>, DecodeError, UnknownValue, Map)>();
    has_default::<(RetryPolicy, RetryBudget, Backoff, Upload, RequestBody, Body, SystemClock)>();
    has_default::<(TypedObject, Secret<String>, Timestamp, Typed<u8>)>();
    is_value::<(Operation, Attempt, ErrorKind, DriftKind, Timestamp, UnixTime, UnknownInteger)>();
    is_copied::<(FailedAttempt, DriftReport, AssertionClaims, TokenSetup, TokenContext)>();
    is_copied::<(Property<Bare>, ReplyHeader<Bare>, Backoff, SystemClock)>();
}

#[cfg(feature = "login")]
#[test]
fn types_of_logins_have_the_common_traits() {
    is_shared::<(Login, LoginSession, Authorization, DeviceLogin, Provider, StoredTokens)>();
    is_shared::<(MemoryStore, FileStore)>();
    is_cloned::<(Login, LoginSession, StoredTokens, MemoryStore, FileStore)>();
    is_compared::<Provider>();
    has_default::<(Provider, MemoryStore)>();
}

#[cfg(feature = "jwk")]
#[test]
fn keys_of_clients_have_the_common_traits() {
    is_shared::<openapi_bindings_runtime::ClientKey>();
}

#[cfg(feature = "fs")]
#[test]
fn parts_have_the_common_traits() {
    is_compared::<Part>();
}

#[cfg(feature = "blocking")]
#[test]
fn blocking_types_have_the_common_traits() {
    is_sent::<(BlockingItems<Request<ListPets>>, BlockingPages<Request<ListPets>>)>();
    is_sent::<BlockingStream<ByteStream>>();
}

#[cfg(feature = "record")]
#[test]
fn recorders_have_the_common_traits() {
    is_shared::<openapi_bindings_runtime::Recorder>();
    is_cloned::<openapi_bindings_runtime::Recorder>();
}

#[cfg(feature = "tower")]
#[test]
fn transports_of_services_have_the_common_traits() {
    is_shared::<openapi_bindings_runtime::TowerTransport<Bare>>();
    is_cloned::<openapi_bindings_runtime::TowerTransport<Client>>();
}

#[test]
fn every_public_type_is_listed_here() {
    let is_word = |char: char| char.is_ascii_alphanumeric() || char == '_';
    let words = |text: &'static str| text.split(move |char| !is_word(char));
    let here: BTreeSet<_> = words(include_str!("traits.rs")).chain(TRAITS).collect();
    let exports = include_str!("../src/lib.rs").split("pub use self::").skip(1);
    let exported = exports.filter_map(|rest| rest.split(';').next()).flat_map(words);
    let types = exported.filter(|name| name.starts_with(|first: char| first.is_ascii_uppercase()));
    let missing: Vec<_> = types.filter(|name| !here.contains(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
