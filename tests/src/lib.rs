//! Shared by the tests and examples of the workspace: an HTTP server on loopback, a fake tenant, large unions,
//! and emitted files.

#[path = "../../xtask/commands/src/host/progress.rs"]
pub mod progress;
pub mod stale;
mod tape;
pub mod unions;

pub use fake_tenant::{Act, Seen, Server, Tenant, server};
pub use tape::Tape;

/// Compiles the programs in the README and in the pages about the crate, so that they cannot go stale.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
#[doc = include_str!("../../generated/AGENTS.md")]
#[doc = include_str!("../../docs/crate.md")]
#[doc = include_str!("../../docs/tenant.md")]
struct Readme;
