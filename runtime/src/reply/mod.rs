//! Responses, and how their bodies become values.

pub(crate) mod file_name;
pub(crate) mod format;
pub(crate) mod header;
pub(crate) mod part;
pub(crate) mod raw;
pub(crate) mod received;
pub(crate) mod rejection;
