//! Related objects of a response, and the paths to them.

pub(crate) mod expanded;
mod path;
pub(crate) mod typed_object;
