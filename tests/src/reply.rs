//! Responses as a server sends them.

use crate::server::{Act, bytes};

/// A response: status, headers, body.
#[derive(Clone, Debug)]
pub struct Reply {
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
}

impl Reply {
    /// Returns a response without headers and without a body.
    pub fn new(status: u16) -> Self {
        Self { status, headers: Vec::new(), body: String::new() }
    }

    /// Returns a success whose body is JSON, given as text or as a [`Value`](serde_json::Value).
    pub fn json(body: &(impl ToString + ?Sized)) -> Self {
        Self::new(200).body("application/json", body.to_string())
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Sets the body and its media type.
    #[must_use]
    pub fn body(mut self, media_type: &str, body: impl Into<String>) -> Self {
        self.body = body.into();
        self.header("content-type", media_type)
    }
}

impl From<Reply> for Act {
    fn from(reply: Reply) -> Self {
        let headers = reply.headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        Self::Send(bytes(reply.status, &headers.collect::<Vec<_>>(), &reply.body))
    }
}
