//! Processes that try cases. One that panics reports it; one that dies or hangs is replaced.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::fuzz::case;
use crate::fuzz::mutate::{self, Seeds};
use crate::host::exit::{Context, Failure};
use crate::host::terminal::Terminal;

/// How long one case may take.
const LIMIT: Duration = Duration::from_secs(10);

/// How much memory a worker may use, in KiB.
const MEMORY: u64 = 2 << 20;

/// A case that shows a defect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Find {
    pub case: u64,
    /// What happened. Finds of one kind have one cause.
    pub kind: String,
}

/// What workers are started with.
#[derive(Debug)]
pub struct Workers {
    pub program: PathBuf,
    pub seed: u64,
    pub cases: u64,
    pub deadline: Instant,
    /// The documents that the user named.
    pub extra: Vec<PathBuf>,
}

/// Tries every `step`th case, as a worker: prints each before it is tried, and what was found.
pub fn work(
    seeds: &Seeds,
    seed: u64,
    [mut case, end, step]: [u64; 3],
    terminal: &Terminal,
) -> Result<(), Failure> {
    while case < end {
        terminal.print(&format!("case {case}\n"))?;
        if let Some(problem) = case::problem(&mutate::document(seeds, seed, case)) {
            terminal.print(&format!("find {problem}\n"))?;
        }
        case += step;
    }
    terminal.print("done\n")
}

impl Workers {
    /// Tries all cases with a worker on each core; returns how many were tried, and what was found.
    pub fn run(&self, terminal: &Terminal) -> Result<(u64, Vec<Find>), Failure> {
        let count = thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
        let (tried, finds) = (AtomicU64::new(0), Mutex::new(Vec::new()));
        let report = |find: Option<Find>| {
            let number = tried.fetch_add(u64::from(find.is_none()), Ordering::Relaxed);
            if let (Some(find), Ok(mut finds)) = (find.clone(), finds.lock()) {
                finds.push(find);
            } else if number > 0 && number.is_multiple_of(PROGRESS) {
                terminal.note(&format!("{number} documents"));
            }
        };
        let results: Vec<_> = thread::scope(|scope| {
            let run = |first| scope.spawn(move || self.supervise(first, count, &report));
            let running: Vec<_> = (0..count).map(run).collect();
            running.into_iter().map(thread::ScopedJoinHandle::join).collect()
        });
        for result in results {
            result.map_err(|_| Failure::new("a thread panicked"))??;
        }
        Ok((tried.into_inner(), finds.into_inner().unwrap_or_default()))
    }

    /// Runs workers for every `step`th case, one after the other; reports `None` for each case and a find for each find.
    fn supervise(
        &self,
        first: u64,
        step: u64,
        report: &(dyn Fn(Option<Find>) + Sync),
    ) -> Result<(), Failure> {
        let mut next = first;
        while next < self.cases && Instant::now() < self.deadline {
            let range = [next, self.cases, step].map(|number| number.to_string());
            let seed = self.seed.to_string();
            let mut command = self.command();
            command.args(["--seed", &seed, "--worker"]).args(range).args(["--"]).args(&self.extra);
            let (mut child, lines) = start(&mut command, &self.program)?;
            loop {
                match lines.recv_timeout(LIMIT) {
                    Ok(line) => match line.split_once(' ') {
                        Some(("case", number)) => {
                            report(None);
                            next = number.parse().unwrap_or(next);
                        }
                        Some(("find", kind)) => {
                            report(Some(Find { case: next, kind: kind.to_owned() }));
                        }
                        _ => return end(&mut child),
                    },
                    Err(error) => {
                        let kind = stopped(error, &mut child)?;
                        if let Some(kind) = kind {
                            report(Some(Find { case: next, kind }));
                        }
                        break;
                    }
                }
                if Instant::now() > self.deadline {
                    return end(&mut child);
                }
            }
            end(&mut child)?;
            next += step;
        }
        Ok(())
    }

    /// Tries one document in a process; returns the kind of the find.
    pub fn check(&self, file: &Path) -> Result<Option<String>, Failure> {
        let mut command = self.command();
        let (mut child, lines) = start(command.arg("--check").arg(file), &self.program)?;
        let kind = match lines.recv_timeout(LIMIT) {
            Ok(line) => Some(line),
            Err(error) => stopped(error, &mut child)?,
        };
        end(&mut child)?;
        Ok(kind)
    }

    /// Returns the command `fuzz` of the program, with limited memory where there is a shell that can limit it.
    fn command(&self) -> Command {
        if !cfg!(unix) {
            let mut command = Command::new(&self.program);
            command.arg("fuzz");
            return command;
        }
        let mut command = Command::new("sh");
        command
            .arg("-c")
            .arg(format!("ulimit -v {MEMORY} && exec \"$0\" fuzz \"$@\""))
            .arg(&self.program);
        command
    }
}

/// How many documents there are between two lines of progress.
const PROGRESS: u64 = 10_000;

fn start(command: &mut Command, program: &Path) -> Result<(Child, Receiver<String>), Failure> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().context("run", program)?;
    let (sender, lines) = channel();
    if let Some(output) = child.stdout.take() {
        thread::spawn(move || {
            let lines = BufReader::new(output).lines().map_while(Result::ok);
            // Nobody receives what a worker prints after the deadline.
            let _ = lines.map(|line| sender.send(line)).take_while(Result::is_ok).count();
        });
    }
    Ok((child, lines))
}

/// Returns why a process prints nothing more; `None` if it has succeeded.
fn stopped(error: RecvTimeoutError, child: &mut Child) -> Result<Option<String>, Failure> {
    if error == RecvTimeoutError::Timeout {
        return Ok(Some(format!("takes longer than {} s", LIMIT.as_secs())));
    }
    let status = child.wait().context("run", Path::new("a worker"))?;
    Ok((!status.success()).then(|| format!("the process dies: {status}")))
}

fn end(child: &mut Child) -> Result<(), Failure> {
    // It fails for a process that has ended.
    let _ = child.kill();
    child.wait().map(drop).context("run", Path::new("a worker"))
}
