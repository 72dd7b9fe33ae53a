//! The one loop: credentials, interceptors, transport, and again where that is safe.

mod body;
pub(crate) mod deadline;
pub(crate) mod interceptor;
mod trace;

use std::fmt;
use std::pin::pin;

use bytes::Bytes;
use http::response::Parts;
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use tracing::Instrument;

use crate::auth::TokenCache;
use crate::client::Shared;
use crate::client::base_url;
use crate::client::origin::Origin;
use crate::error::{Error, ErrorKind};
use crate::execute::deadline::{Deadline, within};
use crate::execute::interceptor::Attempt;
use crate::request::call::CallParts;
use crate::response::RawResponse;
use crate::retry::{FailedAttempt, RetryPolicy, retry_after};
use crate::transport::{Fault, TransportError};

/// How many redirects within the origin are followed.
const HOPS: usize = 5;

/// How much of an error response is kept, in bytes.
const MOST_OF_AN_ERROR: usize = 64 << 10;

/// Makes a call and returns its response, or why there is none.
///
/// The futures from here on down are kept small: what is pinned where it is made is not copied from
/// layer to layer, and what is rarely needed is boxed.
pub(crate) async fn execute(call: Box<CallParts>) -> Result<RawResponse, Error> {
    let mut attempts = 0;
    let outcome = match Exchange::new(&call) {
        Ok(exchange) => exchange.run(&mut attempts).await,
        Err(error) => Err(error),
    };
    outcome.map_err(|error| error.with_operation(call.operation).with_attempts(attempts))
}

/// A call that is ready to go out, as often as it takes.
struct Exchange<'a> {
    shared: &'a Shared,
    call: &'a CallParts,
    uri: Uri,
    deadline: Deadline,
}

/// A failed attempt, and whether the server can have acted on it.
struct Failure {
    error: Error,
    sent: bool,
}

impl Failure {
    fn sent(error: Error) -> Self {
        Self { error, sent: true }
    }

    fn unsent(error: Error) -> Self {
        Self { error, sent: false }
    }
}

impl From<TransportError> for Failure {
    fn from(error: TransportError) -> Self {
        let (kind, sent) = match error.fault() {
            Fault::Connect => (ErrorKind::Connect, false),
            Fault::Refused => (ErrorKind::Request, false),
            Fault::Timeout => (ErrorKind::Timeout, true),
            Fault::Interrupted => (ErrorKind::Interrupted, true),
            Fault::Unprocessed => (ErrorKind::Unprocessed, false),
        };
        let transient = !error.is_lasting();
        Self {
            error: Error::new(kind).with_transient(transient).with_source(error.into_source()),
            sent,
        }
    }
}

impl<'a> Exchange<'a> {
    fn new(call: &'a CallParts) -> Result<Self, Error> {
        if let Some(fault) = &call.fault {
            return Err(Error::request(fault));
        }
        let shared = &*call.client.shared;
        let path = call.path.finish().map_err(|fault| Error::request(fault.to_string()))?;
        let prefix = shared.base_url.prefix();
        let mut target = String::with_capacity(prefix.len() + path.len() + call.query.len());
        target.push_str(prefix);
        target.push_str(path);
        call.query.push_to(&mut target);
        if let Some(excess) = shared.base_url.excess(&target) {
            return Err(too_long(call, excess));
        }
        let uri = shared.base_url.with_path_and_query(target)?;
        let allowed = call.options.total_timeout.unwrap_or(shared.total_timeout);
        Ok(Self { shared, call, uri, deadline: Deadline::new(&*shared.clock, allowed) })
    }

    async fn run(&self, attempts: &mut u32) -> Result<RawResponse, Error> {
        let policy = self.call.options.retry.as_ref().unwrap_or(&self.shared.retry);
        let mut token = None;
        let mut was_refreshed = false;
        loop {
            *attempts += 1;
            let span = trace::attempt(self.shared, self.call.operation, *attempts);
            let outcome = {
                let attempt = pin!(self.attempt(*attempts, &mut token));
                attempt.instrument(span.clone()).await
            };
            let failure = match outcome {
                Ok(mut response) => {
                    trace::succeeded(&span, &response);
                    self.shared.budget.deposit();
                    response.attempts = *attempts;
                    return Ok(response);
                }
                Err(failure) => failure,
            };
            trace::failed(&span, &failure.error);
            if failure.error.status() == Some(StatusCode::UNAUTHORIZED) && !was_refreshed {
                was_refreshed = true;
                let refused = token.take();
                token = self.refresh(refused.as_ref()).await?;
                if token.is_some() {
                    continue;
                }
                return Err(failure.error);
            }
            // The next attempt asks for a token again: this one may have expired over the pause.
            token = None;
            self.pause(policy, *attempts, failure).await?;
        }
    }

    /// Makes one attempt, with the given token or with one that it leaves in its place.
    async fn attempt(
        &self,
        number: u32,
        token: &mut Option<HeaderValue>,
    ) -> Result<RawResponse, Failure> {
        if token.is_none() {
            *token = self.token().await.map_err(Failure::unsent)?;
        }
        let clock = &*self.shared.clock;
        let per_attempt = self.call.options.attempt_timeout.unwrap_or(self.shared.attempt_timeout);
        let left = self.deadline.left(clock);
        let mut intercepted = None;
        let outcome = {
            let exchange = pin!(self.exchange(number, token.as_ref(), &mut intercepted));
            within(clock, per_attempt.min(left), exchange).await
        };
        match outcome {
            Ok(outcome) => outcome
                .map_err(|failure| self.masked(failure, intercepted.as_ref(), token.as_ref())),
            Err(_) if left <= per_attempt => Err(Failure::sent(self.out_of_time())),
            Err(_) => {
                Err(Failure::sent(out_of_time(format_args!("no answer within {per_attempt:?}"))))
            }
        }
    }

    /// Keeps the credential that was sent out of what is shown of a failure.
    #[cold]
    fn masked(
        &self,
        Failure { error, sent }: Failure,
        intercepted: Option<&HeaderValue>,
        token: Option<&HeaderValue>,
    ) -> Failure {
        let own = self.call.headers.get(header::AUTHORIZATION);
        let always = self.shared.headers.get(header::AUTHORIZATION);
        Failure {
            error: error.with_credential(intercepted.or(own).or(token).or(always).cloned()),
            sent,
        }
    }

    /// Returns where tokens come from, unless the call has an `Authorization` of its own.
    fn tokens(&self) -> Option<&TokenCache> {
        self.shared
            .tokens
            .as_ref()
            .filter(|_| !self.call.headers.contains_key(header::AUTHORIZATION))
    }

    /// Returns the value of the `Authorization` header, if the call is to carry one.
    async fn token(&self) -> Result<Option<HeaderValue>, Error> {
        let Some(tokens) = self.tokens() else {
            return Ok(None);
        };
        if let Some(token) = tokens.good() {
            return Ok(Some(token));
        }
        let clock = &*self.shared.clock;
        let mut token = Box::pin(tokens.header(&*self.shared.transport));
        match within(clock, self.deadline.left(clock), token.as_mut()).await {
            Ok(Ok(token)) => Ok(Some(token)),
            Ok(Err(error)) => Err(Error::new(ErrorKind::Auth)
                .with_message(error.to_string())
                .with_transient(error.is_transient())
                .with_source(error)),
            Err(_) => Err(self.out_of_time()),
        }
    }

    /// Returns a token in place of one that the server refused, or `None` where there is no other.
    async fn refresh(&self, refused: Option<&HeaderValue>) -> Result<Option<HeaderValue>, Error> {
        let (Some(tokens), Some(refused)) = (self.tokens(), refused) else {
            return Ok(None);
        };
        trace::refreshes(self.call.operation);
        tokens.refuse(refused);
        Ok(self.token().await?.filter(|token| token != refused))
    }

    /// Sends the request and receives the response, following redirects that stay within the
    /// origin. Where interceptors could change it, it leaves the `Authorization` that they let go
    /// out in `intercepted`.
    async fn exchange(
        &self,
        number: u32,
        token: Option<&HeaderValue>,
        intercepted: &mut Option<HeaderValue>,
    ) -> Result<RawResponse, Failure> {
        let attempt = Attempt { operation: self.call.operation, number };
        let mut next = None;
        for _ in 0..=HOPS {
            let request = self.request(next.as_ref().unwrap_or(&self.uri), token);
            let request = if self.shared.interceptors.is_empty() {
                request
            } else {
                let request = Box::pin(self.intercept(&attempt, request));
                let request = request.await.map_err(Failure::unsent)?;
                *intercepted = request.headers().get(header::AUTHORIZATION).cloned();
                request
            };
            let response = self.shared.transport.send(request).await;
            let (head, mut body) = response.map_err(Failure::from)?.into_parts();
            for interceptor in &self.shared.interceptors {
                interceptor.after(&attempt, head.status, &head.headers);
            }
            next = self.next_hop(next.as_ref().unwrap_or(&self.uri), &head);
            if next.is_none() {
                let limit = self.body_limit();
                let body = if head.status.is_success() {
                    let whole = body::whole(&head, &mut body, limit).await;
                    whole.map_err(Failure::sent)?
                } else {
                    body::beginning(&mut body, limit.min(MOST_OF_AN_ERROR)).await
                };
                return self.conclude(head, body).map_err(Failure::sent);
            }
        }
        Err(Failure::sent(
            Error::new(ErrorKind::Redirect)
                .with_message(format!("more than {HOPS} redirects, one after the other")),
        ))
    }

    fn request(&self, uri: &Uri, token: Option<&HeaderValue>) -> http::Request<Bytes> {
        let body = self.call.body.as_ref();
        let mut request =
            http::Request::new(body.map_or_else(Bytes::new, |body| body.bytes.clone()));
        *request.method_mut() = self.call.operation.method.clone();
        *request.uri_mut() = uri.clone();
        *request.headers_mut() = self.headers(token);
        request
    }

    /// Returns the headers of the request: the client's, then what describes the body, then the
    /// call's own in place of either.
    fn headers(&self, token: Option<&HeaderValue>) -> HeaderMap {
        let (own, shared) = (&self.call.headers, &self.shared.headers);
        let mut headers = HeaderMap::with_capacity(shared.len() + own.len() + 2);
        headers.extend(shared.iter().map(|(name, value)| (name.clone(), value.clone())));
        if let Some(body) = &self.call.body {
            headers.insert(header::CONTENT_TYPE, body.content_type.clone());
        }
        if let Some(token) = token {
            headers.insert(header::AUTHORIZATION, token.clone());
        }
        for (name, value) in own {
            headers.insert(name, value.clone());
        }
        headers
    }

    async fn intercept(
        &self,
        attempt: &Attempt,
        mut request: http::Request<Bytes>,
    ) -> Result<http::Request<Bytes>, Error> {
        for interceptor in &self.shared.interceptors {
            interceptor.before(attempt, &mut request).await.map_err(|error| {
                Error::request("an interceptor refused the request").with_source(error)
            })?;
        }
        if Origin::of(request.uri()).as_ref() == Some(self.shared.base_url.origin()) {
            Ok(request)
        } else {
            Err(Error::request(
                "an interceptor pointed the request at another origin than the base URL's",
            ))
        }
    }

    /// Returns where to go on after a redirect: only to the origin that the credentials are for,
    /// and only with GET and HEAD, which mean the same at the other URL.
    fn next_hop(&self, from: &Uri, head: &Parts) -> Option<Uri> {
        if !is_redirect(head.status)
            || !matches!(self.call.operation.method, Method::GET | Method::HEAD)
        {
            return None;
        }
        let next = base_url::resolve(from, head.headers.get(header::LOCATION)?.to_str().ok()?)?;
        (Origin::of(&next).as_ref() == Some(self.shared.base_url.origin())).then_some(next)
    }

    /// Returns how many bytes the body of a response may have.
    fn body_limit(&self) -> usize {
        let own = self.call.options.max_response_bytes;
        own.unwrap_or(self.shared.max_response_bytes)
    }

    /// Judges a response by its status.
    fn conclude(&self, head: Parts, body: Bytes) -> Result<RawResponse, Error> {
        let Parts { status, headers, .. } = head;
        if status.is_success() {
            let (operation, drift) = (self.call.operation, self.shared.drift.clone());
            return Ok(RawResponse { operation, status, headers, body, attempts: 0, drift });
        }
        let kind = if is_redirect(status) { ErrorKind::Redirect } else { ErrorKind::Status };
        let wait = retry_after::wait(&headers, self.shared.clock.wall());
        Err(Error::new(kind).with_response(status, headers, body).with_retry_after(wait))
    }

    /// Pauses before the next attempt, or gives the failure back where there is none.
    async fn pause(
        &self,
        policy: &RetryPolicy,
        attempts: u32,
        Failure { error, sent }: Failure,
    ) -> Result<(), Error> {
        let operation = self.call.operation;
        let failed = FailedAttempt {
            method: &operation.method,
            operation: operation.id,
            attempts,
            kind: error.kind(),
            status: error.status(),
            asked_to_wait: error.retry_after().is_some(),
            transient: error.is_retryable(),
            sent,
        };
        if !policy.repeats(&failed) {
            return Err(error);
        }
        let clock = &*self.shared.clock;
        let Some(pause) = policy.backoff().pause(attempts, error.retry_after(), clock.random())
        else {
            return Err(error);
        };
        // A pause that uses up the time would only delay the same answer.
        if pause >= self.deadline.left(clock) || !self.shared.budget.withdraw() {
            return Err(error);
        }
        trace::repeats(operation, attempts, pause, &error);
        clock.sleep(pause).await;
        Ok(())
    }

    fn out_of_time(&self) -> Error {
        out_of_time(format_args!(
            "the call did not end within {:?} in total",
            self.deadline.allowed()
        ))
    }
}

/// Says which parameter is at fault where the URL is too long.
#[cold]
fn too_long(call: &CallParts, excess: usize) -> Error {
    let parameters = call.path.longest().into_iter().chain(call.query.longest());
    let longest = parameters.max_by_key(|(_, length)| *length);
    let (name, length) = longest.unwrap_or_default();
    Error::request(format!(
        "the URL is too long, by {excess} bytes; \
         its longest parameter is `{name}`, with {length} bytes"
    ))
}

fn out_of_time(message: fmt::Arguments<'_>) -> Error {
    Error::new(ErrorKind::Timeout).with_message(message.to_string())
}

/// Returns whether a status sends the client elsewhere (RFC 9110, section 15.4).
fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}
