//! The step of recording without the feature `record`: nothing.

use bytes::Bytes;

use super::credential::SentCredential;
use super::exchange::Exchange;
use crate::transport::body::Body;
use crate::transport::error::TransportError;
use crate::wire::upload::body::RequestBody;

pub(super) struct Record;

impl Exchange<'_> {
    #[expect(clippy::unused_self)]
    pub(super) fn record(
        &self,
        _: &http::Request<RequestBody>,
        _is_redirected: bool,
        _: &[SentCredential],
    ) -> Record {
        Record
    }
}

impl Record {
    #[expect(clippy::unused_self)]
    pub(super) fn answered(&mut self, _: &Result<http::Response<Body>, TransportError>) {}

    #[expect(clippy::unused_self)]
    pub(super) fn read(&mut self, _: Option<&Bytes>) {}
}
