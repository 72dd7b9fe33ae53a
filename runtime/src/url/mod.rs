//! URLs: the base URL, other servers, their origins, links, and the encoding of components.

#[cfg(feature = "client")]
pub(crate) mod base_url;
#[cfg(feature = "client")]
pub(crate) mod link;
#[cfg(feature = "client")]
pub(crate) mod origin;
pub(crate) mod percent;
pub(crate) mod query;
#[cfg(feature = "client")]
pub(crate) mod server;
#[cfg(feature = "client")]
pub(crate) mod template;
