//! The loop of a call: attempts, a refreshed token after a 401, and retries.
//!
//! Futures are small here: they are pinned where they are created, and rare ones are boxed.

mod body;
mod credential;
mod credentials;
mod exchange;
pub(crate) mod raw;
#[cfg(feature = "record")]
mod record;
mod trace;
mod withheld;

use std::mem;
use std::pin::pin;

use bytes::Bytes;
use tracing::Instrument as _;

use self::credential::SentCredential;
use self::exchange::{Exchange, Failure, Received};
use self::raw::{RawResponse, Undecoded};
use crate::error::{Error, ErrorKind};
use crate::request::call::CallParts;
use crate::retry::policy::FailedAttempt;
use crate::transport::body::Body;

/// Makes a call.
pub(crate) async fn execute(call: Box<CallParts>) -> Result<Undecoded<Bytes>, Error> {
    complete(call, |received| mem::take(&mut received.body)).await
}

/// Makes a call whose body is read later.
pub(crate) async fn execute_open(mut call: Box<CallParts>) -> Result<Undecoded<Body>, Error> {
    call.keeps_open = true;
    complete(call, |received| mem::take(&mut received.rest)).await
}

/// Makes a call, which ends here if it fails, and otherwise when its response is decoded.
async fn complete<B>(
    mut call: Box<CallParts>,
    take_body: fn(&mut Received) -> B,
) -> Result<Undecoded<B>, Error> {
    call.add_idempotency_key();
    let mut attempts = 0;
    let mut credentials = None;
    let span = trace::call(&call);
    let outcome = match Exchange::new(&call) {
        Ok(exchange) => {
            let received = pin!(run(&exchange, &mut attempts, &mut credentials));
            let received = received.instrument(span.clone()).await;
            received.map(|received| (received, exchange.number))
        }
        Err(error) => Err(error),
    };
    let (mut received, number) = outcome.map_err(|error| {
        trace::ended(&span, attempts, Some(&error));
        call.locate(error, attempts)
    })?;
    let body = take_body(&mut received);
    let Received { uri, status, headers, intercepted, .. } = received;
    let credentials = credentials.unwrap_or_default();
    let response =
        RawResponse { call, uri, status, headers, body, attempts, intercepted, credentials };
    Ok(Undecoded { response, span, number })
}

async fn run(
    exchange: &Exchange<'_>,
    attempts: &mut u32,
    credentials: &mut Option<Vec<SentCredential>>,
) -> Result<Received, Error> {
    let operation = exchange.call.operation;
    let mut was_refreshed = false;
    loop {
        *attempts += 1;
        let span = trace::attempt(exchange.base_url.origin(), operation, *attempts);
        let outcome = {
            let attempt = pin!(exchange.attempt(*attempts, credentials));
            attempt.instrument(span.clone()).await
        };
        let mut failure = match outcome {
            Ok(received) => {
                trace::succeeded(&span, received.status, received.body.len());
                return Ok(received);
            }
            Err(failure) => failure,
        };
        trace::failed(&span, &failure.error);
        if failure.error.status() == Some(401) && !was_refreshed {
            was_refreshed = true;
            match exchange.replace(credentials.take().unwrap_or_default()).await {
                Ok(None) => return Err(failure.error),
                Ok(_) if !exchange.call.is_replayable() => return Err(not_replayed(failure.error)),
                Ok(others) => {
                    *credentials = others;
                    continue;
                }
                Err(error) => failure = Failure::unsent(exchange.call.locate(error, *attempts)),
            }
        }
        // The next attempt looks up the credentials: these may expire during the pause.
        *credentials = None;
        pause(exchange, *attempts, failure).await?;
    }
}

/// Pauses before a retry, or returns the error if there is none.
async fn pause(exchange: &Exchange<'_>, attempts: u32, failure: Failure) -> Result<(), Error> {
    let Failure { error, sent } = failure;
    let shared = exchange.shared;
    let operation = exchange.call.operation;
    let policy = &exchange.call.options.retry;
    let failed = FailedAttempt {
        method: &exchange.method,
        operation,
        attempts,
        sent,
        error: &error,
        has_idempotency_key: exchange.call.has_idempotency_key(),
    };
    if !policy.retries(&failed) {
        return Err(error);
    }
    if !exchange.call.is_replayable() {
        return Err(not_replayed(error));
    }
    let clock = &*shared.settings.clock;
    let Some(pause) = policy.backoff().pause(attempts, error.retry_after(), clock.random()) else {
        return Err(not_retried(
            error,
            "the server asks for a longer pause than the policy allows",
        ));
    };
    // A pause until the deadline would only delay the error.
    if pause >= exchange.deadline.left(clock) {
        return Err(not_retried(error, "the pause would exceed the total timeout"));
    }
    // A connection that a server closes properly rejects many calls at once, and no call twice.
    let is_free = error.kind() == ErrorKind::Unprocessed && attempts == 1;
    if !is_free && !shared.settings.budget.withdraw() {
        return Err(not_retried(error, "the retry budget of the client is used up"));
    }
    trace::retries(operation, attempts, pause, &error, policy.is_last(attempts));
    clock.sleep(pause).await;
    Ok(())
}

/// Adds to an error that it would have been retried with another body.
fn not_replayed(error: Error) -> Error {
    not_retried(error, "its body is a stream, which can be sent only once")
}

/// Adds to an error why it was not retried.
fn not_retried(mut error: Error, reason: &'static str) -> Error {
    error.0.not_retried = Some(reason);
    error
}
