//! No TLS.

use std::error::Error as StdError;

use super::Certificates;
use crate::time::future::BoxError;

const NO_TLS: &str = "there is no TLS; enable a feature such as `tls-ring`";

pub(in crate::transport::reqwest) struct Config;

pub(in crate::transport::reqwest) fn configure(
    _: &Certificates,
    secure: bool,
) -> Result<Config, BoxError> {
    if secure { Err(NO_TLS.into()) } else { Ok(Config) }
}

pub(in crate::transport::reqwest) fn apply(
    builder: reqwest::ClientBuilder,
    _: &Config,
) -> reqwest::ClientBuilder {
    builder
}

pub(in crate::transport::reqwest) fn install_provider() -> Result<(), BoxError> {
    Err(NO_TLS.into())
}

pub(in crate::transport::reqwest) fn refusal(_: &(dyn StdError + 'static)) -> Option<String> {
    None
}
