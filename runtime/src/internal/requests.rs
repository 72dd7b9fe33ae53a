//! The type of all requests of an emitted crate, with its methods.
//!
//! It is a macro, because setters are inherent methods, which only the crate of a type can have. Its methods need no trait
//! in scope, and can change without regenerating. The blocking ones have macros in two versions, because an emitted
//! crate cannot see the features of this crate.
//!
//! An emitted request also has setters, named for what they set. So that a new method breaks no
//! emitted crate, the first word of every method here is `with`, `set`, `send`, `pages`, `items` or
//! `into`, which no setter begins with; `poll` and `wait` are reserved as well. A test of the
//! generator reads the methods from this file, and from the table in `send/request.rs`.

/// Adds the type of all requests.
#[doc(hidden)]
#[macro_export]
macro_rules! __requests {
    () => {
        /// A request of an operation. The methods of resources return it, under an alias in their modules.
        ///
        /// It is sent by [`send`](Self::send) or [`send_raw`](Self::send_raw), or by `.await`. Functions and types of
        /// programs that take the requests of any operation have the bound [`R: Request`]($crate::Request).
        #[must_use = "a request does nothing until it is sent or awaited"]
        pub struct Request<E: $crate::internal::Endpoint> {
            call: $crate::internal::Call,
            body: E::Body,
        }

        impl<E: $crate::internal::Endpoint> Request<E> {
            /// Sends the request and returns the value of the response.
            ///
            /// `.await` on the request does the same. `send()` gives the future a name where one is
            /// needed, as in `tokio::spawn(request.send())`, `join!(a.send(), b.send())`,
            /// `join_all(requests.map(Request::send))` or `buffer_unordered`: a request is not a future
            /// itself, only `.await` makes it one.
            #[inline]
            pub fn send(self) -> $crate::Sending<E::Output> {
                $crate::internal::Request::send(self)
            }

            /// Sends the request and returns the response with its status, headers and body, which is
            /// not decoded: [`decode`]($crate::Response::decode) returns the value.
            #[inline]
            pub fn send_raw(self) -> $crate::SendingRaw<E::Output> {
                $crate::internal::Request::send_raw(self)
            }

            /// Returns the request as it would be sent: method, URL, headers and body, for batches of requests and
            /// previews. It has neither credentials nor the client's headers with the names of some, which
            /// are added when a request is sent, and no interceptor has seen it.
            ///
            /// # Errors
            ///
            /// Fails if the request cannot be sent, such as one with an empty value in its path.
            pub fn into_http(
                self,
            ) -> ::std::result::Result<$crate::http::Request<$crate::RequestBody>, $crate::Error> {
                $crate::internal::Request::into_http(self)
            }

            /// Returns the items of all pages as a stream. A page is fetched when it is polled.
            ///
            /// Other content of a page, such as related objects, is only in [`pages`](Self::pages).
            #[inline]
            pub fn items(self) -> $crate::Items<Self>
            where
                E: $crate::internal::TakesPageToken,
            {
                $crate::internal::Paged::items(self)
            }

            /// Returns all pages as a stream. A page is fetched when it is polled.
            #[inline]
            pub fn pages(self) -> $crate::Pages<Self>
            where
                E: $crate::internal::TakesPageToken,
            {
                $crate::internal::Paged::pages(self)
            }

            /// Returns the items of all pages as a stream: `.items_by("page_token")`. A page is
            /// fetched when it is polled, with its token in this query parameter.
            ///
            /// For lists whose parameter the spec does not describe. If the server ignores it and returns the first page
            /// again, the stream ends with [`ErrorKind::Paging`]($crate::ErrorKind::Paging).
            #[inline]
            pub fn items_by(
                self,
                parameter: impl ::std::convert::Into<::std::string::String>,
            ) -> $crate::Items<Self>
            where
                E: $crate::internal::TakesPageParameter,
            {
                $crate::Items::new(self.pages_by(parameter))
            }

            /// Returns all pages as a stream, as [`items_by`](Self::items_by) returns their items: it ends in the same
            /// way if the server ignores the parameter.
            #[inline]
            pub fn pages_by(
                self,
                parameter: impl ::std::convert::Into<::std::string::String>,
            ) -> $crate::Pages<Self>
            where
                E: $crate::internal::TakesPageParameter,
            {
                $crate::Pages::new(self, ::std::option::Option::Some(parameter.into()))
            }

            /// Calls a setter if there is a value: `.set_if_some(limit, List::page_size)`.
            #[inline]
            pub fn set_if_some<T>(
                self,
                value: ::std::option::Option<T>,
                setter: impl ::std::ops::FnOnce(Self, T) -> Self,
            ) -> Self {
                $crate::internal::Request::set_if_some(self, value, setter)
            }

            $crate::__call_methods!(__inherent_methods);

            /// Returns the replies to this request as a stream, which sends it again after each:
            /// `.poll().until(|reply| …).await`.
            #[inline]
            pub fn poll(self) -> $crate::Polling<Self>
            where
                E: $crate::internal::SafeEndpoint,
            {
                $crate::Polling::new(self)
            }

            /// Removes a property: `.with_null(["owner", "email"])` sends a null for the property
            /// `email` in `owner`, whatever the body has there.
            ///
            /// The names are spelled as in the document. A null in a list cannot be sent, because a merge
            /// patch replaces lists as a whole: the call fails when it is sent.
            #[inline]
            pub fn with_null(
                mut self,
                path: impl ::std::iter::IntoIterator<
                    Item: ::std::convert::Into<::std::string::String>,
                >,
            ) -> Self
            where
                E: $crate::internal::MergePatchEndpoint,
            {
                let path = path.into_iter().map(::std::convert::Into::into).collect();
                self.call.add_null(path);
                self
            }

            /// Sends this request every 2 seconds until its reply has a final state, for up to 10
            /// minutes: `.wait().await`, or with other settings
            /// `.wait().every(pause).deadline(limit).await`. `tokio::spawn` and `join_all` take
            /// [`.wait().finish()`]($crate::Polling::finish).
            ///
            /// The result is [`Waited`]($crate::Waited), which contains the last reply at the deadline. It is an error if a
            /// call fails permanently, or if there is no reply before the deadline.
            #[inline]
            pub fn wait(self) -> $crate::Polling<Self>
            where
                E: $crate::internal::WaitEndpoint,
            {
                $crate::internal::Waits::wait(self)
            }
        }

        impl<E: $crate::internal::WaitEndpoint> $crate::internal::Waits for Request<E> {
            const END: &'static $crate::internal::WaitEnd = E::END;
        }

        impl<E: $crate::internal::Endpoint> Request<E> {
            /// Adds the changes of an edit: the body gets the new values, and the update mask names
            /// the changed and cleared properties. A cleared property is absent from the body. Returns `None`
            /// if the edit has no changes, whatever else the request has.
            ///
            /// The edit can be of any model with properties of the same names, such as the model of a
            /// response. The values and the names in the mask that setters of this request have set
            /// before stay. A server changes only what the mask names: [`set_mask`](Self::set_mask)
            /// names the properties that setters have set.
            ///
            /// # Errors
            ///
            /// Fails with [`ErrorKind::Request`]($crate::ErrorKind::Request) if the operation cannot
            /// change one of the properties, and names it.
            #[inline]
            pub fn with_edit<T: $crate::Model>(
                mut self,
                edit: &$crate::Edit<T>,
            ) -> ::std::result::Result<::std::option::Option<Self>, $crate::Error>
            where
                E: $crate::internal::EditEndpoint,
            {
                let is_changed =
                    $crate::internal::edit::<E, T>(&mut self.call, &mut self.body, edit)?;
                ::std::result::Result::Ok(is_changed.then_some(self))
            }

            /// Sends the changes of an edit, as [`with_edit`](Self::with_edit) adds them. Resolves to
            /// `None` if the edit has no changes; then nothing is sent.
            #[inline]
            pub fn send_edit<T: $crate::Model>(
                self,
                edit: &$crate::Edit<T>,
            ) -> $crate::SendingEdit<E::Output>
            where
                E: $crate::internal::EditEndpoint,
            {
                $crate::SendingEdit::new(self.with_edit(edit))
            }

            /// Sets the update mask to these properties, the constants of the model that the body has. The names that
            /// were set before are removed, and the names of a later edit are added.
            #[inline]
            pub fn set_mask(
                mut self,
                properties: impl ::std::iter::IntoIterator<Item = $crate::Property<E::Object>>,
            ) -> Self
            where
                E: $crate::internal::EditEndpoint,
            {
                $crate::internal::set_mask::<E>(&mut self.call, &mut self.body, properties);
                self
            }
        }

        impl<E: $crate::internal::Endpoint> $crate::internal::Request for Request<E> {
            type Output = E::Output;
            type Format = E::Format;
            const OPERATION: &'static $crate::internal::Operation = E::OPERATION;
            const DECLARED: $crate::internal::Declared = E::DECLARED;

            #[inline]
            fn call(&self) -> &$crate::internal::Call {
                &self.call
            }

            #[inline]
            fn into_call(self) -> $crate::internal::Call {
                E::encode(self.call, &self.body)
            }

            #[inline]
            fn call_mut(&mut self) -> &mut $crate::internal::Call {
                &mut self.call
            }
        }

        impl<E: $crate::internal::FailingEndpoint> $crate::Fails for Request<E> {
            type Failure = E::Failure;
            const FAILING: &'static $crate::internal::Operation = E::OPERATION;

            fn failure(
                reply: &$crate::internal::Rejection<'_>,
            ) -> ::std::option::Option<Self::Failure> {
                E::failure(reply)
            }
        }

        impl<E: $crate::internal::PagedEndpoint> $crate::internal::Paged for Request<E> {
            type Item = E::Item;
            type Endpoint = E;

            #[inline]
            fn call_and_body(&mut self) -> (&mut $crate::internal::Call, &mut E::Body) {
                (&mut self.call, &mut self.body)
            }
        }

        impl<E: $crate::internal::Endpoint> ::std::future::IntoFuture for Request<E> {
            type Output = ::std::result::Result<E::Output, $crate::Error>;
            type IntoFuture = $crate::Sending<E::Output>;

            #[inline]
            fn into_future(self) -> Self::IntoFuture {
                self.send()
            }
        }

        impl<E: $crate::internal::Endpoint> ::std::clone::Clone for Request<E> {
            fn clone(&self) -> Self {
                Self { call: self.call.clone(), body: self.body.clone() }
            }
        }

        impl<E: $crate::internal::Endpoint> ::std::fmt::Debug for Request<E> {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.debug_struct("Request")
                    .field("call", &self.call)
                    .field("body", &(&self.body as &dyn $crate::internal::Wire))
                    .finish()
            }
        }

        $crate::__blocking_methods!();
    };
}

/// Adds the methods of [`__call_methods`] to the type of requests.
#[doc(hidden)]
#[macro_export]
macro_rules! __inherent_methods {
    ($(
        $(#[$documentation:meta])*
        $name:ident($($argument:ident: $type:ty),*) => |$call:ident| $change:expr;
    )*) => {$(
        $(#[$documentation])*
        #[inline]
        pub fn $name(self $(, $argument: $type)*) -> Self {
            $crate::internal::Request::$name(self $(, $argument)*)
        }
    )*};
}

/// No blocking methods, without the feature for them.
#[cfg(not(feature = "blocking"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __blocking_methods {
    () => {};
}

#[cfg(feature = "blocking")]
#[doc(hidden)]
#[macro_export]
macro_rules! __blocking_methods {
    () => {
        impl<E: $crate::internal::Endpoint> Request<E> {
            /// Sends the request and blocks the thread until the response is received. Needs the feature `blocking`.
            ///
            /// # Errors
            ///
            /// Fails as [`send`](Self::send) does, and with
            /// [`ErrorKind::Blocking`]($crate::ErrorKind::Blocking) on a thread that drives a
            /// single-threaded runtime, which the call would stall: `.await` it there.
            ///
            /// An attempt ends with [`ErrorKind::Timeout`]($crate::ErrorKind::Timeout) if it waits
            /// for what only this thread could drive: a token refresh begun by another call in the
            /// same task (as with `join!`) or in the same `LocalSet`, or a connection of a
            /// single-threaded runtime that no thread drives. `.await` the call there, too.
            ///
            /// # Panics
            ///
            /// Tokio panics if the thread drives a single-threaded runtime and has entered
            /// (`Handle::enter`) a multi-threaded one.
            #[inline]
            pub fn send_blocking(self) -> ::std::result::Result<E::Output, $crate::Error> {
                $crate::internal::Request::send_blocking(self)
            }

            /// Sends the request as [`send_raw`](Self::send_raw) does, and blocks the thread until
            /// the response is received. Needs the feature `blocking`.
            ///
            /// # Errors
            ///
            /// Fails, and panics, as [`send_blocking`](Self::send_blocking) does.
            #[inline]
            pub fn send_raw_blocking(
                self,
            ) -> ::std::result::Result<$crate::Response<E::Output>, $crate::Error> {
                $crate::internal::Request::send_raw_blocking(self)
            }

            /// Sends the changes of an edit as [`send_edit`](Self::send_edit) does, and blocks the
            /// thread until the response is received. Needs the feature `blocking`.
            ///
            /// # Errors
            ///
            /// Fails as [`with_edit`](Self::with_edit) and [`send_blocking`](Self::send_blocking) do.
            #[inline]
            pub fn send_edit_blocking<T: $crate::Model>(
                self,
                edit: &$crate::Edit<T>,
            ) -> ::std::result::Result<::std::option::Option<E::Output>, $crate::Error>
            where
                E: $crate::internal::EditEndpoint,
            {
                $crate::internal::block_on(self.send_edit(edit))
            }

            /// Waits as [`wait`](Self::wait) does, and blocks the thread meanwhile. Needs the feature `blocking`.
            ///
            /// # Errors
            ///
            /// Fails as [`send_blocking`](Self::send_blocking) does.
            #[inline]
            pub fn wait_blocking(
                self,
            ) -> ::std::result::Result<$crate::Waited<E::Output>, $crate::Error>
            where
                E: $crate::internal::WaitEndpoint,
            {
                self.wait().until_finished_blocking()
            }

            /// Returns all pages as an iterator, which blocks the thread while a page is fetched. It
            /// fails as [`send_blocking`](Self::send_blocking) does. Needs the feature `blocking`.
            #[inline]
            pub fn pages_blocking(self) -> $crate::BlockingPages<Self>
            where
                E: $crate::internal::TakesPageToken,
            {
                self.pages().into_blocking()
            }

            /// Returns the items of all pages as an iterator, which blocks the thread while a page is
            /// fetched. It fails as [`send_blocking`](Self::send_blocking) does. Needs the feature `blocking`.
            #[inline]
            pub fn items_blocking(self) -> $crate::BlockingItems<Self>
            where
                E: $crate::internal::TakesPageToken,
            {
                self.items().into_blocking()
            }
        }
    };
}
