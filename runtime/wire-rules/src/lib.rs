//! Which JSON values the types of emitted API bindings hold, which variant of a union a value is, and where the messages of
//! a stream end; the forms of dates and quoted strings in headers.
//!
//! The runtime decodes by these rules, and `drift` asks them about recorded traffic.

pub mod date_time;
pub mod framing;
pub mod http_date;
pub mod nearest;
pub mod number;
mod plan;
pub mod quoted;
mod rules;
mod tokens;

pub use plan::{Plan, tags};
pub use rules::{Json, JsonKind, Next, Properties, Rule, Rules};
