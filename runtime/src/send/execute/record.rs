//! Exchanges as a recorder gets them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::Version;

use super::credential::SentCredential;
use super::exchange::Exchange;
use super::withheld::secrets;
use crate::record::{Answer, Exchanged, RecordedContent, Recorder};
use crate::secrets::MIN_PART;
use crate::time::clock::Clock;
use crate::transport::body::Body;
use crate::transport::error::TransportError;
use crate::wire::upload::body::RequestBody;

/// An exchange that is recorded when this is dropped, however it ends. Without a recorder, it is none.
pub(super) struct Record<'a>(Option<Begun<'a>>);

struct Begun<'a> {
    recorder: &'a Recorder,
    clock: &'a dyn Clock,
    start: Instant,
    exchanged: Box<Exchanged>,
}

impl Exchange<'_> {
    /// Begins to record an exchange, if there is a recorder.
    pub(super) fn record(
        &self,
        request: &http::Request<RequestBody>,
        is_redirected: bool,
        credentials: &[SentCredential],
    ) -> Record<'_> {
        Record(self.begin(request, is_redirected, credentials))
    }

    fn begin(
        &self,
        request: &http::Request<RequestBody>,
        is_redirected: bool,
        credentials: &[SentCredential],
    ) -> Option<Begun<'_>> {
        let settings = &self.shared.settings;
        let recorder = settings.recorder.as_ref().filter(|recorder| recorder.is_open())?;
        let body = match request.body().as_bytes() {
            Some(bytes) => RecordedContent::Whole(bytes.clone()),
            None => RecordedContent::Omitted("not recorded: a stream", request.body().length()),
        };
        // Those that only their names make secrets can be short because they are none, such as the number of a page.
        let mut withheld = self.call.withheld();
        withheld.add_headers(request.headers());
        let mut secrets = secrets(self.call, request.headers(), credentials);
        secrets.extend(withheld.secrets.into_iter().filter(|secret| secret.len() >= MIN_PART));
        let clock = &*settings.clock;
        let exchanged = Exchanged {
            operation: self.call.operation,
            base_url: self.base_url.text.clone(),
            is_redirected,
            method: request.method().clone(),
            uri: request.uri().clone(),
            version: Version::HTTP_11,
            headers: request.headers().clone(),
            body,
            parameters: self.call.query.described().collect(),
            texts: self.call.texts.body.as_ref().map(Arc::clone),
            secrets,
            begun: clock.wall(),
            waited: Duration::ZERO,
            received: Duration::ZERO,
            response: None,
            error: "no response",
            describe: self.call.texts.describe,
            dropped: 0,
        };
        Some(Begun { recorder, clock, start: clock.now(), exchanged: Box::new(exchanged) })
    }
}

impl Record<'_> {
    /// Adds the head of the response, or the error.
    pub(super) fn answered(&mut self, response: &Result<http::Response<Body>, TransportError>) {
        let Some(Begun { clock, start, exchanged, .. }) = &mut self.0 else { return };
        exchanged.waited = clock.now().saturating_duration_since(*start);
        match response {
            Err(error) => exchanged.error = error.kind.name(),
            Ok(response) => {
                exchanged.version = response.version();
                exchanged.response = Some(Answer {
                    status: response.status(),
                    headers: response.headers().clone(),
                    body: RecordedContent::Omitted("not recorded: not read to its end", None),
                });
            }
        }
    }

    /// Adds the body of the response, or leaves it out if it is read later.
    pub(super) fn read(&mut self, body: Option<&Bytes>) {
        if let Some(answer) = self.0.as_mut().and_then(|it| it.exchanged.response.as_mut()) {
            let stream = RecordedContent::Omitted("not recorded: a stream", None);
            answer.body = body.cloned().map_or(stream, RecordedContent::Whole);
        }
    }
}

impl Drop for Record<'_> {
    fn drop(&mut self) {
        let Some(Begun { recorder, clock, start, mut exchanged }) = self.0.take() else { return };
        let elapsed = clock.now().saturating_duration_since(start);
        exchanged.received = elapsed.saturating_sub(exchanged.waited);
        recorder.write(exchanged);
    }
}
