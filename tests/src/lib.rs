//! What the workspace's tests and examples share: an HTTP server on this machine, and a fake tenant.

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

/// Compiles the programs in the README, which therefore cannot go stale.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
