//! The trait of requests.

use super::sending::{Sending, SendingRaw};
#[cfg(feature = "blocking")]
use super::typed::Response;
#[cfg(feature = "blocking")]
use crate::error::Error;
use crate::error::operation::Operation;
use crate::reply::format::ReplyFormat;
use crate::request::call::Call;
#[cfg(feature = "blocking")]
use crate::send::blocking::block_on;

/// A request of an emitted crate, for functions that take requests of any operation.
///
/// Every request has its methods, and documents them. [`Paged`](crate::Paged) adds `items` and `pages`, and
/// [`Waits`](crate::Waits) `wait`.
///
/// ```
/// use std::time::Duration;
///
/// use openapi_bindings_runtime::{Error, Request};
///
/// /// Sends a request of a tenant.
/// async fn send<R: Request>(request: R, tenant: &str) -> Result<R::Output, Error> {
///     request.with_header("x-tenant", tenant).with_timeout(Duration::from_secs(5)).send().await
/// }
/// ```
pub trait Request: Clone + Send + Sync + Unpin + 'static {
    /// The value of a successful response.
    type Output: Send + 'static;

    /// The format of a successful response.
    #[doc(hidden)]
    type Format: ReplyFormat<Self::Output>;

    /// The operation.
    const OPERATION: &'static Operation;

    /// The statuses of successful responses that have the body; none if all have it.
    #[doc(hidden)]
    const STATUSES: &'static [u16];

    /// Returns the call without its body.
    #[doc(hidden)]
    fn call(&self) -> &Call;

    /// Returns the call with its body.
    #[doc(hidden)]
    fn into_call(self) -> Call;

    /// Returns the call, whose settings can be changed.
    #[doc(hidden)]
    fn call_mut(&mut self) -> &mut Call;

    /// Sends the request and returns the value of the response.
    #[inline]
    fn send(self) -> Sending<Self::Output> {
        Sending::new::<Self::Format>(self.into_call())
    }

    /// Sends the request and returns the response with its status, headers and body, which is not decoded.
    #[inline]
    fn send_raw(self) -> SendingRaw<Self::Output> {
        SendingRaw::new::<Self::Format>(self.into_call())
    }

    /// Sends the request and blocks the thread until the response is received. Needs the feature `blocking`.
    #[cfg(feature = "blocking")]
    #[inline]
    fn send_blocking(self) -> Result<Self::Output, Error> {
        block_on(self.send())
    }

    /// Sends the request as [`send_raw`](Self::send_raw) does, and blocks the thread until the response is received. Needs
    /// the feature `blocking`.
    #[cfg(feature = "blocking")]
    #[inline]
    fn send_raw_blocking(self) -> Result<Response<Self::Output>, Error> {
        block_on(self.send_raw())
    }

    /// Calls a setter if there is a value.
    #[inline]
    #[must_use]
    fn set_if_some<T>(self, value: Option<T>, setter: impl FnOnce(Self, T) -> Self) -> Self {
        match value {
            Some(value) => setter(self, value),
            None => self,
        }
    }

    crate::__call_methods!(__trait_methods);
}

/// Returns the call of a request that accepts another media type than its own.
pub fn send_as<T, F: ReplyFormat<T>>(request: impl Request, accept: &'static str) -> Sending<T> {
    Sending::new::<F>(request.into_call().replies(&[], Some(accept)))
}
