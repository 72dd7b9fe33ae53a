//! Drift: how responses differ from the spec.

use std::fmt;
use std::sync::Arc;

use crate::request::operation::Operation;
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

/// The hook that drift is reported to.
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

/// Decodes a body and reports its drift to the hook, if there is one.
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
