//! The wire format, with models as emitted code has them.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a failure is what a test is for")]

mod bounds;
mod drift;
mod enums;
mod equality;
mod errors;
mod formats;
mod lossless;
mod models;
mod reading;
mod secrets;
mod timestamps;
mod unions;
