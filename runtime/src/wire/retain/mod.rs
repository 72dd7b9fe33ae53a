//! What models hold beside their fields.

pub(super) mod original;
pub(super) mod unknown;
