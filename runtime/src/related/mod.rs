//! Related objects: what a response has beside its resource, and the paths to it.

pub(crate) mod expanded;
mod path;
pub(crate) mod typed_object;
