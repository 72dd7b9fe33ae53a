//! What models retain beside their fields.

pub(super) mod original;
pub(super) mod unknown;
