//! The first connection to a host: only its handshake shows whether others are needed.
//!
//! reqwest opens one for each call until it knows that the server supports HTTP/2.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit, TryAcquireError};
use tokio::time::timeout;

/// The longest wait for the first connection: the call that opens it may be held without being polled.
const MAX_WAIT: Duration = Duration::from_secs(1);

/// The hosts that a client connects to by https, each with a gate that is closed for good once it has a connection.
#[derive(Default)]
pub(super) struct FirstConnections(RwLock<Vec<(String, Arc<Semaphore>)>>);

/// The part of a request in the first connection to its host.
pub(super) enum Part {
    /// The host is known, or is not asked for by https.
    None,
    Opens(Opening),
    /// Another request opens it.
    Waits(Arc<Semaphore>),
}

/// Lets the other requests go on once it has ended, or is dropped.
pub(super) struct Opening(Arc<Semaphore>);

impl FirstConnections {
    pub(super) fn part(&self, uri: &http::Uri) -> Part {
        let (Some("https"), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
            return Part::None;
        };
        let gate = self.gate(authority.as_str());
        match gate.try_acquire().map(SemaphorePermit::forget) {
            Ok(()) => Part::Opens(Opening(gate)),
            Err(TryAcquireError::NoPermits) => Part::Waits(gate),
            Err(TryAcquireError::Closed) => Part::None,
        }
    }

    fn gate(&self, authority: &str) -> Arc<Semaphore> {
        let find = |gates: &[(String, Arc<Semaphore>)]| {
            let found = gates.iter().find(|(other, _)| other == authority);
            found.map(|(_, gate)| Arc::clone(gate))
        };
        if let Some(gate) = find(&self.0.read().unwrap_or_else(PoisonError::into_inner)) {
            return gate;
        }
        let mut gates = self.0.write().unwrap_or_else(PoisonError::into_inner);
        find(&gates).unwrap_or_else(|| {
            let gate = Arc::new(Semaphore::new(1));
            gates.push((authority.to_owned(), Arc::clone(&gate)));
            gate
        })
    }
}

/// Waits until the first connection is established or has failed.
pub(super) async fn wait(gate: &Semaphore) {
    // It has no other permits, and is closed then.
    let _ = timeout(MAX_WAIT, gate.acquire()).await;
    gate.close();
}

impl Opening {
    pub(super) fn end(&self) {
        self.0.close();
    }
}

impl Drop for Opening {
    fn drop(&mut self) {
        self.end();
    }
}
