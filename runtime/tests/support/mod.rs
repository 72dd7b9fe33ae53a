//! What the tests share: requests as emitted code has them, a server that does what a script says,
//! a clock that a test drives.

pub mod api;
pub mod clock;
#[cfg(feature = "http2")]
pub mod http2;
#[allow(dead_code, reason = "the tests of the workspace share it")]
pub mod server;
pub mod tls;

use access_governance_runtime::{Client, ClientBuilder};

/// Begins a client for a server on this machine, with a token.
pub fn client(base_url: impl Into<String>) -> ClientBuilder<Client> {
    ClientBuilder::new(&api::SERVICE, base_url).bearer_token("s3cr3t-token")
}
