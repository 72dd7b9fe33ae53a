//! The file of a recorder, which a thread of its own writes.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use super::entry::Exchanged;
use super::redact::Rules;
use super::seen::Seen;
use crate::secrets::MIN_PART;

/// Maximum number of exchanges that wait to be written.
const MAX_WAITING: usize = 1024;

/// Maximum size of the bodies that wait to be written, in bytes.
const MAX_WAITING_BYTES: usize = 32 << 20;

/// What the thread does next.
enum Task {
    Write(Box<Exchanged>, Arc<Rules>),
    /// Reports that all tasks before it are done.
    Report(SyncSender<()>),
}

/// Tasks of the thread. Dropping it completes them.
pub(super) struct Log {
    tasks: Option<SyncSender<Task>>,
    thread: Option<JoinHandle<()>>,
    state: Arc<Totals>,
}

#[derive(Default)]
struct Totals {
    /// Whether nothing is written anymore.
    is_stopped: AtomicBool,
    /// Whether a short secret was reported.
    has_warned: AtomicBool,
    waiting_bytes: AtomicUsize,
    dropped: AtomicU64,
}

impl Log {
    /// Begins the thread, for a file of this length.
    pub(super) fn new(output: Box<dyn Write + Send>, length: u64) -> io::Result<Self> {
        let (tasks, received) = sync_channel(MAX_WAITING);
        let state = Arc::new(Totals::default());
        let shared = Arc::clone(&state);
        let builder = thread::Builder::new().name("recorder".to_owned());
        let thread = builder.spawn(move || run(output, length, &received, &shared))?;
        Ok(Self { tasks: Some(tasks), thread: Some(thread), state })
    }

    /// Returns whether exchanges are still written.
    pub(super) fn is_open(&self) -> bool {
        !self.state.is_stopped.load(Ordering::Relaxed)
    }

    /// Leaves an exchange to the thread, or drops it if too many wait.
    pub(super) fn write(&self, mut exchanged: Box<Exchanged>, rules: &Arc<Rules>) {
        let state = &self.state;
        // Many names and values of enums contain such a secret by chance.
        if exchanged.secrets.iter().any(|it| (1..MIN_PART).contains(&it.len()))
            && !state.has_warned.swap(true, Ordering::Relaxed)
        {
            tracing::warn!(
                target: env!("CARGO_CRATE_NAME"),
                "a secret has fewer than {MIN_PART} bytes: the recording may contain it as a part of names, enum values and headers"
            );
        }
        let size = exchanged.size();
        let waiting = state.waiting_bytes.fetch_add(size, Ordering::Relaxed) + size;
        exchanged.dropped = state.dropped.swap(0, Ordering::Relaxed);
        let dropped = exchanged.dropped + 1;
        let task = Task::Write(exchanged, Arc::clone(rules));
        let has_room = waiting <= MAX_WAITING_BYTES;
        let is_sent =
            has_room && self.tasks.as_ref().is_some_and(|tasks| tasks.try_send(task).is_ok());
        if !is_sent {
            state.waiting_bytes.fetch_sub(size, Ordering::Relaxed);
            state.dropped.fetch_add(dropped, Ordering::Relaxed);
        }
    }

    /// Waits until all exchanges so far are written.
    pub(super) fn flush(&self) {
        let (report, done) = sync_channel(1);
        if self.tasks.as_ref().is_some_and(|tasks| tasks.send(Task::Report(report)).is_ok()) {
            let _ = done.recv();
        }
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        self.tasks = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn run(mut output: Box<dyn Write + Send>, mut length: u64, tasks: &Receiver<Task>, state: &Totals) {
    let mut seen = Seen::default();
    for task in tasks {
        match task {
            Task::Report(report) => drop(report.send(())),
            Task::Write(exchanged, rules) => {
                state.waiting_bytes.fetch_sub(exchanged.size(), Ordering::Relaxed);
                if state.is_stopped.load(Ordering::Relaxed) {
                    continue;
                }
                let write = AssertUnwindSafe(|| {
                    let line = exchanged.line(&rules, &mut seen);
                    length += line.len() as u64;
                    if length > rules.max_bytes {
                        let limit = rules.max_bytes;
                        let reached = format!("the limit of {limit} bytes is reached");
                        return Err(io::Error::other(reached));
                    }
                    output.write_all(line.as_bytes()).and_then(|()| output.flush())
                });
                // Nothing uses the output after a panic.
                let panicked = |_| Err(io::Error::other("writing an exchange panicked"));
                if let Err(error) = catch_unwind(write).unwrap_or_else(panicked) {
                    state.is_stopped.store(true, Ordering::Relaxed);
                    tracing::warn!(target: env!("CARGO_CRATE_NAME"), { error = %error }, "the recorder has stopped");
                }
            }
        }
    }
}

/// Opens a file for appending. If it is created, only its owner can read it.
pub(super) fn open(path: &Path) -> Result<(Box<dyn Write + Send>, u64), String> {
    let failed = |what: &str, error: &dyn std::fmt::Display| {
        format!("cannot record to `{}`: {what}{error}", path.display())
    };
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    let mut file = options.open(path).map_err(|error| failed("", &error))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(failed("another recorder writes to it", &"")),
        Err(TryLockError::Error(error)) => return Err(failed("", &error)),
    }
    let length = prepare(&mut file).map_err(|error| failed("", &error))?;
    Ok((Box::new(file), length))
}

/// Ends a line that was cut, makes the file private, and returns its length.
fn prepare(file: &mut File) -> io::Result<u64> {
    use std::io::{Read as _, Seek as _, SeekFrom};

    let about = file.metadata()?;
    if !about.is_file() {
        return Ok(0);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        file.set_permissions(std::fs::Permissions::from_mode(0o600))?;
    }
    if about.len() > 0 {
        let mut last = [0];
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
        if last != *b"\n" {
            file.write_all(b"\n")?;
        }
    }
    Ok(about.len())
}
