//! The cost of a call beyond the same call written by hand with reqwest, on the same loopback
//! server, in the same run; and its cost over a transport that does nothing.
//!
//! `cargo bench -p benches --bench overhead`; `--features record` measures recorded calls, too.
//!
//! Both kinds of calls alternate in small batches over the same connection, so that other load on the machine affects
//! both, and the fastest tenth of the batches counts.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a benchmark ends where a call fails")]

#[path = "../../runtime/tests/support/api.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod api;

use std::hint::black_box;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use api::{SERVICE, create, get};
use openapi_bindings_runtime::{
    self as runtime, Body, BoxFuture, Bytes, Client, ClientBuilder, Map, RequestBody,
    ReqwestTransport, Transport, TransportError, Value, http,
};
use tokio::runtime::Runtime;

const BATCH: u32 = 50;
const BATCHES: usize = 300;
const TOKEN: &str = "0123456789abcdef0123456789abcdef";

fn main() {
    let tokio =
        tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let base_url = serve();
    let http = runtime::reqwest::client_builder().expect("TLS").build().expect("a client");
    let ours = client(&base_url, ReqwestTransport::new(http.clone()));
    let by_hand = ByHand { http, base_url };

    println!("| call on loopback | by hand | through the runtime | more time | more allocations |");
    println!("|---|---|---|---|---|");
    compare(&tokio, "GET", || by_hand.get("7"), || read(&ours));
    compare(&tokio, "POST", || by_hand.create(), || write(&ours));

    let ours = client("https://pets.example", Nothing);
    println!("\n| call over a transport that does nothing | time | allocations |");
    println!("|---|---|---|");
    alone(&tokio, "GET", || read(&ours), || ());
    alone(&tokio, "POST", || write(&ours), || ());
    #[cfg(feature = "record")]
    recorded(&tokio);
}

/// Measures calls with a recorder, whose thread works between the batches, as between the calls of a program that waits for
/// its server.
#[cfg(feature = "record")]
fn recorded(tokio: &Runtime) {
    let recorder = runtime::Recorder::to_writer(std::io::sink()).max_bytes(u64::MAX);
    let recorded = builder("https://pets.example", Nothing).record(recorder.clone());
    let ours = recorded.build().expect("a client");
    alone(tokio, "GET, recorded", || read(&ours), || recorder.flush());
    alone(tokio, "POST, recorded", || write(&ours), || recorder.flush());

    println!("\n| line of a recording | time of the thread |");
    println!("|---|---|");
    lines(tokio, "GET", || read(&ours), &recorder);
    lines(tokio, "POST", || write(&ours), &recorder);
}

/// Prints the time from the end of some calls until they are written.
#[cfg(feature = "record")]
fn lines(tokio: &Runtime, name: &str, call: impl AsyncFn() -> Map, recorder: &runtime::Recorder) {
    let times = (0..BATCHES).map(|_| {
        let begun = Instant::now();
        let calls = batch(tokio, &call);
        recorder.flush();
        begun.elapsed() - calls
    });
    println!("| {name} | {:.1} µs |", undisturbed(times.collect()) / 1e3);
}

fn client(base_url: &str, transport: impl Transport) -> Client {
    builder(base_url, transport).build().expect("a client")
}

fn builder(base_url: &str, transport: impl Transport) -> ClientBuilder<Client> {
    ClientBuilder::new(&SERVICE, base_url).credential(0, TOKEN).transport(transport)
}

async fn read(client: &Client) -> Map {
    get(client, "7").await.expect("an answer")
}

async fn write(client: &Client) -> Map {
    create(client).await.expect("an answer")
}

/// Starts a server that answers every request alike and does as little as it can; returns its base
/// URL.
fn serve() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let base_url = format!("http://{}", listener.local_addr().expect("an address"));
    thread::spawn(move || {
        for stream in listener.incoming() {
            thread::spawn(move || answer(stream.expect("a connection")));
        }
    });
    base_url
}

/// Answers the requests of one connection. Each comes in one piece, or its body in a second one
/// that ends with a brace.
fn answer(mut stream: TcpStream) {
    let mut request = [0; 4096];
    stream.set_nodelay(true).expect("a socket");
    while let Ok(length @ 1..) = stream.read(&mut request) {
        let has_body = request.starts_with(b"POST");
        if !has_body || request[..length].ends_with(b"}") {
            stream.write_all(ANSWER).expect("a client");
        }
    }
}

const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\
    content-length: 23\r\n\r\n{\"id\":\"7\",\"name\":\"Rex\"}";

fn compare(
    runtime: &Runtime,
    name: &str,
    by_hand: impl AsyncFn() -> Map,
    ours: impl AsyncFn() -> Map,
) {
    assert_eq!(runtime.block_on(by_hand()), runtime.block_on(ours()));
    let mut theirs = Vec::new();
    let mut own = Vec::new();
    for _ in 0..BATCHES {
        theirs.push(batch(runtime, &by_hand));
        own.push(batch(runtime, &ours));
    }
    let theirs = undisturbed(theirs);
    let own = undisturbed(own);
    let more = (own / theirs - 1.0) * 100.0;
    let allocations = allocations(runtime, &ours) - allocations(runtime, &by_hand);
    println!(
        "| {name} | {:.1} µs | {:.1} µs | {more:+.1} % | {allocations:+.1} |",
        theirs / 1e3,
        own / 1e3
    );
}

fn alone(runtime: &Runtime, name: &str, call: impl AsyncFn() -> Map, between: impl Fn()) {
    let batches = (0..BATCHES).map(|_| {
        between();
        batch(runtime, &call)
    });
    let nanos = undisturbed(batches.collect());
    println!("| {name} | {nanos:.0} ns | {:.1} |", allocations(runtime, &call));
}

fn batch(runtime: &Runtime, call: &impl AsyncFn() -> Map) -> Duration {
    let begun = Instant::now();
    runtime.block_on(async {
        for _ in 0..BATCH {
            black_box(call().await);
        }
    });
    begun.elapsed()
}

/// Returns the allocations of one call: all of the client's side runs on this thread.
fn allocations(runtime: &Runtime, call: &impl AsyncFn() -> Map) -> f64 {
    let counted = allocation_counter::measure(|| {
        batch(runtime, call);
    });
    f64::from(u32::try_from(counted.count_total).unwrap_or(u32::MAX)) / f64::from(BATCH)
}

/// Returns the time of one call in nanoseconds, from the batches that nothing else on the machine
/// disturbed: the fastest tenth.
fn undisturbed(mut batches: Vec<Duration>) -> f64 {
    batches.sort();
    batches[batches.len() / 10].as_secs_f64() / f64::from(BATCH) * 1e9
}

/// Calls as a careful user would write them.
struct ByHand {
    http: reqwest::Client,
    base_url: String,
}

impl ByHand {
    async fn get(&self, id: &str) -> Map {
        self.send(self.http.get(format!("{}/api/v1/pets/{id}", self.base_url))).await
    }

    async fn create(&self) -> Map {
        let body = Map::from_iter([("name".to_owned(), Value::from("Rex"))]);
        let body = serde_json::to_vec(&body).expect("JSON");
        let request = self.http.post(format!("{}/api/v1/pets", self.base_url));
        self.send(request.header("content-type", "application/json").body(body)).await
    }

    async fn send(&self, request: reqwest::RequestBuilder) -> Map {
        let request = request
            .bearer_auth(TOKEN)
            .header("accept", "application/json")
            .header("user-agent", "pets/1.2.3");
        let response = request.timeout(Duration::from_secs(60)).send().await.expect("an answer");
        let body = response.error_for_status().expect("success").bytes().await.expect("a body");
        serde_json::from_slice(&body).expect("JSON")
    }
}

/// A transport that answers at once.
struct Nothing;

impl Transport for Nothing {
    fn send(
        &self,
        _: http::Request<RequestBody>,
    ) -> BoxFuture<'_, Result<http::Response<Body>, TransportError>> {
        let body = Bytes::from_static(br#"{"id":"7","name":"Rex"}"#);
        Box::pin(async { Ok(http::Response::new(Body::from(body))) })
    }
}
