//! The report for programs, for pages, and for the annotations of a pull request.

use std::fmt::Write as _;

use ::codegen::compare::{Class, What};
use ::codegen::visible_json;
use serde_json::{Value, json};

use crate::diff::entry::Entry;
use crate::diff::report::Report;
use crate::host::annotation::annotation;
use crate::host::terminal::pluralize;

/// Renders the report as one JSON object.
pub fn json(report: &Report) -> String {
    let entries = |entries: &[Entry]| entries.iter().map(entry).collect::<Vec<_>>();
    let version = &report.version;
    let value = json!({
        "base": report.base,
        "head": report.head,
        "changes": entries(&report.entries),
        "additions": entries(&report.additions),
        "aliases": report.aliases,
        "version": {
            "old": version.old.to_string(),
            "new": version.new.to_string(),
            "suggested": version.suggested.to_string(),
            "class": version.decided_by.map(|(_, class)| class.as_str()),
            "decided_by": version.decided_by.map(|(origin, _)| origin.as_str()),
        },
        "spec_version": { "old": report.spec_version.0, "new": report.spec_version.1 },
    });
    visible_json(&format!("{value:#}\n")).into_owned()
}

/// Returns a change as a JSON object.
pub fn entry(entry: &Entry) -> Value {
    json!({
        "class": entry.class.as_str(),
        "origin": entry.origin.as_str(),
        "item": entry.main.id,
        "title": entry.title,
        "old": entry.main.old,
        "new": entry.main.new,
        "old_place": entry.old_place.as_ref().map(ToString::to_string),
        "new_place": entry.new_place.as_ref().map(ToString::to_string),
        "old_pointer": entry.pointers[0],
        "new_pointer": entry.pointers[1],
        "reason": entry.row.reason,
        "instead": entry.instead,
        "accept": entry.accept,
        "also": entry.also,
        "used_by": entry.used_by.iter().filter_map(|path| path.first()).collect::<Vec<_>>(),
        "waived": entry.waiver,
        "fingerprint": entry.fingerprint,
    })
}

/// Maximum number of other items of a change in Markdown.
const MAX_ALSO: usize = 20;

/// Renders the report in Markdown: a section for each class, as a changelog has it.
pub fn markdown(report: &Report) -> String {
    let mut out = String::new();
    let of = |class: Class, is_deprecation: bool| {
        let is_of = move |entry: &&Entry| {
            let what = &entry.main.what;
            let only_warns = matches!(what, What::Deprecated | What::Aliased(_));
            entry.class == class && only_warns == is_deprecation
        };
        report.entries.iter().filter(is_of).map(sentences)
    };
    section(&mut out, "Breaking", of(Class::Breaking, false));
    section(&mut out, "Wire-breaking, though it compiles", of(Class::Wire, false));
    section(&mut out, "Deprecated", of(Class::Compatible, true));
    section(&mut out, "Added", report.additions.iter().map(|added| added.title.clone()));
    let others = of(Class::Compatible, false).chain(of(Class::Documentation, false));
    let is_text = report.version.decided_by.is_some_and(|(_, class)| class == Class::Documentation);
    let text = is_text.then(|| "documentation".to_owned());
    section(&mut out, "Changed", others.chain(text));
    out
}

/// Returns a change and the other items that it changes, some of which a program can use alone.
fn sentences(entry: &Entry) -> String {
    let listed: Vec<String> =
        entry.also.iter().take(MAX_ALSO).map(|id| format!("`{id}`")).collect();
    let rest = entry.also.len() - listed.len();
    let rest = (rest > 0).then(|| format!(" and {}", pluralize(rest, "other item")));
    let also = (!listed.is_empty())
        .then(|| format!(" Also changed: {}{}.", listed.join(", "), rest.unwrap_or_default()));
    entry.sentence() + &also.unwrap_or_default()
}

fn section(out: &mut String, heading: &str, lines: impl Iterator<Item = String>) {
    let lines: Vec<String> = lines.map(|line| format!("- {line}\n")).collect();
    if !lines.is_empty() {
        let _ = write!(out, "### {heading}\n\n{}\n", lines.concat());
    }
}

/// Renders the report as annotations of a GitHub workflow, with the sentences of [`markdown`].
pub fn github(report: &Report) -> String {
    let mut out = String::new();
    for entry in &report.entries {
        let is_denied = entry.class >= Class::Wire && entry.waiver.is_none();
        let level = if is_denied { "error" } else { "notice" };
        let place = entry.new_place.as_ref().or(entry.annotated.as_ref());
        let place = place.map(|place| (place.0.as_str(), place.1));
        out += &annotation(level, place, entry.class.as_str(), &entry.sentence());
    }
    let version = &report.version;
    let _ = writeln!(out, "::notice title=next version::{} -> {}", version.old, version.suggested);
    out
}
