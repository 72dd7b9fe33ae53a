//! Types as decoding and encoding see them.

pub(super) mod as_text;
mod choice;
mod container;
pub(super) mod debug;
pub(super) mod equal;
pub(super) mod hidden;
mod integer_enum;
pub(super) mod key;
mod object;
pub(super) mod open_enum;
pub(super) mod plan;
mod scalar;
pub(super) mod secret;
pub(super) mod table;
mod union;
mod upload;
mod variants;
pub(super) mod wire;
