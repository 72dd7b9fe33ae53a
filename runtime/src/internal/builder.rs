//! The builder of an emitted crate, with its settings.
//!
//! It is a macro, because the methods that set credentials are inherent methods, one for each security scheme, which only
//! the crate of a type can have. The table of settings is in `client/builder/settings.rs`.

/// Adds the settings of the builder of the crate's `Client`.
#[doc(hidden)]
#[macro_export]
macro_rules! __client_builder {
    () => {
        $crate::__settings!(__emitted_settings);
        $crate::__record_setting!(__emitted_settings);
        $crate::__transport_settings!(__emitted_settings);
        $crate::__http2_settings!(__emitted_settings);

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

/// Adds settings to the builder of an emitted crate, which forward to those of [`ClientBuilder`](crate::ClientBuilder).
#[doc(hidden)]
#[macro_export]
macro_rules! __emitted_settings {
    ($(
        $(#[$documentation:meta])*
        $name:ident($($argument:ident: $type:ty),*) => |$builder:ident| $change:expr;
    )*) => {
        impl ClientBuilder {$(
            $(#[$documentation])*
            pub fn $name(self $(, $argument: $type)*) -> Self {
                Self { inner: self.inner.$name($($argument),*) }
            }
        )*}
    };
}
