//! The fake transport.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::failure::refuse;
use super::recorded::{self, RecordedRequest};
use super::reply::Reply;
use crate::error::operation::Operation;
use crate::reply::format::ReplyFormat;
use crate::reply::raw::RawReply;
use crate::secrets::debug::shown;
use crate::send::request::Request;
use crate::transport::error::TransportError;
use crate::transport::{ResponseFuture, Transport};
use crate::wire::Value;
use crate::wire::upload::body::RequestBody;

/// A transport for tests, which answers each operation with the replies that it was given.
///
/// Everything else is as in production: credentials, retries, timeouts, paging, decoding. Each attempt takes one reply,
/// in the order in which they were given. A call without a reply fails, and the error names the operation. Requests for
/// access tokens are answered with `fake-1`, `fake-2` and so on, so that a reply with status 401 causes a request for
/// the next token. [`respond_token`](Self::respond_token) adds other replies to them.
///
/// Clones share their replies and requests, so that a test can pass one to the client:
///
/// ```no_run
/// # use openapi_bindings_runtime::internal::{Call, Request};
/// # async fn test<GetTask: Request>(client: openapi_bindings_runtime::ClientBuilder<openapi_bindings_runtime::Client>) {
/// use openapi_bindings_runtime::testing::{FakeTransport, Reply};
///
/// let fake = FakeTransport::new();
/// fake.respond::<GetTask>(Reply::status(503));
/// fake.reply_json::<GetTask>(serde_json::json!({"task": {"id": "task-1"}}));
/// let client = client.transport(fake.clone()).build();
/// // Calls of the code under test.
/// assert_eq!(fake.requests()[0].path["id"], "task-1");
/// fake.verify();
/// # }
/// ```
#[derive(Clone, Default)]
pub struct FakeTransport(Arc<Mutex<FakeState>>);

#[derive(Default)]
struct FakeState {
    replies: HashMap<&'static str, VecDeque<Reply>>,
    answers: HashMap<&'static str, Arc<Answer>>,
    requests: Vec<RecordedRequest>,
    unexpected: Vec<String>,
}

/// In place of the operation, in requests for access tokens.
static TOKEN: Operation = Operation { id: "access tokens", method: "POST", path: "/" };

type Answer = dyn Fn(&RecordedRequest) -> Reply + Send + Sync;

impl FakeTransport {
    /// Returns a transport without replies.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a reply for one attempt of an operation: the value that the call returns.
    ///
    /// # Panics
    ///
    /// Panics if the value deviates from the spec, as [`reply_json`](Self::reply_json) does: an enum has an unknown value,
    /// or a required one is missing. [`respond`](Self::respond) adds such a reply.
    #[expect(clippy::needless_pass_by_value, reason = "tests make the value for this call")]
    #[track_caller]
    pub fn reply<R: Request>(&self, value: R::Output) -> &Self {
        self.respond_valid::<R>(R::Format::encode(&value))
    }

    /// Adds a reply for one attempt of an operation, as JSON: `json!({ … })`.
    ///
    /// # Panics
    ///
    /// Panics if the type of the operation's result cannot be decoded from the body, or reports drift.
    #[expect(clippy::needless_pass_by_value, reason = "tests make the value for this call")]
    #[track_caller]
    pub fn reply_json<R: Request>(&self, body: Value) -> &Self {
        self.respond_valid::<R>(RawReply::json(&body))
    }

    /// Adds a reply that the spec allows.
    #[track_caller]
    fn respond_valid<R: Request>(&self, reply: Result<RawReply, String>) -> &Self {
        let id = R::OPERATION.id;
        let reply = match reply {
            Ok(reply) => Reply::declared(reply, R::DECLARED),
            Err(why) => refuse(&format!("the value cannot be a reply: {why}")),
        };
        match reply.decode::<R>() {
            Err(error) => refuse(&format!(
                "invalid reply for `{id}`: {error} (`respond(Reply::json(…))` adds it anyway)"
            )),
            Ok(_) => self.respond::<R>(reply),
        }
    }

    /// Adds any reply for one attempt of an operation: a status, a fault, any body.
    pub fn respond<R: Request>(&self, reply: Reply) -> &Self {
        self.state().replies.entry(R::OPERATION.id).or_default().push_back(reply);
        self
    }

    /// Answers all attempts of an operation for which there is no other reply.
    pub fn answer<R: Request>(
        &self,
        answer: impl Fn(&RecordedRequest) -> Reply + Send + Sync + 'static,
    ) -> &Self {
        self.state().answers.insert(R::OPERATION.id, Arc::new(answer));
        self
    }

    /// Adds any reply for one request for an access token: a status, a fault, or JSON with a token and its lifetime.
    pub fn respond_token(&self, reply: Reply) -> &Self {
        self.state().replies.entry(TOKEN.id).or_default().push_back(reply);
        self
    }

    /// Returns the requests for access tokens so far. They have no operation of the API; `form` has their parameters,
    /// such as `scope`.
    pub fn token_requests(&self) -> Vec<RecordedRequest> {
        self.received(|id| id == TOKEN.id)
    }

    /// Returns the requests so far, without those for access tokens.
    pub fn requests(&self) -> Vec<RecordedRequest> {
        self.received(|id| id != TOKEN.id)
    }

    fn received(&self, is_wanted: fn(&str) -> bool) -> Vec<RecordedRequest> {
        let state = self.state();
        state.requests.iter().filter(|it| is_wanted(it.operation.id)).cloned().collect()
    }

    /// Checks that every reply was used, and that every call had a reply.
    ///
    /// # Panics
    ///
    /// Panics if this is not so, with the names of the operations.
    #[track_caller]
    pub fn verify(&self) {
        let state = self.state();
        let unused = state
            .replies
            .iter()
            .filter(|(_, replies)| !replies.is_empty())
            .map(|(id, replies)| format!("{} unused for `{id}`", replies.len()));
        let mut faults: Vec<String> = unused.collect();
        faults.sort();
        faults.extend(state.unexpected.iter().cloned());
        drop(state);
        if !faults.is_empty() {
            refuse(&format!("replies and calls differ: {}", faults.join("; ")));
        }
    }

    fn state(&self) -> MutexGuard<'_, FakeState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, recorded: &RecordedRequest) -> Reply {
        let operation = recorded.operation;
        let mut state = self.state();
        state.requests.push(recorded.clone());
        let reply = state.replies.get_mut(operation.id).and_then(VecDeque::pop_front);
        let answer = state.answers.get(operation.id).cloned();
        if reply.is_none() && operation.id == TOKEN.id {
            let tokens = state.requests.iter().filter(|it| it.operation.id == TOKEN.id);
            return Reply::token(tokens.count());
        }
        if reply.is_none() && answer.is_none() {
            let call =
                format!("no reply for `{}`: {} {}", operation.id, operation.method, operation.path);
            state.unexpected.push(call.clone());
            return Reply::fault(TransportError::refused(call));
        }
        // The closure may use the transport.
        drop(state);
        reply.or_else(|| Some(answer?(recorded))).unwrap_or_else(|| Reply::status(500))
    }
}

impl Transport for FakeTransport {
    fn send(&self, request: http::Request<RequestBody>) -> ResponseFuture<'_> {
        Box::pin(async move {
            let (head, body) = request.into_parts();
            let content = recorded::read(body).await?;
            let operation = head.extensions.get::<&'static Operation>().copied();
            let request = RecordedRequest::new(operation.unwrap_or(&TOKEN), &head, content);
            self.take(&request).send().await
        })
    }
}

shown!(FakeTransport, |it| requests: it.requests());
