//! The report for people at a terminal.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use ::codegen::compare::Class;

use crate::diff::entry::{Entry, Origin};
use crate::diff::report::{Report, Versions};
use crate::host::terminal::{Paint, pluralize};

/// Renders the whole report.
pub fn full(report: &Report, verbose: bool, paint: Paint) -> String {
    let mut out = String::new();
    let groups = if verbose {
        report.entries.iter().map(|it| vec![it]).collect()
    } else {
        alike(&report.entries)
    };
    if !verbose && report.entries.len() > MAX_WITHOUT_TABLE {
        overview(&mut out, report, paint);
    }
    for group in groups {
        describe(&mut out, &group, &report.base_suffix, verbose, paint);
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

/// Maximum number of changes of a report that begins with them, and not with an overview.
const MAX_WITHOUT_TABLE: usize = 10;

/// Minimum number of changes that are shown as one because only their items differ.
const MIN_ALIKE: usize = 3;

/// Returns the changes, those together that only differ in their items.
fn alike(entries: &[Entry]) -> Vec<Vec<&Entry>> {
    let predicate = |entry: &Entry| {
        let end = entry.title.match_indices('`').nth(1).map_or(0, |(end, _)| end);
        let text = entry.title[end..].to_owned();
        (entry.class, entry.origin, text, entry.reason, entry.instead.clone(), entry.waiver.clone())
    };
    let mut groups: Vec<Vec<&Entry>> = Vec::new();
    for entry in entries {
        let is_same = |group: &&mut Vec<&Entry>| {
            group.first().is_some_and(|first| predicate(first) == predicate(entry))
        };
        match groups.iter_mut().find(is_same) {
            Some(group) => group.push(entry),
            None => groups.push(vec![entry]),
        }
    }
    let split = groups.into_iter().flat_map(|group| match group.len() {
        ..MIN_ALIKE => group.into_iter().map(|entry| vec![entry]).collect(),
        _ => vec![group],
    });
    split.collect()
}

/// Renders the version and the numbers of changes by class and kind.
fn overview(out: &mut String, report: &Report, paint: Paint) {
    let Versions { old, suggested, .. } = &report.version;
    let _ = writeln!(out, "next version: {old} -> {}", paint.bold(&suggested.to_string()));
    for class in [Class::Breaking, Class::Wire, Class::Compatible] {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for entry in report.entries.iter().filter(|entry| entry.class == class) {
            *counts.entry(entry.label).or_default() += 1;
        }
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by_key(|(label, count)| (Reverse(*count), *label));
        for (label, count) in counts {
            let _ = writeln!(out, "{count:6}  {}: {label}", class.as_str());
        }
    }
    out.push('\n');
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
    for group in alike(&report.entries) {
        if let [entry, others @ ..] = group.as_slice() {
            headline(&mut out, entry, others.len(), paint);
        }
    }
    name_operations(&mut out, report);
    summary(&mut out, report, paint);
    out
}

fn headline(out: &mut String, entry: &Entry, others: usize, paint: Paint) {
    let class = entry.class.as_str();
    let class = match entry.class {
        _ if entry.waiver.is_some() => paint.bold(&format!("waived, {class}")),
        Class::Breaking | Class::Wire => paint.red(class),
        _ => paint.bold(class),
    };
    let others = match others {
        0 => String::new(),
        others => format!(" (and {})", pluralize(others, "other item")),
    };
    let _ = writeln!(out, "{class}: {}{others}{}", entry.title, suffix(entry.origin));
}

/// Writes the places of a change: lines, and JSON pointers where the lines do not show what differs.
fn places(out: &mut String, entry: &Entry, base_suffix: &str, paint: Paint) {
    let pointer = |is_old: bool| {
        let pointers = entry.pointers.as_ref();
        let pointer = pointers.map(|(old, new)| if is_old { old } else { new });
        pointer.map(|pointer| format!(" ({pointer})")).unwrap_or_default()
    };
    let is_same = entry.pointers.as_ref().is_some_and(|(old, new)| old == new);
    let before = entry.old_place.as_ref().map(|place| {
        let pointer = if is_same { String::new() } else { pointer(true) };
        format!("{place}{base_suffix}{pointer}")
    });
    let after = entry.new_place.as_ref().map(|place| format!("{place}{}", pointer(false)));
    let places: Vec<String> = before.into_iter().chain(after).collect();
    if !places.is_empty() {
        let _ = write!(out, "  {} {}", paint.cyan("-->"), places.join(" -> "));
    }
}

fn describe(out: &mut String, group: &[&Entry], base_suffix: &str, verbose: bool, paint: Paint) {
    let [entry, others @ ..] = group else { return };
    headline(out, entry, others.len(), paint);
    places(out, entry, base_suffix, paint);
    out.push_str(if out.ends_with('\n') { "" } else { "\n" });
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
    for other in others {
        let mut note = format!("and {}", other.item);
        places(&mut note, other, base_suffix, paint);
        notes.push(note);
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
