//! The request of an attempt: URL, headers and body.

use http::{HeaderMap, HeaderValue, Uri, header};

use super::credential::{SentCredential, add_cookie, with_keys};
use super::exchange::{Exchange, destination};
use super::progress::{Failure, Progress, Stage};
use crate::auth::scheme::Place;
use crate::error::Error;
use crate::request::call::{Call, CallParts, Payload};
use crate::secrets::is_secret;
use crate::transport::error::TransportError;
use crate::url::base_url::BaseUrl;
use crate::wire::upload::body::RequestBody;

/// Returns the request of a call without credentials, which are not obtained, and without those of the client's headers.
pub(crate) fn into_http(call: Call) -> Result<http::Request<RequestBody>, Error> {
    let mut call = call.0;
    call.add_idempotency_key();
    let (base_url, uri, method) = destination(&call).map_err(|error| call.locate(error, 0))?;
    let mut request = http::Request::default();
    *request.headers_mut() = headers(&call, base_url, &[]);
    *request.uri_mut() = uri;
    *request.method_mut() = method;
    let defaults = call.client.shared.headers.keys().filter(|name| is_secret(name.as_str()));
    for name in defaults.filter(|name| !call.headers.contains_key(*name)) {
        request.headers_mut().remove(name);
    }
    Ok(request.map(|()| call.body.take().map(|payload| payload.body).unwrap_or_default()))
}

impl Exchange<'_> {
    /// Returns the request to the own server.
    pub(super) async fn message(
        &self,
        uri: &Uri,
        credentials: &[SentCredential],
        progress: &mut Progress,
    ) -> Result<http::Request<RequestBody>, Failure> {
        progress.stage = Stage::Body;
        let mut request = http::Request::new(self.body().await?);
        *request.method_mut() = self.method.clone();
        *request.uri_mut() = with_keys(uri, credentials).map_err(|error| {
            let error = Error::request("the URL with its API key is invalid").with_source(error);
            Failure::unsent(error)
        })?;
        *request.headers_mut() = headers(self.call, self.base_url, credentials);
        request.extensions_mut().insert(self.call.operation);
        Ok(request)
    }

    /// Returns the body, with the lengths of its files.
    async fn body(&self) -> Result<RequestBody, Failure> {
        let Some(Payload { body, .. }) = &self.call.body else { return Ok(RequestBody::default()) };
        if body.as_bytes().is_some() {
            return Ok(body.clone());
        }
        Box::pin(body.clone().measured())
            .await
            .map_err(|error| Failure::from(TransportError::refused(error)))
    }
}

/// Returns the headers of the request: the client's, then the headers of the body and the credentials, then the
/// call's own, which replace the others.
pub(super) fn headers(
    call: &CallParts,
    base_url: &BaseUrl,
    credentials: &[SentCredential],
) -> HeaderMap {
    let (own, shared) = (&call.headers, &call.client.shared);
    let mut headers = HeaderMap::with_capacity(shared.headers.len() + own.len() + 2);
    for (name, value) in shared.headers_for(&base_url.origin) {
        headers.insert(name, value.clone());
    }
    if let Some(payload) = &call.body {
        headers.insert(header::CONTENT_TYPE, payload.media_type.clone());
    }
    for credential in credentials {
        if let Some(name) = credential.place.header() {
            headers.insert(name, credential.written.clone());
        }
    }
    let accept = call.declared.accept.and_then(|accept| HeaderValue::from_str(accept).ok());
    if let Some(accept) = accept {
        headers.insert(header::ACCEPT, accept);
    }
    for (name, value) in own {
        headers.insert(name, value.clone());
    }
    let cookies = call.cookies.cookies();
    if let Some(cookies) = cookies.and_then(|cookies| HeaderValue::try_from(cookies).ok()) {
        add_cookie(&mut headers, &cookies);
    }
    for credential in credentials {
        if let Place::Cookie(_) = credential.place {
            add_cookie(&mut headers, &credential.written);
        }
    }
    headers
}
