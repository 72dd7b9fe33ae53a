//! The operations as their users make them, over real HTTP: what goes out to the letter, and what becomes of what comes
//! back.
//!
//! One file per resource, with up to three tests per operation: `…_sends`, `…_keeps_values_in_their_segments` and
//! `…_receives`. What holds for every operation alike is in the other files:
//!
//! - `newer`: responses with things that are not described, and how a client learns of them;
//! - `blocking`: calls without `async`;
//! - `failures` and `secrets`: what errors say, and what nothing shows.
//!
//! That no response loses anything is not tested here but by `cargo xtask roundtrip`.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

mod api;
mod arguments;
mod blocking;
mod every;
mod failures;
mod hostile;
mod newer;
mod sample;
mod secrets;
mod tenant;

mod automation_executions;
mod automations;
mod bridges;
mod catalogs;
mod connectors;
mod entitlement_owners;
mod functions;
mod gateway_keys;
mod hooks;
mod personal_clients;
mod request_schemas;
mod role_mining;
mod sso_clients;
mod tasks;
mod webhooks;
