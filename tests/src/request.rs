//! Requests as a server receives them.

use std::io::{self, BufRead, Read};

use serde_json::Value;

/// A request to the letter.
#[derive(Clone, Debug)]
pub struct Request {
    /// The method.
    pub method: String,
    /// The target: path and query as they stand in the request line, with nothing decoded.
    pub target: String,
    /// The headers in the order in which they came.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Request {
    /// Returns method and target, as in `GET /a?b=c`.
    pub fn line(&self) -> String {
        format!("{} {}", self.method, self.target)
    }

    /// Returns the value of a header, whatever the case of its name; several values with commas between them (RFC 9110,
    /// section 5.3).
    pub fn header(&self, name: &str) -> Option<String> {
        let named = self.headers.iter().filter(|(other, _)| other.eq_ignore_ascii_case(name));
        let values: Vec<_> = named.map(|(_, value)| value.as_str()).collect();
        (!values.is_empty()).then(|| values.join(", "))
    }

    /// Returns the body as JSON, or nothing where it is none.
    pub fn json(&self) -> Option<Value> {
        serde_json::from_slice(&self.body).ok()
    }

    /// Reads a request (RFC 9112), or nothing where the client has no further one.
    ///
    /// # Errors
    ///
    /// Fails where the connection does, and where the bytes are not a request with a `Content-Length` or without a body.
    pub(crate) fn read(reader: &mut impl BufRead) -> io::Result<Option<Self>> {
        let Some(line) = line(reader)? else {
            return Ok(None);
        };
        let mut words = line.splitn(3, ' ');
        let (Some(method), Some(target), Some("HTTP/1.1")) =
            (words.next(), words.next(), words.next())
        else {
            return Err(refusal(format!("`{line}` is not a request line")));
        };
        let mut request = Self {
            method: method.to_owned(),
            target: target.to_owned(),
            headers: Vec::new(),
            body: Vec::new(),
        };
        while let Some(line) = line_of_head(reader)? {
            let Some((name, value)) = line.split_once(':') else {
                return Err(refusal(format!("`{line}` is not a header")));
            };
            request.headers.push((name.to_owned(), value.trim().to_owned()));
        }
        if request.header("transfer-encoding").is_some() {
            return Err(refusal("only bodies with a `Content-Length` are read".to_owned()));
        }
        if let Some(length) = request.header("content-length") {
            let length =
                length.parse().map_err(|_| refusal(format!("`{length}` is not a length")))?;
            request.body = vec![0; length];
            reader.read_exact(&mut request.body)?;
        }
        Ok(Some(request))
    }
}

/// Reads a line, or nothing where the stream is at its end.
fn line(reader: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if reader.take(1 << 20).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    let Some(text) = bytes.strip_suffix(b"\r\n") else {
        return Err(refusal("a line does not end".to_owned()));
    };
    String::from_utf8(text.to_vec()).map(Some).map_err(|_| refusal("a line is not text".to_owned()))
}

/// Reads a line, or nothing where it is the empty one that ends the head.
fn line_of_head(reader: &mut impl BufRead) -> io::Result<Option<String>> {
    let line = line(reader)?.ok_or(io::ErrorKind::UnexpectedEof)?;
    Ok((!line.is_empty()).then_some(line))
}

fn refusal(why: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}
