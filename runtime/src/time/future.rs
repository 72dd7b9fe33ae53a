//! Futures and errors behind pointers.

use std::error::Error;
use std::pin::Pin;

/// A boxed future that can move between threads.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A boxed error that can move between threads.
pub type BoxError = Box<dyn Error + Send + Sync>;
