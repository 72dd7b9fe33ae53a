//! Lines of JSON.

use std::borrow::Cow;
use std::future::poll_fn;
use std::task::{Context, Poll, ready};

use super::messages::Messages;
use crate::error::Error;
use crate::reply::format::ReplyFormat;
use crate::request::call::Reading;
use crate::secrets::debug::opaque;
use crate::send::request::Request;
use crate::send::streamed::streamed;

/// The values of a reply that has one in each line (JSON Lines) or record (RFC 7464), as a stream. The call is made when
/// it is first polled; dropping it closes the connection.
///
/// A line without its type is an error that names it, after which the stream continues, and so is a record with a number, `true`,
/// `false` or `null` that nothing follows, not even white space: it may be incomplete.
#[must_use = "lines are received only when they are polled"]
pub struct Lines<T>(Messages<T>);

#[doc(hidden)]
pub fn lines<T, F: ReplyFormat<T>>(request: impl Request, content: Reading) -> Lines<T> {
    Lines(Messages::new::<F>(request.into_call().reading(content), false))
}

impl<T> Lines<T> {
    /// Limits the size of a line in bytes; the default is 16 MiB. A larger one ends the stream.
    pub fn with_max_line_bytes(mut self, limit: usize) -> Self {
        self.0.parser.limit = limit;
        self
    }

    /// Sets the line after which nothing follows; the default is `[DONE]`.
    pub fn with_sentinel(mut self, line: impl Into<Cow<'static, str>>) -> Self {
        self.0.sentinel = line.into();
        self
    }

    /// Returns the next value, or `None` at the end.
    ///
    /// # Errors
    ///
    /// Fails as the call does, with [`ErrorKind::Decode`](crate::ErrorKind::Decode) for a line without its type, and with
    /// [`ErrorKind::Interrupted`](crate::ErrorKind::Interrupted) if the connection breaks.
    pub async fn try_next(&mut self) -> Result<Option<T>, Error> {
        poll_fn(|context| self.poll_line(context)).await.transpose()
    }

    fn poll_line(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<T, Error>>> {
        let line = ready!(self.0.poll_message(context));
        Poll::Ready(line.map(|line| line.map(|(_, value)| value)))
    }
}

streamed!(Lines<T>, T, poll_line);
opaque!(Lines<T>);
