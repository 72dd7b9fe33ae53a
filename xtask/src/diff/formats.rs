//! The report for programs, for pages, and for the annotations of a pull request.

use std::fmt::Write as _;

use ::codegen::public_api::{Change, Class};
use serde_json::{Value, json};

use crate::diff::explain;
use crate::diff::report::{Origin, Places, Report};

/// Renders the report as one JSON object.
pub fn json(report: &Report) -> String {
    let places = report.locators();
    let changes: Vec<Value> = report
        .changes()
        .map(|(origin, change)| change_json(report, origin, change, &places))
        .collect();
    let additions = report.parts.iter().flat_map(|(origin, part)| {
        part.additions.iter().map(|addition| {
            json!({
                "origin": origin.as_str(),
                "kind": addition.kind,
                "item": addition.id.to_string(),
                "line": addition.line,
                "place": spot(places.in_new(&addition.place)),
            })
        })
    });
    let version = &report.version;
    let value = json!({
        "base": report.base,
        "head": report.head,
        "changes": changes,
        "additions": additions.collect::<Vec<_>>(),
        "version": {
            "old": version.old.to_string(),
            "new": version.new.to_string(),
            "suggested": version.suggested.to_string(),
            "class": version.decided_by.map(|(_, class)| class.as_str()),
            "decided_by": version.decided_by.map(|(origin, _)| origin.as_str()),
        },
        "spec_version": { "old": report.spec_version.0, "new": report.spec_version.1 },
    });
    format!("{value:#}\n")
}

fn change_json(report: &Report, origin: Origin, change: &Change, places: &Places<'_>) -> Value {
    let fingerprint = change.fingerprint();
    json!({
        "class": change.class.as_str(),
        "origin": origin.as_str(),
        "item": change.main.id.to_string(),
        "title": explain::title(change),
        "old": change.main.old,
        "new": change.main.new,
        "old_place": spot(places.in_old(&change.main.old_place)),
        "new_place": spot(places.in_new(&change.main.new_place)),
        "reason": explain::reason(change),
        "instead": explain::remedy(change),
        "also": change.consequences().map(|other| other.id.to_string()).collect::<Vec<_>>(),
        "used_by": change.used_by.iter().filter_map(|way| way.first()).collect::<Vec<_>>(),
        "waived": report.waivers.get(&fingerprint),
        "fingerprint": fingerprint,
    })
}

fn spot(place: Option<(&str, usize)>) -> Option<String> {
    place.map(|(file, line)| format!("{file}:{line}"))
}

/// Renders the report in Markdown: a section for each class, as a changelog has it.
pub fn markdown(report: &Report) -> String {
    let mut out = String::new();
    for (class, heading) in [
        (Class::Breaking, "Breaking"),
        (Class::Wire, "Wire-breaking, though it compiles"),
        (Class::Compatible, "Deprecated"),
    ] {
        let mut changes = report.changes().filter(|(_, change)| change.class == class).peekable();
        if changes.peek().is_some() {
            let _ = writeln!(out, "### {heading}\n");
        }
        for (_, change) in changes {
            let main = &change.main;
            let _ = write!(out, "- {}: `{}`", explain::title(change), main.old);
            if !main.new.is_empty() {
                let _ = write!(out, " → `{}`", main.new);
            }
            let remedy = explain::remedy(change).map(|remedy| format!(" Instead: {remedy}."));
            let _ = writeln!(out, ".{}", remedy.unwrap_or_default());
        }
        if out.ends_with(".\n") {
            out.push('\n');
        }
    }
    let mut additions = report.parts.iter().flat_map(|(_, part)| &part.additions).peekable();
    if additions.peek().is_some() {
        out.push_str("### Added\n\n");
    }
    for addition in additions {
        let _ = writeln!(out, "- {} `{}`", addition.kind, addition.id);
    }
    out
}

/// Renders the report as annotations of a GitHub workflow.
pub fn github(report: &Report) -> String {
    let places = report.locators();
    let mut out = String::new();
    for (_, change) in report.changes() {
        let is_denied =
            change.class >= Class::Wire && !report.waivers.contains_key(&change.fingerprint());
        let level = if is_denied { "error" } else { "notice" };
        let place =
            places.in_new(&change.main.new_place).or_else(|| places.in_old(&change.main.old_place));
        let place = place.map(|(file, line)| format!(" file={},line={line},", escaped(file)));
        let place = place.unwrap_or_else(|| " ".to_owned());
        let message = format!("{}; {}", explain::title(change), explain::reason(change));
        let _ = writeln!(
            out,
            "::{level}{place}title={}::{}",
            escaped(change.class.as_str()),
            message.replace('%', "%25").replace('\n', "%0A")
        );
    }
    let version = &report.version;
    let _ = writeln!(out, "::notice title=next version::{} -> {}", version.old, version.suggested);
    out
}

/// Escapes a property of an annotation.
fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace(':', "%3A").replace(',', "%2C").replace('\n', "%0A")
}
