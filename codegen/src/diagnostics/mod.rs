//! Errors and warnings about a document, which all passes collect.

mod code;
mod locate;
mod origins;
mod place;
mod render;
mod report;
mod source;
mod spelling;

pub use code::{Code, Cost};
pub use locate::Locator;
pub(crate) use origins::Origins;
pub(crate) use place::Place;
pub(crate) use render::listed;
pub use render::{render, render_all};
pub use report::{Diagnostic, Diagnostics, Rest, Severity};
pub(crate) use spelling::help_for_unknown;
