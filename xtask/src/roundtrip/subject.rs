//! The program under test, as the rest of the command sees it.

use crate::exit::Failure;

/// What decodes a value as one of its types and encodes it again.
pub trait Subject {
    /// Sends one line of JSON through the type number `root`, on one of its routes.
    ///
    /// # Errors
    ///
    /// When there is no talking to the program, which says nothing of the value.
    fn send(&mut self, root: usize, route: Route, json: &str) -> Result<Answer, Failure>;
}

/// The ways through the wire format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// As bodies of responses are decoded and those of requests encoded.
    Bodies,
    /// The same, where someone wants to know of what is not described.
    Drift,
    /// By the implementations of serde's traits.
    Serde,
}

/// All routes, and what they are called.
pub const ROUTES: [(Route, &str); 3] = [
    (Route::Bodies, "decode and encode"),
    (Route::Drift, "decode with drift and encode"),
    (Route::Serde, "serde_json"),
];

/// What came of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The value as it was encoded.
    Encoded(String),
    /// Why it was not decoded.
    Refused(String),
    /// Why the program came to an end.
    Crashed(String),
}
