//! Redirects: which ones are followed, and what is sent to another origin.

use http::response::Parts;
use http::uri::Scheme;
use http::{Method, StatusCode, Uri, header};

use super::exchange::Exchange;
use super::message::headers;
use crate::error::{Error, ErrorKind};
use crate::url::base_url;
use crate::url::origin::Origin;
use crate::wire::upload::body::RequestBody;

/// Maximum number of consecutive redirects.
pub(super) const MAX_REDIRECTS: usize = 5;

/// The target of a request: the URL of the call, or that of a redirect.
pub(super) struct Hop {
    pub(super) uri: Uri,
    #[cfg_attr(not(feature = "record"), expect(dead_code, reason = "recordings have it"))]
    pub(super) is_redirected: bool,
    /// Whether it is, or follows, one to another origin.
    pub(super) is_foreign: bool,
}

impl Exchange<'_> {
    /// Returns the target of a redirect that is followed: one that the spec does not declare, only for GET and HEAD, which
    /// no redirect changes, and only within the origin of the credentials, unless the client follows redirects without them.
    /// After a request to another origin, which could name any path, none has credentials again.
    pub(super) fn redirect(&self, from: &Hop, head: &Parts) -> Option<Hop> {
        let is_redirect = is_redirect(head.status) && !self.call.declared.is_empty(head.status);
        if !is_redirect || !matches!(self.method, Method::GET | Method::HEAD) {
            return None;
        }
        let next =
            base_url::resolve(&from.uri, head.headers.get(header::LOCATION)?.to_str().ok()?)?;
        let origin = Origin::new(&next)?;
        let is_foreign = from.is_foreign || origin != self.base_url.origin;
        let is_downgrade = from.uri.scheme() == Some(&Scheme::HTTPS) && !origin.is_https();
        let is_followed = !is_foreign || self.shared.settings.leaves_origin && !is_downgrade;
        is_followed.then_some(Hop { uri: next, is_redirected: true, is_foreign })
    }

    /// Returns a request to the target of a redirect to another origin: it has nothing that could be secret.
    pub(super) fn foreign_request(&self, uri: &Uri) -> http::Request<RequestBody> {
        let mut request = http::Request::new(RequestBody::default());
        *request.method_mut() = self.method.clone();
        *request.uri_mut() = uri.clone();
        let mut headers = headers(self.call, self.base_url, &[]);
        for name in [header::ACCEPT, header::IF_RANGE, header::RANGE, header::USER_AGENT] {
            if let Some(value) = headers.remove(&name) {
                request.headers_mut().insert(name, value);
            }
        }
        request.extensions_mut().insert(self.call.operation);
        request
    }
}

/// Returns the error of a call whose last redirect is one too many.
pub(super) fn too_many(last: &Hop) -> Error {
    // As a cause: messages are not redacted.
    Error::new(ErrorKind::Redirect)
        .with_message(format!("more than {MAX_REDIRECTS} consecutive redirects"))
        .with_source(format!("the last is to `{}`", last.uri.path()))
}

/// Returns whether a status is a redirect (RFC 9110, section 15.4).
pub(super) fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}
