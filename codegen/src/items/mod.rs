//! The public items of an emitted crate: what its functions take and return, decided once. `emit/` writes what is decided
//! here, `api.txt` lists it, and two revisions are compared by it.

pub mod features;
mod input;
pub mod models;
pub mod modules;
mod path;
pub mod requests;
mod ty;

pub use input::{Conversion, Input, Target};
pub use path::Path;
pub use ty::Ty;
