//! Refreshes of the token: one at a time, and all waiting calls end.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use openapi_bindings_runtime::{
    AssertionClaims, AssertionSigner, Backoff, Body, BoxError, BoxFuture, Client, ClientBuilder,
    ClientCredentials, ErrorKind, JwtBearer, RequestBody, RetryBudget, RetryPolicy, SecretSource,
    SecretString, Token, TokenContext, TokenError, TokenSource, Transport, TransportError, http,
};
use tokio::runtime::Builder;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time;

use super::bearer;
use crate::support::FirstScheme as _;
use crate::support::api::get;
use crate::support::clock::{TIMER, TestClock};
use crate::support::{client, timed};

/// A source that waits for a permit before it answers, so that a test decides when.
#[derive(Clone)]
struct Gate(Arc<GateState>);

struct GateState {
    permits: Semaphore,
    asked: AtomicUsize,
    answer: Box<dyn Fn(usize) -> Result<Token, TokenError> + Send + Sync>,
}

impl Gate {
    fn new(answer: impl Fn(usize) -> Result<Token, TokenError> + Send + Sync + 'static) -> Self {
        Self(Arc::new(GateState {
            permits: Semaphore::new(0),
            asked: AtomicUsize::new(0),
            answer: Box::new(answer),
        }))
    }

    fn open(&self, times: usize) {
        self.0.permits.add_permits(times);
    }

    fn asked(&self) -> usize {
        self.0.asked.load(Ordering::Relaxed)
    }

    fn client(&self, clock: &TestClock) -> Client {
        timed(self.builder(), clock).build().unwrap()
    }

    fn builder(&self) -> ClientBuilder<Client> {
        client("https://pets.example")
            .transport(Accepting)
            .token_source(self.clone())
            .retry(RetryPolicy::never())
    }
}

impl TokenSource for Gate {
    fn token<'a>(&'a self, _: TokenContext<'a>) -> BoxFuture<'a, Result<Token, TokenError>> {
        let number = self.0.asked.fetch_add(1, Ordering::Relaxed);
        Box::pin(async move {
            self.0.permits.acquire().await.unwrap().forget();
            (self.0.answer)(number)
        })
    }
}

/// A transport that responds with the token of the request.
struct Accepting;

impl Transport for Accepting {
    fn send(
        &self,
        request: http::Request<RequestBody>,
    ) -> BoxFuture<'_, Result<http::Response<Body>, TransportError>> {
        let token = bearer(&request);
        Box::pin(async move {
            tokio::task::yield_now().await;
            Ok(http::Response::new(Body::from(format!(r#"{{"token":"{token}"}}"#))))
        })
    }
}

type Calls = JoinSet<Result<String, openapi_bindings_runtime::Error>>;

/// Begins calls that all wait for a token, and returns when they do.
async fn waiting(client: &Client, count: usize) -> Calls {
    let mut calls = Calls::new();
    for _ in 0..count {
        let client = client.clone();
        calls.spawn(async move {
            get(&client, "7").await.map(|reply| reply["token"].as_str().unwrap().to_owned())
        });
    }
    // On this runtime's one thread, yielding lets calls run until they wait: a call needs three turns at most.
    for _ in 0..3 * count {
        tokio::task::yield_now().await;
    }
    calls
}

/// Awaits a future that must end. The limit only makes a hanging test fail.
async fn ends<T>(future: impl Future<Output = T>) -> T {
    time::timeout(Duration::from_secs(60), future)
        .await
        .unwrap_or_else(|_| panic!("a call does not end"))
}

#[tokio::test]
async fn calls_that_wait_share_one_refresh() {
    for lifetime in [Duration::ZERO, Duration::from_secs(600)] {
        let gate =
            Gate::new(move |number| Ok(Token::new(format!("t{number}")).expires_in(lifetime)));
        let client = gate.client(&TestClock::new());
        let mut first = waiting(&client, 1).await;
        let others = waiting(&client, 300).await;
        assert_eq!(gate.asked(), 1);
        // The call that began the refresh leaves it to the others.
        first.shutdown().await;
        gate.open(1);
        let tokens = ends(others.join_all()).await;
        assert_eq!(tokens.len(), 300);
        assert!(tokens.into_iter().all(|token| token.unwrap() == "t0"));
        assert_eq!(gate.asked(), 1);
    }
}

#[tokio::test]
async fn a_failure_is_shared_but_not_cached() {
    let gate = Gate::new(|number| match number {
        0 => Err(TokenError::new("no")),
        _ => Ok(Token::new("good")),
    });
    let client = gate.client(&TestClock::new());
    let calls = waiting(&client, 300).await;
    gate.open(1);
    for outcome in ends(calls.join_all()).await {
        assert_eq!(outcome.unwrap_err().kind(), ErrorKind::Auth);
    }
    assert_eq!(gate.asked(), 1);
    gate.open(1);
    ends(get(&client, "7").send()).await.unwrap();
    assert_eq!(gate.asked(), 2);
}

/// The calls of a failed refresh share the next one, too: they are one retry, whose budget is that of their client.
#[tokio::test]
async fn calls_that_share_a_failed_refresh_take_one_retry() {
    let failure = TokenError::transient("not now");
    let gate = Gate::new(move |number| match number {
        0 | 2 | 3 => Err(failure.clone()),
        _ => Ok(Token::new(format!("t{number}")).expires_in(Duration::from_secs(60))),
    });
    let budget = RetryBudget::new(2, 1_000);
    let clock = TestClock::new();
    let at_once = Backoff::new(Duration::ZERO, Duration::ZERO);
    let policy = RetryPolicy::standard().with_backoff(at_once);
    let builder = gate.builder().retry(policy).retry_budget(budget.clone());
    let client = timed(builder, &clock).build().unwrap();
    for (left, token) in [(1, "t1"), (0, "")] {
        let calls = waiting(&client, 300).await;
        gate.open(2);
        for outcome in ends(calls.join_all()).await {
            match outcome {
                Ok(found) => assert_eq!(found, token),
                Err(error) => {
                    let text = error.to_string();
                    assert!(token.is_empty() && text.contains("the retry budget"), "{text}");
                }
            }
        }
        assert_eq!(budget.retries_left(), left);
        clock.pass(Duration::from_secs(60));
    }
    assert_eq!(gate.asked(), 4);
}

#[tokio::test]
async fn calls_time_out_if_a_token_source_never_ends() {
    let gate = Gate::new(|_| Ok(Token::new("never")));
    let clock = TestClock::new();
    let client = gate.client(&clock);
    let calls = waiting(&client, 300).await;
    // Every call has a timer, and so has the refresh.
    for _ in 0..301 {
        clock.ring();
    }
    for outcome in ends(calls.join_all()).await {
        let error = outcome.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Auth, "{error}");
    }
}

/// A gate whose client has used the token `t0`, which is due for a refresh but valid for a minute.
async fn ageing(
    answer: impl Fn(usize) -> Result<Token, TokenError> + Send + Sync + 'static,
) -> (Gate, TestClock, Client) {
    let gate = Gate::new(answer);
    let clock = TestClock::new();
    let client = gate.client(&clock);
    gate.open(1);
    assert_eq!(token(&client).await, "t0");
    clock.pass(Duration::from_secs(539));
    assert_eq!(token(&client).await, "t0");
    assert_eq!(gate.asked(), 1);
    clock.pass(Duration::from_secs(1));
    (gate, clock, client)
}

/// Makes a call and returns the token that it was sent with.
async fn token(client: &Client) -> String {
    ends(waiting(client, 1).await.join_next()).await.unwrap().unwrap().unwrap()
}

fn ten_minutes(number: usize) -> Token {
    Token::new(format!("t{number}")).expires_in(Duration::from_secs(600))
}

#[tokio::test]
async fn a_valid_token_is_used_during_its_refresh() {
    let (gate, clock, client) = ageing(|number| Ok(ten_minutes(number))).await;
    // The source does not respond, and no call waits for it.
    for _ in 0..50 {
        assert_eq!(token(&client).await, "t0");
    }
    assert_eq!(gate.asked(), 2, "the calls drive one refresh");
    // Its token counts from when it was requested.
    gate.open(1);
    clock.pass(Duration::from_secs(10));
    assert_eq!(token(&client).await, "t0");
    assert_eq!(token(&client).await, "t1");
    clock.pass(Duration::from_secs(529));
    assert_eq!(token(&client).await, "t1");
    assert_eq!(gate.asked(), 2);
    clock.pass(Duration::from_secs(1));
    assert_eq!(token(&client).await, "t1");
    assert_eq!(gate.asked(), 3);
}

#[tokio::test]
async fn a_failed_refresh_of_a_valid_token_fails_no_call() {
    for (asked, pause) in [(0, 5), (20, 20)] {
        let (gate, clock, client) = ageing(move |number| match number {
            1 => Err(TokenError::transient("later").with_retry_after(Duration::from_secs(asked))),
            _ => Ok(ten_minutes(number)),
        })
        .await;
        gate.open(1);
        for passed in [0, pause - 1] {
            clock.pass(Duration::from_secs(passed));
            for _ in 0..50 {
                assert_eq!(token(&client).await, "t0");
            }
            assert_eq!(gate.asked(), 2, "no refresh for a while after a failure");
        }
        clock.pass(Duration::from_secs(1));
        gate.open(1);
        assert_eq!(token(&client).await, "t0");
        assert_eq!(gate.asked(), 3);
        assert_eq!(token(&client).await, "t2");
    }
}

#[tokio::test(start_paused = true)]
async fn a_refresh_of_a_valid_token_that_ends_late_is_a_failure() {
    let gate = Gate::new(|number| Ok(ten_minutes(number)));
    let client = gate.builder().timeout(Duration::from_secs(10)).build().unwrap();
    gate.open(1);
    assert_eq!(token(&client).await, "t0");
    // It begins, its timeout passes, and then its grace; the next one begins after the pause of a failure.
    for (passed, asked) in [(540, 2), (10, 2), (1, 2), (0, 2), (4, 2), (1, 3)] {
        time::advance(Duration::from_secs(passed)).await;
        assert_eq!(token(&client).await, "t0");
        assert_eq!(gate.asked(), asked, "after {passed} more seconds");
    }
}

#[tokio::test]
async fn a_refresh_of_dropped_calls_continues_with_the_next() {
    let (gate, clock, client) = ageing(|number| Ok(ten_minutes(number))).await;
    for _ in 0..10 {
        let mut call = Box::pin(get(&client, "7").send());
        assert!(call.as_mut().now_or_never().is_none());
    }
    assert_eq!(gate.asked(), 2);
    // Once the token has expired, those who need one wait for the same refresh.
    clock.pass(Duration::from_secs(60));
    let calls = waiting(&client, 100).await;
    gate.open(1);
    assert!(ends(calls.join_all()).await.into_iter().all(|token| token.unwrap() == "t1"));
    assert_eq!(gate.asked(), 2);
}

#[tokio::test]
async fn a_source_that_panics_fails_its_call_and_no_other() {
    let gate =
        Gate::new(|number| if number == 0 { panic!("a bug") } else { Ok(ten_minutes(number)) });
    let client = gate.client(&TestClock::new());
    let mut calls = waiting(&client, 2).await;
    gate.open(2);
    let outcomes = [ends(calls.join_next()).await.unwrap(), ends(calls.join_next()).await.unwrap()];
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_err()).count(), 1, "{outcomes:?}");
    assert_eq!(token(&client).await, "t1");
    assert_eq!(gate.asked(), 2);
}

#[tokio::test]
async fn a_refresh_that_no_call_continues_in_time_begins_again() {
    for (passed, asked) in [(TIMER / 2, 1), (TIMER, 2)] {
        let gate = Gate::new(|number| Ok(ten_minutes(number)));
        let clock = TestClock::new();
        let client = gate.client(&clock);
        waiting(&client, 1).await.shutdown().await;
        clock.pass(passed);
        let calls = waiting(&client, 1).await;
        assert_eq!(gate.asked(), asked);
        gate.open(1);
        let expected = format!("t{}", asked - 1);
        assert_eq!(ends(calls.join_all()).await.remove(0).unwrap(), expected);
    }
}

/// Its timer and its connections ended with the runtime.
#[test]
fn a_refresh_of_a_runtime_that_was_dropped_begins_again() {
    let gate = Gate::new(|number| Ok(ten_minutes(number)));
    let client = gate.builder().build().unwrap();
    let runtime = || Builder::new_current_thread().enable_all().build().unwrap();
    runtime().block_on(async { waiting(&client, 1).await.shutdown().await });
    runtime().block_on(async {
        let calls = waiting(&client, 2).await;
        assert_eq!(gate.asked(), 2);
        gate.open(1);
        assert!(ends(calls.join_all()).await.into_iter().all(|token| token.unwrap() == "t1"));
    });
}

/// A transport that does not respond, and counts the reports of timeouts.
#[derive(Clone, Default)]
struct Silent(Arc<AtomicUsize>);

impl Transport for Silent {
    fn send(
        &self,
        _: http::Request<RequestBody>,
    ) -> BoxFuture<'_, Result<http::Response<Body>, TransportError>> {
        Box::pin(pending())
    }

    fn timed_out(&self, _: Instant) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

/// A signer that never signs.
struct Unsigned;

impl AssertionSigner for Unsigned {
    fn sign<'a>(&'a self, _: AssertionClaims<'a>) -> BoxFuture<'a, Result<SecretString, BoxError>> {
        Box::pin(pending())
    }
}

/// Polls a source once, and never returns.
struct GivesUp(ClientCredentials);

impl TokenSource for GivesUp {
    fn token<'a>(&'a self, context: TokenContext<'a>) -> BoxFuture<'a, Result<Token, TokenError>> {
        assert!(self.0.token(context).now_or_never().is_none());
        Box::pin(pending())
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_program_does_not_provide_is_no_silence_of_the_server() {
    let never = || SecretSource::new(pending::<Result<_, _>>);
    let credentials = |secret: SecretSource| ClientCredentials::new("/token", "me", secret);
    for (source, reports) in [
        (Box::new(credentials("s3cr3t".into())) as Box<dyn TokenSource>, 1),
        (Box::new(credentials(never())), 0),
        (Box::new(credentials(never()).secret_in_header()), 0),
        (Box::new(credentials("s3cr3t".into()).form_field("pin", never())), 0),
        (Box::new(JwtBearer::new("/token", "me", Unsigned)), 0),
        (Box::new(Gate::new(|_| Ok(Token::new("never")))), 0),
        (Box::new(GivesUp(credentials(never()))), 0),
    ] {
        let silent = Silent::default();
        let client = client("https://pets.example")
            .transport(silent.clone())
            .token_source(source)
            .retry(RetryPolicy::never())
            .timeout(Duration::from_secs(10))
            .build()
            .unwrap();
        let error = get(&client, "7").await.unwrap_err();
        let why = if reports == 0 { ": its source sent no request through the client" } else { "" };
        let end = format!("no access token within 10s{why}");
        assert!(error.to_string().ends_with(&end), "{error}");
        assert_eq!((error.kind(), silent.0.load(Ordering::Relaxed)), (ErrorKind::Auth, reports));
        // The same at the deadline of a call.
        let error = get(&client, "7").with_total_timeout(Duration::from_secs(5)).await.unwrap_err();
        assert!(
            error.to_string().ends_with("no access token within the 5s of the call"),
            "{error}"
        );
    }
}

#[tokio::test]
async fn the_token_of_a_refresh_that_ended_unread_is_used_unless_it_has_expired() {
    for (passed, expected) in [(TIMER, "t0"), (TIMER * 6, "t1")] {
        let gate = Gate::new(|number| Ok(ten_minutes(number)));
        let clock = TestClock::new();
        let client = gate.client(&clock);
        waiting(&client, 1).await.shutdown().await;
        gate.open(2);
        clock.pass(passed);
        assert_eq!(token(&client).await, expected);
    }
}

#[tokio::test]
async fn a_call_that_is_held_without_being_polled_holds_nobody() {
    let gate = Gate::new(|number| Ok(ten_minutes(number)));
    let client = gate.client(&TestClock::new());
    let mut held: Vec<_> = (0..3).map(|_| Box::pin(get(&client, "7").send())).collect();
    // One begins the refresh, one is the first to wait for it, and one is the last.
    assert!(held[0].as_mut().now_or_never().is_none());
    assert!(held[1].as_mut().now_or_never().is_none());
    let calls = waiting(&client, 100).await;
    assert!(held[2].as_mut().now_or_never().is_none());
    gate.open(1);
    assert!(ends(calls.join_all()).await.into_iter().all(|token| token.unwrap() == "t0"));
    for call in held {
        ends(call).await.unwrap();
    }
    assert_eq!(gate.asked(), 1);
}
