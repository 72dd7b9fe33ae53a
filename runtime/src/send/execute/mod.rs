//! The steps of a call, each in a file that knows one thing. They run in this order:
//!
//! 1. [`exchange`] makes the call ready: its URL ([`target`]) and the schemes of its credentials.
//! 2. [`retry`] makes attempts, until the last one.
//! 3. [`attempt`] begins one, within its timeout, runs the next steps, and keeps its [`progress`].
//! 4. [`credentials`] obtains tokens, and other ones after a 401.
//! 5. [`message`] writes the request: headers, body, and the credentials at their places ([`credential`]).
//! 6. [`intercept`] lets interceptors change it.
//! 7. [`record`] begins to record it.
//! 8. The transport sends it.
//! 9. [`intercept`] shows the head of the response to interceptors.
//! 10. [`redirect`] goes back to step 5 with another URL.
//! 11. [`response`] reads the body, or makes the response an error.
//! 12. [`raw`] decodes it, which ends the call.
//!
//! [`trace`] has the spans around calls and attempts, and [`withheld`] what errors do not show.
//!
//! Futures are small here: they are pinned where they are created, and rare ones are boxed.

mod attempt;
mod credential;
mod credentials;
mod exchange;
mod intercept;
pub(crate) mod message;
mod progress;
pub(crate) mod raw;
#[cfg(feature = "record")]
mod record;
mod redirect;
mod response;
mod retry;
mod target;
mod trace;
mod withheld;

use std::mem;
use std::pin::pin;

use bytes::Bytes;
use tracing::Instrument as _;

use self::exchange::Exchange;
use self::progress::Answered;
use self::raw::{RawResponse, Undecoded};
use self::retry::run;
use crate::error::Error;
use crate::reply::raw::RawReply;
use crate::request::call::CallParts;
use crate::transport::body::Body;

pub(crate) async fn execute(call: Box<CallParts>) -> Result<Undecoded<Bytes>, Error> {
    complete(call, |received| mem::take(&mut received.reply.body)).await
}

/// Makes a call whose body is read later.
pub(crate) async fn execute_open(mut call: Box<CallParts>) -> Result<Undecoded<Body>, Error> {
    call.keeps_open = true;
    complete(call, |received| mem::take(&mut received.rest)).await
}

/// Makes a call, which ends here if it fails, and otherwise when its response is decoded.
async fn complete<B>(
    mut call: Box<CallParts>,
    take_body: fn(&mut Answered) -> B,
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
    let Answered { uri, reply: RawReply { status, headers, .. }, intercepted, .. } = received;
    let received = RawReply { status, headers, body };
    let credentials = credentials.unwrap_or_default();
    let response = RawResponse { call, uri, received, attempts, intercepted, credentials };
    Ok(Undecoded { response, span, number })
}
