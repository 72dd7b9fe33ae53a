//! The bytes of a reply, piece by piece.

use std::future::poll_fn;
use std::mem;
#[cfg(feature = "fs")]
use std::path::PathBuf;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http::{StatusCode, header};

use crate::error::operation::has_no_content;
#[cfg(feature = "fs")]
use crate::error::part::Part;
use crate::error::{Error, ErrorKind};
use crate::reply::header::head;
use crate::reply::part::{ContentRange, UNREQUESTED, Validator};
use crate::reply::raw::RawReply;
use crate::request::call::{Call, Reading};
use crate::secrets::debug::{opaque, shown};
use crate::send::execute::execute_open;
use crate::send::execute::raw::{OpenReply, Undecoded};
use crate::send::request::Request;
use crate::send::streamed::streamed;
use crate::time::clock::Clock;
use crate::time::deadline::{Deadline, Elapsed, within};
use crate::time::future::BoxFuture;
use crate::transport::body::Body;
use crate::transport::error::TransportError;
use crate::wire::charset::undecoded;

/// A call whose reply is read while it is received. It resolves when the status and the headers have been received.
#[must_use = "a call is made only while it is awaited"]
pub struct Opening {
    state: State,
    continued: Continued,
}

/// What a reply continues.
#[derive(Clone, Default)]
pub(super) struct Continued {
    /// The number of bytes that are skipped, of a range request.
    pub(super) start: Option<u64>,
    /// The version of the content that has these bytes.
    validator: Option<Validator>,
    /// The file that has them, if it is not the one that is saved.
    #[cfg(feature = "fs")]
    pub(super) path: Option<PathBuf>,
}

enum State {
    Call(Box<Option<Call>>),
    Sent(BoxFuture<'static, Result<Undecoded<Body>, Error>>),
}

/// Returns the call of a request whose reply is read while it is received.
#[doc(hidden)]
pub fn open(request: impl Request, content: Reading) -> Opening {
    let call = request.into_call().reading(content);
    Opening { state: State::Call(Box::new(Some(call))), continued: Continued::default() }
}

impl Opening {
    /// Continues a reply after a number of bytes, with a range request (RFC 9110, section 14). Without
    /// [`if_unchanged`](Self::if_unchanged), nothing ties the rest to the beginning: if the content has changed
    /// meanwhile, both together are half the old one and half the new one, without an error.
    ///
    /// The call fails with [`ErrorKind::Decode`] if the server sends another part, or the whole, and with the status 416
    /// if the content ends before this byte or with it. If the part ends before the content does, so does the stream,
    /// with [`ErrorKind::Interrupted`].
    pub fn resume_at(mut self, bytes: u64) -> Self {
        if let Some(call) = self.call() {
            call.set_header("range", &format!("bytes={bytes}-"));
            self.continued.start = Some(bytes);
        }
        self
    }

    /// Continues only the same version of the content (`If-Range`; RFC 9110, section 13.1.5): that of a strong entity tag
    /// with its quotes, such as `"v1"`, or of a date. [`ByteStream::validator`] returns the one of a reply. If the server
    /// sends another version, or not the same tag, the call fails with [`ErrorKind::Changed`]: begin again, without
    /// [`resume_at`](Self::resume_at).
    ///
    /// The value of `Last-Modified` is a validator only if the reply has no `ETag`, and its `Date` is at least a second
    /// later: within that second, the content could change again. Any other text, and a weak entity tag
    /// (`W/"v1"`), which other bytes can have, too, fails the call with [`ErrorKind::Request`].
    pub fn if_unchanged(mut self, validator: impl AsRef<str>) -> Self {
        match Validator::parse(validator.as_ref()) {
            Ok(validator) => self.continued.validator = Some(validator),
            Err(why) => {
                if let Some(call) = self.call() {
                    call.fail(format!("`if_unchanged`: {why}"));
                }
            }
        }
        self
    }

    /// Continues the part that an interrupted [`save`](ByteStream::save) kept, if the content is unchanged. Saving the
    /// rest moves the file of the part to its path.
    ///
    /// ```
    /// # use openapi_bindings_runtime::{Error, Opening};
    /// # async fn example(download: impl Fn() -> Opening) -> Result<u64, Error> {
    /// let saved = download().await?.save("photo.png").await;
    /// match saved.as_ref().map_err(Error::part) {
    ///     Err(Some(part)) => download().resume(part).await?.save("photo.png").await,
    ///     _ => saved,
    /// }
    /// # }
    /// ```
    #[cfg(feature = "fs")]
    pub fn resume(mut self, part: &Part) -> Self {
        self.continued.path = Some(part.path().to_owned());
        self.resume_at(part.length()).if_unchanged(part.validator())
    }

    /// Returns the call, unless it was made already.
    fn call(&mut self) -> Option<&mut Call> {
        match &mut self.state {
            State::Call(call) => call.as_mut().as_mut(),
            State::Sent(_) => None,
        }
    }
}

impl Future for Opening {
    type Output = Result<ByteStream, Error>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        if let State::Call(call) = &mut self.state
            && let Some(mut call) = call.take()
        {
            let has_range = call.0.headers.contains_key(header::RANGE);
            if let Some(validator) = self.continued.validator.as_ref().filter(|_| has_range) {
                call.set_header("if-range", &validator.0);
            }
            self.state = State::Sent(Box::pin(execute_open(call.0)));
        }
        let State::Sent(reply) = &mut self.state else { return Poll::Pending };
        let undecoded = ready!(reply.as_mut().poll(context))?;
        let (reply, length) = undecoded.decode(|reply| reply.content_length(&self.continued));
        let continued = mem::take(&mut self.continued);
        Poll::Ready(length.map(|length| ByteStream { continued, ..ByteStream::new(reply, length) }))
    }
}

opaque!(Opening);

impl OpenReply {
    /// Checks that the reply is the declared content, or the part of it that was requested, and returns its length. `None` if
    /// the status is declared without a body: what it has, such as the page of a redirect, is not the content.
    pub(super) fn content_length(&self, continued: &Continued) -> Result<Option<Length>, Error> {
        if let Some(validator) = &continued.validator
            && !validator.identifies(&self.received.headers)
        {
            return Err(self.fault(ErrorKind::Changed, "begin again at the first byte"));
        }
        let body = Bytes::new();
        let head = self.with(&body);
        if head.declared.is_empty(head.status) {
            return Ok(None);
        }
        let length = self.check(continued.start);
        let length = length.map_err(|why| self.fault(ErrorKind::Decode, why))?;
        let checked = head.described().and_then(|it| it.check_media(false));
        checked.map(|()| Some(length)).map_err(|error| self.locate(error))
    }

    /// A server may send less than the part (RFC 9110, section 15.3.7): the total is the length of the rest of the content.
    fn check(&self, start: Option<u64>) -> Result<Length, String> {
        let Self { call, received: RawReply { status, headers, .. }, .. } = self;
        let has_no_content = has_no_content(call.operation.method, *status);
        let announced = headers.get(header::CONTENT_LENGTH);
        let is_empty = has_no_content || announced.is_some_and(|length| length == "0");
        // A program that asks for a coding itself decodes it.
        let decodes = self.has_sent(&header::ACCEPT_ENCODING);
        if let Some(coding) = undecoded(headers).filter(|_| !decodes && !is_empty) {
            return Err(coding);
        }
        let announced = announced.and_then(|length| length.to_str().ok()?.parse().ok());
        let announced = announced.filter(|_| !has_no_content);
        let is_part = *status == StatusCode::PARTIAL_CONTENT;
        let is_requested = self.has_sent(&header::RANGE);
        let part = ContentRange::read(call.operation, *status, headers, is_requested)?;
        if let Some(part) = part.filter(|part| start.is_none_or(|start| part.first == start)) {
            part.check(announced)?;
            let rest = start.and_then(|start| part.complete?.checked_sub(start));
            return Ok(Length { body: Some(part.length()), total: rest.or(Some(part.length())) });
        }
        if let Some(start) = start.filter(|start| is_part || *start > 0) {
            return Err(format!("the server did not send the part from byte {start} on"));
        }
        if is_part && !is_requested {
            return Err(UNREQUESTED.to_owned());
        }
        let body = announced.filter(|_| !headers.contains_key(header::CONTENT_ENCODING));
        Ok(Length { body, total: body })
    }

    pub(super) fn fault(&self, kind: ErrorKind, why: impl Into<String>) -> Error {
        self.located(Error::new(kind).with_message(why))
    }

    /// Adds the call and the response to an error.
    pub(super) fn located(&self, error: Error) -> Error {
        let RawReply { status, headers, .. } = &self.received;
        self.locate(error.with_response(*status, headers.clone(), Bytes::new()))
    }
}

/// The length in bytes, as far as it is known.
#[derive(Clone, Copy, Default)]
pub(super) struct Length {
    body: Option<u64>,
    /// The length of the content, or of its rest, which is at least that of the body.
    total: Option<u64>,
}

type Piece = (Body, Result<Result<Option<Bytes>, TransportError>, Elapsed>);
type Progress = dyn FnMut(u64, Option<u64>) + Send;

/// The bytes of a reply, in pieces as they are received. Dropping it closes the connection.
///
/// The timeout of the attempt applies to the status and the headers. After that, it applies to each pause between two
/// pieces, unless [`with_pause_timeout`](Self::with_pause_timeout) sets another limit. A body that ends early is an
/// error.
#[must_use = "a reply is read only while it is polled"]
pub struct ByteStream {
    pub(super) reply: OpenReply,
    clock: Arc<dyn Clock>,
    pause: Duration,
    deadline: Option<Deadline>,
    reading: Option<BoxFuture<'static, Piece>>,
    pub(super) received: u64,
    length: Length,
    has_ended: bool,
    pub(super) continued: Continued,
    progress: Option<Box<Progress>>,
}

head!(ByteStream, reply, received);

impl ByteStream {
    /// Returns the body of a reply, whose length may be known; `None` if it has no content.
    pub(super) fn new(reply: OpenReply, length: Option<Length>) -> Self {
        Self {
            clock: Arc::clone(&reply.call.client.shared.settings.clock),
            pause: reply.call.options.timeout,
            deadline: None,
            reading: None,
            received: 0,
            length: length.unwrap_or_default(),
            has_ended: length.is_none(),
            continued: Continued::default(),
            progress: None,
            reply,
        }
    }

    /// Returns the length in bytes of the body, or of its rest after [`resume_at`](Opening::resume_at), if the server
    /// announced it.
    pub fn length(&self) -> Option<u64> {
        self.length.total
    }

    /// Returns the version of the content, for [`if_unchanged`](Opening::if_unchanged): its strong entity tag, or the date
    /// of its last change if the reply has no tag and is at least a second younger. `None` if the server names none: then
    /// nothing can tell whether the content has changed.
    pub fn validator(&self) -> Option<&str> {
        let continued = self.continued.validator.as_ref().map(|it| it.0.as_str());
        Validator::of(self.headers()).or(continued)
    }

    /// Sets the timeout of each pause between two pieces. The default is the timeout of an attempt.
    pub fn with_pause_timeout(mut self, limit: Duration) -> Self {
        self.pause = limit;
        self
    }

    /// Sets the timeout of the whole body, from now on. By default there is none.
    pub fn with_timeout(mut self, limit: Duration) -> Self {
        self.deadline = Some(Deadline::new(&*self.clock, limit));
        self
    }

    /// Calls a function after each piece, with the bytes that were received and the length, if it is known.
    pub fn on_progress(mut self, report: impl FnMut(u64, Option<u64>) + Send + 'static) -> Self {
        self.progress = Some(Box::new(report));
        self
    }

    /// Returns the next piece, or `None` at the end.
    ///
    /// # Errors
    ///
    /// Fails with [`ErrorKind::Interrupted`] if the body ends early, and with [`ErrorKind::Timeout`] after a pause or a
    /// body that is too long.
    pub async fn try_next(&mut self) -> Result<Option<Bytes>, Error> {
        poll_fn(|context| self.poll_piece(context)).await.transpose()
    }

    pub(super) fn poll_piece(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Error>>> {
        if self.has_ended {
            return Poll::Ready(None);
        }
        let mut reading = self.reading.take().unwrap_or_else(|| self.read());
        let Poll::Ready((body, outcome)) = reading.as_mut().poll(context) else {
            self.reading = Some(reading);
            return Poll::Pending;
        };
        self.reply.received.body = body;
        let piece = self.piece(outcome).transpose();
        self.has_ended = !matches!(piece, Some(Ok(_)));
        if self.has_ended {
            self.reply.received.body = Body::default();
        }
        Poll::Ready(piece)
    }

    fn read(&mut self) -> BoxFuture<'static, Piece> {
        let mut body = mem::take(&mut self.reply.received.body);
        let clock = Arc::clone(&self.clock);
        let left = self.deadline.map_or(Duration::MAX, |deadline| deadline.left(&*clock));
        let limit = left.min(self.pause);
        Box::pin(async move {
            // A program that waits for something else meanwhile, such as a file, never waits for a fast body.
            if left.is_zero() {
                return (body, Err(Elapsed));
            }
            let outcome = within(&*clock, limit, pin!(body.chunk())).await;
            (body, outcome)
        })
    }

    fn piece(
        &mut self,
        outcome: Result<Result<Option<Bytes>, TransportError>, Elapsed>,
    ) -> Result<Option<Bytes>, Error> {
        let piece = match outcome {
            Ok(Ok(piece)) => piece,
            Ok(Err(error)) => return Err(self.reply.located(error.of_body())),
            Err(Elapsed) => {
                let why = format!("the body did not continue after {} bytes", self.received);
                return Err(self.reply.fault(ErrorKind::Timeout, why));
            }
        };
        let Some(piece) = piece else {
            let received = self.received;
            return match self.length.total.filter(|length| *length > received) {
                None => Ok(None),
                Some(length) => {
                    let why = format!("the body ended after {received} of {length} bytes");
                    Err(self.reply.fault(ErrorKind::Interrupted, why))
                }
            };
        };
        self.received += u64::try_from(piece.len()).unwrap_or(u64::MAX);
        if let Some(length) = self.length.body.filter(|length| *length < self.received) {
            let why = format!("the body is longer than its length of {length} bytes");
            return Err(self.reply.fault(ErrorKind::Decode, why));
        }
        if let Some(report) = &mut self.progress {
            report(self.received, self.length.total);
        }
        Ok(Some(piece))
    }
}

streamed!(ByteStream, Bytes, poll_piece);

// Shows the status and the number of bytes.
shown!(ByteStream, |it|
    status: it.reply.received.status.as_u16(),
    received: it.received,
    length: it.length.total,
);
