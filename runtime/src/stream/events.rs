//! Server-sent events.

use std::borrow::Cow;
use std::future::poll_fn;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use super::messages::Messages;
use crate::error::Error;
use crate::reply::format::ReplyFormat;
use crate::request::call::Reading;
use crate::secrets::debug::opaque;
use crate::send::request::Request;
use crate::send::streamed::streamed;
use crate::time::bounds::MAX_TIME;

/// A server-sent event (WHATWG HTML, section 9.2).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Event<T> {
    /// The identifier of the last event that had one.
    pub id: Option<String>,
    /// The type of the event, if it is not `message`.
    pub event: Option<String>,
    /// The pause before a new connection, if the server has set one. [`Events::reconnect`] waits a minute at most.
    pub retry: Option<Duration>,
    /// The data.
    pub data: T,
}

/// The events of a reply, as a stream. The call is made when it is first polled; dropping it closes the connection.
///
/// Data without its type is an error, after which the stream continues; empty data that is not text is skipped. `[DONE]` ends it, unless the API has another
/// sentinel. An error of the call or of the connection is the last item, unless [`reconnect`](Self::reconnect) makes the call again.
#[must_use = "events are received only when they are polled"]
pub struct Events<T>(Messages<T>);

#[doc(hidden)]
pub fn events<T, F: ReplyFormat<T>>(request: impl Request, content: Reading) -> Events<T> {
    Events(Messages::new::<F>(request.into_call().reading(content), true))
}

impl<T> Events<T> {
    /// Makes the call again when the connection ends, with the identifier of the last event (`Last-Event-ID`) and after
    /// the pause that the server has set, up to a minute, or 3 seconds. After a connection without an event, the pause is at
    /// least 3 seconds. If that fails for a transient cause, such as a server that is restarted, it is made again after longer
    /// pauses, without end, and after `Retry-After`, up to an hour. Pauses also grow with connections that end within a second.
    /// Only a GET is made again; the status 204 ends the stream, and so does an error before the first connection. An
    /// identifier with control characters, or of more than 4 KiB, is not sent: the server decides where the events go on.
    pub fn reconnect(mut self) -> Self {
        self.0.reconnect();
        self
    }

    /// Limits the size of an event in bytes; the default is 16 MiB. A larger one ends the stream.
    pub fn with_max_event_bytes(mut self, limit: usize) -> Self {
        self.0.parser.limit = limit;
        self
    }

    /// Sets the data of the event after which nothing follows; the default is `[DONE]`.
    pub fn with_sentinel(mut self, data: impl Into<Cow<'static, str>>) -> Self {
        self.0.sentinel = data.into();
        self
    }

    /// Returns the next event, or `None` at the end.
    ///
    /// # Errors
    ///
    /// Fails as the call does, with [`ErrorKind::Decode`](crate::ErrorKind::Decode) for data without its type, and with
    /// [`ErrorKind::Interrupted`](crate::ErrorKind::Interrupted) if the connection breaks.
    pub async fn try_next(&mut self) -> Result<Option<Event<T>>, Error> {
        poll_fn(|context| self.poll_event(context)).await.transpose()
    }

    fn poll_event(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Event<T>, Error>>> {
        let message = ready!(self.0.poll_message(context));
        Poll::Ready(message.map(|message| {
            message.map(|(message, data)| Event {
                id: message.id.filter(|id| !id.is_empty()).map(|id| id.as_ref().to_owned()),
                event: message.event,
                retry: message.retry.map(|retry| retry.min(MAX_TIME)),
                data,
            })
        }))
    }
}

streamed!(Events<T>, Event<T>, poll_event);
opaque!(Events<T>);
