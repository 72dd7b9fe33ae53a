//! Requests: what is called, with which path, query, headers and body.

pub(crate) mod call;
mod methods;
pub(crate) mod parameter;
pub(crate) mod path;
pub(crate) mod query;
