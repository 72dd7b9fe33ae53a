//! Shared by the tests and examples of the workspace: an HTTP server on loopback, and a fake tenant.

mod tape;

pub use fake_tenant::{Act, Seen, Server, Tenant, server};
pub use tape::Tape;

/// Compiles the programs in the README, so that they cannot go stale.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
