//! Related objects of a response, and the paths to them.

pub(crate) mod expanded;
pub(crate) mod path;
pub(crate) mod typed_object;
