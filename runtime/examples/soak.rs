//! Thousands of calls through a server that fails in every way it can, and at the end the counts.
//!
//! `cargo run --release -p access-governance-runtime --example soak [calls]`
//!
//! It ends with an error if a call was lost, a POST was executed twice, or memory grew.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "the server that it shares with the tests ends where something is not as expected"
)]

#[path = "../tests/support/api.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod api;
#[path = "../tests/support/server.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod server;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use access_governance_runtime::{Backoff, Client, ClientBuilder, Error, RetryPolicy};
use server::{Act, Seen, Server, json, response};

/// Calls that are under way at once.
const AT_ONCE: usize = 32;

#[tokio::main]
async fn main() -> Result<(), String> {
    let calls = match std::env::args().nth(1) {
        None => 20_000,
        Some(calls) => {
            calls.parse().map_err(|_| "the argument is the number of calls".to_owned())?
        }
    };
    let flaky = Arc::new(Flaky::default());
    let server = {
        let flaky = Arc::clone(&flaky);
        Server::forgetful(move |_, seen| flaky.answer(seen))
    };
    let client: Client = ClientBuilder::new(&api::SERVICE, server.url())
        .client_credentials("/token", "soak", "secret")
        .retry(
            RetryPolicy::standard()
                .with_backoff(Backoff::new(Duration::from_millis(1), Duration::from_millis(5))),
        )
        .timeout(Duration::from_millis(500))
        .build()
        .map_err(|error| error.to_string())?;

    let begun = Instant::now();
    let warm_up = calls / 4;
    let mut counts = run(&client, 0, warm_up).await;
    let memory = resident_kib();
    counts.add(run(&client, warm_up, calls - warm_up).await);
    let growth = resident_kib().zip(memory).map(|(after, before)| after.saturating_sub(before));

    println!("{calls} calls in {:.1} s", begun.elapsed().as_secs_f64());
    println!(
        "{} requests, of which {} for tokens",
        flaky.requests.load(Ordering::Relaxed),
        flaky.tokens.load(Ordering::Relaxed)
    );
    println!("{} good, {} of them after retries", counts.good, counts.after_retries);
    for (kind, count) in &counts.failures {
        println!("{count} failed: {kind}");
    }
    println!(
        "memory grew by {} KiB after the first quarter",
        growth.map_or("an unknown number of".to_owned(), |kib| kib.to_string())
    );

    let twice = flaky
        .executions
        .lock()
        .map_err(|_| "the server panicked")?
        .values()
        .filter(|count| **count > 1)
        .count();
    let lost = calls - counts.good - counts.failures.values().sum::<usize>();
    if lost > 0 || twice > 0 || growth.is_some_and(|kib| kib > 32 << 10) {
        return Err(format!(
            "{lost} calls were lost, {twice} POSTs were executed more than once, \
             memory grew by {growth:?} KiB"
        ));
    }
    println!("nothing lost, no POST executed twice");
    Ok(())
}

/// What came of calls.
#[derive(Default)]
struct Counts {
    good: usize,
    after_retries: usize,
    failures: BTreeMap<String, usize>,
}

impl Counts {
    fn count(&mut self, outcome: Result<u32, Error>) {
        match outcome {
            Ok(attempts) => {
                self.good += 1;
                self.after_retries += usize::from(attempts > 1);
            }
            Err(error) => {
                let status = error.status().map_or_else(String::new, |status| format!(" {status}"));
                *self.failures.entry(format!("{}{status}", error.kind().name())).or_default() += 1;
            }
        }
    }

    fn add(&mut self, other: Self) {
        self.good += other.good;
        self.after_retries += other.after_retries;
        for (kind, count) in other.failures {
            *self.failures.entry(kind).or_default() += count;
        }
    }
}

/// Makes calls, every second of them a POST, each with a number of its own.
async fn run(client: &Client, first: usize, count: usize) -> Counts {
    let next = Arc::new(AtomicUsize::new(first));
    let mut workers = tokio::task::JoinSet::new();
    for _ in 0..AT_ONCE {
        let (client, next) = (client.clone(), Arc::clone(&next));
        workers.spawn(async move {
            let mut counts = Counts::default();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= first + count {
                    return counts;
                }
                let name = number.to_string();
                counts.count(if number % 2 == 0 {
                    api::get(&client, &name).send_raw().await.map(|reply| reply.attempts())
                } else {
                    api::create(&client)
                        .with_query("number", name)
                        .send_raw()
                        .await
                        .map(|reply| reply.attempts())
                });
            }
        });
    }
    let mut counts = Counts::default();
    for worker in workers.join_all().await {
        counts.add(worker);
    }
    counts
}

/// A server that fails about every fifth time.
#[derive(Default)]
struct Flaky {
    requests: AtomicUsize,
    tokens: AtomicUsize,
    /// How often each POST was executed.
    executions: Mutex<BTreeMap<String, usize>>,
}

impl Flaky {
    fn answer(&self, seen: &Seen) -> Act {
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        if seen.target == "/token" {
            self.tokens.fetch_add(1, Ordering::Relaxed);
            return json(200, &format!(r#"{{"access_token":"t{number}","expires_in":3600}}"#));
        }
        // These refuse before anything is executed, and say so.
        match number % 61 {
            0 => return json(401, "{}"),
            7 => return response(429, &[("retry-after", "0")], ""),
            13 => return response(503, &[("retry-after", "0")], ""),
            _ => {}
        }
        if seen.method == "POST"
            && let Ok(mut executions) = self.executions.lock()
        {
            *executions.entry(seen.target.clone()).or_default() += 1;
        }
        match number % 47 {
            0 => Act::Reset(Vec::new()),
            5 => Act::Close(b"HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n{\"a\":".to_vec()),
            11 => json(500, r#"{"message":"broken"}"#),
            17 => json(503, "{}"),
            23 => Act::Reset(b"HTTP/1.1 200 OK\r\nconte".to_vec()),
            29 => json(200, "{\"cut\":"),
            35 => json(404, r#"{"message":"no such pet"}"#),
            _ => json(200, r#"{"id":"7"}"#),
        }
    }
}

/// Returns the memory that the process holds, where the system tells.
fn resident_kib() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}
