//! Types as decoding and encoding see them.

mod choice;
mod container;
pub(super) mod debug;
pub(super) mod equal;
pub(super) mod fingerprint;
pub(super) mod hidden;
mod integer_enum;
pub(super) mod key;
mod object;
pub(super) mod open_enum;
pub(super) mod plan;
pub(super) mod rules;
mod scalar;
pub(super) mod secret;
pub(super) mod table;
mod tokens;
mod union;
mod upload;
mod variants;
pub(super) mod wire;
