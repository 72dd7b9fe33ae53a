//! Calls in flight, and their responses: typed, and in pages.

#[cfg(feature = "blocking")]
pub(crate) mod blocking;
pub(crate) mod paging;
pub(crate) mod sending;
pub(crate) mod typed;
