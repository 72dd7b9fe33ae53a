//! A fake tenant, and the HTTP server on loopback that serves it.

mod described;
mod drift;
mod help;
mod related;
mod route;
#[path = "../../../runtime/tests/support/server.rs"]
#[expect(
    clippy::missing_panics_doc,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a server of tests panics at what is not a request"
)]
pub mod server;
mod tenant;

pub use self::help::HELP;
pub use self::server::{Act, Seen, Server};
pub use self::tenant::Tenant;
