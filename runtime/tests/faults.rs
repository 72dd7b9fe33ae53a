//! The possible faults of an exchange, each a row of the table in `faults.md`: the outcomes of a GET
//! and a POST, and the number of requests that the server received. The table is compared with the
//! outcomes here. A DELETE without a result fails in the same cases as a GET.

#[cfg(feature = "http2")]
mod http2;

use std::sync::{Arc, Mutex};

use openapi_bindings_runtime::{
    Attempt, Client, ClientBuilder, Error, ErrorKind, Interceptor, http,
};

use crate::support::FirstScheme as _;
use crate::support::api::{create, delete, get};
use crate::support::clock::{TIMER, TestClock};
#[cfg(feature = "http2")]
use crate::support::http2 as server_of_http2;
use crate::support::server::{
    Act, Bell, Seen, Server, Silence, bytes, json, response, unused_port,
};
use crate::support::{client, timed};

type Script = Box<dyn Fn(usize, &Seen) -> Act + Send + Sync>;

/// A fault: its name, and the behavior of the server.
struct Fault {
    name: &'static str,
    setup: Setup,
    /// Makes the script of one call. The bell times the attempt out.
    script: Box<dyn Fn(Bell) -> Script>,
}

#[derive(Clone, Copy, PartialEq)]
enum Setup {
    /// There is no server.
    Refused,
    Script,
    /// The client gets its tokens from the same server.
    Tokens,
    /// As `Tokens`, but the attempt times out with the head of an error response.
    Stalls,
}

/// Sends the beginning of an error response, and no more.
fn stall(status: &str) -> Act {
    let head = format!("HTTP/1.1 {status}\r\ncontent-length: 99\r\n\r\n{{\"message\":");
    Act::Stall(raw(&head), Arc::new(|_| {}))
}

/// Ends the time of the attempt when the head of an error response has arrived.
struct EndsWithHead(TestClock);

impl Interceptor for EndsWithHead {
    fn after(&self, _: &Attempt, status: http::StatusCode, _: &http::HeaderMap) {
        if !status.is_success() {
            self.0.ring();
        }
    }
}

fn raw(text: &str) -> Vec<u8> {
    text.as_bytes().to_vec()
}

fn good(_: usize) -> Act {
    json(200, "{}")
}

fn good_token(number: usize) -> Act {
    json(200, &format!(r#"{{"access_token":"t{number}","expires_in":3600}}"#))
}

fn fault(name: &'static str, script: impl Fn(Bell) -> Script + 'static) -> Fault {
    Fault { name, setup: Setup::Script, script: Box::new(script) }
}

fn acts(name: &'static str, act: fn() -> Act) -> Fault {
    fault(name, move |_| Box::new(move |_, _| act()))
}

/// Sends this after the status line, and closes the connection.
fn closes(name: &'static str, rest: &'static str) -> Fault {
    fault(name, move |_| {
        Box::new(move |_, _| Act::Close(raw(&format!("HTTP/1.1 200 OK\r\n{rest}"))))
    })
}

fn resets(name: &'static str, text: &'static str) -> Fault {
    fault(name, |_| Box::new(|_, _| Act::Reset(raw(text))))
}

/// Sends this and no more.
fn silent(name: &'static str, text: &'static str) -> Fault {
    fault(name, move |bell| Box::new(move |_, _| Act::Stall(raw(text), Arc::clone(&bell))))
}

/// Asks the client to retry the first request later.
fn then_good(name: &'static str, status: u16, retry_after: &'static str) -> Fault {
    fault(name, move |_| {
        Box::new(move |number, _| match number {
            0 => response(status, &[("retry-after", retry_after)], ""),
            _ => json(200, "{}"),
        })
    })
}

/// Answers requests for tokens in one way, and calls in another, each counted from 0.
fn tokens(name: &'static str, token: fn(usize) -> Act, call: fn(usize) -> Act) -> Fault {
    let script = move |_| -> Script {
        let counts = Mutex::new((0, 0));
        Box::new(move |_, seen| {
            let mut counts = counts.lock().unwrap();
            let is_token = seen.target == "/token";
            let count = if is_token { &mut counts.0 } else { &mut counts.1 };
            *count += 1;
            if is_token { token(*count - 1) } else { call(*count - 1) }
        })
    };
    Fault { setup: Setup::Tokens, ..fault(name, script) }
}

#[allow(clippy::too_many_lines, reason = "it is a table")]
fn faults() -> Vec<Fault> {
    let stalls = |name, call| Fault { setup: Setup::Stalls, ..tokens(name, good_token, call) };
    let unauthorized_once = |number| json(if number == 0 { 401 } else { 200 }, "{}");
    vec![
        Fault { setup: Setup::Refused, ..acts("connection refused", || json(200, "{}")) },
        resets("reset before the headers", ""),
        resets("reset within the headers", "HTTP/1.1 200 OK\r\ncontent-le"),
        resets("reset within the body", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{\"a\""),
        acts("closed before the headers", || Act::Close(Vec::new())),
        silent("no headers", ""),
        silent("incomplete body, connection open", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"),
        closes("truncated body", "content-length: 9\r\n\r\n{\"a\""),
        closes("invalid chunks", "transfer-encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n"),
        closes("truncated chunks", "transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n"),
        closes("content-length too short", "content-length: 2\r\n\r\n{\"a\":1}"),
        closes("content-length that is not a number", "content-length: x\r\n\r\n{}"),
        acts("not HTTP at all", || Act::Close(raw("SSH-2.0-OpenSSH_9.2\r\n"))),
        acts("invalid UTF-8", || {
            Act::Send(b"HTTP/1.1 200 OK\r\ncontent-length: 8\r\n\r\n{\"a\":\"\xff\"}".to_vec())
        }),
        acts("invalid JSON", || json(200, "{\"a\":")),
        acts("empty body", || json(200, "")),
        acts("wrong content-type, valid JSON", || {
            response(200, &[("content-type", "text/plain")], "{}")
        }),
        acts("HTML page with status 200", || {
            response(200, &[("content-type", "text/html")], "<html>Sign in</html>")
        }),
        acts("`null`", || json(200, "null")),
        stalls("400 with an incomplete body", |_| stall("400 Bad Request")),
        acts("HTML page with status 502", || {
            response(502, &[("content-type", "text/html")], "<html>Oops</html>")
        }),
        acts("redirect to another host", || {
            response(302, &[("location", "http://other.example/")], "")
        }),
        acts("1xx before the response", || {
            let hints = raw("HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n");
            Act::Send([hints, bytes(200, &[], "{}")].concat())
        }),
        acts("204", || Act::Send(raw("HTTP/1.1 204 No Content\r\n\r\n"))),
        acts("205", || Act::Send(raw("HTTP/1.1 205 Reset Content\r\ncontent-length: 0\r\n\r\n"))),
        acts("304", || Act::Send(raw("HTTP/1.1 304 Not Modified\r\n\r\n"))),
        acts("400", || json(400, r#"{"message":"no"}"#)),
        acts("500", || json(500, "{}")),
        acts("503 storm", || json(503, "{}")),
        then_good("503 with Retry-After, then good", 503, "3"),
        then_good("429 with Retry-After in seconds, then good", 429, "3"),
        then_good(
            "429 with Retry-After as a date, then good",
            429,
            "Thu, 01 Jan 2026 00:00:09 GMT",
        ),
        acts("header bomb", || {
            let headers = "x-a: 1\r\n".repeat(200);
            Act::Close(raw(&format!("HTTP/1.1 200 OK\r\n{headers}content-length: 2\r\n\r\n{{}}")))
        }),
        acts("one endless header", || Act::Flood {
            head: raw("HTTP/1.1 200 OK\r\nx-a: "),
            chunk: vec![b'a'; 1 << 16],
        }),
        acts("body over the limit, announced", || json(200, &" ".repeat(LIMIT + 1))),
        acts("endless body", || Act::Flood {
            head: raw("HTTP/1.1 200 OK\r\n\r\n"),
            chunk: vec![b' '; 1 << 12],
        }),
        tokens("401, then good", good_token, unauthorized_once),
        stalls("401 with an incomplete body, then good", |number| match number {
            0 => stall("401 Unauthorized"),
            _ => json(200, "{}"),
        }),
        tokens(
            "401, then token endpoint: 503, then good",
            |number| if number == 1 { json(503, "") } else { good_token(number) },
            unauthorized_once,
        ),
        tokens("401 forever", good_token, |_| json(401, "{}")),
        acts("401 with a fixed token", || json(401, "{}")),
        tokens("token endpoint: reset", |_| Act::Reset(Vec::new()), good),
        tokens(
            "token endpoint: 503, then good",
            |number| if number == 0 { json(503, "") } else { good_token(number) },
            good,
        ),
        Fault { setup: Setup::Tokens, ..silent("token endpoint: silent", "") },
        tokens(
            "token endpoint: not HTTP at all",
            |_| Act::Close(raw("SSH-2.0-OpenSSH_9.2\r\n")),
            good,
        ),
        tokens("token endpoint: garbage", |_| json(200, "<html>"), good),
        tokens(
            "token endpoint: `invalid_client`",
            |_| json(401, r#"{"error":"invalid_client","error_description":"unknown client"}"#),
            good,
        ),
    ]
}

const LIMIT: usize = 1 << 16;

#[derive(Clone, Copy)]
enum Verb {
    Get,
    Post,
    /// Of an operation without a result.
    Delete,
}

/// The outcome of a call, and the numbers of calls and requests for tokens at the server.
struct Outcome {
    result: Result<(), Error>,
    calls: usize,
    tokens: usize,
}

impl Fault {
    /// Makes one call against a fresh server.
    async fn meet(&self, verb: Verb) -> Outcome {
        let (clock, bell) = clock();
        let server = Server::new((self.script)(bell));
        let url = if self.setup == Setup::Refused { unused_port() } else { server.url() };
        let mut builder = begin(url, &clock);
        if matches!(self.setup, Setup::Tokens | Setup::Stalls) {
            builder = builder.client_credentials("/token", "me", "cl1ent-s3cr3t");
        }
        if self.setup == Setup::Stalls {
            builder = builder.interceptor(EndsWithHead(clock));
        }
        let result = call(builder, verb).await;
        let seen = server.seen();
        let tokens = seen.iter().filter(|seen| seen.target == "/token").count();
        Outcome { result, calls: seen.len() - tokens, tokens }
    }
}

#[cfg(feature = "http2")]
async fn meet_http2(script: fn(Bell) -> http2::Script, verb: Verb) -> Outcome {
    let (clock, bell) = clock();
    let server = server_of_http2::Server::new(script(bell));
    let builder = begin(server.url(), &clock).transport(server_of_http2::transport());
    Outcome { result: call(builder, verb).await, calls: server.seen(), tokens: 0 }
}

/// Returns a clock, and a bell that ends the time of an attempt.
fn clock() -> (TestClock, Bell) {
    let clock = TestClock::new();
    let rings = clock.clone();
    let bell = move |event| {
        if event == Silence::Begins {
            rings.ring();
        }
    };
    (clock, Arc::new(bell))
}

fn begin(url: String, clock: &TestClock) -> ClientBuilder<Client> {
    timed(client(url), clock).total_timeout(TIMER * 100).max_response_bytes(LIMIT)
}

async fn call(builder: ClientBuilder<Client>, verb: Verb) -> Result<(), Error> {
    let client = &builder.build()?;
    match verb {
        Verb::Get => get(client, "7").await.map(drop),
        Verb::Post => create(client).await.map(drop),
        Verb::Delete => delete(client, "7").await,
    }
}

impl Outcome {
    fn result(&self) -> String {
        match &self.result {
            Ok(()) => "good".to_owned(),
            Err(error) => match error.status() {
                Some(status) if error.kind() == ErrorKind::Status => {
                    format!("`Status` {status}")
                }
                _ => format!("`{:?}`", error.kind()),
            },
        }
    }

    fn requests(&self) -> String {
        let tokens = if self.tokens == 0 { String::new() } else { format!(" + {}", self.tokens) };
        format!("{}{tokens}", self.calls)
    }

    /// Returns whether a POST may have been executed more than once.
    fn is_executed_twice(&self, name: &str) -> bool {
        // These responses mean that the server has not executed the call.
        let refused = match name {
            "HTTP/2: stream always refused" => 3,
            "HTTP/2: stream refused, then good"
            | "HTTP/2: GOAWAY before this request, then good" => 1,
            _ if ["429", "503 with", "401"].iter().any(|status| name.starts_with(status)) => 1,
            _ => 0,
        };
        self.calls > 1 + refused
    }
}

/// Returns the row of a fault.
fn row(name: &str, get: Outcome, post: Outcome, delete: &Outcome) -> String {
    // An operation without a result ignores the body.
    assert_eq!(delete.result(), get.result().replace("`Decode`", "good"), "{name}");
    assert_eq!(delete.requests(), get.requests(), "{name}");
    assert_eq!(post.result(), get.result(), "{name}");
    assert!(!post.is_executed_twice(name), "{name}: {} requests", post.calls);
    let row = format!("| {name} | {} | {} | {} |\n", get.result(), get.requests(), post.requests());
    for error in [get.result, post.result].into_iter().filter_map(Result::err) {
        assert!(error.to_string().len() < 2500, "{error}");
        assert!(!format!("{error} {error:?}").contains("s3cr3t"), "{error:?}");
        println!("{name}: {error}");
    }
    row
}

#[tokio::test]
async fn every_fault_has_the_outcome_in_the_readme() {
    let mut table = String::from("| fault | result | requests: GET | POST |\n|---|---|---|---|\n");
    for fault in faults() {
        let delete = fault.meet(Verb::Delete).await;
        let row =
            row(fault.name, fault.meet(Verb::Get).await, fault.meet(Verb::Post).await, &delete);
        table.push_str(&row);
    }
    #[cfg(feature = "http2")]
    for (name, script) in http2::faults() {
        let delete = meet_http2(script, Verb::Delete).await;
        let (get, post) =
            (meet_http2(script, Verb::Get).await, meet_http2(script, Verb::Post).await);
        table.push_str(&row(name, get, post, &delete));
    }
    let page = include_str!("faults.md");
    assert!(page.contains(&table), "the table in faults.md should read:\n\n{table}");
}
