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
pub struct SendingEdit<T>(Result<Option<Sending<T>>, Error>);

impl<T> SendingEdit<T> {
    /// Returns the call of a request with an edit.
    #[doc(hidden)]
    pub fn new<R: Request<Output = T>>(request: Result<Option<R>, Error>) -> Self {
        let send = |request: R| Sending::new::<R::Format>(request.into_call());
        Self(request.map(|request| request.map(send)))
    }
}

impl<T> Future for SendingEdit<T> {
    type Output = Result<Option<T>, Error>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut self.0 {
            Ok(Some(sending)) => Pin::new(sending).poll(context).map_ok(Some),
            ended => Poll::Ready(mem::replace(ended, Ok(None)).map(|_| None)),
        }
    }
}

opaque!(SendingEdit<T>);
