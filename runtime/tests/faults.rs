//! Everything that can go wrong with an exchange, each a row of the table in the README: what a GET
//! and a POST return, and how many requests the server saw. The table is compared with what happens
//! here. A DELETE that returns nothing fails wherever a GET does.

#[cfg(feature = "http2")]
mod http2;

use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use access_governance_runtime::{
    Attempt, Client, ClientBuilder, Error, ErrorKind, Interceptor, http,
};

#[cfg(feature = "http2")]
use crate::support;
use crate::support::api::{create, delete, get};
use crate::support::client;
use crate::support::clock::{TIMER, TestClock};
use crate::support::server::{
    Act, Bell, Seen, Server, Silence, bytes, json, response, unused_port,
};

type Script = Arc<dyn Fn(usize, &Seen) -> Act + Send + Sync>;

/// A fault: its name, and what the server does.
struct Fault {
    name: &'static str,
    setup: Setup,
}

enum Setup {
    Refused,
    Script(Make),
    /// As `Script`, for a client that gets its tokens from the same server.
    Tokens(Make),
    /// As `Tokens`, but the attempt times out with the head of an error response.
    Stalls(Make),
    /// As `Script`, over HTTP/2.
    #[cfg(feature = "http2")]
    Http2(fn(Bell) -> http2::Script),
}

/// Makes the script of one call. The bell times the attempt out.
type Make = Box<dyn Fn(Bell) -> Script>;

impl Fault {
    fn new(
        name: &'static str,
        setup: fn(Make) -> Setup,
        make: impl Fn(Bell) -> Script + 'static,
    ) -> Self {
        Self { name, setup: setup(Box::new(make)) }
    }
}

/// Sends the beginning of an error response, and no more.
fn stall(status: &str) -> Act {
    let head = format!("HTTP/1.1 {status}\r\ncontent-length: 99\r\n\r\n{{\"message\":");
    Act::Stall(raw(&head), Arc::new(|_| {}))
}

/// Ends the time of the attempt once the head of an error response has come.
struct EndsWithHead(TestClock);

impl Interceptor for EndsWithHead {
    fn after(&self, _: &Attempt, status: http::StatusCode, _: &http::HeaderMap) {
        if !status.is_success() {
            self.0.ring();
        }
    }
}

fn always(act: impl Fn() -> Act + Send + Sync + 'static) -> Script {
    Arc::new(move |_, _| act())
}

/// Sends this and no more.
fn stalls_after(text: &'static str, bell: Bell) -> Script {
    always(move || Act::Stall(raw(text), Arc::clone(&bell)))
}

/// Asks the client to retry the first request later.
fn then_good(status: u16, retry_after: &'static str) -> Script {
    Arc::new(move |number, _| match number {
        0 => response(status, &[("retry-after", retry_after)], ""),
        _ => json(200, "{}"),
    })
}

fn raw(text: &str) -> Vec<u8> {
    text.as_bytes().to_vec()
}

/// Answers requests for tokens in one way, and calls in another, each counted from 0.
fn with_tokens(
    token: impl Fn(usize) -> Act + Send + Sync + 'static,
    call: impl Fn(usize) -> Act + Send + Sync + 'static,
) -> Script {
    let counts = Mutex::new((0, 0));
    Arc::new(move |_, seen| {
        let mut counts = counts.lock().unwrap();
        let count = if seen.target == "/token" { &mut counts.0 } else { &mut counts.1 };
        *count += 1;
        if seen.target == "/token" { token(*count - 1) } else { call(*count - 1) }
    })
}

fn good_token(number: usize) -> Act {
    json(200, &format!(r#"{{"access_token":"t{number}","expires_in":3600}}"#))
}

#[allow(clippy::too_many_lines, reason = "it is a table")]
fn faults() -> Vec<Fault> {
    let fault = |name, script: fn(Bell) -> Script| Fault::new(name, Setup::Script, script);
    let tokens = |name, script: fn(Bell) -> Script| Fault::new(name, Setup::Tokens, script);
    let stalls = |name, script: fn(Bell) -> Script| Fault::new(name, Setup::Stalls, script);
    let acts = |name, act: fn() -> Act| Fault::new(name, Setup::Script, move |_| always(act));
    let closes = |name, text: &'static str| {
        Fault::new(name, Setup::Script, move |_| always(move || Act::Close(raw(text))))
    };
    let resets = |name, text: &'static str| {
        Fault::new(name, Setup::Script, move |_| always(move || Act::Reset(raw(text))))
    };
    vec![
        Fault { name: "connection refused", setup: Setup::Refused },
        resets("reset before the headers", ""),
        resets("reset within the headers", "HTTP/1.1 200 OK\r\ncontent-le"),
        resets("reset within the body", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{\"a\""),
        closes("closed before the headers", ""),
        fault("no headers", |bell| stalls_after("", bell)),
        fault("incomplete body, connection open", |bell| {
            stalls_after("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{", bell)
        }),
        closes("truncated body", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{\"a\""),
        closes(
            "truncated chunks",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n",
        ),
        closes("content-length too short", "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{\"a\":1}"),
        closes(
            "content-length that is no number",
            "HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n{}",
        ),
        closes("not HTTP at all", "SSH-2.0-OpenSSH_9.2\r\n"),
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
        stalls("400 with an incomplete body", |_| {
            with_tokens(good_token, |_| stall("400 Bad Request"))
        }),
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
        fault("503 with Retry-After, then good", |_| then_good(503, "3")),
        fault("429 with Retry-After in seconds, then good", |_| then_good(429, "3")),
        fault("429 with Retry-After as a date, then good", |_| {
            then_good(429, "Thu, 01 Jan 2026 00:00:09 GMT")
        }),
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
        tokens("401, then good", |_| {
            with_tokens(good_token, |number| json(if number == 0 { 401 } else { 200 }, "{}"))
        }),
        stalls("401 with an incomplete body, then good", |_| {
            with_tokens(good_token, |number| match number {
                0 => stall("401 Unauthorized"),
                _ => json(200, "{}"),
            })
        }),
        tokens("401, then token endpoint: 503, then good", |_| {
            with_tokens(
                |number| if number == 1 { json(503, "") } else { good_token(number) },
                |number| json(if number == 0 { 401 } else { 200 }, "{}"),
            )
        }),
        tokens("401 forever", |_| with_tokens(good_token, |_| json(401, "{}"))),
        acts("401 with a fixed token", || json(401, "{}")),
        tokens("token endpoint: reset", |_| {
            with_tokens(|_| Act::Reset(Vec::new()), |_| json(200, "{}"))
        }),
        tokens("token endpoint: 503, then good", |_| {
            with_tokens(
                |number| if number == 0 { json(503, "") } else { good_token(number) },
                |_| json(200, "{}"),
            )
        }),
        tokens("token endpoint: silent", |bell| {
            with_tokens(move |_| Act::Stall(Vec::new(), Arc::clone(&bell)), |_| json(200, "{}"))
        }),
        tokens("token endpoint: garbage", |_| {
            with_tokens(|_| json(200, "<html>"), |_| json(200, "{}"))
        }),
        tokens("token endpoint: `invalid_client`", |_| {
            with_tokens(
                |_| json(401, r#"{"error":"invalid_client","error_description":"unknown client"}"#),
                |_| json(200, "{}"),
            )
        }),
    ]
}

const LIMIT: usize = 1 << 16;

#[derive(Clone, Copy)]
enum Verb {
    Get,
    Post,
    /// Of an operation that returns nothing.
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
        let clock = TestClock::new();
        let bell: Bell = {
            let clock = clock.clone();
            Arc::new(move |event| {
                if event == Silence::Begins {
                    clock.ring();
                }
            })
        };
        let builder = |url| {
            client(url)
                .clock(clock.clone())
                .timeout(TIMER)
                .total_timeout(TIMER * 100)
                .max_response_bytes(LIMIT)
        };
        match &self.setup {
            Setup::Refused => {
                Outcome { result: call(builder(unused_port()), verb).await, calls: 0, tokens: 0 }
            }
            Setup::Script(script) => {
                let server = serve(script(bell));
                let result = call(builder(server.url()), verb).await;
                Outcome::new(result, &server)
            }
            Setup::Tokens(script) => {
                let server = serve(script(bell));
                let builder =
                    builder(server.url()).client_credentials("/token", "me", "cl1ent-s3cr3t");
                let result = call(builder, verb).await;
                Outcome::new(result, &server)
            }
            Setup::Stalls(script) => {
                let server = serve(script(bell));
                let builder = builder(server.url())
                    .client_credentials("/token", "me", "cl1ent-s3cr3t")
                    .interceptor(EndsWithHead(clock.clone()));
                Outcome::new(call(builder, verb).await, &server)
            }
            #[cfg(feature = "http2")]
            Setup::Http2(script) => {
                let script = script(bell);
                let server = support::http2::Server::new(move |number| script(number));
                let builder = builder(server.url()).transport(support::http2::transport());
                Outcome { result: call(builder, verb).await, calls: server.seen(), tokens: 0 }
            }
        }
    }
}

fn serve(script: Script) -> Server {
    Server::new(move |number, seen| script(number, seen))
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
    fn new(result: Result<(), Error>, server: &Server) -> Self {
        let seen = server.seen();
        let tokens = seen.iter().filter(|seen| seen.target == "/token").count();
        Self { result, calls: seen.len() - tokens, tokens }
    }

    fn cell(&self) -> String {
        let what = match &self.result {
            Ok(()) => "good".to_owned(),
            Err(error) => match error.status() {
                Some(status) if error.kind() == ErrorKind::Status => {
                    format!("`Status` {status}")
                }
                _ => format!("`{:?}`", error.kind()),
            },
        };
        let tokens = if self.tokens == 0 { String::new() } else { format!(" + {}", self.tokens) };
        format!("{what} | {}{tokens}", self.calls)
    }

    /// Returns whether a POST may have been executed more than once.
    fn is_executed_twice(&self, name: &str) -> bool {
        // With these answers the server says that it has not executed the call.
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

#[tokio::test]
async fn the_table_in_the_readme_is_true() {
    let mut table = String::from(
        "| fault | a GET gets | requests | a POST gets | requests |\n|---|---|---|---|---|\n",
    );
    let faults = faults();
    #[cfg(feature = "http2")]
    let faults = {
        let fault = |(name, script)| Fault { name, setup: Setup::Http2(script) };
        faults.into_iter().chain(http2::faults().into_iter().map(fault))
    };
    for fault in faults {
        let (get, post) = (fault.meet(Verb::Get).await, fault.meet(Verb::Post).await);
        let delete = fault.meet(Verb::Delete).await;
        assert_eq!(delete.cell(), get.cell(), "{}", fault.name);
        assert!(!post.is_executed_twice(fault.name), "{}: {} requests", fault.name, post.calls);
        writeln!(table, "| {} | {} | {} |", fault.name, get.cell(), post.cell()).unwrap();
        for error in [get.result, post.result].into_iter().filter_map(Result::err) {
            assert!(error.to_string().len() < 2500, "{error}");
            assert!(!format!("{error} {error:?}").contains("s3cr3t"), "{error:?}");
            println!("{}: {error}", fault.name);
        }
    }
    let readme = include_str!("../README.md");
    assert!(readme.contains(&table), "the table in README.md should read:\n\n{table}");
}
