//! `cargo xtask fuzz`: generates from random documents, and looks for panics, hangs, output that is not Rust and effort
//! that grows faster than the document.
//!
//! proptest makes the documents, and reduces those that fail. They are tried in batches, each in a process of its own
//! on every core. A document that ends the process of a batch (by a stack overflow, too much memory or too
//! much time) is found by running the batch again with a process for each document. At the end, the crates of a sample are
//! compiled.

mod check;
mod compile;
mod coverage;
mod document;
mod large;
mod mutate;
#[path = "../support/program.rs"]
mod program;
mod recursion;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio, exit};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};
use tests::progress::Progress;

use clap::{Arg, ArgMatches, value_parser};
use mimalloc::MiMalloc;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use check::{Checks, check};
use document::{Document, Failure, Seeds};
use program::number;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// The number of documents in a batch: reading the documents that are changed takes as long as trying 50.
const BATCH: u64 = 5_000;

/// The time limit for a document.
const LIMIT: Duration = Duration::from_secs(10);

/// The memory of a process, in KiB.
const MEMORY: u64 = 4 << 20;

/// The exit code of a process whose document took too long.
const TOO_LONG: i32 = 124;

const ABOUT: &str = "\
Generate from random documents, and look for panics, hangs and output that is not Rust or does not compile

Changes the documents in spec/ and tests/, and puts recursive schemas into every place that has a schema. A
document that makes the generator panic, hang, run out of memory or emit invalid Rust is reduced and
written to target/fuzz-finds. If there is one, the exit code is 1. The crates of a sample are compiled, which takes a minute
or two and is not limited by --seconds.";

fn command() -> clap::Command {
    let file = || Arg::new("file").value_name("FILE").value_parser(value_parser!(PathBuf));
    let hidden = |name: &'static str| Arg::new(name).long(name).hide(true);
    clap::Command::new("cargo xtask fuzz").about(ABOUT).args([
        number("cases", "100000", "Try at most this many documents"),
        number("seconds", "300", "Stop after this many seconds"),
        number("seed", "1", "Seed of the random documents"),
        number("compile", "40", "Compile the crates of this many documents"),
        Arg::new("coverage")
            .long("coverage")
            .num_args(0)
            .help("Print the constructs in the documents, and generate nothing"),
        file().id("seeds").num_args(0..).help("Further documents to change"),
        hidden("batch").value_parser(value_parser!(u64)),
        hidden("check").num_args(0),
    ])
}

fn main() -> ExitCode {
    program::run(command(), run)
}

fn run(arguments: &ArgMatches) -> Result<ExitCode, Failure> {
    if arguments.get_flag("check") {
        let text = std::io::read_to_string(std::io::stdin())?;
        limited(|done| {
            let result = check(&text, &Checks::default());
            done();
            result
        })?;
        return Ok(ExitCode::SUCCESS);
    }
    let named: Vec<_> = arguments.get_many("seeds").into_iter().flatten().cloned().collect();
    let seeds = Seeds::read(&named)?;
    if arguments.get_flag("coverage") {
        print!("{}", coverage::table(seeds));
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(number) = arguments.get_one("batch") {
        let checks = Checks::default();
        return Ok(limited(|done| {
            let found = find(seeds, *number, |document| {
                let result = check(&document.0, &checks);
                done();
                result
            });
            report(found, *number)
        })?);
    }
    campaign(arguments, &seeds, &named)
}

/// Tries batches on all cores until the count or the time is used up.
fn campaign(arguments: &ArgMatches, seeds: &Seeds, named: &[PathBuf]) -> Result<ExitCode, Failure> {
    let number = |name| arguments.get_one::<u64>(name).copied().unwrap_or_default();
    let started = Instant::now();
    let deadline = started + Duration::from_secs(number("seconds"));
    let batches = number("cases").div_ceil(BATCH);
    let first = number("seed") << 32;
    let next = AtomicU64::new(0);
    let found = AtomicU64::new(0);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let progress = Progress::new(usize::try_from(batches * BATCH).ok());
    let work = || -> Result<(), String> {
        while Instant::now() < deadline {
            let batch = next.fetch_add(1, Ordering::Relaxed);
            if batch >= batches {
                break;
            }
            let number = first + batch;
            progress.step(usize::try_from(batch * BATCH).unwrap_or(usize::MAX), "documents");
            let mut command = limited_self()?;
            command.args(["--batch", &number.to_string(), "--"]).args(named);
            let status =
                command.stdin(Stdio::null()).status().map_err(|error| error.to_string())?;
            let is_found = match status.code() {
                Some(0) => false,
                Some(1) => true,
                // The process died: each document of the batch gets a process.
                _ => {
                    let find = find(seeds.clone(), number, |document| check_apart(&document.0));
                    report(find, number)? != ExitCode::SUCCESS
                }
            };
            found.fetch_add(u64::from(is_found), Ordering::Relaxed);
        }
        Ok(())
    };
    thread::scope(|scope| {
        let running: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        running.into_iter().try_for_each(|thread| {
            thread.join().unwrap_or_else(|_| Err("a thread panicked".to_owned()))
        })
    })?;
    drop(progress);
    let tried = next.into_inner().min(batches) * BATCH;
    let (compiled, finds) =
        compile::compile(seeds.clone(), number("compile"), runner(first, Config::default()))?;
    for (index, find) in finds.into_iter().enumerate() {
        report(Some((find.reason, find.document)), first + index as u64)?;
        found.fetch_add(1, Ordering::Relaxed);
    }
    let seconds = started.elapsed().as_secs();
    let done = format!("{tried} documents, {compiled} crates compiled");
    match found.into_inner() {
        0 if tried == 0 && compiled == 0 => {
            Err("nothing was tried: allow more cases and seconds".into())
        }
        0 => {
            println!("{done}, nothing found ({seconds} s)");
            Ok(ExitCode::SUCCESS)
        }
        count => Err(format!("{done}, {count} found ({seconds} s)").into()),
    }
}

/// Returns a source of random numbers.
fn runner(seed: u64, config: Config) -> TestRunner {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
}

/// Tries the documents of a batch; returns the smallest that fails, with the reason.
fn find(
    seeds: Seeds,
    number: u64,
    check: impl Fn(&Document) -> Result<(), String>,
) -> Option<(String, Document)> {
    let cases = u32::try_from(BATCH).unwrap_or(u32::MAX);
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let outcome = runner(number, config)
        .run(&seeds.strategy(), |document| check(&document).map_err(TestCaseError::fail));
    match outcome {
        Err(TestError::Fail(reason, document)) => Some((reason.message().to_owned(), document)),
        Err(TestError::Abort(reason)) => {
            Some((reason.message().to_owned(), Document(String::new())))
        }
        Ok(()) => None,
    }
}

/// Writes the findings to a file.
fn report(found: Option<(String, Document)>, number: u64) -> Result<ExitCode, String> {
    let Some((reason, document)) = found else { return Ok(ExitCode::SUCCESS) };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/fuzz-finds");
    let path = folder.join(format!("{number}.json"));
    let written = fs::create_dir_all(&folder).and_then(|()| fs::write(&path, document.0));
    written.map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
    println!("{reason}\n  {}", path.display());
    Ok(ExitCode::FAILURE)
}

/// Tries a document in a process of its own.
fn check_apart(text: &str) -> Result<(), String> {
    let mut command = limited_self()?;
    command.arg("--check").stdin(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    if let Some(mut input) = child.stdin.take() {
        // A process that has died reads nothing.
        let _ = std::io::Write::write_all(&mut input, text.as_bytes());
    }
    let status = child.wait().map_err(|error| error.to_string())?;
    match status.code() {
        Some(0) => Ok(()),
        Some(TOO_LONG) => Err(format!("takes longer than {} s", LIMIT.as_secs())),
        _ => Err(format!("the process died: {status}")),
    }
}

/// Returns the command of this program, with limited memory where a shell can limit it.
fn limited_self() -> Result<Command, String> {
    let program = env::current_exe().map_err(|error| error.to_string())?;
    if !cfg!(unix) {
        return Ok(Command::new(program));
    }
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -v {MEMORY} && exec \"$0\" \"$@\"")]).arg(program);
    Ok(command)
}

/// Ends the process if `run` does not call its argument within [`LIMIT`], again and again until it returns.
fn limited<T>(run: impl FnOnce(&dyn Fn()) -> T) -> T {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        loop {
            match receiver.recv_timeout(LIMIT) {
                Ok(()) => {}
                Err(RecvTimeoutError::Timeout) => exit(TOO_LONG),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    });
    run(&|| {
        // The other side ends with the process.
        let _ = sender.send(());
    })
}
