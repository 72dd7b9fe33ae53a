//! Replies that are read while they are received: bytes, events, and lines of JSON.

pub(crate) mod bytes;
#[cfg(feature = "fs")]
mod draft;
pub(crate) mod events;
#[cfg(feature = "fs")]
mod file;
pub(crate) mod lines;
mod messages;
