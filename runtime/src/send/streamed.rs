//! What all streams of a program have.

/// Makes a type a stream by the method that polls its next element, and an iterator for programs without `async`.
macro_rules! streamed {
    ($name:ident$(<$of:ident $(: $bound:path)?>)?, $item:ty, $poll:ident) => {
        impl$(<$of $(: $bound)?>)? ::futures_core::Stream for $name$(<$of>)? {
            type Item = ::std::result::Result<$item, $crate::Error>;

            fn poll_next(
                self: ::std::pin::Pin<&mut Self>,
                context: &mut ::std::task::Context<'_>,
            ) -> ::std::task::Poll<Option<Self::Item>> {
                self.get_mut().$poll(context)
            }
        }

        #[cfg(feature = "blocking")]
        impl$(<$of $(: $bound)?>)? $name$(<$of>)? {
            /// Returns the rest as an iterator for programs without `async`.
            pub fn into_blocking(self) -> $crate::BlockingStream<Self> {
                $crate::BlockingStream::new(self)
            }
        }
    };
}

/// Shows the name of a type, whose content can be secret.
macro_rules! opaque {
    ($($name:ident$(<$of:ident>)?),*) => {$(
        impl$(<$of>)? ::std::fmt::Debug for $name$(<$of>)? {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(stringify!($name))
            }
        }
    )*};
}

pub(crate) use {opaque, streamed};
