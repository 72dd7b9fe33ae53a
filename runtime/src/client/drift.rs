//! Decoding of bodies, and drift.

use std::fmt;
use std::sync::Arc;

use crate::error::operation::Operation;
use crate::wire::{self, DecodeError, Drift, DriftKind, Wire};

/// The deviations of a response from the spec.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct DriftReport<'a> {
    /// The operation whose response it was.
    pub operation: &'static Operation,
    /// The deviations in the order in which they were found: at least one, at most 1,000, and less if their paths are
    /// much longer than the response.
    pub findings: &'a [Drift],
}

/// The operation with all deviations, such as `tasks.get: owner.x: property `x` is not described`.
impl fmt::Display for DriftReport<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.operation.id)?;
        for (index, finding) in self.findings.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}{finding}")?;
        }
        Ok(())
    }
}

/// The handling of drift.
#[derive(Clone, Default)]
pub(crate) struct DriftHook {
    pub(crate) report: Option<Arc<Report>>,
    /// Whether drift is an error.
    pub(crate) strict: bool,
}

type Report = dyn Fn(&DriftReport<'_>) + Send + Sync;

impl fmt::Debug for DriftHook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DriftHook").field("strict", &self.strict).finish_non_exhaustive()
    }
}

/// Reports a status or an event that the spec does not describe, and returns whether that is an error.
pub(crate) fn report(
    kind: DriftKind,
    name: &str,
    operation: &'static Operation,
    hook: Option<&DriftHook>,
) -> bool {
    let Some(hook) = hook else { return false };
    if let Some(report) = &hook.report {
        let finding = Drift { path: String::new(), kind, name: name.to_owned() };
        report(&DriftReport { operation, findings: &[finding] });
    }
    hook.strict
}

/// Decodes a body and reports its drift.
pub(crate) fn decode<T: Wire + Default>(
    body: &[u8],
    operation: &'static Operation,
    hook: Option<&DriftHook>,
) -> Result<T, DecodeError> {
    let Some(hook) = hook else {
        return wire::decode(body, None);
    };
    let mut findings = Vec::new();
    let value = wire::decode(body, Some(&mut findings))?;
    let Some(first) = findings.first() else {
        return Ok(value);
    };
    if let Some(report) = &hook.report {
        report(&DriftReport { operation, findings: &findings });
    }
    if hook.strict { Err(DecodeError::from(first)) } else { Ok(value) }
}
