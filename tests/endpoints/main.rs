//! The operations as their users make them, over real HTTP: what goes out to the letter, and what becomes of what comes
//! back.
//!
//! One file per resource, with up to three tests per operation: `…_sends`, `…_keeps_values_in_their_segments` and
//! `…_receives`. What holds for every operation alike is in the other files:
//!
//! - `survival`: responses that have more, less or other things in them than described;
//! - `newer`: how a client notices such things;
//! - `coverage`: the samples in `samples/`, from which all of that starts, have everything that is described;
//! - `blocking`: the same without `async`;
//! - `failures` and `secrets`: what errors tell, and what nothing tells.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

mod api;
mod blocking;
mod coverage;
mod every;
mod failures;
mod hostile;
mod mutation;
mod newer;
mod sample;
mod secrets;
mod survival;

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
