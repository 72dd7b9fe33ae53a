//! One attempt: token, interceptors, transport, redirects, body.

use std::future::poll_fn;
use std::mem;
use std::pin::pin;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use bytes::{Bytes, BytesMut};
use http::response::Parts;
use http::uri::Scheme;
use http::{Extensions, HeaderMap, HeaderValue, Method, StatusCode, Uri, header};

use super::body;
use super::credential::{SentCredential, add_cookie, sets, with_keys};
use super::withheld::withheld;

use crate::auth::scheme::Place;
use crate::client::Shared;
use crate::error::{Error, ErrorKind};
use crate::request::call::CallParts;
use crate::request::payload::Payload;
use crate::retry::retry_after;
use crate::time::deadline::{Deadline, within};
use crate::transport::SendProgress;
use crate::transport::body::Body;
use crate::transport::error::TransportError;
use crate::transport::interceptor::Attempt;
use crate::upload::body::RequestBody;
use crate::url::base_url::{self, BaseUrl};
use crate::url::origin::Origin;

/// Maximum number of consecutive redirects.
const MAX_REDIRECTS: usize = 5;

/// Maximum size of the body of an error response, in bytes.
const MAX_ERROR_BODY: usize = 64 << 10;

/// A call that is ready to be sent, once per attempt.
pub(super) struct Exchange<'a> {
    pub(super) shared: &'a Shared,
    pub(super) call: &'a CallParts,
    /// The number of the call, for interceptors.
    pub(super) number: u64,
    /// The base URL, or the server that the operation has instead.
    pub(super) base_url: &'a BaseUrl,
    uri: Uri,
    pub(super) method: Method,
    /// The schemes whose credentials are sent.
    pub(super) schemes: &'static [usize],
    pub(super) deadline: Deadline,
}

/// A redirect that is followed.
struct Hop {
    uri: Uri,
    /// Whether it is, or follows, one to another origin.
    is_foreign: bool,
}

/// A successful response.
pub(super) struct Received {
    /// The URL that answered, after redirects, without API keys.
    pub(super) uri: Uri,
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
    /// The headers of the request as modified by interceptors.
    pub(super) intercepted: HeaderMap,
    /// The body, if it is read later.
    pub(super) rest: Body,
}

/// A failed attempt, and whether the server may have acted on it.
pub(super) struct Failure {
    pub(super) error: Error,
    pub(super) sent: bool,
}

/// The progress of an attempt, which outlives it if it times out.
#[derive(Default)]
struct Progress {
    stage: Stage,
    /// Whether any request of the attempt was sent.
    sending: SendProgress,
    /// The number of interceptors that have seen the request.
    begun: usize,
    /// The headers as modified by interceptors.
    intercepted: HeaderMap,
    /// The extensions of the request, such as permits, which live as long as the attempt.
    held: Extensions,
    /// An error response, with as much of its body as was read.
    rejection: Option<(Parts, BytesMut)>,
}

/// What an attempt waits for.
#[derive(Default)]
enum Stage {
    #[default]
    Body,
    Interceptor,
    /// The transport, since it has the request.
    Transport(Instant),
}

impl Failure {
    pub(super) fn sent(error: Error) -> Self {
        Self { error, sent: true }
    }

    pub(super) fn unsent(error: Error) -> Self {
        Self { error, sent: false }
    }
}

impl From<TransportError> for Failure {
    fn from(error: TransportError) -> Self {
        let TransportError { kind, lasting, source } = error;
        let sent = matches!(kind, ErrorKind::Timeout | ErrorKind::Interrupted);
        Self { error: Error::new(kind).with_transient(!lasting).with_source(source), sent }
    }
}

impl<'a> Exchange<'a> {
    pub(super) fn new(call: &'a CallParts) -> Result<Self, Error> {
        if let Some(fault) = call.fault() {
            return Err(Error::request(fault));
        }
        let shared = &*call.client.shared;
        let path = call.path.finish().map_err(Error::request)?;
        let base_url = shared.base_url_of(call.servers).map_err(Error::request)?;
        let uri = match &call.target {
            None => own_uri(call, base_url, path)?,
            Some(target) => linked_uri(target, base_url)?,
        };
        let method = call.operation.http_method();
        let method = method.ok_or_else(|| Error::request("the HTTP method is invalid"))?;
        let deadline = call.deadline.unwrap_or_else(|| call.begin_deadline());
        let schemes = shared
            .credentials
            .choose(call.security, |place| sets(call, base_url, place))
            .map_err(|missing| Error::new(ErrorKind::Auth).with_message(missing))?;
        let number = shared.settings.calls.fetch_add(1, Ordering::Relaxed) + 1;
        Ok(Self { shared, call, number, base_url, uri, method, schemes, deadline })
    }

    /// Makes one attempt with the given credentials. If there are none, obtains them and stores them there.
    pub(super) async fn attempt(
        &self,
        number: u32,
        credentials: &mut Option<Vec<SentCredential>>,
    ) -> Result<Received, Failure> {
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
        if !matches!(error.kind(), ErrorKind::Status | ErrorKind::Redirect) {
            for interceptor in self.shared.settings.interceptors.iter().take(progress.begun) {
                interceptor.failed(&attempt, &error);
            }
        }
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
        format!("the call did not complete within {:?} in total", self.deadline.allowed())
    }

    /// Sends the request and receives the response, following redirects within the origin.
    async fn exchange(
        &self,
        attempt: &Attempt,
        credentials: &[SentCredential],
        progress: &mut Progress,
    ) -> Result<Received, Failure> {
        let mut next: Option<Hop> = None;
        for _ in 0..=MAX_REDIRECTS {
            let uri = next.as_ref().map_or(&self.uri, |hop| &hop.uri);
            let is_foreign = next.as_ref().is_some_and(|hop| hop.is_foreign);
            let request = if is_foreign {
                self.foreign_request(uri)
            } else {
                self.request(uri, attempt, credentials, progress).await?
            };
            #[cfg(feature = "record")]
            let mut record = self.record(&request, next.is_some(), credentials);
            progress.stage = Stage::Transport(Instant::now());
            let response = self.shared.transport.send_observed(request, &progress.sending).await;
            #[cfg(feature = "record")]
            record.answered(&response);
            let (head, mut body) = response.map_err(Failure::from)?.into_parts();
            for interceptor in &self.shared.settings.interceptors {
                interceptor.after(attempt, head.status, &head.headers);
            }
            if let Some(hop) = self.redirect(uri, is_foreign, &head) {
                next = Some(hop);
                continue;
            }
            let limit = self.call.options.max_response_bytes;
            if head.status.is_success() {
                let mut read = Bytes::new();
                if self.call.keeps_open {
                    body = body.holding(mem::take(&mut progress.held));
                } else {
                    if !self.call.operation.has_no_content(head.status) {
                        read = body::whole(&head, &mut body, limit).await.map_err(Failure::sent)?;
                    }
                    body = Body::default();
                }
                #[cfg(feature = "record")]
                record.read((!self.call.keeps_open).then_some(&read));
                let Parts { status, headers, .. } = head;
                let uri = uri.clone();
                let intercepted = mem::take(&mut progress.intercepted);
                return Ok(Received { uri, status, headers, body: read, intercepted, rest: body });
            }
            let (head, read) = progress.rejection.insert((head, BytesMut::new()));
            let is_whole = body::beginning(&mut body, limit.min(MAX_ERROR_BODY), read).await;
            let read = mem::take(read).freeze();
            #[cfg(feature = "record")]
            if read.len() < limit.min(MAX_ERROR_BODY) {
                record.read(Some(&read));
            }
            return Err(Failure::sent(self.rejected(head.clone(), read, is_whole)));
        }
        // As a cause: messages are not redacted.
        let last = next.as_ref().map_or(&self.uri, |hop| &hop.uri).path();
        Err(Failure::sent(
            Error::new(ErrorKind::Redirect)
                .with_message(format!("more than {MAX_REDIRECTS} consecutive redirects"))
                .with_source(format!("the last is to `{last}`")),
        ))
    }

    /// Returns a request to the own server, as modified by interceptors.
    async fn request(
        &self,
        uri: &Uri,
        attempt: &Attempt,
        credentials: &[SentCredential],
        progress: &mut Progress,
    ) -> Result<http::Request<RequestBody>, Failure> {
        progress.stage = Stage::Body;
        let mut request = http::Request::new(self.body().await?);
        *request.method_mut() = self.method.clone();
        *request.uri_mut() = with_keys(uri, credentials).map_err(|error| {
            let error = Error::request("the URL with its API key is invalid").with_source(error);
            Failure::unsent(error)
        })?;
        *request.headers_mut() = self.headers(credentials);
        request.extensions_mut().insert(self.call.operation);
        if self.shared.settings.interceptors.is_empty() {
            return Ok(request);
        }
        progress.stage = Stage::Interceptor;
        progress.held.clear();
        let request = Box::pin(self.intercept(attempt, request, &mut progress.begun));
        let request = request.await.map_err(Failure::unsent)?;
        progress.intercepted.clone_from(request.headers());
        progress.held.clone_from(request.extensions());
        Ok(request)
    }

    /// Returns the body, with the lengths of its files.
    async fn body(&self) -> Result<RequestBody, Failure> {
        let Some(Payload { body, .. }) = &self.call.body else { return Ok(RequestBody::default()) };
        if body.as_bytes().is_some() {
            return Ok(body.clone());
        }
        Box::pin(body.clone().measured())
            .await
            .map_err(|error| Failure::from(TransportError::refused(error)))
    }

    /// Returns the headers of the request: the client's, then the headers of the body and the credentials, then the
    /// call's own, which replace the others.
    fn headers(&self, credentials: &[SentCredential]) -> HeaderMap {
        let own = &self.call.headers;
        let mut headers = HeaderMap::with_capacity(self.shared.headers.len() + own.len() + 2);
        for (name, value) in self.shared.headers_for(self.base_url.origin()) {
            headers.insert(name, value.clone());
        }
        if let Some(payload) = &self.call.body {
            headers.insert(header::CONTENT_TYPE, payload.media_type.clone());
        }
        for credential in credentials {
            if let Some(name) = credential.place.header() {
                headers.insert(name, credential.written.clone());
            }
        }
        let accept = self.call.accept.and_then(|accept| HeaderValue::from_str(accept).ok());
        if let Some(accept) = accept {
            headers.insert(header::ACCEPT, accept);
        }
        for (name, value) in own {
            headers.insert(name, value.clone());
        }
        let cookies = self.call.cookies.cookies();
        if let Some(cookies) = cookies.and_then(|cookies| HeaderValue::try_from(cookies).ok()) {
            add_cookie(&mut headers, &cookies);
        }
        for credential in credentials {
            if let Place::Cookie(_) = credential.place {
                add_cookie(&mut headers, &credential.written);
            }
        }
        headers
    }

    async fn intercept(
        &self,
        attempt: &Attempt,
        mut request: http::Request<RequestBody>,
        begun: &mut usize,
    ) -> Result<http::Request<RequestBody>, Error> {
        for (index, interceptor) in self.shared.settings.interceptors.iter().enumerate() {
            *begun = (index + 1).max(*begun);
            interceptor.before(attempt, &mut request).await.map_err(|error| {
                Error::request("an interceptor refused the request").with_source(error)
            })?;
        }
        if Origin::new(request.uri()).as_ref() == Some(self.base_url.origin()) {
            Ok(request)
        } else {
            Err(Error::request(
                "an interceptor sent the request to another origin than that of its server, \
                 for which it carries credentials",
            ))
        }
    }

    /// Returns a request to the target of a redirect to another origin: it has nothing that could be secret.
    fn foreign_request(&self, uri: &Uri) -> http::Request<RequestBody> {
        let mut request = http::Request::new(RequestBody::default());
        *request.method_mut() = self.method.clone();
        *request.uri_mut() = uri.clone();
        let mut headers = self.headers(&[]);
        for name in [header::ACCEPT, header::IF_RANGE, header::RANGE, header::USER_AGENT] {
            if let Some(value) = headers.remove(&name) {
                request.headers_mut().insert(name, value);
            }
        }
        request.extensions_mut().insert(self.call.operation);
        request
    }

    /// Returns the target of a redirect that is followed: only for GET and HEAD, which no redirect changes,
    /// and only within the origin of the credentials, unless the client follows redirects without them. After
    /// a request to another origin, which could name any path, none has credentials again.
    fn redirect(&self, from: &Uri, is_foreign: bool, head: &Parts) -> Option<Hop> {
        if !is_redirect(head.status) || !matches!(self.method, Method::GET | Method::HEAD) {
            return None;
        }
        let next = base_url::resolve(from, head.headers.get(header::LOCATION)?.to_str().ok()?)?;
        let origin = Origin::new(&next)?;
        let is_foreign = is_foreign || origin != *self.base_url.origin();
        let is_downgrade = from.scheme() == Some(&Scheme::HTTPS) && !origin.is_https();
        let is_followed = !is_foreign || self.shared.settings.leaves_origin && !is_downgrade;
        is_followed.then_some(Hop { uri: next, is_foreign })
    }

    /// Returns the error of a response whose status is not success.
    fn rejected(&self, head: Parts, body: Bytes, is_whole: bool) -> Error {
        let Parts { status, headers, .. } = head;
        let kind = if is_redirect(status) { ErrorKind::Redirect } else { ErrorKind::Status };
        let wait = retry_after::wait(&headers, self.shared.settings.clock.wall());
        let mut error = Error::new(kind).with_response(status, headers, body);
        error.0.retry_after = wait;
        error.0.is_whole = is_whole;
        error
    }
}

/// Returns the URL of a path and the query of a call.
fn own_uri(call: &CallParts, base_url: &BaseUrl, path: &str) -> Result<Uri, Error> {
    let prefix = base_url.prefix();
    let mut target = String::with_capacity(prefix.len() + path.len() + call.query.len());
    target.push_str(prefix);
    target.push_str(path);
    call.query.push_to(&mut target);
    if let Some(excess) = base_url.excess(&target) {
        return Err(too_long(call, excess));
    }
    base_url
        .with_path_and_query(target)
        .map_err(|error| Error::request("the URL of the request is invalid").with_source(error))
}

/// Returns the URL of a link to the next page, to which the credentials are sent: it must have the origin of the server.
fn linked_uri(target: &str, base_url: &BaseUrl) -> Result<Uri, Error> {
    let refused = |why: String| Err(Error::new(ErrorKind::Paging).with_message(why));
    let Some(uri) = base_url.resolve(target) else {
        return refused("the link to the next page is not a URL".to_owned());
    };
    // The rest of the URL can contain secrets.
    if Origin::new(&uri).as_ref() == Some(base_url.origin()) && !has_credentials(&uri) {
        return Ok(uri);
    }
    refused(format!(
        "the link to the next page leads to another origin, the host `{}`, to which the credentials of this server \
         are not sent",
        uri.host().unwrap_or_default()
    ))
}

/// Returns whether a URL has a user name or a password.
fn has_credentials(uri: &Uri) -> bool {
    uri.authority().is_some_and(|authority| authority.as_str().contains('@'))
}

/// Returns the error of a URL that is too long, which names the longest parameter.
#[cold]
fn too_long(call: &CallParts, excess: usize) -> Error {
    let parameters = call.path.longest().into_iter().chain(call.query.longest());
    let longest = parameters.max_by_key(|(_, length)| *length);
    let (name, length) = longest.unwrap_or_default();
    Error::request(format!(
        "the URL is too long by {excess} bytes; \
         its longest parameter is `{name}` with {length} bytes"
    ))
}

/// Returns whether a status is a redirect (RFC 9110, section 15.4).
fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}
