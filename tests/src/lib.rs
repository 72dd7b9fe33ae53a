//! What the workspace's tests and the tour share: a small HTTP server on this machine.
//!
//! It speaks real HTTP over real connections, so that what is tested is what goes over the wire. It writes down every
//! request to the letter, above all the target before anything is decoded, and answers what it is told.

mod reply;
mod request;
mod server;
mod tenant;

pub use self::reply::Reply;
pub use self::request::Request;
pub use self::server::Server;
pub use self::tenant::Tenant;

/// Compiles the programs in the README, which therefore cannot go stale.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
