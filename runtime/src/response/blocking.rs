//! Calls that block their thread.

use std::sync::{OnceLock, mpsc};

use tokio::runtime::{Builder, Handle, Runtime, RuntimeFlavor, worker_index};
use tokio::task;
use tracing::Instrument as _;
use tracing::instrument::WithSubscriber as _;

use crate::error::{Error, ErrorKind};

/// Runs a call to its end.
///
/// Where the thread belongs to a multi-threaded runtime it runs there, and the runtime goes on with
/// its other tasks; elsewhere, on a runtime that all blocking calls of the program share. A thread
/// that drives a single-threaded runtime is the only one that can go on with connections and token
/// refreshes that the call may wait for, so there it fails.
///
/// What cannot be told from here ends with the attempt's time: another future of the same task, or
/// of the same `LocalSet`, that stands still within a token refresh; and a connection of a
/// single-threaded runtime that nobody runs, for it is that runtime which drives the connection.
///
/// # Panics
///
/// Tokio tells which runtime was entered last, but not which one the thread runs: where a
/// multi-threaded one was entered on a thread that runs a single-threaded one, `block_in_place`
/// panics.
pub fn block_on<T: Send + 'static>(
    call: impl Future<Output = Result<T, Error>> + Send + 'static,
) -> Result<T, Error> {
    let Ok(runtime) = Handle::try_current() else {
        return shared_runtime()?.block_on(call);
    };
    let is_multi_threaded = runtime.runtime_flavor() == RuntimeFlavor::MultiThread;
    match worker_index() {
        // The worker's other tasks move to another thread.
        Some(_) if is_multi_threaded => task::block_in_place(|| runtime.block_on(call)),
        Some(_) => Err(Error::new(ErrorKind::Blocking).with_message(
            "the thread drives a single-threaded tokio runtime, which the call would stall; \
             `.await` it instead",
        )),
        None if is_multi_threaded => on_a_worker(&runtime, call),
        None => on_a_worker(shared_runtime()?.handle(), call),
    }
}

/// Runs a call on a runtime's workers, for a thread that is none of them: one that is made for
/// blocking, or that drives a runtime's main task or a `LocalSet`, where tokio would panic if the
/// thread blocked by tokio's own means. Other tasks of the `LocalSet` stand still meanwhile.
fn on_a_worker<T: Send + 'static>(
    runtime: &Handle,
    call: impl Future<Output = Result<T, Error>> + Send + 'static,
) -> Result<T, Error> {
    let (tell, told) = mpsc::sync_channel(1);
    let call = call.in_current_span().with_current_subscriber();
    runtime.spawn(async move {
        // Nobody has gone away: the thread waits below.
        let _ = tell.send(call.await);
    });
    told.recv().unwrap_or_else(|_| {
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
        Error::new(ErrorKind::Blocking).with_message(format!("no runtime can be started: {error}"))
    })
}
