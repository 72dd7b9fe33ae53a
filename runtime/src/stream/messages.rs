//! The decoded messages of a stream, and its connections.

use std::borrow::Cow;
use std::mem;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use bytes::{Buf as _, Bytes};
use http::{HeaderValue, StatusCode};
use wire_rules::framing::{Message, Parser};

use super::bytes::{ByteStream, Continued};
use crate::error::retry::policy::RetryPolicy;
use crate::error::{Error, ErrorKind};
use crate::reply::format::ReplyFormat;
use crate::reply::received::Received;
use crate::request::call::{Call, CallParts};
use crate::send::execute::execute_open;
use crate::send::execute::raw::{OpenReply, Undecoded};
use crate::time::bounds::{MAX_PAUSE, MAX_REST};
use crate::time::future::BoxFuture;
use crate::transport::body::Body;
use crate::wire::charset;

/// Maximum size of a message, in bytes, unless a caller sets another one.
const MAX_MESSAGE: usize = 16 << 20;

/// The pause before a new connection, unless the server sets another one.
const PAUSE: Duration = Duration::from_secs(3);

/// A connection that ends within this time ends at once.
const AT_ONCE: Duration = Duration::from_secs(1);

/// Maximum size of an identifier that is sent, in bytes. Servers limit the headers of a request, many to 8 KiB.
const MAX_ID: usize = 4 << 10;

const LAST_EVENT_ID: &str = "last-event-id";

/// The data of the message after which nothing follows, unless the API has another one. It is not JSON.
const SENTINEL: &str = "[DONE]";

/// The messages of a reply, each decoded as a value.
pub(super) struct Messages<T> {
    state: State,
    pub(super) parser: Parser,
    /// The bytes that are not read yet: each message is taken before the next one is read.
    rest: Bytes,
    /// The call, to make it again.
    call: Option<Call>,
    reconnects: bool,
    /// When the connection began.
    begun: Option<Instant>,
    /// The number of pauses since a connection that did not end at once; `None` before the first one.
    pauses: Option<u32>,
    /// Whether the last connection had no message.
    is_idle: bool,
    pub(super) sentinel: Cow<'static, str>,
    decode: fn(&Received<'_>) -> Result<T, Error>,
}

enum State {
    Start,
    Opening(BoxFuture<'static, Result<Undecoded<Body>, Error>>),
    Reading(Box<ByteStream>),
    Pausing(BoxFuture<'static, ()>),
    End,
}

impl<T> Messages<T> {
    pub(super) fn new<F: ReplyFormat<T>>(call: Call, is_events: bool) -> Self {
        Self {
            state: State::Start,
            parser: Parser::new(is_events, MAX_MESSAGE),
            rest: Bytes::new(),
            call: Some(call),
            reconnects: false,
            begun: None,
            pauses: None,
            is_idle: false,
            sentinel: Cow::Borrowed(SENTINEL),
            decode: F::decode,
        }
    }

    /// Makes the call again when the connection ends, if it can be repeated.
    pub(super) fn reconnect(&mut self) {
        let method = self.call.as_mut().map(|call| call.0.operation.method);
        self.reconnects = method == Some("GET");
    }

    /// Returns the next message with its value; `None` at the end.
    pub(super) fn poll_message(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<(Message, T), Error>>> {
        loop {
            match &mut self.state {
                State::Start => {
                    self.state = match self.open() {
                        Some(opening) => State::Opening(opening),
                        None => State::End,
                    };
                }
                State::Opening(opening) => {
                    let opened = ready!(opening.as_mut().poll(context));
                    match opened.and_then(|opened| begin(opened, self.parser.is_events)) {
                        Ok(state) => {
                            let call = self.call.as_ref().map(|call| &call.0);
                            self.begun = call.map(|call| call.client.shared.settings.clock.now());
                            self.pauses.get_or_insert(0);
                            self.is_idle = true;
                            self.state = state;
                        }
                        Err(error) => {
                            let Some(pause) = self.pause(Some(&error)) else {
                                self.state = State::End;
                                return Poll::Ready(Some(Err(error)));
                            };
                            self.state = State::Pausing(pause);
                        }
                    }
                }
                State::Reading(body) => {
                    let mut rest = &*self.rest;
                    let message = self.parser.next(&mut rest);
                    self.rest.advance(self.rest.len() - rest.len());
                    if let Some(mut message) = message {
                        self.is_idle = false;
                        if message.data == self.sentinel.as_bytes() {
                            self.state = State::End;
                            continue;
                        }
                        let is_blank = message.data.trim_ascii().is_empty();
                        let value = decoded(self.decode, body, &mut message);
                        // A heartbeat: JSON is not empty, and only its errors have a cause.
                        if is_blank && value.as_ref().is_err_and(|error| error.cause().is_some()) {
                            continue;
                        }
                        let value = value.map_err(|error| body.reply.locate(error));
                        return Poll::Ready(Some(value.map(|value| (message, value))));
                    }
                    if let Some(limit) = self.parser.exceeded() {
                        let what = self.parser.line().map_or("a message".to_owned(), place);
                        let why = format!("{what} is larger than {limit} bytes");
                        let error = body.reply.fault(ErrorKind::TooLarge, why);
                        self.state = State::End;
                        return Poll::Ready(Some(Err(error)));
                    }
                    let piece = ready!(body.poll_piece(context));
                    if let Some(Ok(piece)) = &piece
                        && self.parser.is_events
                        && self.parser.is_at_start()
                        && is_page(&body.reply, piece)
                    {
                        let why = "the response is HTML without a media type, not events";
                        let error = body.reply.fault(ErrorKind::Decode, why);
                        self.state = State::End;
                        return Poll::Ready(Some(Err(error)));
                    }
                    if let Some(end) = self.read(piece) {
                        return Poll::Ready(Some(Err(end)));
                    }
                }
                State::Pausing(pause) => {
                    ready!(pause.as_mut().poll(context));
                    self.state = State::Start;
                }
                State::End => return Poll::Ready(None),
            }
        }
    }

    /// Takes a piece of the body, or its end. Returns the error that ends the stream.
    fn read(&mut self, piece: Option<Result<Bytes, Error>>) -> Option<Error> {
        let error = match piece {
            Some(Ok(piece)) => {
                self.rest = piece;
                return None;
            }
            Some(Err(error)) => Some(error),
            None => None,
        };
        if let Some(pause) = self.pause(error.as_ref()) {
            self.parser.restart();
            self.state = State::Pausing(pause);
            return None;
        }
        if error.is_none() {
            // The end can complete a line, which is read before the stream ends.
            self.rest = Bytes::from_static(self.parser.end());
            if !self.rest.is_empty() {
                return None;
            }
        }
        self.state = State::End;
        error
    }

    /// Returns the pause before the call is made again, if it is. It grows with calls that failed and connections that ended
    /// at once.
    fn pause(&mut self, error: Option<&Error>) -> Option<BoxFuture<'static, ()>> {
        let pauses = self.pauses.as_mut()?;
        if error.is_some_and(|error| !error.is_retryable()) {
            return None;
        }
        let CallParts { client, options, .. } = &*self.call.as_ref()?.0;
        let clock = &client.shared.settings.clock;
        if self
            .begun
            .take()
            .is_some_and(|begun| clock.now().saturating_duration_since(begun) >= AT_ONCE)
        {
            *pauses = 0;
        }
        let mut pause = self.parser.retry().unwrap_or(PAUSE).min(MAX_PAUSE);
        if self.is_idle {
            pause = pause.max(PAUSE);
        }
        if *pauses > 0 {
            let further = options.retry.backoff.pause(*pauses, None, clock.random())?;
            let asked = error.and_then(Error::retry_after).unwrap_or_default().min(MAX_REST);
            pause = pause.saturating_add(further).max(asked);
        }
        *pauses = pauses.saturating_add(1);
        Some(clock.sleep(pause))
    }

    /// Makes the call, again if it may be repeated. The next call is the retry of a failed one, and takes nothing from the
    /// budget of other calls.
    fn open(&mut self) -> Option<BoxFuture<'static, Result<Undecoded<Body>, Error>>> {
        let mut call = mem::take(&mut self.call)?;
        if self.reconnects {
            self.call = Some(call.clone());
            let parts = &mut call.0;
            if self.pauses.is_some() {
                parts.options.retry = RetryPolicy::never();
            }
            if let Some(id) = &self.parser.last_id {
                parts.headers.remove(LAST_EVENT_ID);
                // Control characters cannot be sent (RFC 9110, section 5.5), and the stream goes on without an identifier.
                let value = HeaderValue::from_bytes(id.as_bytes()).ok();
                if let Some(id) = value.filter(|id| (1..=MAX_ID).contains(&id.len())) {
                    parts.headers.insert(LAST_EVENT_ID, id);
                }
            }
        }
        Some(Box::pin(execute_open(call.0)))
    }
}

/// Begins to read a reply. A status without a body ends the stream, and 204 ends events (WHATWG HTML, section 9.2.3).
fn begin(opened: Undecoded<Body>, is_events: bool) -> Result<State, Error> {
    let (reply, length) = opened.decode(|reply| {
        let status = reply.received.status;
        if is_events && status == StatusCode::NO_CONTENT || reply.call.declared.is_empty(status) {
            return Ok(None);
        }
        match charset::undecoded(&reply.received.headers) {
            Some(why) => Err(reply.fault(ErrorKind::Decode, why)),
            None => reply.content_length(&Continued::default()),
        }
    });
    Ok(match length? {
        None => State::End,
        length => State::Reading(Box::new(ByteStream::new(reply, length))),
    })
}

/// Returns whether a reply whose media type is not known begins as HTML. All lines of it are fields of an event that
/// nobody knows.
fn is_page(reply: &OpenReply, piece: &[u8]) -> bool {
    charset::media_type(&reply.received.headers).is_none()
        && piece.trim_ascii_start().starts_with(b"<")
}

fn place(line: usize) -> String {
    format!("line {line} of the reply")
}

fn decoded<T>(
    decode: fn(&Received<'_>) -> Result<T, Error>,
    body: &ByteStream,
    message: &mut Message,
) -> Result<T, Error> {
    if message.may_be_cut {
        let place = place(message.line);
        let why = format!("{place}: nothing follows the value: it may be incomplete");
        return Err(body.reply.fault(ErrorKind::Decode, why));
    }
    let data = Bytes::from(mem::take(&mut message.data));
    let received = Received {
        // WHATWG HTML, section 9.2.6: the name of an event without one.
        event: message.event.as_deref().or(Some("message")),
        line: message.line,
        ..body.reply.with(&data)
    };
    decode(&received)
}
