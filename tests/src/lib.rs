//! Shared by the tests and examples of the workspace: an HTTP server on loopback, and a fake tenant.

#[path = "../../runtime/tests/support/server.rs"]
#[expect(
    clippy::missing_panics_doc,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a server of tests panics at what is not a request"
)]
pub mod server;
mod tenant;

pub use self::server::{Act, Seen, Server};
pub use self::tenant::Tenant;

/// Compiles the programs in the README, so that they cannot go stale.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
