//! Requests: the operation, its path, query, headers and body, and the options of one call.

mod body;
pub(crate) mod call;
pub(crate) mod content;
pub(crate) mod endpoint;
mod form;
mod idempotency_key;
mod merge_patch;
mod multipart;
mod pairs;
pub(crate) mod parameter;
mod path;
#[cfg(feature = "record")]
mod recorded;
