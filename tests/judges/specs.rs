//! Documents of OpenAPI that are valid, and that are not.

use std::path::Path;

use codegen::diagnostics::{Diagnostics, Severity, render};
use codegen::{Source, validate};

use crate::reading::{Failure, Verdict, entries, name, text};

/// Judges the documents in `pass` and `fail`.
pub fn judge(folder: &Path) -> Result<Vec<Verdict>, Failure> {
    let mut verdicts = judge_valid(&folder.join("pass"))?;
    for path in entries(&folder.join("fail"))? {
        let is_refused = is_denied(&validated(&path)?);
        let problem = (!is_refused).then(|| "accepted, but invalid".to_owned());
        verdicts.push(Verdict { case: name(&path, 2), problem });
    }
    Ok(verdicts)
}

/// Judges valid documents.
pub fn judge_valid(folder: &Path) -> Result<Vec<Verdict>, Failure> {
    let verdict = |path: &Path| {
        let diagnostics = validated(path)?;
        let problem = diagnostics.has_errors().then(|| first_error(&diagnostics));
        Ok(Verdict { case: name(path, 2), problem })
    };
    entries(folder)?.iter().map(|path| verdict(path)).collect()
}

/// Validates a document.
pub fn validated(path: &Path) -> Result<Diagnostics, Failure> {
    Ok(validate(&Source { name: name(path, 1), text: text(path)? }))
}

/// Returns whether `--deny-warnings` refuses a document.
pub fn is_denied(diagnostics: &Diagnostics) -> bool {
    [Severity::Error, Severity::Warning].iter().any(|severity| diagnostics.count(*severity) > 0)
}

/// Returns the first line of the first error.
pub fn first_error(diagnostics: &Diagnostics) -> String {
    let shown = render(diagnostics, false);
    shown.lines().find(|line| line.starts_with("error")).unwrap_or_default().to_owned()
}
