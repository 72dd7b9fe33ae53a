//! Calls in flight.

use std::fmt;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use super::typed::Response;
use crate::error::Error;
use crate::execute::execute;
use crate::execute::raw::RawResponse;
use crate::future::BoxFuture;
use crate::request::call::Call;
use crate::wire::Model;

/// A call in flight, which resolves to the value of the response. Dropping it cancels the call.
#[must_use = "a call is made only while it is awaited"]
pub struct Sending<T> {
    raw: SendingRaw<T>,
}

/// A call in flight, which resolves to the whole [`Response`]. Dropping it cancels the call.
#[must_use = "a call is made only while it is awaited"]
pub struct SendingRaw<T> {
    response: BoxFuture<'static, Result<RawResponse, Error>>,
    output: PhantomData<fn() -> T>,
}

impl<T> SendingRaw<T> {
    /// Returns the future of a call. Nothing is sent before it is polled.
    #[doc(hidden)]
    pub fn new(call: Call) -> Self {
        Self { response: Box::pin(execute(call.into_parts())), output: PhantomData }
    }
}

impl<T> Sending<T> {
    /// Returns the future of a call. Nothing is sent before it is polled.
    #[doc(hidden)]
    pub fn new(call: Call) -> Self {
        Self { raw: SendingRaw::new(call) }
    }
}

impl<T: Model> Future for Sending<T> {
    type Output = Result<T, Error>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Poll::Ready(ready!(self.raw.response.as_mut().poll(context)).and_then(|raw| raw.decode()))
    }
}

impl<T: Model> Future for SendingRaw<T> {
    type Output = Result<Response<T>, Error>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        Poll::Ready(ready!(self.response.as_mut().poll(context)).and_then(Response::decode))
    }
}

impl<T> fmt::Debug for Sending<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sending")
    }
}

impl<T> fmt::Debug for SendingRaw<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SendingRaw")
    }
}
