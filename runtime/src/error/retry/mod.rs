//! Retries: policy, backoff, budget and `Retry-After`.

pub(crate) mod backoff;
pub(crate) mod budget;
pub(crate) mod policy;
pub(crate) mod retry_after;
