//! The models: one file for each schema under `components`.

mod enums;
pub mod fields;
pub mod models;
pub mod modules;
mod provenance;
pub mod structs;
mod unions;
pub mod usage;
