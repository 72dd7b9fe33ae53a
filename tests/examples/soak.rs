//! A soak test: thousands of calls to the fake tenant, through a server with all kinds of faults. Prints the counts.
//!
//! ```sh
//! cargo run --release -p tests --example soak [CALLS]
//! ```
//!
//! It fails if a call was lost or received the response of another, a list was incomplete, a POST was executed twice, or
//! memory grew.

#![allow(deprecated, reason = "a document may deprecate what this calls")]

use std::collections::BTreeMap;
use std::error::Error as StdError;
use std::ops::AddAssign;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use access_governance::runtime::Backoff;
use access_governance::{Client, Error, RetryPolicy};
use tests::server::{failure, refusal};
use tests::{Act, Seen, Server, Tenant};

/// Number of concurrent calls.
const AT_ONCE: usize = 32;

/// The outcome of calls that succeeded with the response of another.
const WRONG: &str = "wrong answers";

/// Maximum growth of memory, in KiB.
const GROWTH: usize = 32 << 10;

#[tokio::main]
async fn main() -> Result<(), Box<dyn StdError>> {
    let calls = std::env::args().nth(1).map_or(Ok(20_000), |calls| calls.parse())?;
    let flaky = Arc::new(Flaky::default());
    let answers = Arc::clone(&flaky);
    let server = Server::forgetful(0, move |number, seen| answers.answer(number, seen))?;
    let backoff = Backoff::new(Duration::from_millis(1), Duration::from_millis(5));
    let client = Client::builder(server.url())
        .client_credentials("/oauth/token", "soak", "secret")
        .retry(RetryPolicy::standard().with_backoff(backoff))
        .timeout(Duration::from_millis(500))
        .strict()
        .build()?;

    let begun = Instant::now();
    let mut counts = run(&client, 0..calls / 4).await;
    let memory = resident_kib();
    counts += run(&client, calls / 4..calls).await;
    let growth = resident_kib().zip(memory).map(|(after, before)| after.saturating_sub(before));

    println!("{calls} calls in {:.1} s", begun.elapsed().as_secs_f64());
    for (outcome, count) in &counts.0 {
        println!("{count:6} {outcome}");
    }
    println!("memory grew by {growth:?} KiB after the first quarter");
    let executions = flaky.executions.lock().map_err(|_| "the server panicked")?;
    let twice = executions.values().filter(|count| **count > 1).count();
    let lost = calls - counts.0.values().sum::<usize>();
    let is_wrong = counts.0.contains_key(WRONG);
    if lost > 0 || twice > 0 || is_wrong || growth.is_some_and(|kib| kib > GROWTH) {
        return Err(format!("{lost} calls were lost, {twice} POSTs were executed twice").into());
    }
    println!("nothing lost, none of {} POSTs executed twice", executions.len());
    Ok(())
}

/// The number of calls by outcome.
#[derive(Default)]
struct Counts(BTreeMap<String, usize>);

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        for (outcome, count) in other.0 {
            *self.0.entry(outcome).or_default() += count;
        }
    }
}

/// Makes the calls with these numbers.
async fn run(client: &Client, numbers: std::ops::Range<usize>) -> Counts {
    let next = Arc::new(AtomicUsize::new(numbers.start));
    let mut workers = tokio::task::JoinSet::new();
    for _ in 0..AT_ONCE {
        let client = client.clone();
        let next = Arc::clone(&next);
        workers.spawn(async move {
            let mut counts = Counts::default();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= numbers.end {
                    return counts;
                }
                let outcome = match call(&client, number).await {
                    Ok(what) => what.to_owned(),
                    Err(error) => match error.status() {
                        Some(status) => format!("{} {status}", error.kind().name()),
                        None => error.kind().name().to_owned(),
                    },
                };
                *counts.0.entry(outcome).or_default() += 1;
            }
        });
    }
    let mut counts = Counts::default();
    while let Some(worker) = workers.join_next().await {
        counts += worker.unwrap_or_default();
    }
    counts
}

/// Makes one call: a read, a list or a POST, by its number.
async fn call(client: &Client, number: usize) -> Result<&'static str, Error> {
    let name = number.to_string();
    let attempts = match number % 4 {
        0 => client.functions().get("function-1").send_raw().await?.attempts(),
        1 => {
            let owners = client
                .entitlement_owners()
                .list("app-1", "entitlement-1")
                .page_size(1)
                .items()
                .collect()
                .await?;
            return Ok(if owners.len() == 2 { "lists" } else { WRONG });
        }
        2 => {
            let create = client.webhooks().create().display_name(&name);
            let reply = create.with_query("number", &name).send_raw().await?;
            let webhook = reply.decode()?.webhook.unwrap_or_default();
            if webhook.display_name.as_ref() != Some(&name) {
                return Ok(WRONG);
            }
            reply.attempts()
        }
        _ => {
            let create = client.tasks().create_resource_action("action-1");
            create.with_query("number", &name).send_raw().await?.attempts()
        }
    };
    Ok(if attempts > 1 { "calls after retries" } else { "calls at once" })
}

/// A tenant that fails about one request in ten.
#[derive(Default)]
struct Flaky {
    tenant: Tenant,
    /// The number of executions of each POST.
    executions: Mutex<BTreeMap<String, usize>>,
}

impl Flaky {
    fn answer(&self, number: usize, seen: &Seen) -> Act {
        if seen.target == "/oauth/token" {
            return self.tenant.answer(seen);
        }
        if let Some(refusal) = refusal(number) {
            return refusal;
        }
        if seen.method == "POST"
            && let Ok(mut executions) = self.executions.lock()
        {
            *executions.entry(seen.target.clone()).or_default() += 1;
        }
        failure(number).unwrap_or_else(|| self.tenant.answer(seen))
    }
}

/// Returns the resident memory of the process, if the system reports it.
fn resident_kib() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}
