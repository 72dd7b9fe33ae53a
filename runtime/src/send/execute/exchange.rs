//! A call that is ready to be sent.

use std::sync::atomic::Ordering;

use http::{Method, Uri};

use super::credential::sets;
use super::target;
use crate::client::Shared;
use crate::error::{Error, ErrorKind};
use crate::request::call::CallParts;
use crate::time::deadline::Deadline;
use crate::url::base_url::BaseUrl;

/// A call that is ready to be sent, once per attempt.
pub(super) struct Exchange<'a> {
    pub(super) shared: &'a Shared,
    pub(super) call: &'a CallParts,
    /// The number of the call, for interceptors.
    pub(super) number: u64,
    /// The base URL, or the server that the operation has instead.
    pub(super) base_url: &'a BaseUrl,
    pub(super) uri: Uri,
    pub(super) method: Method,
    /// The schemes whose credentials are sent.
    pub(super) schemes: &'static [usize],
    pub(super) deadline: Deadline,
}

impl<'a> Exchange<'a> {
    pub(super) fn new(call: &'a CallParts) -> Result<Self, Error> {
        let shared = &*call.client.shared;
        let (base_url, uri, method) = destination(call)?;
        let schemes = shared
            .credentials
            .choose(call.security, |place| sets(call, base_url, place))
            .map_err(|missing| Error::new(ErrorKind::Auth).with_message(missing))?;
        let number = shared.settings.calls.fetch_add(1, Ordering::Relaxed) + 1;
        let deadline = call.deadline.unwrap_or_else(|| call.begin_deadline());
        Ok(Self { shared, call, number, base_url, uri, method, schemes, deadline })
    }
}

pub(super) fn destination(call: &CallParts) -> Result<(&BaseUrl, Uri, Method), Error> {
    if let Some(fault) = call.fault() {
        return Err(Error::request(fault));
    }
    let base_url = call.client.shared.base_url_of(call.servers).map_err(Error::request)?;
    let uri = target::uri(call, base_url)?;
    let method = Method::from_bytes(call.operation.method.as_bytes());
    Ok((base_url, uri, method.map_err(|_| Error::request("the HTTP method is invalid"))?))
}
