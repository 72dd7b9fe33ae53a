//! The report for people at a terminal.

use std::fmt::Write as _;

use ::codegen::compare::Class;

use crate::diff::entry::{Entry, Origin};
use crate::diff::report::Report;
use crate::host::terminal::{Paint, pluralize};

/// Renders the whole report.
pub fn full(report: &Report, verbose: bool, paint: Paint) -> String {
    let mut out = String::new();
    for entry in &report.entries {
        describe(&mut out, entry, &report.base_suffix, verbose, paint);
    }
    for Entry { title, new, new_place, .. } in report.additions.iter().filter(|_| verbose) {
        let place = new_place.as_ref().map(|place| format!("  {place}"));
        let _ = writeln!(out, "{title}: {new}{}", place.unwrap_or_default());
    }
    if !verbose {
        name_operations(&mut out, report);
    }
    summary(&mut out, report, paint);
    out
}

/// Names the new operations.
fn name_operations(out: &mut String, report: &Report) {
    for added in report.additions.iter().filter(|added| added.is_operation) {
        let _ = writeln!(out, "{}", added.title);
    }
}

/// Renders the summary after a run of the generator: one line per change, and the version.
pub fn short(report: &Report, paint: Paint) -> String {
    let mut out = String::new();
    for entry in &report.entries {
        headline(&mut out, entry, paint);
    }
    name_operations(&mut out, report);
    summary(&mut out, report, paint);
    out
}

fn headline(out: &mut String, entry: &Entry, paint: Paint) {
    let class = entry.class.as_str();
    let class = match entry.class {
        _ if entry.waiver.is_some() => paint.bold(&format!("waived, {class}")),
        Class::Breaking | Class::Wire => paint.red(class),
        _ => paint.bold(class),
    };
    let _ = writeln!(out, "{class}: {}{}", entry.title, suffix(entry.origin));
}

fn describe(out: &mut String, entry: &Entry, base_suffix: &str, verbose: bool, paint: Paint) {
    headline(out, entry, paint);
    let before = entry.old_place.as_ref().map(|place| format!("{place}{base_suffix}"));
    let after = entry.new_place.as_ref().map(ToString::to_string);
    let places: Vec<String> = before.into_iter().chain(after).collect();
    if !places.is_empty() {
        let _ = writeln!(out, "  {} {}", paint.cyan("-->"), places.join(" -> "));
    }
    for (sign, line) in [('-', &entry.old), ('+', &entry.new)] {
        if !line.is_empty() {
            let _ = writeln!(out, "   | {sign} {line}");
        }
    }
    let instead = entry.instead.as_ref().map(|text| format!("{}: {text}", paint.bold("instead")));
    let waiver = entry.waiver.as_ref().map(|reason| format!("waived: {reason}"));
    let mut notes: Vec<String> =
        [entry.reason.to_owned()].into_iter().chain(instead).chain(waiver).collect();
    if verbose {
        notes.extend(entry.also.iter().map(|other| format!("also {other}")));
        notes.extend(entry.used_by.iter().map(|path| format!("used by {}", path.join(" > "))));
        if entry.class >= Class::Wire {
            notes.push(format!("fingerprint {}", entry.fingerprint));
        }
    } else {
        let counts =
            [(entry.also.len(), "also", "item"), (entry.used_by.len(), "used by", "method")];
        let counts = counts
            .into_iter()
            .filter(|(count, ..)| *count > 0)
            .map(|(count, verb, noun)| format!("{verb} {}", pluralize(count, noun)));
        notes.push(counts.collect::<Vec<_>>().join(", "));
    }
    for note in notes.iter().filter(|note| !note.is_empty()) {
        let _ = writeln!(out, "   = {note}");
    }
    out.push('\n');
}

fn summary(out: &mut String, report: &Report, paint: Paint) {
    for (origin, text) in &report.compatible {
        let _ = writeln!(out, "compatible{}: {text}", suffix(*origin));
    }
    if !report.aliases.is_empty() {
        out.push_str(
            "to keep the old names as deprecated aliases, add to codegen.toml:\n[aliases]\n",
        );
        for (old, new) in &report.aliases {
            let _ = writeln!(out, "{old:?} = {new:?}");
        }
    }
    let version = &report.version;
    let Some((origin, class)) = version.decided_by else {
        let _ = writeln!(out, "nothing differs between {} and {}", report.base, report.head);
        return;
    };
    let counts = [Class::Breaking, Class::Wire]
        .map(|class| format!("{} {}", report.count(class), class.as_str()));
    let _ = writeln!(out, "{}, against {}", counts.join(", "), report.base);
    let next = paint.bold(&version.suggested.to_string());
    let so_far = match super::version::is_enough(&version.old, &version.new, Some(class)) {
        _ if version.new == version.old => String::new(),
        true => format!("; {} in codegen.toml allows them", version.new),
        false => format!("; {} in codegen.toml does not allow them", version.new),
    };
    let old = &version.old;
    let class = class.as_str();
    let origin = origin.as_str();
    let _ =
        writeln!(out, "next version: {old} -> {next} ({class} changes by the {origin}){so_far}");
    let (before, after) = &report.spec_version;
    let step = if before == after {
        format!("{after}, unchanged")
    } else {
        format!("{before} -> {after}")
    };
    let _ = writeln!(out, "info.version of the spec: {step}");
}

fn suffix(origin: Origin) -> String {
    match origin {
        Origin::Spec => String::new(),
        origin => format!(" (by the {})", origin.as_str()),
    }
}
