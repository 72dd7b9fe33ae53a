//! The times that servers set: each is bounded wherever it is obeyed.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use openapi_bindings_runtime::internal::{self, Json};
use openapi_bindings_runtime::{BoxFuture, Client, ClientBuilder, Clock, Value, jiff};

use crate::support::FirstScheme as _;
use crate::support::api::get;
use crate::support::clock::{TIMER, TestClock};
use crate::support::server::{Act, Server, bytes, json, response};
use crate::support::{client, timed};

const NUMBERS: [&str; 9] = [
    "0",
    "-1",
    "0.1",
    "1e9",
    "1e308",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "99999999999999999999999999",
];

/// Completes all pauses at once, also those that are longer than its timers.
#[derive(Clone)]
struct Eager(TestClock, Arc<Mutex<Vec<Duration>>>);

impl Clock for Eager {
    fn now(&self) -> Instant {
        self.0.now()
    }

    fn wall(&self) -> jiff::Timestamp {
        self.0.wall()
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<'static, ()> {
        if (TIMER..=TIMER * 10).contains(&duration) {
            return self.0.sleep(duration);
        }
        let clock = self.clone();
        Box::pin(async move {
            clock.1.lock().unwrap().push(duration);
            clock.0.pass(duration);
        })
    }

    fn random(&self) -> f64 {
        self.0.random()
    }
}

/// A call against a server, after which its clock has the pauses.
type Door = fn(ClientBuilder<Client>) -> BoxFuture<'static, ()>;

/// Returns the answer to the request of this number and target.
type Script = fn(usize, &str, &str) -> Act;

fn refusal(number: usize, wait: &str) -> Act {
    match number {
        0 => response(503, &[("retry-after", wait)], "{}"),
        _ => json(200, "{}"),
    }
}

fn events(number: usize, fields: &str) -> Act {
    match number {
        0 | 1 => {
            let body = format!("{fields}data: 1\n\n");
            Act::Close(bytes(200, &[("content-type", "text/event-stream")], &body))
        }
        _ => response(204, &[], ""),
    }
}

fn call(builder: ClientBuilder<Client>) -> BoxFuture<'static, ()> {
    let client = builder.build().unwrap();
    Box::pin(async move { drop(get(&client, "7").await) })
}

fn with_token(builder: ClientBuilder<Client>) -> BoxFuture<'static, ()> {
    let client = builder.client_credentials("/token", "me", "cl1ent-s3cr3t").build().unwrap();
    Box::pin(async move {
        for _ in 0..2 {
            let _ = get(&client, "7").await;
        }
    })
}

fn stream(builder: ClientBuilder<Client>) -> BoxFuture<'static, ()> {
    let request = get(&builder.build().unwrap(), "7");
    let mut events =
        internal::events::<Value, Json>(request, (&[200], "text/event-stream")).reconnect();
    Box::pin(async move { while events.try_next().await.unwrap().is_some() {} })
}

fn poll(builder: ClientBuilder<Client>) -> BoxFuture<'static, ()> {
    let client = builder.build().unwrap();
    Box::pin(async move {
        let mut polling = get(&client, "7").poll().deadline(TIMER);
        polling.next_reply().await.unwrap();
        polling.next_reply().await.unwrap();
    })
}

#[cfg(feature = "login")]
fn device(builder: ClientBuilder<Client>) -> BoxFuture<'static, ()> {
    use openapi_bindings_runtime::Provider;

    let provider = Provider::new().token_url("/token").device_url("/device");
    let login = builder.build().unwrap().login(provider, "app");
    Box::pin(async move {
        if let Ok(device) = login.device().await {
            let _ = device.wait().await;
        }
    })
}

#[cfg(feature = "login")]
fn device_script(number: usize, lifetime: &str, interval: &str) -> Act {
    match number {
        0 => json(
            200,
            &format!(
                r#"{{"device_code":"d","user_code":"u","verification_uri":"https://login.example",
                    "expires_in":{lifetime},"interval":{interval}}}"#
            ),
        ),
        1 => json(400, r#"{"error":"authorization_pending"}"#),
        _ => json(200, r#"{"access_token":"t","expires_in":3600}"#),
    }
}

/// The doors: their name, the longest pause in seconds, the server, and the call.
const DOORS: &[(&str, u64, Script, Door)] = &[
    ("Retry-After of a call", 61, |number, _, it| refusal(number, it), call),
    ("Retry-After of a poll", 3601, |_, _, it| response(200, &[("retry-after", it)], "{}"), poll),
    ("retry of events", 61, |number, _, it| events(number, &format!("retry: {it}\n")), stream),
    (
        "Retry-After of events",
        3601,
        |number, _, it| if number == 1 { refusal(0, it) } else { events(number, "") },
        stream,
    ),
    (
        "Retry-After of tokens",
        61,
        |number, target, it| match target {
            "/token" if number == 0 => refusal(0, it),
            "/token" => json(200, r#"{"access_token":"t","expires_in":3600}"#),
            _ => json(200, "{}"),
        },
        with_token,
    ),
    (
        "expires_in of tokens",
        0,
        |number, target, it| match target {
            "/token" => {
                let it = if it.starts_with('9') { format!("\"{it}\"") } else { it.to_owned() };
                json(200, &format!(r#"{{"access_token":"t{number}","expires_in":{it}}}"#))
            }
            _ => json(200, "{}"),
        },
        with_token,
    ),
    #[cfg(feature = "login")]
    ("interval of devices", 5, |number, _, it| device_script(number, "1800", it), device),
    #[cfg(feature = "login")]
    ("expires_in of devices", 5, |number, _, it| device_script(number, it, "5"), device),
    #[cfg(feature = "login")]
    (
        "Retry-After of devices",
        61,
        |number, _, it| {
            if number == 1 { refusal(0, it) } else { device_script(number, "1800", "5") }
        },
        device,
    ),
];

#[tokio::test]
async fn no_server_sets_a_time_without_a_bound() {
    for &(name, longest, script, door) in DOORS {
        for number in NUMBERS {
            let server = Server::new(move |count, seen| script(count, &seen.target, number));
            let clock = Eager(TestClock::new(), Arc::default());
            let builder = timed(client(server.url()), &clock.0).clock(clock.clone());
            let done = tokio::time::timeout(TIMER, door(builder)).await;
            done.unwrap_or_else(|_| panic!("{name}: {number} has no end"));
            let pauses = clock.1.lock().unwrap().clone();
            assert!(!server.seen().is_empty(), "{name}: {number}");
            let bound = Duration::from_secs(longest);
            assert!(pauses.iter().all(|pause| *pause <= bound), "{name}: {number}: {pauses:?}");
        }
    }
}
