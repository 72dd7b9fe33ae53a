//! The generator, seen from outside: what it emits, what it says, what it withstands, and what its output keeps users
//! from doing.

#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking, wherever it notices"
)]

mod attacks;
mod compile_fail;
mod determinism;
mod features;
mod hostile;
mod names;
mod public_api;
mod signatures;
mod snapshots;
mod support;
mod wire_names;
