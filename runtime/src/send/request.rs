//! The trait of requests.

use super::sending::{Sending, SendingRaw};
#[cfg(feature = "blocking")]
use super::typed::Response;
use crate::error::Error;
use crate::error::operation::Operation;
use crate::reply::format::ReplyFormat;
use crate::reply::received::Declared;
use crate::request::call::{Call, Reading};
#[cfg(feature = "blocking")]
use crate::send::blocking::block_on;
use crate::send::execute::message::into_http;
use crate::wire::upload::body::RequestBody;

/// The methods of every request that change its call: documentation, arguments, and the change. Passes them to another
/// macro, for requests and for their trait.
#[doc(hidden)]
#[macro_export]
macro_rules! __call_methods {
    ($with:ident) => {
        $crate::$with! {
            /// Sets the timeout of each attempt of this call, instead of the client's.
            with_timeout(limit: ::std::time::Duration) => |call| call.options().timeout = limit;
            /// Sets the timeout of this call in total, with all attempts and the pauses between them, instead of the client's.
            with_total_timeout(limit: ::std::time::Duration) => |call| call.options().total_timeout = limit;
            /// Sets the retry policy of this call, instead of the client's.
            with_retry(policy: $crate::RetryPolicy) => |call| call.options().retry = policy;
            /// Sets a header of this call, replacing the client's. An invalid name or value fails the call when it is sent.
            with_header(name: impl ::std::convert::AsRef<str>, value: impl ::std::convert::AsRef<str>)
                => |call| call.set_header(name.as_ref(), value.as_ref());
            /// Adds a value to a query parameter of this call, whether the spec describes it or not.
            /// [`set_query`](Self::set_query) replaces the values instead.
            with_query(name: impl ::std::convert::Into<::std::string::String>, value: impl ::std::convert::AsRef<str>)
                => |call| call.add_query(name.into(), value.as_ref());
            /// Sets a query parameter of this call, whether the spec describes it or not, replacing all its values.
            set_query(name: impl ::std::convert::Into<::std::string::String>, value: impl ::std::convert::AsRef<str>)
                => |call| call.set_query(name.into(), value.as_ref());
            /// Limits the size of the response body in bytes, instead of the client's limit.
            with_max_response_bytes(limit: usize) => |call| call.options().max_response_bytes = limit;
        }
    };
}

/// Adds the methods of [`__call_methods`] to the trait of requests.
#[doc(hidden)]
#[macro_export]
macro_rules! __trait_methods {
    ($(
        $(#[$documentation:meta])*
        $name:ident($($argument:ident: $type:ty),*) => |$call:ident| $change:expr;
    )*) => {$(
        $(#[$documentation])*
        #[inline]
        #[must_use]
        fn $name(mut self $(, $argument: $type)*) -> Self {
            let $call = self.call_mut();
            $change;
            self
        }
    )*};
}

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

    /// The responses that are no errors.
    #[doc(hidden)]
    const DECLARED: Declared;

    /// Returns the call without its body.
    #[doc(hidden)]
    fn call(&self) -> &Call;

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

    /// Returns the request as it would be sent, without credentials.
    ///
    /// # Errors
    ///
    /// Fails if the request cannot be sent, as for an argument without a value.
    fn into_http(self) -> Result<http::Request<RequestBody>, Error> {
        into_http(self.into_call())
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

/// Returns the call of a request that reads another media type than its own.
pub fn send_as<T, F: ReplyFormat<T>>(request: impl Request, content: Reading) -> Sending<T> {
    Sending::new::<F>(request.into_call().reading(content))
}
