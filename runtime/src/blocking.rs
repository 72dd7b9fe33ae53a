//! Calls that block their thread.

use std::sync::OnceLock;

use tokio::runtime::{Builder, Handle, Runtime, RuntimeFlavor};
use tokio::task;

use crate::error::{Error, ErrorKind};

/// Runs a call to its end.
///
/// Outside of any runtime it runs on one that all blocking calls of the program share. On a
/// multi-threaded runtime it runs there, and the runtime goes on with its other tasks. On a
/// single-threaded runtime nothing else could go on, connections and token refreshes that the call
/// may wait for included, so there it fails.
pub fn block_on<T>(call: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    match Handle::try_current() {
        Err(_) => shared_runtime()?.block_on(call),
        Ok(runtime) if runtime.runtime_flavor() == RuntimeFlavor::MultiThread => {
            task::block_in_place(|| runtime.block_on(call))
        }
        Ok(_) => Err(Error::new(ErrorKind::Blocking).with_message(
            "the thread drives a single-threaded tokio runtime, which the call would stall; \
             `.await` it instead",
        )),
    }
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
