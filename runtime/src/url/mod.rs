//! URLs: the base URL, other servers, their origins, links, and the encoding of components.

pub(crate) mod base_url;
pub(crate) mod link;
pub(crate) mod origin;
pub(crate) mod percent;
pub(crate) mod query;
pub(crate) mod server;
pub(crate) mod template;
