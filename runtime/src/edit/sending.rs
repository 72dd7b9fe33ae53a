//! Updates in flight.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use crate::error::Error;
use crate::send::request::Request;
use crate::time::future::BoxFuture;

/// The call of an edit. It resolves to the value of the response, or to `None` if the edit has no changes and no
/// request is sent.
#[must_use = "a call is made only while it is awaited"]
pub struct SendingEdit<T>(BoxFuture<'static, Result<Option<T>, Error>>);

impl<T> SendingEdit<T> {
    /// Returns the call of a request with an edit.
    #[doc(hidden)]
    pub fn new<R: Request<Output = T>>(request: Result<Option<R>, Error>) -> Self {
        Self(Box::pin(async move {
            match request? {
                None => Ok(None),
                Some(request) => request.send().await.map(Some),
            }
        }))
    }
}

impl<T> Future for SendingEdit<T> {
    type Output = Result<Option<T>, Error>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.0.as_mut().poll(context)
    }
}

impl<T> fmt::Debug for SendingEdit<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SendingEdit")
    }
}
