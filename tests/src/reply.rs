//! Responses as a server sends them.

use std::io::{self, Write};

/// A response: status, headers, body.
#[derive(Clone, Debug)]
pub struct Reply {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Reply {
    /// Returns a response without headers and without a body.
    pub fn new(status: u16) -> Self {
        Self { status, headers: Vec::new(), body: Vec::new() }
    }

    /// Returns a success whose body is JSON, given as text or as a [`Value`](serde_json::Value).
    pub fn json(body: &(impl ToString + ?Sized)) -> Self {
        Self::new(200).body("application/json", body.to_string())
    }

    /// Returns no response: the connection is closed.
    pub fn hang_up() -> Self {
        Self::new(0)
    }

    pub(crate) fn hangs_up(&self) -> bool {
        self.status == 0
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Sets the body and says what it is.
    #[must_use]
    pub fn body(mut self, media_type: &str, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self.header("content-type", media_type)
    }

    /// Writes the response (RFC 9112).
    pub(crate) fn write(&self, writer: &mut impl Write) -> io::Result<()> {
        let mut bytes = Vec::new();
        write!(bytes, "HTTP/1.1 {} \r\ncontent-length: {}\r\n", self.status, self.body.len())?;
        for (name, value) in &self.headers {
            write!(bytes, "{name}: {value}\r\n")?;
        }
        bytes.extend_from_slice(b"\r\n");
        bytes.extend_from_slice(&self.body);
        writer.write_all(&bytes)
    }
}
