//! The seam to the wire format: how bodies are written and read.

use std::fmt;
use std::sync::Arc;

use crate::request::call::Operation;
use crate::wire::{self, Drift};
use crate::wire::{DecodeError, Wire};

/// What a response said beyond the description: a newer version of the bindings would understand
/// more.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct DriftReport<'a> {
    /// The operation whose response it was.
    pub operation: &'static Operation,
    /// What is not known, in the order in which it came; never empty.
    pub findings: &'a [Drift],
}

/// Whom to tell of drift.
#[derive(Clone)]
pub(crate) struct DriftHook(Arc<dyn Fn(&DriftReport<'_>) + Send + Sync>);

impl DriftHook {
    pub(crate) fn new(hook: impl Fn(&DriftReport<'_>) + Send + Sync + 'static) -> Self {
        Self(Arc::new(hook))
    }
}

impl fmt::Debug for DriftHook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DriftHook")
    }
}

/// Reads a body; what it says beyond the description is told to the hook, if there is one.
pub(crate) fn decode<T: Wire + Default>(
    body: &[u8],
    operation: &'static Operation,
    hook: Option<&DriftHook>,
) -> Result<T, DecodeError> {
    let Some(DriftHook(hook)) = hook else {
        return wire::decode(body, None);
    };
    let mut findings = Vec::new();
    let value = wire::decode(body, Some(&mut findings))?;
    if !findings.is_empty() {
        hook(&DriftReport { operation, findings: &findings });
    }
    Ok(value)
}
