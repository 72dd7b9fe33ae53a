//! Sending requests: the trait of requests, calls in flight and their responses, and the steps of a call.

#[cfg(feature = "blocking")]
pub(crate) mod blocking;
pub(crate) mod execute;
pub(crate) mod request;
pub(crate) mod sending;
pub(crate) mod streamed;
pub(crate) mod typed;
