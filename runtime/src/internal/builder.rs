//! The builder of an emitted crate, with its settings.
//!
//! It is a macro, because the methods that set credentials are inherent methods, one for each security scheme, which only
//! the crate of a type can have. Settings forward to [`ClientBuilder`](crate::ClientBuilder), which documents them in full.

/// Adds the settings of the builder of the crate's `Client`.
#[doc(hidden)]
#[macro_export]
macro_rules! __client_builder {
    () => {
        $crate::__settings! {
            /// Sends calls without credentials if there are none that the operation needs, rather than failing.
            allow_anonymous();
            /// Allows sending credentials unencrypted to other machines.
            allow_http();
            /// Replaces the source of time, pauses and randomness. Meant for tests.
            clock(clock: impl $crate::Clock);
            /// Replaces the base URL. A client of [`Client::to_builder`] shares neither credentials nor interceptors with another origin.
            base_url(base_url: impl ::std::convert::Into<::std::string::String>);
            /// Sets the timeout of connecting: 10 seconds by default.
            connect_timeout(limit: ::std::time::Duration);
            /// Sends a header with every call.
            default_header(name: impl ::std::convert::AsRef<str>, value: impl ::std::convert::AsRef<str>);
            /// Follows redirects of GET and HEAD to other origins, without credentials and headers of the client.
            follow_redirects_to_other_origins();
            /// Omits the values in the path from errors.
            hide_path_values();
            /// Adds an interceptor; they run in the order in which they were added.
            interceptor(interceptor: impl $crate::Interceptor);
            /// Limits the size of a response body in bytes: 64 MiB by default.
            max_response_bytes(limit: usize);
            /// Calls `hook` when a response deviates from the spec.
            on_drift(hook: impl ::std::ops::Fn(&$crate::DriftReport<'_>) + Send + Sync + 'static);
            /// Sets the retry policy.
            retry(policy: $crate::RetryPolicy);
            /// Sets the retries that all calls have together: 100 by default, and one for every 10 successes.
            retry_budget(budget: $crate::RetryBudget);
            /// Makes a response that deviates from the spec an error. Meant for tests.
            strict();
            /// Sets the timeout of each attempt: 60 seconds by default.
            timeout(limit: ::std::time::Duration);
            /// Sets the timeout of a call in total: 3 minutes by default.
            total_timeout(limit: ::std::time::Duration);
            /// Replaces the transport, for example by a fake in a test.
            transport(transport: impl $crate::Transport);
            /// Adds a product, such as `inventory/2.1`, before the default `User-Agent`.
            user_agent(product: impl ::std::convert::AsRef<str>);
        }

        $crate::__transport_settings!();
        $crate::__record_setting!();

        impl Client {
            /// Returns a builder with the settings of this client, for another base URL, timeouts, headers or credentials.
            ///
            /// Both clients share connections, the retry budget, and the credentials with their tokens, unless any are set.
            /// With a base URL of another origin, the new client has neither the credentials nor the client certificate nor
            /// the default headers of this one; a transport of your own is shared with every origin.
            pub fn to_builder(&self) -> ClientBuilder {
                ClientBuilder { inner: self.inner.to_builder() }
            }
        }

        impl ClientBuilder {
            /// Builds the client. Nothing is sent.
            ///
            /// # Errors
            ///
            /// Fails if a setting is invalid.
            pub fn build(self) -> ::std::result::Result<Client, $crate::Error> {
                self.inner.build()
            }
        }
    };
}

/// Adds the setting of a recorder.
#[cfg(feature = "record")]
#[doc(hidden)]
#[macro_export]
macro_rules! __record_setting {
    () => {
        $crate::__settings! {
            /// Writes requests and responses to a file, without secrets. Needs the feature `record`.
            record(recorder: $crate::Recorder);
        }
    };
}

/// Adds the name of the setting of a recorder, so that the compiler names the feature `record`, which is off.
#[cfg(not(feature = "record"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __record_setting {
    () => {
        impl ClientBuilder {
            #[doc(hidden)]
            pub fn record<R: $crate::internal::RecordsExchanges>(self, _: R) -> Self {
                match R::NEVER {}
            }
        }
    };
}

/// Adds settings of the default transport.
#[cfg(feature = "reqwest")]
#[doc(hidden)]
#[macro_export]
macro_rules! __transport_settings {
    () => {
        $crate::__settings! {
            /// Trusts root certificates, in PEM, next to the certificates of the operating system.
            add_root_certificate(pem: impl ::std::convert::Into<::std::vec::Vec<u8>>);
            /// Authenticates the client by a certificate: the chain and the private key, in PEM.
            identity(pem: impl ::std::convert::Into<$crate::SecretString>);
            /// Sends all requests directly, without the proxies of the environment.
            no_proxy();
            /// Sends all requests through a proxy, in place of the proxies of the environment.
            proxy(url: impl ::std::convert::Into<$crate::SecretString>);
            /// Sends requests through a configured reqwest client.
            reqwest_client(client: $crate::internal::ReqwestClient);
        }
        $crate::__http2_settings!();
    };
}

/// Adds settings of HTTP/2.
#[cfg(all(feature = "reqwest", feature = "http2"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __http2_settings {
    () => {
        $crate::__settings! {
            /// Sets the pings of HTTP/2 connections with open calls: after 20 seconds by default, answered within 10.
            http2_keep_alive(
                interval: impl ::std::convert::Into<::std::option::Option<::std::time::Duration>>,
                timeout: ::std::time::Duration
            );
            /// Limits the size of the headers of a response over HTTP/2 in bytes: 64 KiB by default.
            http2_max_header_bytes(limit: u32);
        }
    };
}

/// Adds settings of HTTP/2: none without it.
#[cfg(all(feature = "reqwest", not(feature = "http2")))]
#[doc(hidden)]
#[macro_export]
macro_rules! __http2_settings {
    () => {};
}

/// Adds settings of the default transport: none without the feature `reqwest`.
#[cfg(not(feature = "reqwest"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __transport_settings {
    () => {};
}

/// Adds methods of the builder that forward to the methods of the same name.
#[doc(hidden)]
#[macro_export]
macro_rules! __settings {
    ($($(#[$documentation:meta])* $name:ident($($argument:ident: $ty:ty),*);)*) => {
        impl ClientBuilder {
            $(
                $(#[$documentation])*
                pub fn $name(self $(, $argument: $ty)*) -> Self {
                    Self { inner: self.inner.$name($($argument),*) }
                }
            )*
        }
    };
}
