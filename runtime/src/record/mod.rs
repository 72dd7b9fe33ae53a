//! Recorders, which write the requests and responses of clients to a file: feature `record`.

mod entry;
mod form;
mod headers;
mod log;
mod redact;
mod seen;

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

pub(crate) use self::entry::{Answer, CallTexts, Exchanged, RecordedContent};
use self::log::Log;
use self::redact::Rules;
use crate::secrets::debug::shown;

/// Writes the requests and responses of clients to a file, without secrets.
///
/// Each attempt of a call, and each redirect that is followed, is one line: an `entry` of HAR 1.2 as JSON, with the
/// operation in `_operationId` and its path in `_urlTemplate`. `openapi-bindings drift` compares such a file with the
/// document, and `testing::Replay` answers calls from it.
///
/// A recorder never fails a call, and writes in a thread of its own. If it cannot keep up, it leaves out exchanges, and
/// the next line counts them in `_dropped`. It stops, with an event of the level `warn`, when the file has 64 MiB
/// ([`max_bytes`](Self::max_bytes)) or cannot be written.
///
/// # What is written
///
/// - Every text is replaced by a placeholder such as `redacted-0123456789abcdef`, also the values in the path and the
///   query, headers, cookies, and names in dictionaries. The placeholders of equal texts that one recorder writes are
///   equal. They depend on a random key that is not stored.
/// - As they are: numbers, booleans, dates and date-times (RFC 3339), the values of enums and the names of types in a
///   body that its type can be decoded from, the names of properties and parameters, the path template, the base URL,
///   media types with their charset, the seconds of `Retry-After`, and the relations of links, such as `next`. An enum's
///   value that the spec does not list is one, too. Of related objects, the paths to them and the names of the properties
///   next to `@type`.
/// - In the bodies of successes that the type cannot be decoded from, and of operations with several types, numbers are 0,
///   booleans are false, and times are placeholders: they may be secrets. In errors they are as they are.
/// - A number or a boolean that is a secret, by its type or by its name, is 0 or false, and a placeholder in the body of
///   a request. So is a number that contains a secret of at least 8 bytes.
/// - A text that contains one of the credentials, another secret of its exchange, or one of earlier exchanges (of which
///   2 MiB are remembered), is a placeholder. Names of described properties, parameters and media types never are, and a
///   value of an enum that the spec lists only if it is equal to a secret of the request. The same is true of other names,
///   times, headers and values of enums if the secret has fewer than 8 bytes, because many of them contain it by chance.
///   The first such secret of a request is an event of the level `warn`.
/// - Of streams, forms in parts and other bodies that are not text, only the size.
/// - Requests for access tokens are not recorded.
///
/// ```no_run
/// use openapi_bindings_runtime::Recorder;
///
/// # fn add(builder: openapi_bindings_runtime::ClientBuilder<openapi_bindings_runtime::Client>) {
/// let recorder = Recorder::to_file("traffic.ndjson");
/// let builder = builder.record(recorder.clone());
/// // Calls.
/// recorder.flush();
/// # }
/// ```
#[derive(Clone)]
pub struct Recorder {
    rules: Arc<Rules>,
    /// The file, or the reason why it cannot be written.
    log: Arc<Result<Log, String>>,
}

impl Recorder {
    /// Returns a recorder that appends to a file, which only its owner can read (mode 0600 on Unix).
    ///
    /// A file that cannot be opened, or that another recorder writes to, fails
    /// [`build`](crate::ClientBuilder::build).
    pub fn to_file(path: impl AsRef<Path>) -> Self {
        Self::over(log::open(path.as_ref()))
    }

    /// Returns a recorder that passes each line to a writer.
    pub fn to_writer(output: impl Write + Send + 'static) -> Self {
        Self::over(Ok((Box::new(output), 0)))
    }

    fn over(output: Result<(Box<dyn Write + Send>, u64), String>) -> Self {
        let log = output.and_then(|(output, length)| {
            Log::new(output, length).map_err(|error| format!("cannot record: {error}"))
        });
        Self { rules: Arc::default(), log: Arc::new(log) }
    }

    /// Sets the size of the file at which the recorder stops.
    #[must_use]
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        Arc::make_mut(&mut self.rules).max_bytes = bytes;
        self
    }

    /// Waits until everything so far is written. So does dropping the recorder with its last client.
    pub fn flush(&self) {
        if let Ok(log) = &*self.log {
            log.flush();
        }
    }

    /// Returns the reason why the file cannot be written, if it was known at once.
    pub(crate) fn fault(&self) -> Option<&str> {
        self.log.as_ref().as_ref().err().map(String::as_str)
    }

    /// Returns whether exchanges are still written.
    pub(crate) fn is_open(&self) -> bool {
        self.log.as_ref().as_ref().is_ok_and(Log::is_open)
    }

    pub(crate) fn write(&self, exchanged: Box<Exchanged>) {
        if let Ok(log) = &*self.log {
            log.write(exchanged, &self.rules);
        }
    }
}

shown!(Recorder, |it| max_bytes: it.rules.max_bytes);
