//! Decoding of bodies, and drift.

use std::fmt;
use std::sync::Arc;

use crate::error::operation::Operation;
use crate::secrets::Withheld;
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

#[derive(Clone, Default)]
pub(crate) struct DriftHook {
    pub(crate) report: Option<Arc<Report>>,
    /// Whether drift is an error.
    pub(crate) strict: bool,
}

type Report = dyn Fn(&DriftReport<'_>) + Send + Sync;

/// A response to a request, of which reports of drift do not show what the request withholds.
pub(crate) trait Withholds {
    fn withheld(&self) -> Withheld;
}

/// The handling of the drift of a response.
#[derive(Clone, Copy)]
pub(crate) struct DriftOf<'a> {
    pub(crate) hook: &'a DriftHook,
    /// The response, if there are reports.
    pub(crate) response: Option<&'a dyn Withholds>,
}

impl DriftOf<'_> {
    /// Reports findings, and returns whether they are an error.
    fn report(self, operation: &'static Operation, mut findings: Vec<Drift>) -> bool {
        if let Some((report, response)) = self.hook.report.as_ref().zip(self.response) {
            let withheld = response.withheld();
            for text in findings.iter_mut().flat_map(|it| [&mut it.path, &mut it.name]) {
                *text = withheld.redact_except_names(text).into_owned();
            }
            report(&DriftReport { operation, findings: &findings });
        }
        self.hook.strict
    }
}

/// Reports a status, a media type or an event that the spec does not describe, and returns whether that is an error.
pub(crate) fn report(
    kind: DriftKind,
    name: &str,
    operation: &'static Operation,
    drift: Option<DriftOf<'_>>,
) -> bool {
    let finding = Drift { path: String::new(), kind, name: name.to_owned() };
    drift.is_some_and(|drift| drift.report(operation, vec![finding]))
}

/// Decodes a body and reports its drift.
pub(crate) fn decode<T: Wire + Default>(
    body: &[u8],
    operation: &'static Operation,
    drift: Option<DriftOf<'_>>,
) -> Result<T, DecodeError> {
    let mut value = T::default();
    let findings = wire::decode_into(&mut value, body, drift.is_some(), None)?;
    if let Some(drift) = drift
        && let Some(first) = findings.first().map(DecodeError::from)
        && drift.report(operation, findings)
    {
        return Err(first);
    }
    Ok(value)
}
