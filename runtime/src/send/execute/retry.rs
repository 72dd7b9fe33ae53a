//! The attempts of a call: another one with new credentials after a 401, and retries after pauses.

use std::pin::pin;

use tracing::Instrument as _;

use super::credential::SentCredential;
use super::exchange::Exchange;
use super::progress::{Answered, Failure};
use super::trace;
use crate::auth::token::TokenError;
use crate::error::retry::policy::{FailedAttempt, Retry};
use crate::error::{Error, ErrorKind};

/// Makes attempts until one succeeds, or its failure is that of the call.
pub(super) async fn run(
    exchange: &Exchange<'_>,
    attempts: &mut u32,
    credentials: &mut Option<Vec<SentCredential>>,
) -> Result<Answered, Error> {
    let operation = exchange.call.operation;
    let mut was_refreshed = false;
    loop {
        *attempts += 1;
        let span = trace::attempt(&exchange.base_url.origin, operation, *attempts);
        let outcome = {
            let attempt = pin!(exchange.attempt(*attempts, credentials));
            attempt.instrument(span.clone()).await
        };
        let mut failure = match outcome {
            Ok(received) => {
                trace::succeeded(&span, received.reply.status, received.reply.body.len());
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
    let (asked, too_long) = match policy.decide(&failed) {
        Retry::No => return Err(error),
        Retry::Yes => {
            (error.retry_after(), "the server asks for a longer pause than the policy allows")
        }
        Retry::After(pause) => {
            (Some(pause), "its rule asks for a longer pause than the policy allows")
        }
    };
    if !exchange.call.is_replayable() {
        return Err(not_replayed(error));
    }
    let clock = &*shared.settings.clock;
    let Some(pause) = policy.backoff.pause(attempts, asked, clock.random()) else {
        return Err(not_retried(error, too_long));
    };
    // A pause until the deadline would only delay the error.
    if pause >= exchange.deadline.left(clock) {
        return Err(not_retried(error, "the pause would exceed the total timeout"));
    }
    // A connection that a server closes properly rejects many calls at once, and no call twice.
    let is_free = error.kind() == ErrorKind::Unprocessed && attempts == 1;
    let withdraw = || is_free || shared.settings.budget.withdraw();
    // The calls that wait for a token share its failure, and then the next request for one, which is one retry.
    let refresh = error.cause().and_then(|cause| cause.downcast_ref::<TokenError>());
    if !refresh.map_or_else(withdraw, |refresh| refresh.is_retried(withdraw)) {
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
