//! Operations that are called repeatedly.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use futures_core::Stream;

use super::pace::Pace;
use super::wait::Waited;
use crate::error::retry::policy::RetryPolicy;
use crate::error::retry::retry_after;
use crate::error::{Error, ErrorKind};
use crate::secrets::debug::shown;
#[cfg(feature = "blocking")]
use crate::send::blocking::block_on;
use crate::send::execute::execute;
use crate::send::execute::raw::{RawResponse, Undecoded};
use crate::send::request::Request;
use crate::time::clock::Clock;
use crate::time::future::BoxFuture;
use crate::wire::Model;
use crate::wire::wait_end::{WaitEnd, is_finished};

/// A function that sees each reply.
type Hook<T> = Box<dyn FnMut(&T) + Send>;

/// The replies to a repeated request, as a stream.
///
/// | setting | default |
/// |---|---|
/// | [`every`](Self::every), the pause after a reply | 2 seconds |
/// | [`jitter`](Self::jitter), the random part that is added to a pause | up to 10 % |
/// | [`deadline`](Self::deadline), the time for all replies | 10 minutes |
///
/// A pause is at least as long as `Retry-After`. Transient errors
/// ([`Error::is_retryable`](crate::Error::is_retryable)) do not end it; any other error does. The next call is the retry
/// of a failed one: the retry policy of the request does not apply. At the deadline it ends with an error that
/// [is unfinished](crate::Error::is_unfinished), whose [body](crate::Error::decode_body) is the body of the last reply.
///
/// `.await` waits until the reply has a final state, if the operation describes one.
///
/// The futures of the `until` methods can be dropped, and the methods called again, also after an error: the next call
/// continues with the replies so far, and with a new deadline after an error. No task is spawned, and nothing runs
/// between polls.
#[must_use = "nothing is sent until a reply is awaited"]
pub struct Polling<R: Request> {
    request: R,
    clock: Arc<dyn Clock>,
    pace: Pace,
    /// The timer of the deadline, from the first poll on.
    deadline: Option<BoxFuture<'static, ()>>,
    /// The pause and the call in flight.
    round: Option<BoxFuture<'static, Result<Undecoded, Error>>>,
    /// The end of the last round, and the pause after it.
    pause: Option<(Instant, Duration)>,
    replies: u64,
    last: Option<RawResponse>,
    /// The last reply, if [`until_finished`](Self::until_finished) did not return it. In a box, because a stream has to be
    /// `Unpin`.
    examined: Option<Box<R::Output>>,
    /// The function that sees each reply.
    hook: Option<Hook<R::Output>>,
    /// The transient error of the last round.
    cause: Option<Error>,
    has_ended: bool,
}

/// A request of an operation whose reply shows whether a process has finished.
pub trait Waits: Request<Output: Model> {
    /// The condition that ends a wait.
    #[doc(hidden)]
    const END: &'static WaitEnd;

    /// Sends this request until its reply has a final state.
    #[inline]
    fn wait(self) -> Polling<Self> {
        Polling::new(self)
    }
}

impl<R: Request> Polling<R> {
    #[doc(hidden)]
    pub fn new(request: R) -> Self {
        let clock = Arc::clone(&request.call().0.client.shared.settings.clock);
        Self {
            request,
            clock,
            pace: Pace::DEFAULT,
            deadline: None,
            round: None,
            pause: None,
            replies: 0,
            last: None,
            examined: None,
            hook: None,
            cause: None,
            has_ended: false,
        }
    }

    /// Sets the pause after a reply.
    pub fn every(mut self, pause: Duration) -> Self {
        self.pace.every = pause;
        self
    }

    /// Sets the maximum random part that is added to a pause, as a fraction of it, in `0.0..=1.0`. It prevents programs
    /// that start together from sending their requests together.
    pub fn jitter(mut self, fraction: f64) -> Self {
        self.pace.jitter = fraction;
        self
    }

    /// Sets the time for all replies, from the first poll. The last call is cancelled at the deadline.
    pub fn deadline(mut self, limit: Duration) -> Self {
        self.pace.limit = limit;
        self.deadline = None;
        self
    }

    /// Continues after the status 404: the resource does not exist yet.
    pub fn allow_missing(mut self) -> Self {
        self.pace.allows_missing = true;
        self
    }

    /// Calls `hook` with each reply, before it is examined or returned: to show the progress of a wait, as in
    /// `.wait().on_reply(|reply| println!("{:?}", reply.state)).await`.
    pub fn on_reply(mut self, hook: impl FnMut(&R::Output) + Send + 'static) -> Self {
        self.hook = Some(Box::new(hook));
        self
    }

    /// Returns the next reply.
    ///
    /// # Errors
    ///
    /// Returns an error that is not transient, or [`ErrorKind::Unfinished`] at the deadline.
    pub async fn next_reply(&mut self) -> Result<R::Output, Error> {
        poll_fn(|context| self.poll_next_reply(context)).await
    }

    /// Returns the first reply that fulfills a condition.
    ///
    /// # Errors
    ///
    /// Fails as [`next_reply`](Self::next_reply) does.
    pub async fn until(
        &mut self,
        mut condition: impl FnMut(&R::Output) -> bool,
    ) -> Result<R::Output, Error> {
        loop {
            let reply = self.next_reply().await?;
            if condition(&reply) {
                return Ok(reply);
            }
        }
    }

    /// Returns the first reply that meets the condition in `codegen.toml`, or the last one before the deadline.
    ///
    /// # Errors
    ///
    /// Returns an error that is not transient, or [`ErrorKind::Unfinished`] if there was no reply before the deadline.
    pub async fn until_finished(&mut self) -> Result<Waited<R::Output>, Error>
    where
        R: Waits,
    {
        loop {
            match poll_fn(|context| self.poll_reply(context)).await {
                Ok(reply) if is_finished(&reply, R::END) => return Ok(Waited::Finished(reply)),
                Ok(reply) => self.examined = Some(Box::new(reply)),
                Err(error) => {
                    let last = self.examined.take_if(|_| error.is_unfinished());
                    return last.map_or(Err(error), |last| Ok(Waited::Unfinished(*last)));
                }
            }
        }
    }

    /// Waits as [`until_finished`](Self::until_finished) does, in a future that owns the wait, as `.await` on it does:
    /// `tokio::spawn(request.wait().finish())`, `join_all(waits.map(Polling::finish))`.
    ///
    /// # Errors
    ///
    /// Fails as [`until_finished`](Self::until_finished) does.
    pub fn finish(mut self) -> BoxFuture<'static, Result<Waited<R::Output>, Error>>
    where
        R: Waits,
    {
        Box::pin(async move { self.until_finished().await })
    }

    /// Takes the next reply, which the caller gets.
    fn poll_next_reply(&mut self, context: &mut Context<'_>) -> Poll<Result<R::Output, Error>> {
        let reply = ready!(self.poll_reply(context))?;
        self.examined = None;
        Poll::Ready(Ok(reply))
    }

    fn poll_reply(&mut self, context: &mut Context<'_>) -> Poll<Result<R::Output, Error>> {
        loop {
            let timer = self.deadline.get_or_insert_with(|| self.clock.sleep(self.pace.limit));
            if timer.as_mut().poll(context).is_ready() {
                return Poll::Ready(Err(self.unfinished()));
            }
            let mut round = self.round.take().unwrap_or_else(|| self.begin());
            let Poll::Ready(outcome) = round.as_mut().poll(context) else {
                self.round = Some(round);
                return Poll::Pending;
            };
            if let Some(reply) = self.receive(outcome) {
                return Poll::Ready(reply);
            }
        }
    }

    /// Begins the next round: the rest of the pause, and the call.
    fn begin(&self) -> BoxFuture<'static, Result<Undecoded, Error>> {
        let pause = self.pause.map(|(ended, pause)| {
            pause.saturating_sub(self.clock.now().saturating_duration_since(ended))
        });
        let clock = Arc::clone(&self.clock);
        let mut call = self.request.clone().into_call().0;
        // Otherwise the retries of an outage would use up the budget of all other calls.
        call.options.retry = RetryPolicy::never();
        Box::pin(async move {
            if let Some(pause) = pause {
                clock.sleep(pause).await;
            }
            execute(call).await
        })
    }

    /// Takes the outcome of a round, and returns the reply or the error. A transient error is neither.
    fn receive(&mut self, outcome: Result<Undecoded, Error>) -> Option<Result<R::Output, Error>> {
        let asked = match &outcome {
            Ok(undecoded) => {
                retry_after::wait(&undecoded.response.received.headers, self.clock.wall())
            }
            Err(error) => error.retry_after(),
        };
        let pause = self.pace.pause(asked, self.clock.random());
        self.pause = Some((self.clock.now(), pause));
        match outcome {
            Ok(undecoded) => {
                let (raw, reply) = undecoded.decode(RawResponse::decode::<_, R::Format>);
                self.replies += 1;
                self.last = Some(raw);
                self.cause = None;
                match (&reply, &mut self.hook) {
                    (Ok(reply), Some(hook)) => hook(reply),
                    (Ok(_), None) => {}
                    (Err(_), _) => self.deadline = None,
                }
                Some(reply)
            }
            Err(error)
                if error.is_retryable() || self.pace.allows_missing && error.is_not_found() =>
            {
                self.cause = Some(error);
                None
            }
            Err(error) => {
                self.deadline = None;
                Some(Err(error))
            }
        }
    }

    /// Returns the error of the deadline, and starts a new one. The call in flight is cancelled.
    fn unfinished(&mut self) -> Error {
        self.round = None;
        self.deadline = None;
        let message = format!("within {:?}; replies: {}", self.pace.limit, self.replies);
        let mut error = Error::new(ErrorKind::Unfinished).with_message(message);
        if let Some(cause) = self.cause.take() {
            error = error.with_source(cause);
        }
        match &self.last {
            None => error.with_operation(R::OPERATION),
            Some(raw) => {
                let (headers, body) = (raw.received.headers.clone(), raw.received.body.clone());
                raw.locate(error.with_response(raw.received.status, headers, body))
            }
        }
    }
}

#[cfg(feature = "blocking")]
impl<R: Request> Polling<R> {
    /// Returns the first reply that fulfills a condition, as [`until`](Self::until) does, and blocks the thread
    /// meanwhile.
    ///
    /// # Errors
    ///
    /// Fails as [`next_reply`](Self::next_reply) does, and as all blocking calls.
    pub fn until_blocking(
        mut self,
        condition: impl FnMut(&R::Output) -> bool + Send + 'static,
    ) -> Result<R::Output, Error> {
        block_on(async move { self.until(condition).await })
    }

    /// Returns the reply that ends the wait, as [`until_finished`](Self::until_finished) does, and blocks the thread
    /// meanwhile.
    ///
    /// # Errors
    ///
    /// Fails as [`until_finished`](Self::until_finished) does, and as all blocking calls.
    pub fn until_finished_blocking(self) -> Result<Waited<R::Output>, Error>
    where
        R: Waits,
    {
        block_on(self.finish())
    }
}

/// Waits as [`until_finished`](Polling::until_finished) does.
impl<R: Waits> IntoFuture for Polling<R> {
    type Output = Result<Waited<R::Output>, Error>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        self.finish()
    }
}

/// The stream ends after an error.
impl<R: Request> Stream for Polling<R> {
    type Item = Result<R::Output, Error>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let polling = self.get_mut();
        if polling.has_ended {
            return Poll::Ready(None);
        }
        let reply = ready!(polling.poll_next_reply(context));
        polling.has_ended = reply.is_err();
        Poll::Ready(Some(reply))
    }
}

shown!(Polling<R: Request>, |it| operation: R::OPERATION.id, pace: it.pace, replies: it.replies);
