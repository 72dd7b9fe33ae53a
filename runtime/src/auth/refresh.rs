//! A refresh of an access token.

use std::future::pending;
use std::mem;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use tokio::runtime::Handle;

use super::context;
use super::source::TokenSource;
use super::token::{Token, TokenError};
use crate::time::clock::Clock;
use crate::time::deadline::Elapsed;
use crate::time::future::BoxFuture;
use crate::transport::{ResponseFuture, SendProgress, Transport};
use crate::wire::upload::body::RequestBody;

/// The time that a late refresh has left, for a response that has arrived but was not read.
const GRACE: Duration = Duration::from_secs(1);

/// A refresh in progress. All calls that poll it are woken when it can proceed and when it ends, also by a panic, because
/// any of them may be held without being polled again.
pub(super) struct Refresh {
    token: BoxFuture<'static, Result<Token, TokenError>>,
    /// The timer of its timeout, if it has to wait.
    timer: Option<BoxFuture<'static, ()>>,
    pub(super) begun: Moment,
    sent: Sent,
    /// The runtime that has its connections and timers.
    runtime: Option<Handle>,
    /// Whether its timeout passed before a call continued it.
    pub(super) is_late: bool,
    waiting: Arc<Waiting>,
}

/// The time of the first request, once there is one.
type Sent = Arc<OnceLock<Instant>>;

/// The transport of a refresh.
struct Observed {
    transport: Arc<dyn Transport>,
    sent: Sent,
}

impl Transport for Observed {
    fn send(&self, request: http::Request<RequestBody>) -> ResponseFuture<'_> {
        self.sent.get_or_init(Instant::now);
        self.transport.send(request)
    }

    fn send_observed<'a>(
        &'a self,
        request: http::Request<RequestBody>,
        progress: &'a SendProgress,
    ) -> ResponseFuture<'a> {
        self.sent.get_or_init(Instant::now);
        self.transport.send_observed(request, progress)
    }

    fn timed_out(&self, begun: Instant) {
        self.transport.timed_out(begun);
    }
}

/// An instant, on the monotonic clock and on the wall clock.
#[derive(Clone, Copy)]
pub(super) struct Moment {
    monotonic: Instant,
    wall: Timestamp,
}

/// Wakes all calls that wait for a refresh.
#[derive(Default)]
pub(super) struct Waiting(Mutex<Vec<Waker>>);

impl Refresh {
    pub(super) fn new(source: Arc<dyn TokenSource>, mut client: context::AuthContext) -> Self {
        let sent = Sent::default();
        let begun = Moment::now(&*client.clock);
        client.transport = Arc::new(Observed { transport: client.transport, sent: sent.clone() });
        Self {
            token: Box::pin(async move { source.token(client.of_tokens()).await }),
            timer: None,
            begun,
            sent,
            runtime: Handle::try_current().ok(),
            is_late: false,
            waiting: Arc::default(),
        }
    }

    /// Returns whether its runtime was dropped, with its connections and timers.
    pub(super) fn is_orphaned(&self) -> bool {
        let Some(runtime) = &self.runtime else { return false };
        if Handle::try_current().is_ok_and(|current| current.id() == runtime.id()) {
            return false;
        }
        // A task ends at once if its runtime was dropped.
        let task = runtime.spawn(pending::<()>());
        let is_orphaned = task.is_finished();
        task.abort();
        is_orphaned
    }

    pub(super) fn timed_out(&self, transport: &dyn Transport, limit: Duration) -> TokenError {
        let why = match self.sent.get() {
            Some(sent) => {
                transport.timed_out(*sent);
                ""
            }
            None => ": its source sent no request through the client",
        };
        TokenError::transient(format!("no access token within {limit:?}{why}"))
    }

    /// Polls it up to its timeout.
    pub(super) fn poll(
        &mut self,
        clock: &dyn Clock,
        limit: Duration,
        context: &mut Context<'_>,
    ) -> Poll<Result<Result<Token, TokenError>, Elapsed>> {
        self.waiting.add(context.waker());
        let waker = Waker::from(Arc::clone(&self.waiting));
        let context = &mut Context::from_waker(&waker);
        if let Poll::Ready(token) = self.token.as_mut().poll(context) {
            return Poll::Ready(Ok(token));
        }
        let timer = self.timer.get_or_insert_with(|| clock.sleep(limit));
        timer.as_mut().poll(context).map(|()| Err(Elapsed))
    }

    /// Continues it for another call. If its timeout has passed, it is late.
    pub(super) fn resume(&mut self, clock: &dyn Clock, limit: Duration) {
        if !self.is_late && self.begun.elapsed(clock) >= limit {
            self.is_late = true;
            self.timer = Some(clock.sleep(GRACE));
        }
    }
}

impl Drop for Refresh {
    fn drop(&mut self) {
        self.waiting.wake_all();
    }
}

impl Waiting {
    pub(super) fn add(&self, waker: &Waker) {
        let mut wakers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !wakers.iter().any(|other| other.will_wake(waker)) {
            wakers.push(waker.clone());
        }
    }

    pub(super) fn wake_all(&self) {
        let wakers = mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        wakers.into_iter().for_each(Waker::wake);
    }
}

impl Wake for Waiting {
    fn wake(self: Arc<Self>) {
        self.wake_all();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.wake_all();
    }
}

impl Moment {
    fn now(clock: &dyn Clock) -> Self {
        Self { monotonic: clock.now(), wall: clock.wall() }
    }

    /// Returns the elapsed time, by the clock that shows more of it.
    ///
    /// The monotonic clock may stand still while the machine sleeps, and the time of day may jump. A
    /// jump back changes nothing, and a jump ahead costs one refresh.
    pub(super) fn elapsed(&self, clock: &dyn Clock) -> Duration {
        let by_wall = clock.wall().duration_since(self.wall);
        let by_monotonic = clock.now().saturating_duration_since(self.monotonic);
        by_monotonic.max(Duration::try_from(by_wall).unwrap_or_default())
    }
}
