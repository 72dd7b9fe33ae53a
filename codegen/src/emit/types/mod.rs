//! The models: one file for each schema under `components`.

mod attributes;
mod conventions;
mod enums;
pub mod fields;
pub mod models;
pub mod modules;
mod replies;
pub mod rules;
mod structs;
mod unions;
pub mod usage;
