//! Waits: operations that are called again until their reply shows the effect of another call.

mod pace;
pub(crate) mod polling;
pub(crate) mod wait;
