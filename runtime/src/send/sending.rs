//! Calls in flight.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use super::typed::Response;
use crate::error::Error;
use crate::reply::format::ReplyFormat;
use crate::request::call::Call;
use crate::secrets::debug::opaque;
use crate::send::execute::execute;
use crate::send::execute::raw::{Decode, RawResponse, Undecoded};
use crate::time::future::BoxFuture;

/// A call in flight, which resolves to the value of the response. Dropping it cancels the call.
#[must_use = "a call is made only while it is awaited"]
pub struct Sending<T> {
    raw: SendingRaw<T>,
}

/// A call in flight, which resolves to the whole [`Response`]. Dropping it cancels the call.
#[must_use = "a call is made only while it is awaited"]
pub struct SendingRaw<T> {
    response: BoxFuture<'static, Result<Undecoded, Error>>,
    decode: Decode<T>,
}

impl<T> SendingRaw<T> {
    /// Returns the future of a call. Nothing is sent before it is polled.
    #[doc(hidden)]
    pub fn new<F: ReplyFormat<T>>(call: Call) -> Self {
        Self { response: Box::pin(execute(call.0)), decode: RawResponse::decode::<T, F> }
    }
}

impl<T> Sending<T> {
    /// Returns the future of a call. Nothing is sent before it is polled.
    #[doc(hidden)]
    pub fn new<F: ReplyFormat<T>>(call: Call) -> Self {
        Self { raw: SendingRaw::new::<F>(call) }
    }
}

impl<T> Future for Sending<T> {
    type Output = Result<T, Error>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let undecoded = ready!(self.raw.response.as_mut().poll(context))?;
        let (_, value) = undecoded.decode(self.raw.decode);
        Poll::Ready(value)
    }
}

impl<T> Future for SendingRaw<T> {
    type Output = Result<Response<T>, Error>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let undecoded = ready!(self.response.as_mut().poll(context))?;
        Poll::Ready(Ok(Response::new(undecoded.end(None), self.decode)))
    }
}

opaque!(Sending<T>, SendingRaw<T>);
