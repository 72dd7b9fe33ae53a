//! The interface of emitted code. It changes with the generator; nothing else may use it.

#[cfg(feature = "client")]
mod builder;
mod missing_feature;
#[cfg(feature = "client")]
mod requests;
#[cfg(feature = "test-util")]
mod setters;

pub use self::missing_feature::MissingFeature;
#[cfg(feature = "test-util")]
pub use crate::__setters as setters;
#[cfg(feature = "blocking")]
pub use crate::send::blocking::block_on;
pub use crate::wire::internal::*;
pub use crate::wire::related::expanded::related;
pub use crate::{
    __choice as choice, __integer_enum as integer_enum, __key as key, __object as object,
    __open_enum as open_enum, __union as union,
};
#[cfg(feature = "client")]
pub use crate::{
    __client_builder as client_builder, __requests as requests, __server as server,
    auth::scheme::{Alternatives, Place, Scheme},
    client::Service,
    edit::endpoint::{EditEndpoint, edit, set_mask},
    edit::mask::{Mask, MaskPlace},
    error::operation::Operation,
    repeat::paging::{Items, Paged, Pages},
    repeat::poll::polling::Waits,
    repeat::poll::wait::WaitEndpoint,
    reply::format::{
        Binary, Empty, FromReply, Json, Optional, OptionalOrNull, ReplyFormat, Several, Text,
    },
    reply::received::{Declared, Received},
    reply::rejection::Rejection,
    request::call::Call,
    request::content::{Encoding, PartHeader},
    request::endpoint::{
        DecodeFailure, Endpoint, FailingEndpoint, MergePatchEndpoint, NextPage, PagedEndpoint,
        SafeEndpoint, TakesPageParameter, TakesPageToken, call, decode_failure,
    },
    request::parameter::{ListKeys, Parameter, Style},
    send::request::{Request, send_as},
    send::sending::{Sending, SendingRaw},
    stream::bytes::open,
    stream::events::events,
    stream::lines::lines,
    url::server::{OwnServer, ServerUrl},
    url::template::filled,
};
