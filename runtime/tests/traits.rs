//! The traits of the public types (Rust API Guidelines, C-COMMON-TRAITS and C-SEND-SYNC). What compiles holds.

use std::hash::Hash;

use openapi_bindings_runtime::{
    Attempt, Backoff, Body, ByteStream, Client, ClientBuilder, ClientCredentials, DecodeError,
    Drift, DriftKind, DriftReport, Edit, Error, ErrorKind, Event, Events, FailedAttempt, Items,
    JwtBearer, Lines, Map, Operation, Pages, Polling, Property, RawReply, RefreshToken,
    ReplyHeader, RequestBody, Response, RetryBudget, RetryPolicy, Secret, SecretSource, Sending,
    SendingEdit, SendingRaw, Timestamp, Token, TokenError, TransportError, TypedObject,
    UnknownProperties, UnknownUnion, UnknownValue, UnknownVariant, Upload, Waited,
};

use crate::support::api::{GetPet, ListPets, Request};

fn is_shared<T: Send + Sync + Unpin>() {}

fn is_sent<T: Send + Unpin>() {}

fn is_value<T: Copy + Eq + Hash>() {}

fn is_copied<T: Copy>() {}

#[test]
fn public_types_have_the_common_traits() {
    is_shared::<(Client, ClientBuilder<Client>, Request<GetPet>, Error, Response<Map>, RawReply)>();
    is_shared::<(RetryPolicy, RetryBudget, TransportError, TokenError, DecodeError, Drift)>();
    is_shared::<(Token, ClientCredentials, JwtBearer, RefreshToken, SecretSource)>();
    is_shared::<(Upload, RequestBody, Edit<Map>, TypedObject, UnknownProperties, UnknownUnion)>();
    is_shared::<(UnknownValue, UnknownVariant, Secret<String>, Event<Map>, Waited<Map>)>();
    is_sent::<(Sending<Map>, SendingRaw<Map>, SendingEdit<Map>, Body, ByteStream)>();
    is_sent::<(Pages<Request<ListPets>>, Items<Request<ListPets>>, Polling<Request<GetPet>>)>();
    is_sent::<(Events<Map>, Lines<Map>)>();
    is_value::<(Operation, Attempt, ErrorKind, DriftKind, Timestamp)>();
    is_copied::<(FailedAttempt<'_>, DriftReport<'_>, Property<Map>, ReplyHeader<Map>, Backoff)>();
}
