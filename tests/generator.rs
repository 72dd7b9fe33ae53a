//! The generator from outside: the emitted text, diagnostics, hostile input, and mistakes that do not compile.

#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking, wherever it notices"
)]

mod as_text;
mod attacks;
mod changes;
mod chosen;
mod compile_fail;
mod costs;
mod credentials;
mod decoded;
mod determinism;
mod discriminators;
mod documentation;
mod events;
mod features;
mod hostile;
mod idempotency;
mod names;
mod namesakes;
mod nothing;
mod nulls;
mod others;
mod pages;
mod paging;
mod parts;
mod public_api;
mod references;
mod secret_names;
mod shadows;
mod signatures;
mod snapshots;
mod support;
mod typed;
mod unified;
mod union_questions;
mod union_rules;
mod union_tags;
mod wire_names;
