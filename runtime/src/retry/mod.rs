//! Retries: which failed attempts are retried, after which pause, and how many.

pub(crate) mod backoff;
pub(crate) mod budget;
pub(crate) mod policy;
pub(crate) mod retry_after;
