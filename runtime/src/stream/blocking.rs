//! Streams for programs without `async`.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;

use futures_core::Stream;

use crate::error::Error;
use crate::send::blocking::Executors;

/// A stream as an iterator, which blocks the thread until the next element is received. It fails as all blocking calls
/// do on a thread that they would stall; another thread can go on.
#[must_use = "a reply is read only by iterating"]
pub struct BlockingStream<S>(Option<S>, Executors);

impl<S> BlockingStream<S> {
    pub(super) fn new(stream: S) -> Self {
        Self(Some(stream), Executors::default())
    }
}

impl<S, T> Iterator for BlockingStream<S>
where
    S: Stream<Item = Result<T, Error>> + Unpin + Send + 'static,
    T: Send + 'static,
{
    type Item = Result<T, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.as_ref()?;
        let executor = match self.1.next()? {
            Ok(executor) => executor,
            Err(error) => return Some(Err(error)),
        };
        let mut stream = self.0.take()?;
        let next = executor.run(async move {
            let item = poll_fn(|context| Pin::new(&mut stream).poll_next(context)).await;
            Ok((stream, item))
        });
        match next {
            Ok((stream, item)) => {
                self.0 = Some(stream);
                item
            }
            Err(error) => Some(Err(error)),
        }
    }
}

impl<S: fmt::Debug> fmt::Debug for BlockingStream<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BlockingStream").field(&self.0).finish()
    }
}
