//! The files that every crate has: manifest, README, the page for agents, the client and the root of the documentation.

mod about;
pub mod agents;
pub mod client;
pub mod crate_root;
pub mod credentials;
pub mod manifest;
pub mod readme;
pub mod rustfmt;
pub mod servers;
