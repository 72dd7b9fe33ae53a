//! The methods that every request has.
//!
//! They are inherent methods, so that users need no trait in scope; macros here write them, so that
//! they change without regenerating. The macros come in two versions where a feature of this crate
//! decides, since an emitted crate's features would otherwise have to repeat it.

/// Gives a request its methods.
#[doc(hidden)]
#[macro_export]
macro_rules! __request_methods {
    ($request:ident) => {
        impl $request {
            /// Limits the time of each attempt of this call, in place of the client's limit.
            #[inline]
            pub fn with_timeout(mut self, limit: ::std::time::Duration) -> Self {
                self.call.set_timeout(limit);
                self
            }

            /// Limits the time of this call in total, with all attempts and pauses, in place of the
            /// client's limit.
            #[inline]
            pub fn with_total_timeout(mut self, limit: ::std::time::Duration) -> Self {
                self.call.set_total_timeout(limit);
                self
            }

            /// Decides whether failed attempts of this call are repeated, in place of the client's
            /// policy.
            #[inline]
            pub fn with_retry(mut self, policy: $crate::RetryPolicy) -> Self {
                self.call.set_retry(policy);
                self
            }

            /// Sets a header of this call. A value that no header can carry fails the call when it
            /// is sent.
            #[inline]
            pub fn with_header(
                mut self,
                name: impl ::std::convert::AsRef<str>,
                value: impl ::std::convert::AsRef<str>,
            ) -> Self {
                self.call.set_header(name.as_ref(), value.as_ref());
                self
            }

            /// Sets a query parameter of this call, described or not.
            #[inline]
            pub fn with_query(
                mut self,
                name: impl ::std::convert::Into<::std::string::String>,
                value: impl ::std::convert::AsRef<str>,
            ) -> Self {
                self.call.set_query(name.into(), value.as_ref());
                self
            }

            /// Limits the size of the response's body in bytes, in place of the client's limit.
            #[inline]
            pub fn with_max_response_bytes(mut self, limit: usize) -> Self {
                self.call.set_max_response_bytes(limit);
                self
            }

            /// Makes the call.
            #[inline]
            pub fn send(self) -> $crate::Sending<<Self as $crate::internal::Request>::Output> {
                $crate::Sending::new($crate::internal::Request::into_call(self))
            }

            /// Makes the call, for a response with its status, headers and body beside the value.
            #[inline]
            pub fn send_raw(
                self,
            ) -> $crate::SendingRaw<<Self as $crate::internal::Request>::Output> {
                $crate::SendingRaw::new($crate::internal::Request::into_call(self))
            }
        }

        impl ::std::future::IntoFuture for $request {
            type Output =
                ::std::result::Result<<Self as $crate::internal::Request>::Output, $crate::Error>;
            type IntoFuture = $crate::Sending<<Self as $crate::internal::Request>::Output>;

            #[inline]
            fn into_future(self) -> Self::IntoFuture {
                self.send()
            }
        }

        $crate::__blocking_methods!($request);
    };
}

/// Gives a request its blocking method: not without the feature `blocking`.
#[cfg(not(feature = "blocking"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __blocking_methods {
    ($request:ident) => {};
}

/// Gives a request its blocking method.
#[cfg(feature = "blocking")]
#[doc(hidden)]
#[macro_export]
macro_rules! __blocking_methods {
    ($request:ident) => {
        impl $request {
            /// Makes the call and blocks the thread until it has ended.
            ///
            /// # Errors
            ///
            /// Fails as [`send`](Self::send) does, and with
            /// [`ErrorKind::Blocking`]($crate::ErrorKind::Blocking) on a single-threaded runtime,
            /// which the call would stall: there, `.await` it.
            ///
            /// An attempt ends with [`ErrorKind::Timeout`]($crate::ErrorKind::Timeout) where it waits
            /// for what only this thread could go on with: a token refresh that another call began
            /// in the same task (as with `join!`) or in the same `LocalSet`, or a connection that a
            /// single-threaded runtime made which nobody runs now. There, `.await` it, too.
            ///
            /// # Panics
            ///
            /// Tokio panics where the thread runs a single-threaded runtime and has entered
            /// (`Handle::enter`) a multi-threaded one on top of it.
            #[inline]
            pub fn send_blocking(
                self,
            ) -> ::std::result::Result<<Self as $crate::internal::Request>::Output, $crate::Error>
            {
                $crate::internal::block_on(self.send())
            }

            /// Makes the call as [`send_raw`](Self::send_raw) does, and blocks the thread until it
            /// has ended.
            ///
            /// # Errors
            ///
            /// Fails, and panics, as [`send_blocking`](Self::send_blocking) does.
            #[inline]
            pub fn send_raw_blocking(
                self,
            ) -> ::std::result::Result<
                $crate::Response<<Self as $crate::internal::Request>::Output>,
                $crate::Error,
            > {
                $crate::internal::block_on(self.send_raw())
            }
        }
    };
}

/// Gives a request that takes a page token its streams.
#[doc(hidden)]
#[macro_export]
macro_rules! __paged_methods {
    ($request:ident) => {
        impl $request {
            /// Returns the pages, one after the other, as a stream. Nothing is fetched before it is
            /// asked for.
            #[inline]
            pub fn pages(self) -> $crate::Pages<Self> {
                $crate::Pages::new(self)
            }

            /// Returns the items of all pages as a stream. Nothing is fetched before it is asked
            /// for.
            #[inline]
            pub fn items(self) -> $crate::Items<Self> {
                $crate::Items::new(self)
            }
        }
    };
}
