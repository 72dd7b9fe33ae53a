//! Requests: the operation, its path, query, headers and body, and the options of one call.

pub(crate) mod call;
pub(crate) mod endpoint;
pub(crate) mod header;
pub(crate) mod list;
mod path;
mod query;
