//! Blocking calls, and streams for programs without `async`.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::{OnceLock, mpsc};
use std::{fmt, mem};

use futures_core::Stream;
use tokio::runtime::{Builder, Handle, Runtime, RuntimeFlavor, worker_index};
use tokio::task;
use tracing::Instrument as _;
use tracing::instrument::WithSubscriber as _;

use crate::error::{Error, ErrorKind};

/// Blocks the thread until a call has ended.
///
/// On a thread of a multi-threaded runtime the call runs there, and the runtime continues with its
/// other tasks; elsewhere it runs on a runtime that all blocking calls of the program share. A thread
/// that drives a single-threaded runtime is the only one that can drive the connections and token
/// refreshes that the call may wait for, so there it fails.
///
/// Two stalls are not detected and end with the timeout of the attempt: a token refresh that another
/// future of the same task or `LocalSet` has begun, and a connection of a single-threaded runtime that
/// no thread drives.
///
/// # Panics
///
/// Tokio shows which runtime was entered last, but not which one the thread drives: if a multi-threaded runtime was
/// entered on a thread that drives a single-threaded runtime, `block_in_place` panics.
pub fn block_on<T: Send + 'static>(
    call: impl Future<Output = Result<T, Error>> + Send + 'static,
) -> Result<T, Error> {
    Executor::new()?.run(call)
}

/// How a thread waits for a call.
enum Executor {
    /// In a runtime that the thread does not drive.
    Entered(&'static Runtime),
    /// On a worker of the runtime, whose other tasks move to another thread.
    InPlace(Handle),
    /// On another thread.
    Worker(Handle),
}

impl Executor {
    /// Returns how this thread waits for a call, or an error if it must not.
    fn new() -> Result<Self, Error> {
        let Ok(runtime) = Handle::try_current() else {
            return shared_runtime().map(Self::Entered);
        };
        let is_multi_threaded = runtime.runtime_flavor() == RuntimeFlavor::MultiThread;
        match worker_index() {
            Some(_) if is_multi_threaded => Ok(Self::InPlace(runtime)),
            Some(_) => Err(Error::new(ErrorKind::Blocking).with_message(
                "the thread drives a single-threaded tokio runtime, which the call would stall; \
                 `.await` it instead",
            )),
            None if is_multi_threaded => Ok(Self::Worker(runtime)),
            None => Ok(Self::Worker(shared_runtime()?.handle().clone())),
        }
    }

    fn run<T: Send + 'static>(
        &self,
        call: impl Future<Output = Result<T, Error>> + Send + 'static,
    ) -> Result<T, Error> {
        match self {
            Self::Entered(runtime) => runtime.block_on(call),
            Self::InPlace(runtime) => task::block_in_place(|| runtime.block_on(call)),
            Self::Worker(runtime) => on_a_worker(runtime, call),
        }
    }
}

#[derive(Debug, Default)]
struct Executors {
    is_refused: bool,
}

impl Executors {
    /// Returns how this thread waits for the next element, an error if it must not, and nothing after that error, so that a
    /// loop over all elements ends. Nothing is lost: another thread can go on.
    fn next(&mut self) -> Option<Result<Executor, Error>> {
        let executor = Executor::new();
        let was_refused = mem::replace(&mut self.is_refused, executor.is_err());
        (executor.is_ok() || !was_refused).then_some(executor)
    }
}

/// A stream as an iterator, which blocks the thread until the next element is received. It fails as all blocking calls
/// do on a thread that they would stall; another thread can go on.
#[must_use = "elements are received only by iterating"]
pub struct BlockingStream<S>(pub(crate) Option<S>, Executors);

impl<S> BlockingStream<S> {
    pub(crate) fn new(stream: S) -> Self {
        Self(Some(stream), Executors::default())
    }

    pub(crate) fn map(self, change: impl FnOnce(S) -> S) -> Self {
        Self(self.0.map(change), self.1)
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

/// Runs a call on the workers of a runtime, for other threads: a blocking thread, or a thread that drives the main task
/// of a runtime or a `LocalSet`, where `block_in_place` would panic. Other tasks of the `LocalSet` are suspended
/// meanwhile.
fn on_a_worker<T: Send + 'static>(
    runtime: &Handle,
    call: impl Future<Output = Result<T, Error>> + Send + 'static,
) -> Result<T, Error> {
    let (sender, receiver) = mpsc::sync_channel(1);
    let call = call.in_current_span().with_current_subscriber();
    runtime.spawn(async move {
        // The receiver waits below.
        let _ = sender.send(call.await);
    });
    receiver.recv().unwrap_or_else(|_| {
        Err(Error::new(ErrorKind::Interrupted)
            .with_transient(false)
            .with_message("the call panicked, or the runtime was shut down"))
    })
}

fn shared_runtime() -> Result<&'static Runtime, Error> {
    static RUNTIME: OnceLock<Result<Runtime, String>> = OnceLock::new();
    let runtime = RUNTIME.get_or_init(|| {
        Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("blocking-calls")
            .enable_all()
            .build()
            .map_err(|error| error.to_string())
    });
    runtime.as_ref().map_err(|error| {
        Error::new(ErrorKind::Blocking).with_message(format!("failed to start a runtime: {error}"))
    })
}
