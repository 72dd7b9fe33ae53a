//! A model of the token cache: hundreds of calls, failing sources, dropped calls, jumps of the clock,
//! revoked tokens.
//!
//! A seed decides everything on one thread, so that failures are reproducible.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use fastrand::Rng;
use openapi_bindings_runtime::{
    Body, BoxFuture, ClientBuilder, Clock as _, ErrorKind, RequestBody, RetryPolicy, Token,
    TokenContext, TokenError, TokenSource, Transport, TransportError, http,
};
use tokio::task::{JoinSet, yield_now};

use super::bearer;
use crate::support::FirstScheme as _;
use crate::support::api::{SERVICE, get};
use crate::support::clock::{TIMER, TestClock};
use crate::support::timed;

/// The issuer of tokens, and the server that checks them.
#[derive(Clone)]
struct World(Arc<Mutex<Facts>>, TestClock);

struct Facts {
    random: Rng,
    /// Until when the server accepts each token.
    good_until: HashMap<String, Option<Instant>>,
    issued: usize,
    refreshing: usize,
    /// The possible outcomes of a refresh.
    outcomes: &'static [Outcome],
    accepted: usize,
    refused: usize,
}

#[derive(Clone, Copy)]
enum Outcome {
    Busy,
    Wrong,
    /// A token without a lifetime.
    Lasting,
    Seconds(u64),
}

const STORM: [Outcome; 10] = [
    Outcome::Busy,
    Outcome::Busy,
    Outcome::Wrong,
    Outcome::Seconds(0),
    Outcome::Seconds(1),
    Outcome::Seconds(30),
    Outcome::Seconds(30),
    Outcome::Lasting,
    Outcome::Seconds(3600),
    Outcome::Seconds(3600),
];
const CALM: [Outcome; 1] = [Outcome::Seconds(3600)];
const STUMBLING: [Outcome; 3] = [Outcome::Busy, Outcome::Wrong, Outcome::Seconds(3600)];

/// Counts a refresh while it lasts.
struct Refreshing(World);

impl Refreshing {
    fn begin(world: &World) -> Self {
        let mut facts = world.0.lock().unwrap();
        facts.refreshing += 1;
        assert_eq!(facts.refreshing, 1, "two refreshes at once");
        drop(facts);
        Self(world.clone())
    }
}

impl Drop for Refreshing {
    fn drop(&mut self) {
        self.0.0.lock().unwrap().refreshing -= 1;
    }
}

impl World {
    fn new(seed: u64) -> Self {
        let facts = Facts {
            random: Rng::with_seed(seed),
            good_until: HashMap::new(),
            issued: 0,
            refreshing: 0,
            outcomes: &STORM,
            accepted: 0,
            refused: 0,
        };
        Self(Arc::new(Mutex::new(facts)), TestClock::new())
    }

    fn below(&self, limit: u64) -> u64 {
        self.0.lock().unwrap().random.u64(..limit)
    }

    fn issue(&self) -> Result<Token, TokenError> {
        let now = self.1.now();
        let mut facts = self.0.lock().unwrap();
        facts.issued += 1;
        let secret = format!("t{}", facts.issued);
        let outcomes = facts.outcomes;
        let lifetime = match *facts.random.choice(outcomes).unwrap() {
            Outcome::Busy => return Err(TokenError::transient("busy")),
            Outcome::Wrong => return Err(TokenError::new("wrong")),
            Outcome::Lasting => None,
            Outcome::Seconds(seconds) => Some(Duration::from_secs(seconds)),
        };
        facts.good_until.insert(secret.clone(), lifetime.map(|lifetime| now + lifetime));
        let token = Token::new(secret);
        Ok(match lifetime {
            Some(lifetime) => token.expires_in(lifetime),
            None => token,
        })
    }

    fn check(&self, token: &str) -> u16 {
        let now = self.1.now();
        let mut facts = self.0.lock().unwrap();
        let is_good = match facts.good_until.get(token) {
            Some(Some(until)) => now <= *until,
            Some(None) => true,
            None => false,
        };
        if is_good {
            facts.accepted += 1;
        } else {
            facts.refused += 1;
        }
        if is_good { 200 } else { 401 }
    }

    /// Causes an unexpected event.
    fn disturb(&self) {
        match self.below(5) {
            0 => self.1.pass(Duration::from_secs(self.below(40))),
            1 => self.1.pass(Duration::from_secs(3600)),
            2 => {
                let jump = Duration::from_secs(self.below(10) * 86_400);
                let wall = self.1.wall();
                self.1.set_wall(if self.below(2) == 0 { wall + jump } else { wall - jump });
            }
            3 => self.0.lock().unwrap().good_until.clear(),
            _ => {}
        }
    }
}

impl TokenSource for World {
    fn token<'a>(&'a self, _: TokenContext<'a>) -> BoxFuture<'a, Result<Token, TokenError>> {
        Box::pin(async {
            let _refreshing = Refreshing::begin(self);
            for _ in 0..self.below(6) {
                yield_now().await;
            }
            self.issue()
        })
    }
}

impl Transport for World {
    fn send(
        &self,
        request: http::Request<RequestBody>,
    ) -> BoxFuture<'_, Result<http::Response<Body>, TransportError>> {
        let token = bearer(&request);
        Box::pin(async move {
            let status = self.check(&token);
            for _ in 0..self.below(3) {
                yield_now().await;
            }
            let mut response = http::Response::new(Body::from("{}"));
            *response.status_mut() = status.try_into().unwrap();
            Ok(response)
        })
    }
}

async fn run(seed: u64) -> (usize, usize) {
    let world = World::new(seed);
    let client = ClientBuilder::new(&SERVICE, "https://pets.example")
        .transport(world.clone())
        .token_source(world.clone())
        .retry(RetryPolicy::never());
    let client = timed(client, &world.1).total_timeout(TIMER * 1000).build().unwrap();
    let mut calls = JoinSet::new();
    let mut handles = Vec::new();
    for _ in 0..400 {
        let client = client.clone();
        handles.push(calls.spawn(async move { get(&client, "7").await }));
        match world.below(8) {
            0 => world.disturb(),
            1 => world.0.lock().unwrap().random.choice(&handles).unwrap().abort(),
            2 | 3 => yield_now().await,
            _ => {}
        }
    }
    while let Some(call) = calls.join_next().await {
        match call {
            Err(error) => assert!(error.is_cancelled(), "{error}"),
            Ok(Err(error)) if error.kind() == ErrorKind::Status => {
                assert_eq!(error.status().unwrap(), 401);
            }
            Ok(Err(error)) => assert_eq!(error.kind(), ErrorKind::Auth, "{error}"),
            Ok(Ok(_)) => {}
        }
    }

    // Without further failures all calls succeed, with one new token for all of them.
    let before = {
        let mut facts = world.0.lock().unwrap();
        facts.outcomes = &CALM;
        facts.good_until.clear();
        facts.issued
    };
    let mut calls = JoinSet::new();
    for _ in 0..100 {
        let client = client.clone();
        calls.spawn(async move { get(&client, "7").await });
    }
    for call in calls.join_all().await {
        call.unwrap();
    }
    {
        let mut facts = world.0.lock().unwrap();
        assert_eq!(facts.issued, before + 1, "a hundred calls, one token");
        facts.outcomes = &STUMBLING;
    }

    // While that token is valid, no call fails, regardless of the outcome of refreshes and of the calls that
    // drive them.
    world.1.pass(Duration::from_secs(3541));
    let mut calls = JoinSet::new();
    for _ in 0..58 {
        let client = client.clone();
        let call = calls.spawn(async move { get(&client, "7").await });
        match world.below(4) {
            0 => call.abort(),
            1 => world.1.pass(Duration::from_secs(1)),
            2 => yield_now().await,
            _ => {}
        }
    }
    while let Some(call) = calls.join_next().await {
        match call {
            Err(error) => assert!(error.is_cancelled(), "{error}"),
            Ok(outcome) => drop(outcome.unwrap()),
        }
    }
    let facts = world.0.lock().unwrap();
    (facts.accepted, facts.refused)
}

#[tokio::test]
async fn the_cache_agrees_with_its_model_under_random_failures() {
    let mut accepted = 0;
    let mut refused = 0;
    for seed in 0..100 {
        let counts = run(seed).await;
        accepted += counts.0;
        refused += counts.1;
    }
    // Otherwise the model would not prove anything.
    assert!(accepted > 10_000 && refused > 300, "{accepted} accepted, {refused} refused");
}
