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

pub(crate) use streamed;
