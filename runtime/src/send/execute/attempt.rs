//! One attempt, within its timeout.

use std::future::poll_fn;
use std::mem;
use std::pin::pin;
use std::time::{Duration, Instant};

use bytes::BytesMut;
use http::response::Parts;

use super::credential::SentCredential;
use super::exchange::Exchange;
use super::progress::{Answered, Failure, Progress, Stage};
use super::redirect::{Hop, MAX_REDIRECTS, too_many};
use super::response::{MAX_ERROR_BODY, beginning};
use super::withheld::withheld;
use crate::error::{Error, ErrorKind};
use crate::reply::raw::RawReply;
use crate::time::deadline::within;
use crate::transport::body::Body;
use crate::transport::interceptor::Attempt;

impl Exchange<'_> {
    /// Makes one attempt with the given credentials. If there are none, obtains them and stores them there.
    pub(super) async fn attempt(
        &self,
        number: u32,
        credentials: &mut Option<Vec<SentCredential>>,
    ) -> Result<Answered, Failure> {
        let located = |error| Failure::unsent(self.call.locate(error, number));
        if self.deadline.left(&*self.shared.settings.clock).is_zero() {
            return Err(located(Error::new(ErrorKind::Timeout).with_message(self.out_of_time())));
        }
        let mut ageing = Vec::new();
        if credentials.is_none() {
            let obtained = self.obtain(&mut ageing).await;
            *credentials = Some(obtained.map_err(located)?);
        }
        let credentials = credentials.as_deref().unwrap_or_default();
        let clock = &*self.shared.settings.clock;
        let per_attempt = self.call.options.timeout;
        let left = self.deadline.left(clock);
        let attempt = Attempt { operation: self.call.operation, call: self.number, number };
        let mut progress = Progress::default();
        let outcome = {
            let mut exchange = pin!(self.exchange(&attempt, credentials, &mut progress));
            let exchange = pin!(poll_fn(|context| {
                let outcome = exchange.as_mut().poll(context);
                if outcome.is_pending() {
                    for cache in &ageing {
                        cache.poll_ahead(context);
                    }
                }
                outcome
            }));
            within(clock, per_attempt.min(left), exchange).await
        };
        let failure = match outcome {
            Ok(Ok(received)) => return Ok(received),
            Ok(Err(failure)) => failure,
            Err(_) => {
                let limit = (left > per_attempt).then_some(per_attempt);
                self.timed_out(&mut progress, limit)
            }
        };
        let Failure { error, sent } = failure;
        let withheld = withheld(self.call, &progress.intercepted, credentials);
        let error = self.call.locate(error.with_withheld(withheld), number);
        self.intercept_failure(&attempt, progress.begun, &error);
        Err(Failure { error, sent })
    }

    /// Returns the failure of an attempt that timed out: at its limit, or else at the deadline of the call.
    fn timed_out(&self, progress: &mut Progress, limit: Option<Duration>) -> Failure {
        let ended = progress.sending.end();
        if let (Stage::Transport(begun), Some(_)) = (&progress.stage, ended) {
            self.shared.transport.timed_out(*begun);
        }
        // The status is known, only the rest of the body is not.
        if let Some((head, read)) = progress.rejection.take() {
            return Failure::sent(self.rejected(head, read.freeze(), false));
        }
        let sent = ended == Some(true);
        let missing = match (&progress.stage, ended) {
            (Stage::Body, _) => "the length of the body was not determined",
            (Stage::Interceptor, _) => "an interceptor did not return",
            (Stage::Transport(_), None) => "the transport did not begin to send",
            (Stage::Transport(_), Some(false)) => "no connection was ready",
            (Stage::Transport(_), Some(true)) => "no response",
        };
        let what = match limit {
            Some(limit) => format!("{missing} within {limit:?}"),
            None => format!("{}: {missing}", self.out_of_time()),
        };
        let rest = if sent { "" } else { "; nothing was sent" };
        let error = Error::new(ErrorKind::Timeout).with_message(format!("{what}{rest}"));
        Failure { error, sent }
    }

    fn out_of_time(&self) -> String {
        format!("the call did not complete within {:?} in total", self.deadline.allowed)
    }

    /// Sends the request and receives the response, following redirects.
    async fn exchange(
        &self,
        attempt: &Attempt,
        credentials: &[SentCredential],
        progress: &mut Progress,
    ) -> Result<Answered, Failure> {
        let mut hop = Hop { uri: self.uri.clone(), is_redirected: false, is_foreign: false };
        for _ in 0..=MAX_REDIRECTS {
            let request = if hop.is_foreign {
                self.foreign_request(&hop.uri)
            } else {
                let request = self.message(&hop.uri, credentials, progress).await?;
                self.intercept(attempt, request, progress).await?
            };
            #[cfg(feature = "record")]
            let mut record = self.record(&request, hop.is_redirected, credentials);
            progress.stage = Stage::Transport(Instant::now());
            let response = self.shared.transport.send_observed(request, &progress.sending).await;
            #[cfg(feature = "record")]
            record.answered(&response);
            let (head, mut body) = response.map_err(Failure::from)?.into_parts();
            self.intercept_head(attempt, &head);
            if let Some(next) = self.redirect(&hop, &head) {
                hop = next;
                continue;
            }
            if head.status.is_success() || self.call.declared.is_empty(head.status) {
                let read = self.read(&head, &mut body).await?;
                let keeps_open = self.call.keeps_open;
                #[cfg(feature = "record")]
                record.read((!keeps_open).then_some(&read));
                let rest = if keeps_open {
                    body.holding(mem::take(&mut progress.held))
                } else {
                    Body::default()
                };
                let Parts { status, headers, .. } = head;
                let intercepted = mem::take(&mut progress.intercepted);
                let reply = RawReply { status, headers, body: read };
                return Ok(Answered { uri: hop.uri, reply, intercepted, rest });
            }
            let limit = self.call.options.max_response_bytes.min(MAX_ERROR_BODY);
            let (head, read) = progress.rejection.insert((head, BytesMut::new()));
            let is_whole = beginning(&mut body, limit, read).await;
            let read = mem::take(read).freeze();
            #[cfg(feature = "record")]
            if read.len() < limit {
                record.read(Some(&read));
            }
            return Err(Failure::sent(self.rejected(head.clone(), read, is_whole)));
        }
        Err(Failure::sent(too_many(&hop)))
    }
}
