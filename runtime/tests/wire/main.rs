//! The wire format, with models as emitted code has them.

mod drift;
mod enums;
mod errors;
mod formats;
mod generated;
mod lossless;
mod models;
mod reading;
mod secrets;
mod unions;
