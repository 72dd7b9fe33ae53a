//! The turns of requests at connections of a host, so that those over HTTP/2 share one.
//!
//! reqwest opens one for each request that finds none, until it knows that the server supports HTTP/2: at first, and
//! whenever the server has closed the last one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::timeout;

/// The time after which a request no longer waits for one before it, which may be held without being polled.
const MAX_WAIT: Duration = Duration::from_secs(2);

/// Maximum number of hosts, except for those that requests are sent to now.
const MAX_HOSTS: usize = 64;

/// The hosts that a client connects to by https.
#[derive(Default)]
pub(super) struct Gates(Mutex<Vec<(String, Arc<Gate>)>>);

/// For one request at a time. Closed for good once a response comes over HTTP/1, where each needs a connection.
type Gate = Semaphore;

/// The turn of a request, until it has a connection, has failed or is dropped.
pub(super) struct Turn {
    gate: Arc<Gate>,
    is_taken: AtomicBool,
}

impl Gates {
    /// Returns the turn of a request; `None` if it takes none.
    pub(super) fn turn(&self, uri: &http::Uri) -> Option<Arc<Turn>> {
        let takes_turns = cfg!(feature = "http2") && uri.scheme_str() == Some("https");
        let authority = uri.authority().filter(|_| takes_turns)?;
        let gate = self.gate(authority.as_str());
        (!gate.is_closed()).then(|| Arc::new(Turn { gate, is_taken: AtomicBool::new(false) }))
    }

    /// Returns whether no connection can be one of HTTP/2.
    pub(super) fn are_closed(&self) -> bool {
        let gates = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        gates.iter().all(|(_, gate)| gate.is_closed())
    }

    fn gate(&self, authority: &str) -> Arc<Gate> {
        let mut gates = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, gate)) = gates.iter().find(|(other, _)| other == authority) {
            return Arc::clone(gate);
        }
        if gates.len() >= MAX_HOSTS {
            gates.retain(|(_, gate)| Arc::strong_count(gate) > 1);
        }
        let gate = Arc::new(Gate::new(1));
        gates.push((authority.to_owned(), Arc::clone(&gate)));
        gate
    }
}

impl Turn {
    /// Waits until the request before has a connection or has failed.
    pub(super) async fn begin(&self) {
        // The turns and the list have the gate. After each time, twice as many begin: a slow server is not overrun.
        let times = (Arc::strong_count(&self.gate) - 1).max(2).ilog2();
        if let Ok(Ok(permit)) = timeout(MAX_WAIT * times, self.gate.acquire()).await {
            permit.forget();
            self.is_taken.store(true, Ordering::Relaxed);
        }
    }

    pub(super) fn end(&self) {
        if self.is_taken.swap(false, Ordering::Relaxed) {
            self.gate.add_permits(1);
        }
    }

    /// Closes the gate if the response came over HTTP/1.
    pub(super) fn spoke(&self, version: http::Version) {
        if version < http::Version::HTTP_2 {
            self.gate.close();
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;
    use std::sync::atomic::AtomicUsize;

    use tokio::task::JoinSet;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_slow_connection_does_not_let_all_requests_begin_at_once() {
        let gates = Arc::new(Gates::default());
        let begun = Arc::<AtomicUsize>::default();
        let all: JoinSet<()> =
            (0..100).map(|_| begins(Arc::clone(&gates), Arc::clone(&begun))).collect();
        let mut counts = Vec::new();
        for seconds in [1, 2, 2, 2, 2, 2, 2] {
            tokio::time::sleep(Duration::from_secs(seconds)).await;
            counts.push(begun.load(Ordering::Relaxed));
        }
        assert_eq!(counts, [1, 3, 7, 15, 31, 63, 100]);
        drop(all);
    }

    /// A request that takes its turn and never gets a connection.
    async fn begins(gates: Arc<Gates>, begun: Arc<AtomicUsize>) {
        let turn = gates.turn(&"https://a.example".parse().unwrap()).unwrap();
        turn.begin().await;
        begun.fetch_add(1, Ordering::Relaxed);
        pending::<()>().await;
    }

    #[test]
    fn hosts_without_requests_are_forgotten() {
        let gates = Gates::default();
        let turn = |host: usize| gates.turn(&format!("https://{host}.example").parse().unwrap());
        let held = turn(0);
        for host in 1..1_000 {
            turn(host);
            assert!(gates.0.lock().unwrap().len() <= MAX_HOSTS + 1);
        }
        let gate = gates.gate("0.example");
        assert!(Arc::ptr_eq(&held.unwrap().gate, &gate), "it has a request");
    }
}
