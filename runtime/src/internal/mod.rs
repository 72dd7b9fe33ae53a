//! The interface of emitted code. It changes with the generator; nothing else may use it.

mod builder;
mod missing_feature;
mod requests;
#[cfg(feature = "test-util")]
mod setters;

#[cfg(feature = "reqwest")]
pub use reqwest::Client as ReqwestClient;

pub use self::missing_feature::MissingFeature;
#[cfg(feature = "test-util")]
pub use crate::__setters as setters;
pub use crate::auth::scheme::{Alternatives, Place, Scheme};
pub use crate::client::Service;
pub use crate::edit::endpoint::{EditEndpoint, edit, set_mask};
pub use crate::edit::mask::{Mask, MaskPlace};
pub use crate::error::operation::Operation;
pub use crate::repeat::paging::{Items, Paged, Pages};
pub use crate::repeat::poll::polling::Waits;
pub use crate::repeat::poll::wait::{WaitEnd, WaitEndpoint, is_finished};
pub use crate::reply::format::{
    Binary, Empty, FromReply, Json, Optional, OptionalOrNull, ReplyFormat, Several, Text,
};
pub use crate::reply::received::{Declared, Received};
pub use crate::reply::rejection::Rejection;
pub use crate::request::call::Call;
pub use crate::request::content::{Encoding, PartHeader};
#[cfg(not(feature = "blocking"))]
pub use crate::request::endpoint::BlockingEndpoint;
#[cfg(not(feature = "record"))]
pub use crate::request::endpoint::RecordsExchanges;
pub use crate::request::endpoint::{
    DecodeFailure, Endpoint, FailingEndpoint, MergePatchEndpoint, NextPage, PagedEndpoint,
    SafeEndpoint, TakesPageParameter, TakesPageToken, call, decode_failure,
};
pub use crate::request::parameter::{ListKeys, Parameter, Style};
#[cfg(feature = "blocking")]
pub use crate::send::blocking::block_on;
pub use crate::send::request::{Request, send_as};
pub use crate::send::sending::{Sending, SendingRaw};
pub use crate::stream::bytes::open;
pub use crate::stream::events::events;
pub use crate::stream::lines::lines;
pub use crate::url::server::{OwnServer, ServerUrl};
pub use crate::url::template::filled;
pub use crate::wire::internal::*;
pub use crate::wire::related::expanded::related;
pub use crate::{
    __choice as choice, __client_builder as client_builder, __integer_enum as integer_enum,
    __key as key, __object as object, __open_enum as open_enum, __requests as requests,
    __server as server, __union as union,
};
