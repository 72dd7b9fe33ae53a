//! Responses: raw, typed, and in pages.

#[cfg(feature = "blocking")]
pub(crate) mod blocking;
pub(crate) mod drift;
pub(crate) mod paging;
pub(crate) mod raw;
pub(crate) mod sending;
pub(crate) mod typed;
