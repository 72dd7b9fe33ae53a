//! The emitted crate over real HTTP on loopback: requests to the letter, and responses as values.
//!
//! `cargo xtask roundtrip` tests that responses lose nothing.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(deprecated, reason = "what the spec deprecates is tested until it is removed")]

mod api;
mod arguments;
mod bodies;
mod defaults;
mod documented;
mod edits;
mod every;
mod lists;
mod recording;
mod related;
mod sample;
mod secrets;
mod tenant;
mod values;
mod waits;
