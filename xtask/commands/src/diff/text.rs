//! The report for people at a terminal.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use ::codegen::compare::{Class, What};
use ::codegen::visible;

use crate::diff::entry::{Entry, Origin};
use crate::diff::report::{Report, Versions};
use crate::host::terminal::{Paint, pluralize};

/// Renders the whole report.
pub fn full(report: &Report, verbose: bool, paint: Paint) -> String {
    let mut out = String::new();
    let groups = groups(&report.entries, verbose);
    if !verbose && groups.len() > MAX_WITHOUT_TABLE {
        overview(&mut out, report, paint);
    }
    for group in groups {
        headline(&mut out, &group, paint);
        details(&mut out, &group, &report.revisions, verbose, paint);
        out.push('\n');
    }
    for Entry { title, main, new_place, instead, .. } in report.additions.iter().filter(|_| verbose)
    {
        let place = new_place.as_ref().map(|place| format!("  {place}{}", report.revisions[1]));
        let _ = writeln!(out, "{title}: {}{}", main.new, place.unwrap_or_default());
        if let Some(instead) = instead {
            let _ = writeln!(out, "   = {instead}");
        }
    }
    if !verbose {
        name_additions(&mut out, report);
    }
    summary(&mut out, report, paint);
    out
}

/// Maximum number of groups of a report that begins with them, and not with an overview.
const MAX_WITHOUT_TABLE: usize = 5;

/// Maximum number of changes of a group that are listed without `--verbose`.
const MAX_LISTED: usize = 10;

/// Changes that are shown together.
pub(super) struct Group<'e> {
    pub(super) first: &'e Entry,
    others: Vec<&'e Entry>,
    /// What they have in common: the end of a sentence that begins with "and 3 others". `None` if only their items
    /// differ.
    pattern: Option<&'e str>,
}

impl<'e> Group<'e> {
    pub(super) fn entries(&self) -> impl Iterator<Item = &'e Entry> {
        [self.first].into_iter().chain(self.others.iter().copied())
    }

    /// Returns the sentence on the first change, with the number of the others.
    pub(super) fn title(&self) -> String {
        let others = match self.others.len() {
            0 => String::new(),
            others => format!(
                " (and {}{})",
                pluralize(others, "other item"),
                self.pattern.unwrap_or_default()
            ),
        };
        format!("{}{others}{}", self.first.title, suffix(self.first.origin))
    }
}

/// Returns the changes in groups, or each alone.
pub(super) fn groups(entries: &[Entry], verbose: bool) -> Vec<Group<'_>> {
    if verbose { by(entries.iter(), |_| None::<()>) } else { grouped(entries) }
}

/// Returns the changes in groups: first of changes that probably have the same cause, then of changes whose sentences name
/// the same values of different items.
fn grouped(entries: &[Entry]) -> Vec<Group<'_>> {
    let by_pattern = by(entries.iter(), |entry| {
        Some((
            entry.class,
            entry.origin,
            entry.row.label,
            entry.row.pattern.as_ref()?,
            &entry.waiver,
        ))
    });
    let (alone, mut groups): (Vec<_>, Vec<_>) =
        by_pattern.into_iter().partition(|group| group.others.is_empty());
    for group in &mut groups {
        group.pattern = group.first.row.pattern.as_deref();
    }
    groups.extend(by(alone.into_iter().map(|group| group.first), |entry| {
        let Entry { class, origin, row, instead, waiver, .. } = entry;
        let names_values = row.predicate.contains('`');
        names_values.then_some((*class, *origin, &row.predicate, row.reason, instead, waiver))
    }));
    groups.sort_by_key(|group| entries.iter().position(|entry| std::ptr::eq(entry, group.first)));
    groups
}

/// Groups changes by a key.
fn by<'e, K: PartialEq>(
    entries: impl Iterator<Item = &'e Entry>,
    key: impl Fn(&'e Entry) -> Option<K>,
) -> Vec<Group<'e>> {
    let mut groups: Vec<(Option<K>, Group<'e>)> = Vec::new();
    for entry in entries {
        let of_entry = key(entry);
        let is_same = |group: &&mut (Option<K>, _)| group.0.is_some() && group.0 == of_entry;
        match groups.iter_mut().find(is_same) {
            Some((_, group)) => group.others.push(entry),
            None => {
                groups.push((of_entry, Group { first: entry, others: Vec::new(), pattern: None }));
            }
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Renders the version and the numbers of changes by class and kind.
fn overview(out: &mut String, report: &Report, paint: Paint) {
    let Versions { old, suggested, .. } = &report.version;
    let _ = writeln!(out, "next version: {old} -> {}", paint.bold(&suggested.to_string()));
    for class in [Class::Breaking, Class::Wire, Class::Compatible] {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for entry in report.entries.iter().filter(|entry| entry.class == class) {
            *counts.entry(entry.row.label).or_default() += 1;
        }
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by_key(|(label, count)| (Reverse(*count), *label));
        for (label, count) in counts {
            let _ = writeln!(out, "{count:6}  {}: {label}", class.as_str());
        }
    }
    out.push('\n');
}

/// Names the new operations, and the new items that need an edit of the settings.
fn name_additions(out: &mut String, report: &Report) {
    for Entry { title, instead, main, .. } in &report.additions {
        if main.what == What::OPERATION || instead.is_some() {
            let advice = instead.as_ref().map(|text| format!(": {text}")).unwrap_or_default();
            let _ = writeln!(out, "{title}{advice}");
        }
    }
}

/// Renders the summary after a run of the generator: one line per change, and the version.
pub fn short(report: &Report, paint: Paint) -> String {
    let mut out = String::new();
    for group in grouped(&report.entries) {
        headline(&mut out, &group, paint);
    }
    name_additions(&mut out, report);
    summary(&mut out, report, paint);
    out
}

fn headline(out: &mut String, group: &Group<'_>, paint: Paint) {
    let entry = group.first;
    let class = entry.class.as_str();
    let class = match entry.class {
        _ if entry.waiver.is_some() => paint.bold(&format!("waived, {class}")),
        Class::Breaking | Class::Wire => paint.red(class),
        _ => paint.bold(class),
    };
    let _ = writeln!(out, "{class}: {}", group.title());
}

/// Writes the places of a change, each with the name of its revision: lines, and JSON pointers where the lines do not show
/// what differs.
pub fn places(out: &mut String, entry: &Entry, [of_old, of_new]: &[String; 2], paint: Paint) {
    let [old, new] = &entry.pointers;
    let shown = |pointer: &Option<String>| {
        pointer.as_ref().map(|pointer| format!(" ({})", visible(pointer))).unwrap_or_default()
    };
    let before = entry.old_place.as_ref().map(|place| {
        let pointer = if old == new { String::new() } else { shown(old) };
        format!("{place}{of_old}{pointer}")
    });
    let after = entry.new_place.as_ref().map(|place| format!("{place}{of_new}{}", shown(new)));
    let places: Vec<String> = before.into_iter().chain(after).collect();
    if !places.is_empty() {
        let _ = write!(out, "  {} {}", paint.cyan("-->"), places.join(" -> "));
    }
}

/// Writes what is below the headline of a group.
pub(super) fn details(
    out: &mut String,
    group: &Group<'_>,
    revisions: &[String; 2],
    verbose: bool,
    paint: Paint,
) {
    let entry = group.first;
    places(out, entry, revisions, paint);
    out.push_str(if out.ends_with('\n') { "" } else { "\n" });
    // The names of deprecated items suffice.
    let is_folded = group.pattern == Some("");
    for (sign, line) in [('-', &entry.main.old), ('+', &entry.main.new)] {
        if !line.is_empty() && !is_folded {
            let _ = writeln!(out, "   | {sign} {line}");
        }
    }
    let instead = entry.instead.as_ref().map(|text| format!("{}: {text}", paint.bold("instead")));
    let accept = entry.accept.as_ref().map(|pair| format!("if so: --accept '{pair}'"));
    let waiver = entry.waiver.as_ref().map(|reason| format!("waived: {reason}"));
    let mut notes = vec![entry.row.reason.to_owned()];
    notes.extend(instead.into_iter().chain(accept).chain(waiver));
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
    for other in group.others.iter().take(MAX_LISTED) {
        let mut note = format!("and {}", other.main.id);
        if other.needs_lines() && group.pattern.is_none() {
            let _ = write!(note, ": `{}` → `{}`", other.main.old, other.main.new);
        } else if other.row.predicate != entry.row.predicate {
            let _ = write!(note, ": `{}`", other.main.new);
        }
        note.extend(other.accept.iter().map(|pair| format!(", if so: --accept '{pair}'")));
        places(&mut note, other, revisions, paint);
        notes.push(note);
    }
    if let Some(rest) = group.others.len().checked_sub(MAX_LISTED).filter(|rest| *rest > 0) {
        notes.push(format!("and {}; `--verbose` lists them", pluralize(rest, "other item")));
    }
    for note in notes.iter().filter(|note| !note.is_empty()) {
        let _ = writeln!(out, "   = {note}");
    }
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
    let [before, after] =
        [before, after].map(|version| if version.is_empty() { "none" } else { version.as_str() });
    let step = if before == after {
        format!("{after}, unchanged")
    } else {
        format!("{before} -> {after}")
    };
    let _ = writeln!(out, "info.version of the spec: {}", visible(&step));
}

fn suffix(origin: Origin) -> String {
    match origin {
        Origin::Spec => String::new(),
        origin => format!(" (by the {})", origin.as_str()),
    }
}
