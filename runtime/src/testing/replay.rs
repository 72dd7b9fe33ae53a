//! The transport that answers from a recording.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, TRANSFER_ENCODING};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

use super::failure::refuse;
use super::matching::{Bindings, ExpectedRequest};
use super::recorded::{self, RecordedRequest};
use super::reply::Reply;
use crate::error::operation::Operation;
use crate::reply::raw::RawReply;
use crate::secrets::debug::opaque;
use crate::transport::error::TransportError;
use crate::transport::{ResponseFuture, Transport};
use crate::url::origin::written_origin;
use crate::wire::Value;
use crate::wire::upload::body::RequestBody;

/// A transport for tests, which answers as a server did when a `Recorder` wrote a file.
///
/// Each attempt takes the first exchange of its operation that was not taken yet, and whose method, parameters of path
/// and query, and body are equal. A request that was not recorded fails, and the error shows the nearest exchange and
/// what differs, without the values of the request. Headers are not compared. A recorded failure of the connection fails
/// again, and a failed call attempt by attempt: its replay needs the retry policy with which it was recorded. There are no
/// pauses. Requests for access tokens are answered as by [`FakeTransport`](super::FakeTransport).
///
/// The file has placeholders instead of texts, and its key is not stored, so a placeholder matches any text, and from
/// its first match on only this text, which no other placeholder matches then. The texts of a response are the
/// placeholders: they match when a later request repeats them. A name of a property that is a placeholder matches the
/// first name whose value fits, so names whose values have the same form may be confused with each other.
///
/// ```no_run
/// # fn test(client: openapi_bindings_runtime::ClientBuilder<openapi_bindings_runtime::Client>) -> std::io::Result<()> {
/// use openapi_bindings_runtime::testing::Replay;
///
/// let replay = Replay::from_file("traffic.ndjson")?;
/// let client = client.transport(replay.clone()).build();
/// // Calls of the code under test.
/// replay.verify();
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Replay(Arc<Mutex<ReplayState>>);

#[derive(Default)]
struct ReplayState {
    exchanges: Vec<Recorded>,
    bindings: Bindings,
    unexpected: Vec<String>,
    /// The number of access tokens so far.
    tokens: usize,
}

struct Recorded {
    line: usize,
    operation: String,
    expected: ExpectedRequest,
    /// `None` if there was no response.
    status: Option<StatusCode>,
    response: Value,
    /// The origin of its URL, as it is written.
    origin: String,
    error: String,
    is_taken: bool,
}

impl Replay {
    /// Reads a file. Lines that were cut, by a crash or a full disk, are left out.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, or if one of its lines was not written by a recorder.
    pub fn from_file(path: impl AsRef<Path>) -> io::Result<Self> {
        let path = path.as_ref();
        let bytes = std::fs::read(path).map_err(|error| {
            io::Error::new(error.kind(), format!("{}: {error}", path.display()))
        })?;
        let mut exchanges = Vec::new();
        // A line can be cut within a character.
        for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
            let line_number = index + 1;
            let invalid = |why: &str| {
                let place = format!("{}:{line_number}", path.display());
                io::Error::new(io::ErrorKind::InvalidData, format!("{place}: {why}"))
            };
            match serde_json::from_slice::<Value>(line) {
                Ok(entry) => {
                    let why = "not an entry that a recorder wrote; remove the line";
                    exchanges.push(Recorded::new(line_number, entry).ok_or_else(|| invalid(why))?);
                }
                Err(error) if error.is_eof() => {}
                Err(error) => return Err(invalid(&format!("not JSON: {error}"))),
            }
        }
        let state = ReplayState { exchanges, ..ReplayState::default() };
        Ok(Self(Arc::new(Mutex::new(state))))
    }

    /// Checks that every exchange was taken, and that every request was recorded.
    ///
    /// # Panics
    ///
    /// Panics if this is not so, with the operations and the lines of the file.
    #[track_caller]
    pub fn verify(&self) {
        let state = self.state();
        let unused = state.exchanges.iter().filter(|exchange| !exchange.is_taken);
        let unused =
            unused.map(|it| format!("`{}` of line {} was not called", it.operation, it.line));
        let faults: Vec<_> = unused.chain(state.unexpected.iter().cloned()).collect();
        drop(state);
        if !faults.is_empty() {
            refuse(&format!("the recording and the calls differ: {}", faults.join("; ")));
        }
    }

    fn state(&self) -> MutexGuard<'_, ReplayState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ReplayState {
    fn take(&mut self, request: &RecordedRequest, origin: &str) -> Result<Reply, TransportError> {
        let mut nearest: Option<(usize, Vec<String>)> = None;
        let mut count = 0;
        for exchange in &mut self.exchanges {
            if exchange.is_taken || exchange.operation != request.operation.id {
                continue;
            }
            count += 1;
            let mut differences = Vec::new();
            exchange.is_taken = self.bindings.attempt(|bindings| {
                differences = exchange.expected.differences(request, bindings);
                differences.is_empty()
            });
            if exchange.is_taken {
                return exchange.reply(origin);
            }
            if nearest.as_ref().is_none_or(|(_, others)| differences.len() < others.len()) {
                nearest = Some((exchange.line, differences));
            }
        }
        let id = request.operation.id;
        let mut why = match nearest {
            None => format!("the recording has no more exchanges of `{id}`"),
            Some((line, differences)) => format!(
                "none of the {count} remaining exchanges of `{id}` matches the request; of the nearest, in line {line}: {}",
                differences.join("; ")
            ),
        };
        if self.exchanges.iter().any(|it| it.is_taken && it.operation == id && it.has_failed()) {
            why += "; replay a failed call with the retry policy of its recording";
        }
        self.unexpected.push(why.clone());
        Err(TransportError::refused(why))
    }
}

impl Recorded {
    fn new(line: usize, mut entry: Value) -> Option<Self> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let request = &entry["request"];
        let url = request["url"].as_str()?.parse::<http::Uri>().ok()?;
        let template = entry["_urlTemplate"].as_str()?;
        let status = match u16::try_from(entry["response"]["status"].as_u64()?).ok()? {
            0 => None,
            code => Some(StatusCode::from_u16(code).ok().filter(|it| !it.is_informational())?),
        };
        Some(Self {
            line,
            operation: text(&entry["_operationId"])?,
            expected: ExpectedRequest::new(template, &url, request)?,
            origin: written_origin(&url),
            status,
            error: text(&entry["_error"]).unwrap_or_default(),
            response: entry["response"].take(),
            is_taken: false,
        })
    }

    /// Returns whether a retry policy may repeat the attempt.
    fn has_failed(&self) -> bool {
        self.status.is_none_or(|it| it.is_server_error() || [408, 429].contains(&it.as_u16()))
    }

    /// Returns the response, with redirects and URLs of pages at another origin in place of its own.
    fn reply(&self, origin: &str) -> Result<Reply, TransportError> {
        let why = "the recorded exchange had no response";
        let status = self.status.ok_or_else(|| match self.error.as_str() {
            "connect" => TransportError::connect(why),
            "interrupted" => TransportError::interrupted(why),
            "unprocessed" => TransportError::unprocessed(why),
            "request" => TransportError::refused(why),
            _ => TransportError::timeout(why),
        })?;
        let line = self.line;
        let content = &self.response["content"];
        let body = match (content["text"].as_str(), content["comment"].as_str()) {
            (Some(text), _) => {
                text.replace(&format!("\"{}/", self.origin), &format!("\"{origin}/"))
            }
            (None, Some(why)) if status.is_success() => {
                let why = format!("the body of line {line} cannot be replayed: {why}");
                return Err(TransportError::refused(why));
            }
            _ => String::new(),
        };
        let headers = self.response["headers"].as_array().into_iter().flatten();
        let headers = headers.map(|header| {
            let name: HeaderName = header["name"].as_str()?.parse().ok()?;
            let value = header["value"].as_str()?;
            let value = match (name.as_str(), value.strip_prefix(&self.origin)) {
                ("location", Some(path)) => format!("{origin}{path}"),
                ("link", _) => value.replace(&format!("<{}/", self.origin), &format!("<{origin}/")),
                _ => value.to_owned(),
            };
            Some((name, HeaderValue::from_str(&value).ok()?))
        });
        let headers = headers.collect::<Option<HeaderMap>>();
        let invalid = || TransportError::refused(format!("line {line} has an invalid header"));
        let mut headers = headers.ok_or_else(invalid)?;
        // The body is not encoded anymore, and has another length.
        for name in [CONTENT_ENCODING, CONTENT_LENGTH, TRANSFER_ENCODING] {
            headers.remove(name);
        }
        Ok(Reply::of(RawReply { status, headers, body: body.into() }))
    }
}

impl Transport for Replay {
    fn send(&self, request: http::Request<RequestBody>) -> ResponseFuture<'_> {
        Box::pin(async move {
            let (head, body) = request.into_parts();
            let reply = if let Some(operation) = head.extensions.get::<&'static Operation>() {
                let content = recorded::read(body).await?;
                let request = RecordedRequest::new(operation, &head, content);
                self.state().take(&request, &written_origin(&head.uri))?
            } else {
                let mut state = self.state();
                state.tokens += 1;
                Reply::token(state.tokens)
            };
            reply.send().await
        })
    }
}

opaque!(Replay);
