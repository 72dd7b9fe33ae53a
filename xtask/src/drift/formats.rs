//! The report for people, for programs, and for the annotations of a pull request.

use std::fmt::Write as _;

use ::codegen::diagnostics::Locator;
use ::codegen::traffic::{Finding, Findings};
use ::codegen::{visible, visible_json};
use serde_json::{Value, json};

use crate::drift::traffic::Files;
use crate::host::annotation::annotation;
use crate::host::terminal::{Paint, pluralize};

/// The findings with their places.
pub struct Report {
    /// In the order of the document.
    pub findings: Findings,
    files: Files,
    /// The file and the line of each finding.
    places: Vec<Option<(String, usize)>>,
}

impl Report {
    /// Returns a report of findings.
    pub fn new(mut findings: Findings, files: Files, texts: &Locator<'_>) -> Self {
        let place = |finding: &Finding| {
            let (file, line) = texts.locate(&finding.pointer)?;
            Some((file.to_owned(), line))
        };
        findings.all.sort_by_cached_key(|it| (place(it), it.code, it.message.clone()));
        let places = findings.all.iter().map(place).collect();
        Self { findings, files, places }
    }

    fn all(&self) -> impl Iterator<Item = (&Finding, Option<(&str, usize)>)> {
        let places =
            self.places.iter().map(|it| it.as_ref().map(|(file, line)| (file.as_str(), *line)));
        self.findings.all.iter().zip(places)
    }

    /// Renders the report for people.
    pub fn text(&self, verbose: bool, paint: Paint) -> String {
        let mut out = String::new();
        for (finding, place) in self.all() {
            let _ = writeln!(out, "{}: {}", paint.red(finding.code), visible(&finding.message));
            if let Some((file, line)) = place {
                let _ = writeln!(out, "  {} {}:{line}", paint.cyan("-->"), visible(file));
            }
            let _ = writeln!(out, "   = {}", visible(&frequency(finding)));
            if let Some(example) = &finding.example {
                let _ = writeln!(out, "   = for example {example}");
            }
            out.push('\n');
        }
        let counts = self.findings.counts;
        let differences = pluralize(self.findings.all.len(), "difference");
        let exchanges =
            pluralize(usize::try_from(counts.exchanges).unwrap_or(usize::MAX), "exchange");
        let _ = writeln!(out, "{}", paint.bold(&format!("{differences} in {exchanges}")));
        for (count, what) in [
            (counts.elsewhere, "with other servers (`--server` names one of this API)"),
            (counts.unanswered, "without a response"),
            (counts.dropped, "not recorded, because the recorder was busy"),
            (counts.preflights, "preflight requests of browsers"),
            (
                counts.beyond,
                "names and values not reported, because there are too many at their place",
            ),
        ] {
            if count > 0 {
                let _ = writeln!(out, "{what}: {count}");
            }
        }
        let coverage = &self.findings.coverage;
        let called = coverage.operations - coverage.uncalled.len();
        let _ = writeln!(out, "{called} of {} operations called", coverage.operations);
        for (list, what) in [
            (&coverage.uncalled, "operations never called"),
            (&coverage.properties, "properties never seen, of objects that were"),
            (&coverage.values, "listed values never seen, where others were"),
        ] {
            if !list.is_empty() {
                let _ = writeln!(out, "{what}: {}", list.len());
            }
            for name in list.iter().filter(|_| verbose) {
                let _ = writeln!(out, "  {}", visible(name));
            }
        }
        if self.files.invalid > 0 {
            let _ = writeln!(out, "{}: {}", paint.bold("invalid entries"), self.files.invalid);
        }
        for place in &self.files.named {
            let _ = writeln!(out, "  {}", visible(place));
        }
        out
    }

    /// Renders the report as one JSON object.
    pub fn json(&self) -> String {
        let finding = |(finding, place): (&Finding, Option<(&str, usize)>)| -> Value {
            json!({
                "code": finding.code,
                "message": finding.message,
                "pointer": finding.pointer,
                "place": place.map(|(file, line)| format!("{file}:{line}")),
                "count": finding.count,
                "first": finding.times.as_ref().map(|times| &times[0]),
                "last": finding.times.as_ref().map(|times| &times[1]),
                "origin": finding.origin,
                "example": finding.example,
                "in_overlay": finding.is_closed,
            })
        };
        let counts = self.findings.counts;
        let coverage = &self.findings.coverage;
        let value = json!({
            "findings": self.all().map(finding).collect::<Vec<_>>(),
            "exchanges": {
                "all": counts.exchanges,
                "elsewhere": counts.elsewhere,
                "unanswered": counts.unanswered,
                "dropped": counts.dropped,
                "preflights": counts.preflights,
                "beyond": counts.beyond,
            },
            "invalid": { "count": self.files.invalid, "first": self.files.named },
            "coverage": {
                "operations": coverage.operations,
                "uncalled": coverage.uncalled,
                "properties": coverage.properties,
                "values": coverage.values,
            },
        });
        visible_json(&format!("{value:#}\n")).into_owned()
    }

    /// Renders the report as annotations of a GitHub workflow.
    pub fn github(&self) -> String {
        let lines = self.all().map(|(finding, place)| {
            let message = format!("{}: {}", finding.message, frequency(finding));
            annotation("warning", place, finding.code, &message)
        });
        lines.collect()
    }
}

/// Returns how often something was seen, when, and where first.
fn frequency(finding: &Finding) -> String {
    match finding.origin.as_str() {
        "" => finding.frequency(),
        origin => format!("{}, first in the {origin}", finding.frequency()),
    }
}
