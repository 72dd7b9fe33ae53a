//! URLs: the base URL, its origin, and the encoding of components.

pub(crate) mod base_url;
pub(crate) mod origin;
pub(crate) mod percent;
