//! Parameters: from values to the texts that a request carries, by style (OpenAPI 3.2, "Style Values").
//!
//! - `style`: the styles, each a row of a table, and the places of parameters.
//! - `expand`: from plain values to pairs of a name and a text.
//! - `escape`: the percent-encoding of the texts.

mod escape;
mod expand;
mod style;

pub(crate) use self::expand::Pair;
pub(crate) use self::style::Location;
pub use self::style::{ListKeys, Parameter, Style};
