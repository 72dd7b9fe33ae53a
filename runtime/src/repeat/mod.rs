//! Requests that are sent repeatedly: for the pages of a list, and until something is finished.

pub(crate) mod paging;
pub(crate) mod poll;
