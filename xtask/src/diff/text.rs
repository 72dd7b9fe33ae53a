//! The report for people at a terminal.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ::codegen::public_api::{Addition, Change, Class, Comparison};

use crate::diff::explain;
use crate::diff::report::{Origin, Places, Report};
use crate::terminal::Paint;

/// Renders the whole report.
pub fn full(report: &Report, verbose: bool, paint: Paint) -> String {
    let mut out = String::new();
    let places = report.locators();
    for (origin, change) in report.changes() {
        entry(&mut out, report, (origin, change), &places, verbose, paint);
    }
    for (origin, part) in &report.parts {
        additions(&mut out, *origin, part, &places, verbose);
    }
    summary(&mut out, report, paint);
    out
}

/// Renders the end of a run of the generator: what has changed, one line each, and the version.
pub fn short(report: &Report, paint: Paint) -> String {
    let mut out = String::new();
    for (origin, change) in report.changes().filter(|(_, change)| change.class >= Class::Wire) {
        let class = paint.red(change.class.as_str());
        let _ = writeln!(out, "{class}: {}{}", explain::title(change), suffix(origin));
    }
    for (origin, part) in &report.parts {
        additions(&mut out, *origin, part, &report.locators(), false);
    }
    summary(&mut out, report, paint);
    out
}

fn entry(
    out: &mut String,
    report: &Report,
    (origin, change): (Origin, &Change),
    places: &Places<'_>,
    verbose: bool,
    paint: Paint,
) {
    let waiver = report.waivers.get(&change.fingerprint());
    let class = change.class.as_str();
    let class = match change.class {
        _ if waiver.is_some() => paint.bold(&format!("waived, {class}")),
        Class::Breaking | Class::Wire => paint.red(class),
        _ => paint.bold(class),
    };
    let _ = writeln!(out, "{class}: {}{}", explain::title(change), suffix(origin));
    let main = &change.main;
    let before = places
        .in_old(&main.old_place)
        .map(|(file, line)| format!("{file}:{line}{}", report.base_suffix));
    let after = places.in_new(&main.new_place).map(|(file, line)| format!("{file}:{line}"));
    let spots: Vec<String> = before.into_iter().chain(after).collect();
    if !spots.is_empty() {
        let _ = writeln!(out, "  {} {}", paint.cyan("-->"), spots.join(" -> "));
    }
    let _ = writeln!(out, "   | - {}", main.old);
    if !main.new.is_empty() {
        let _ = writeln!(out, "   | + {}", main.new);
    }
    let _ = writeln!(out, "   = {}", explain::reason(change));
    if let Some(remedy) = explain::remedy(change) {
        let _ = writeln!(out, "   = {}: {remedy}", paint.bold("instead"));
    }
    if let Some(reason) = waiver {
        let _ = writeln!(out, "   = waived: {reason}");
    }
    details(out, change, verbose);
    out.push('\n');
}

fn details(out: &mut String, change: &Change, verbose: bool) {
    if verbose {
        for other in change.consequences() {
            let _ = writeln!(out, "   = also {}", other.id);
        }
        for user in &change.used_by {
            let _ = writeln!(out, "   = used by {}", user.join(" > "));
        }
        if change.class >= Class::Wire {
            let _ = writeln!(out, "   = fingerprint {}", change.fingerprint());
        }
        return;
    }
    let counts = [
        (change.consequences().count(), "also", "item"),
        (change.used_by.len(), "used by", "method"),
    ];
    let counts: Vec<String> = counts
        .into_iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, verb, noun)| format!("{verb} {}", counted(count, noun)))
        .collect();
    if !counts.is_empty() {
        let _ = writeln!(out, "   = {}", counts.join(", "));
    }
}

fn additions(
    out: &mut String,
    origin: Origin,
    part: &Comparison,
    places: &Places<'_>,
    verbose: bool,
) {
    if verbose {
        for Addition { kind, id, line, place, .. } in &part.additions {
            let spot = places.in_new(place).map(|(file, line)| format!("  {file}:{line}"));
            let _ = writeln!(out, "new {kind} `{id}`: {line}{}", spot.unwrap_or_default());
        }
    }
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for addition in &part.additions {
        *kinds.entry(addition.kind).or_default() += 1;
    }
    let mut parts: Vec<String> =
        kinds.iter().map(|(kind, count)| counted(*count, &format!("new {kind}"))).collect();
    if part.respelled > 0 {
        parts.push(format!("{} unchanged under another key", counted(part.respelled, "type")));
    }
    if part.documentation > 0 {
        parts.push(format!("{} with other documentation", counted(part.documentation, "item")));
    }
    if !parts.is_empty() {
        let _ = writeln!(out, "compatible{}: {}", suffix(origin), parts.join(", "));
    }
}

fn summary(out: &mut String, report: &Report, paint: Paint) {
    let version = &report.version;
    let counts = [Class::Breaking, Class::Wire].map(|class| (report.count(class), class.as_str()));
    let counts: Vec<String> =
        counts.iter().map(|(count, class)| format!("{count} {class}")).collect();
    let Some((origin, class)) = version.decided_by else {
        let _ = writeln!(out, "nothing differs between {} and {}", report.base, report.head);
        return;
    };
    let _ = writeln!(out, "{}, against {}", counts.join(", "), report.base);
    let next = paint.bold(&version.suggested.to_string());
    let so_far = if version.new == version.old {
        String::new()
    } else if super::version::is_enough(&version.old, &version.new, Some(class)) {
        format!("; codegen.toml has {}, which is enough", version.new)
    } else {
        format!("; codegen.toml has {}, which is not enough", version.new)
    };
    let _ = writeln!(
        out,
        "next version: {} -> {next} ({} changes by the {}){so_far}",
        version.old,
        class.as_str(),
        origin.as_str()
    );
    let (before, after) = &report.spec_version;
    let _ = if before == after {
        writeln!(out, "info.version of the spec: {after}, not moved")
    } else {
        writeln!(out, "info.version of the spec: {before} -> {after}")
    };
}

fn suffix(origin: Origin) -> String {
    match origin {
        Origin::Spec => String::new(),
        origin => format!(" (by the {})", origin.as_str()),
    }
}

/// Returns a number with its noun.
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
