//! The operations as their users make them, over real HTTP: what goes out to the letter, and what becomes of what comes
//! back.
//!
//! That no response loses anything is not tested here but by `cargo xtask roundtrip`.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

mod api;
mod arguments;
mod bodies;
mod every;
mod failures;
mod lists;
mod sample;
mod secrets;
mod tenant;
mod values;
