//! Requests, calls in flight, and their responses: typed, and in pages.

pub(crate) mod paging;
pub(crate) mod request;
pub(crate) mod sending;
pub(crate) mod typed;
