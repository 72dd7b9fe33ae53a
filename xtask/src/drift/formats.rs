//! The report for people, for programs, and for the annotations of a pull request.

use std::fmt::Write as _;

use ::codegen::diagnostics::Locator;
use ::codegen::{visible, visible_json};
use ::traffic::{Finding, Findings, NOT_COMPARED};
use commands::host::annotation::annotation;
use commands::host::exit::{Failure, Fallible};
use commands::host::terminal::{Paint, pluralize};
use serde_json::json;

use crate::drift::traffic::Files;

/// The findings with their places.
pub struct DriftReport {
    /// In the order of the document.
    pub findings: Findings,
    files: Files,
    /// The file and the line of each finding.
    places: Vec<Option<(String, usize)>>,
}

impl DriftReport {
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
            out.extend(finding.example.iter().map(|it| format!("   = for example {it}\n")));
            out.push('\n');
        }
        let differences = pluralize(self.findings.all.len(), "difference");
        let _ = writeln!(out, "{}", paint.bold(&format!("{differences} in {}", self.exchanges())));
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
            let names = list.iter().filter(|_| verbose);
            out.extend(names.map(|name| format!("  {}\n", visible(name))));
        }
        out.extend(self.skipped().iter().map(|line| format!("{line}\n")));
        let not_compared = NOT_COMPARED.iter().filter(|_| verbose);
        out.extend(not_compared.map(|what| format!("not compared: {what}\n")));
        out
    }

    fn exchanges(&self) -> String {
        let count = self.findings.counts.exchanges;
        pluralize(usize::try_from(count).unwrap_or(usize::MAX), "exchange")
    }

    /// Returns what was not compared with the spec: a line for each reason, and for the first invalid entries.
    fn skipped(&self) -> Vec<String> {
        let counts = self.findings.counts;
        let reasons = [
            (counts.elsewhere, "with other servers (`--server` names one of this API)"),
            (counts.unanswered, "without a response"),
            (counts.dropped, "not recorded, because the recorder was busy"),
            (counts.preflights, "preflight requests of browsers"),
            (counts.beyond, "names and values not reported: too many at their place, or secrets"),
            (self.files.invalid, "invalid entries"),
        ];
        let reasons = reasons.into_iter().filter(|(count, _)| *count > 0);
        let reasons = reasons.map(|(count, what)| format!("{what}: {count}"));
        let invalid = self.files.named.iter().map(|place| format!("  {}", visible(place)));
        reasons.chain(invalid).collect()
    }

    /// Fails if nothing was compared: a check of nothing must not pass.
    pub fn refuse_nothing(&self) -> Fallible {
        if self.findings.counts.compared > 0 || !self.findings.all.is_empty() {
            return Ok(());
        }
        let lines = self.skipped().into_iter().map(|line| format!("\n  {line}"));
        let reasons = lines.collect::<String>();
        let message = format!("nothing was compared with the spec, of {}", self.exchanges());
        Err(Failure::new(message + &reasons)
            .help("record calls of operations of the spec, at one of its servers"))
    }

    /// Renders the report as one JSON object.
    pub fn json(&self) -> String {
        let findings = self.all().map(|(finding, place)| {
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
        });
        let Findings { counts, coverage, .. } = &self.findings;
        let value = json!({
            "findings": findings.collect::<Vec<_>>(),
            "exchanges": {
                "all": counts.exchanges,
                "compared": counts.compared,
                "elsewhere": counts.elsewhere,
                "unanswered": counts.unanswered,
                "dropped": counts.dropped,
                "preflights": counts.preflights,
                "beyond": counts.beyond,
            },
            "not_compared": NOT_COMPARED,
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
        let notice = |it: String| annotation("notice", None, "not-compared", &it);
        lines.chain(self.skipped().into_iter().map(notice)).collect()
    }
}

/// Returns how often something was seen, when, and where first.
fn frequency(finding: &Finding) -> String {
    match finding.origin.as_str() {
        "" => finding.frequency(),
        origin => format!("{}, first in the {origin}", finding.frequency()),
    }
}
