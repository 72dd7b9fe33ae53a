//! Updates in flight.

use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::error::Error;
use crate::secrets::debug::opaque;
use crate::send::request::Request;
use crate::send::sending::Sending;

/// The call of an edit. It resolves to the value of the response, or to `None` if the edit has no changes and no
/// request is sent.
#[must_use = "a call is made only while it is awaited"]
pub struct SendingEdit<T>(EditState<T>);

enum EditState<T> {
    Unchanged,
    Refused(Error),
    Changed(Sending<T>),
}

impl<T> SendingEdit<T> {
    /// Returns the call of a request with an edit.
    #[doc(hidden)]
    pub fn new<R: Request<Output = T>>(request: Result<Option<R>, Error>) -> Self {
        Self(match request {
            Ok(None) => EditState::Unchanged,
            Ok(Some(request)) => EditState::Changed(Sending::new::<R::Format>(request.into_call())),
            Err(error) => EditState::Refused(error),
        })
    }
}

impl<T> Future for SendingEdit<T> {
    type Output = Result<Option<T>, Error>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        if let EditState::Changed(sending) = &mut self.0 {
            return Pin::new(sending).poll(context).map_ok(Some);
        }
        Poll::Ready(match mem::replace(&mut self.0, EditState::Unchanged) {
            EditState::Refused(error) => Err(error),
            EditState::Unchanged | EditState::Changed(_) => Ok(None),
        })
    }
}

opaque!(SendingEdit<T>);
