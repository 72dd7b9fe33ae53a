//! The files that every crate has: manifest, README, the client and the root of the documentation.

mod about;
pub mod client;
pub mod crate_root;
pub mod credentials;
pub mod manifest;
pub mod readme;
pub mod rustfmt;
pub mod servers;
