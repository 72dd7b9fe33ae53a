//! Findings and failures of decoding, with their paths.
//!
//! No path is passed down: on the way up, each level adds its step to what was found below it. If nothing was found, that
//! costs a comparison of two numbers.

use std::borrow::Cow;

use crate::wire::decode::drift::{Drift, DriftKind};

/// The most findings for one body. It bounds their memory.
const MOST_FINDINGS: usize = 1_000;

/// The findings so far.
pub(in crate::wire) struct Context {
    /// The deviations from the spec, if they are reported, and the paths to them, the innermost step first.
    findings: Option<Vec<(Vec<Step>, Drift)>>,
    /// The path to the failure, the innermost step first.
    pub path: Vec<Step>,
    /// The bytes of JSON that may still be encoded for unions with several properties.
    pub reserve: usize,
}

/// A step into a JSON value.
#[derive(Clone, Debug)]
pub(in crate::wire) enum Step {
    Index(usize),
    Name(Cow<'static, str>),
}

impl Context {
    /// Returns the context of a body of `length` bytes, which collects findings if `report`.
    pub(in crate::wire) fn new(length: usize, report: bool) -> Self {
        Self {
            findings: report.then(Vec::new),
            path: Vec::new(),
            reserve: (1 << 20) + length.saturating_mul(4),
        }
    }

    /// Returns the number of findings so far.
    pub(in crate::wire) fn mark(&self) -> usize {
        self.findings.as_ref().map_or(0, Vec::len)
    }

    /// Reports that the current value, or a property of it, deviates from the spec.
    pub(in crate::wire) fn report(&mut self, kind: DriftKind, name: &str) {
        if let Some(findings) = &mut self.findings
            && findings.len() < MOST_FINDINGS
        {
            let drift = Drift { path: String::new(), kind, name: name.to_owned() };
            findings.push((Vec::new(), drift));
        }
    }

    /// Adds a step to the path of a failure, or else to the findings since `mark`.
    #[inline]
    pub(in crate::wire) fn step<T, E>(
        &mut self,
        mark: usize,
        result: Result<T, E>,
        step: impl FnOnce() -> Step,
    ) -> Result<T, E> {
        if result.is_err() {
            self.path.push(step());
        } else if self.mark() != mark {
            self.lead(mark, &step());
        }
        result
    }

    /// Adds a step to the findings since `mark`.
    #[cold]
    fn lead(&mut self, mark: usize, step: &Step) {
        for (steps, _) in self.findings.iter_mut().flatten().skip(mark) {
            steps.push(step.clone());
        }
    }

    /// Returns the findings.
    pub(in crate::wire) fn drift(self) -> impl Iterator<Item = Drift> {
        let findings = self.findings.into_iter().flatten();
        findings.map(|(steps, drift)| Drift { path: path(&steps), ..drift })
    }
}

impl Step {
    /// Returns the step to an undescribed property.
    pub(in crate::wire) fn named(name: &str) -> Self {
        Self::Name(Cow::Owned(name.to_owned()))
    }
}

/// Formats a path from its steps, the innermost first.
pub(in crate::wire) fn path(steps: &[Step]) -> String {
    let mut path = String::new();
    for step in steps.iter().rev() {
        match step {
            Step::Index(index) => path.extend(["[", &index.to_string(), "]"]),
            Step::Name(name) if is_plain(name) => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(name);
            }
            Step::Name(name) => path.extend(["[\"", &name.escape_debug().to_string(), "\"]"]),
        }
    }
    path
}

/// Returns whether a name needs no quotes in a path.
fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '@' | '$'))
}
