//! Interceptors: before a request, after the head of its response, and after the failure of the attempt.

use http::response::Parts;

use super::exchange::Exchange;
use super::progress::{Failure, Progress, Stage};
use crate::error::{Error, ErrorKind};
use crate::transport::interceptor::Attempt;
use crate::url::origin::Origin;
use crate::wire::upload::body::RequestBody;

impl Exchange<'_> {
    /// Returns a request as modified by interceptors.
    pub(super) async fn intercept(
        &self,
        attempt: &Attempt,
        request: http::Request<RequestBody>,
        progress: &mut Progress,
    ) -> Result<http::Request<RequestBody>, Failure> {
        if self.shared.settings.interceptors.is_empty() {
            return Ok(request);
        }
        progress.stage = Stage::Interceptor;
        progress.held.clear();
        let request = Box::pin(self.modified(attempt, request, &mut progress.begun));
        let request = request.await.map_err(Failure::unsent)?;
        progress.intercepted.clone_from(request.headers());
        progress.held.clone_from(request.extensions());
        Ok(request)
    }

    async fn modified(
        &self,
        attempt: &Attempt,
        mut request: http::Request<RequestBody>,
        begun: &mut usize,
    ) -> Result<http::Request<RequestBody>, Error> {
        for (index, interceptor) in self.shared.settings.interceptors.iter().enumerate() {
            *begun = (index + 1).max(*begun);
            interceptor.before(attempt, &mut request).await.map_err(|error| {
                Error::request("an interceptor refused the request").with_source(error)
            })?;
        }
        if Origin::new(request.uri()).as_ref() == Some(&self.base_url.origin) {
            Ok(request)
        } else {
            Err(Error::request(
                "an interceptor sent the request to another origin than that of its server, \
                 for which it carries credentials",
            ))
        }
    }

    /// Shows the head of a response to the interceptors.
    pub(super) fn intercept_head(&self, attempt: &Attempt, head: &Parts) {
        for interceptor in &self.shared.settings.interceptors {
            interceptor.after(attempt, head.status, &head.headers);
        }
    }

    /// Shows an error to the interceptors that have seen the request, unless they have seen it as a response.
    pub(super) fn intercept_failure(&self, attempt: &Attempt, begun: usize, error: &Error) {
        if matches!(error.kind(), ErrorKind::Status | ErrorKind::Redirect) {
            return;
        }
        for interceptor in self.shared.settings.interceptors.iter().take(begun) {
            interceptor.failed(attempt, error);
        }
    }
}
