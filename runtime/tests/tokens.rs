//! Access tokens: where they are asked for, how long they are kept, and that one is asked for at a time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use access_governance_runtime::{
    AssertionClaims, AssertionSigner, Body, BoxError, BoxFuture, Bytes, Client, ClientBuilder, ClientCredentials, ErrorKind,
    RetryPolicy, SecretString, Token, TokenContext, TokenError, TokenSource, Transport, TransportError, http,
};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::support::api::{SERVICE, get};
use crate::support::client;
use crate::support::clock::{TIMER, TestClock};
use crate::support::server::{Seen, Server, json, response};

mod model;

/// Returns a server that gives tokens with this `expires_in`, and how many it gave.
fn issuer(expires_in: &'static str) -> (Server, impl Fn() -> usize) {
    let server = Server::new(move |number, seen| match seen.target.as_str() {
        "/token" => json(200, &format!(r#"{{"access_token":"t{number}","token_type":"Bearer"{expires_in}}}"#)),
        _ => json(200, "{}"),
    });
    let counted = server.clone();
    (server, move || counted.seen().iter().filter(|seen| seen.target == "/token").count())
}

fn with_credentials(server: &Server, clock: &TestClock) -> Client {
    let builder = client(server.url()).client_credentials("/token", "me", "x y&z").clock(clock.clone());
    builder.timeout(TIMER).total_timeout(TIMER * 10).build().unwrap()
}

#[tokio::test]
async fn credentials_go_into_the_body() {
    let (server, _) = issuer("");
    get(&with_credentials(&server, &TestClock::new()), "7").await.unwrap();
    let seen = server.seen();
    let [asked, called] = &seen[..] else { panic!("{seen:?}") };
    assert_eq!((asked.method.as_str(), asked.target.as_str()), ("POST", "/token"));
    assert_eq!(asked.headers["content-type"], "application/x-www-form-urlencoded");
    assert_eq!(asked.body, "grant_type=client_credentials&client_id=me&client_secret=x%20y%26z");
    assert!(!asked.headers.contains_key("authorization"));
    assert_eq!(called.headers["authorization"], "Bearer t0");
}

#[tokio::test]
async fn scopes_further_fields_and_assertions() {
    struct Signer;
    impl AssertionSigner for Signer {
        fn sign<'a>(&'a self, claims: AssertionClaims<'a>) -> BoxFuture<'a, Result<SecretString, BoxError>> {
            let lasts = claims.expires_at.duration_since(claims.issued_at).as_secs();
            Box::pin(async move { Ok(format!("{}.{}.{lasts}", claims.client_id, claims.audience).into()) })
        }
    }
    let (server, _) = issuer("");
    let credentials = ClientCredentials::with_assertion("auth/token", "me", Signer).scope("a b").form_field("audience", "x");
    let client = client(server.url() + "/tenant").token_source(credentials).build().unwrap();
    let error = get(&client, "7").await.unwrap_err();
    assert!(error.to_string().contains("no `access_token`"), "{error}");
    let asked = server.only();
    assert_eq!(asked.target, "/tenant/auth/token");
    let audience = format!("{}/tenant/auth/token", server.url()).replace(':', "%3A").replace('/', "%2F");
    assert_eq!(
        asked.body,
        format!(
            "grant_type=client_credentials&client_id=me\
             &client_assertion_type=urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer\
             &client_assertion=me.{audience}.300&scope=a%20b&audience=x"
        )
    );
}

#[tokio::test]
async fn tokens_are_kept_as_long_as_they_last() {
    for (expires_in, kept) in [
        ("", [1, 1, 1]),
        (r#","expires_in":null"#, [1, 1, 1]),
        (r#","expires_in":"soon""#, [1, 1, 1]),
        (r#","expires_in":18446744073709551615"#, [1, 1, 1]),
        (r#","expires_in":0"#, [1, 2, 3]),
        (r#","expires_in":-60"#, [1, 2, 3]),
        (r#","expires_in":100"#, [1, 1, 2]),
        (r#","expires_in":"100""#, [1, 1, 2]),
        (r#","expires_in":99.5"#, [1, 1, 2]),
    ] {
        let (server, tokens) = issuer(expires_in);
        let clock = TestClock::new();
        let client = with_credentials(&server, &clock);
        let mut asked = Vec::new();
        for passing in [0, 50, 40] {
            clock.pass(Duration::from_secs(passing));
            get(&client, "7").await.unwrap();
            asked.push(tokens());
        }
        assert_eq!(asked, kept, "{expires_in}");
    }
}

#[tokio::test]
async fn clocks_may_jump() {
    let (server, tokens) = issuer(r#","expires_in":3600"#);
    let clock = TestClock::new();
    let client = with_credentials(&server, &clock);
    get(&client, "7").await.unwrap();
    for (wall, asked) in [("2020-01-01T00:00:00Z", 1), ("2030-01-01T00:00:00Z", 2), ("2025-01-01T00:00:00Z", 2)] {
        clock.set_wall(wall.parse().unwrap());
        get(&client, "7").await.unwrap();
        get(&client, "7").await.unwrap();
        assert_eq!(tokens(), asked, "{wall}");
    }
    clock.pass(Duration::from_secs(3600));
    clock.set_wall("2025-01-01T00:00:00Z".parse().unwrap());
    get(&client, "7").await.unwrap();
    assert_eq!(tokens(), 3, "the monotonic clock counts even if the time of day stands still");
}

#[tokio::test]
async fn token_endpoints_are_not_followed_elsewhere() {
    let elsewhere = Server::json(r#"{"access_token":"t"}"#);
    let target = elsewhere.url();
    let server = Server::new(move |_, _| response(307, &[("location", &target)], ""));
    let error = get(&with_credentials(&server, &TestClock::new()), "7").await.unwrap_err();
    assert!(error.is_auth());
    assert!(error.to_string().contains("HTTP 307"), "{error}");
    assert!(elsewhere.seen().is_empty());
}

#[tokio::test]
async fn refused_tokens_are_replaced_once_for_all() {
    let server = Server::new(|_, seen: &Seen| match (seen.target.as_str(), seen.headers.get("authorization").map(String::as_str)) {
        ("/token", _) => json(200, r#"{"access_token":"new","expires_in":3600}"#),
        (_, Some("Bearer new")) => json(200, "{}"),
        _ => json(401, "{}"),
    });
    let first = Mutex::new(Some(Token::new("old")));
    struct OldThenNew(Mutex<Option<Token>>, ClientCredentials);
    impl TokenSource for OldThenNew {
        fn token<'a>(&'a self, context: TokenContext<'a>) -> BoxFuture<'a, Result<Token, TokenError>> {
            match self.0.lock().unwrap().take() {
                Some(token) => Box::pin(async { Ok(token) }),
                None => self.1.token(context),
            }
        }
        fn prepare(&mut self, setup: access_governance_runtime::TokenSetup<'_>) -> Result<(), BoxError> {
            self.1.prepare(setup)
        }
    }
    let source = OldThenNew(first, ClientCredentials::new("/token", "me", "x"));
    let client = client(server.url()).token_source(source).build().unwrap();
    let mut calls = JoinSet::new();
    for _ in 0..50 {
        let client = client.clone();
        calls.spawn(async move { get(&client, "7").await.map(drop) });
    }
    while let Some(call) = calls.join_next().await {
        call.unwrap().unwrap();
    }
    assert_eq!(server.seen().iter().filter(|seen| seen.target == "/token").count(), 1);
}

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
        Self(Arc::new(GateState { permits: Semaphore::new(0), asked: AtomicUsize::new(0), answer: Box::new(answer) }))
    }

    fn open(&self, times: usize) {
        self.0.permits.add_permits(times);
    }

    fn asked(&self) -> usize {
        self.0.asked.load(Ordering::Relaxed)
    }

    fn client(&self, clock: &TestClock) -> Client {
        let builder = ClientBuilder::new(&SERVICE, "https://pets.example").transport(Accepting).token_source(self.clone());
        builder.clock(clock.clone()).timeout(TIMER).total_timeout(TIMER * 10).retry(RetryPolicy::never()).build().unwrap()
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

/// A transport that answers with the token that it was given.
struct Accepting;

impl Transport for Accepting {
    fn send(&self, request: http::Request<Bytes>) -> BoxFuture<'_, Result<http::Response<Body>, TransportError>> {
        let token = request.headers()["authorization"].to_str().unwrap().replace("Bearer ", "");
        Box::pin(async move { Ok(http::Response::new(Body::from(format!(r#"{{"token":"{token}"}}"#)))) })
    }
}

type Calls = JoinSet<Result<String, access_governance_runtime::Error>>;

/// Begins calls that all wait for a token, and returns when they do.
async fn waiting(client: &Client, count: usize) -> Calls {
    let mut calls = Calls::new();
    for _ in 0..count {
        let client = client.clone();
        calls.spawn(async move { get(&client, "7").await.map(|reply| reply["token"].as_str().unwrap().to_owned()) });
    }
    // On this runtime's one thread, yielding lets every call run until it waits.
    for _ in 0..3 {
        tokio::task::yield_now().await;
    }
    calls
}

#[tokio::test]
async fn one_refresh_however_many_wait() {
    let gate = Gate::new(|number| Ok(Token::new(format!("t{number}"))));
    let client = gate.client(&TestClock::new());
    let calls = waiting(&client, 300).await;
    assert_eq!(gate.asked(), 1);
    gate.open(1);
    let tokens = calls.join_all().await;
    assert_eq!(tokens.len(), 300);
    assert!(tokens.into_iter().all(|token| token.unwrap() == "t0"));
    assert_eq!(gate.asked(), 1);
}

#[tokio::test]
async fn a_token_that_lasts_no_time_serves_all_who_waited() {
    let gate = Gate::new(|number| Ok(Token::new(format!("t{number}")).expires_in(Duration::ZERO)));
    let client = gate.client(&TestClock::new());
    let calls = waiting(&client, 300).await;
    gate.open(1);
    assert!(calls.join_all().await.into_iter().all(|token| token.unwrap() == "t0"));
    assert_eq!(gate.asked(), 1);
}

#[tokio::test]
async fn a_failure_is_shared_but_not_kept() {
    let gate = Gate::new(|number| if number == 0 { Err(TokenError::new("no")) } else { Ok(Token::new("good")) });
    let client = gate.client(&TestClock::new());
    let calls = waiting(&client, 300).await;
    gate.open(1);
    for outcome in calls.join_all().await {
        assert_eq!(outcome.unwrap_err().kind(), ErrorKind::Auth);
    }
    assert_eq!(gate.asked(), 1);
    gate.open(1);
    get(&client, "7").await.unwrap();
    assert_eq!(gate.asked(), 2);
}

#[tokio::test]
async fn a_caller_who_gives_up_hands_the_refresh_on() {
    let gate = Gate::new(|number| Ok(Token::new(format!("t{number}"))));
    let client = gate.client(&TestClock::new());
    let mut first = waiting(&client, 1).await;
    let others = waiting(&client, 300).await;
    assert_eq!(gate.asked(), 1);
    first.shutdown().await;
    gate.open(1);
    assert!(others.join_all().await.into_iter().all(|token| token.unwrap() == "t1"));
    assert_eq!(gate.asked(), 2);
}

#[tokio::test]
async fn a_source_that_never_answers_keeps_nobody() {
    let gate = Gate::new(|_| Ok(Token::new("never")));
    let clock = TestClock::new();
    let client = gate.client(&clock);
    let calls = waiting(&client, 300).await;
    // Every caller has a timer for its total time; the refresh has one too. Whichever rings, everybody comes to an end.
    for _ in 0..301 {
        clock.ring();
    }
    for outcome in calls.join_all().await {
        let error = outcome.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Auth | ErrorKind::Timeout), "{error}");
    }
}

#[tokio::test]
async fn tokens_are_refreshed_ahead_of_expiry_while_others_go_on() {
    let gate = Gate::new(|number| match number {
        1 => Err(TokenError::transient("later")),
        _ => Ok(Token::new(format!("t{number}")).expires_in(Duration::from_secs(600))),
    });
    let clock = TestClock::new();
    let client = gate.client(&clock);
    gate.open(1);
    get(&client, "7").await.unwrap();
    clock.pass(Duration::from_secs(539));
    get(&client, "7").await.unwrap();
    assert_eq!(gate.asked(), 1);

    clock.pass(Duration::from_secs(1));
    let mut refreshing = waiting(&client, 1).await;
    assert_eq!(gate.asked(), 2);
    assert!(waiting(&client, 50).await.join_all().await.into_iter().all(|token| token.unwrap() == "t0"));
    gate.open(1);
    assert_eq!(refreshing.join_next().await.unwrap().unwrap().unwrap(), "t0", "the old token is still good");
    get(&client, "7").await.unwrap();
    assert_eq!(gate.asked(), 2, "the source is left alone for a while");

    clock.pass(Duration::from_secs(5));
    gate.open(1);
    assert_eq!(waiting(&client, 1).await.join_all().await.remove(0).unwrap(), "t2");
    assert_eq!(gate.asked(), 3);
}
