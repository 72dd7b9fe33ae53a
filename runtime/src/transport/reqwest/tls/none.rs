//! No TLS.

use std::error::Error as StdError;

use super::Certificates;
use crate::future::BoxError;

const NO_TLS: &str = "there is no TLS; enable a feature such as `tls-ring`";

pub(in crate::transport::reqwest) fn configure(
    builder: reqwest::ClientBuilder,
    _: &Certificates,
    secure: bool,
) -> Result<reqwest::ClientBuilder, BoxError> {
    if secure { Err(NO_TLS.into()) } else { Ok(builder) }
}

pub(in crate::transport::reqwest) fn install_provider() -> Result<(), BoxError> {
    Err(NO_TLS.into())
}

pub(in crate::transport::reqwest) fn is_untrusted(_: &(dyn StdError + 'static)) -> bool {
    false
}
