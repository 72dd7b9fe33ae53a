//! What a run says of itself.

use std::fmt::Write as _;

use super::campaign::{Failed, Outcome, Plan};
use super::coverage::CLASSES;
use super::description::Description;
use super::roots::Root;
use super::schema::Reader;
use super::verdict::FaultKind;

/// The longest that JSON is shown.
const LONGEST: usize = 4000;

/// How many items that were not met are named.
const MOST_ITEMS: usize = 20;

/// Returns what was tried.
pub fn tried(outcome: &Outcome, roots: &[Root], plan: Plan) -> String {
    let mut text =
        format!("{} types, {} instances, seed {}\n  ", roots.len(), outcome.instances, plan.seed);
    let tally = outcome.coverage.tally();
    let covered = CLASSES.iter().map(|(_, name)| {
        let (met, all) = tally.get(name).copied().unwrap_or_default();
        format!("{name} {met}/{all}")
    });
    text.push_str(&covered.collect::<Vec<_>>().join(", "));
    text.push_str("\n  ");
    let mutations = outcome.mutations.iter();
    let mutations = mutations.map(|(name, count)| format!("{name} {count}"));
    text.push_str(&mutations.collect::<Vec<_>>().join(", "));
    text.push('\n');
    text
}

/// Returns what nothing can be tried of.
pub fn impossible(reader: &Reader<'_>) -> Option<String> {
    let places = reader.impossible();
    let first = reader.description.pointer(*places.first()?);
    let count = places.len();
    Some(format!(
        "not tried: schemas that no finite value meets, {count} in all; the first is `{first}`"
    ))
}

/// Returns what was described and not met.
pub fn missed(outcome: &Outcome, description: &Description<'_>) -> Option<String> {
    let count = outcome.coverage.missing().count();
    if count == 0 {
        return None;
    }
    let mut text = format!("{count} of what is described was not met:\n");
    for item in outcome.coverage.missing().take(MOST_ITEMS) {
        let _ = writeln!(text, "  {}", item.describe(description));
    }
    if count > MOST_ITEMS {
        text.push_str("  …\n");
    }
    Some(text)
}

/// Returns one failure: what it is, where, and how to see it again.
pub fn failed(cause: &str, failed: &Failed, root: &Root, repeat: &str, seed: u64) -> String {
    let mut text = format!(
        "{cause} ({} instances, seed {seed})\n  type:   {} ({})\n",
        failed.count, root.rust, root.name
    );
    if !failed.mutations.is_empty() {
        let _ = writeln!(text, "  after:  {}", failed.mutations.join(", "));
    }
    let fault = &failed.fault;
    let _ = writeln!(text, "  sent:   {}", shortened(&failed.sent));
    let _ = writeln!(text, "  answer: {} (by {})", shortened(&fault.answer), fault.route);
    if let FaultKind::Differs(difference) = &fault.kind {
        let _ = writeln!(text, "  where:  {:?}", difference.path);
    }
    let _ = writeln!(
        text,
        "  repeat: {repeat} --schema {} --json {}",
        quoted(&root.name),
        quoted(&failed.sent)
    );
    text
}

fn shortened(text: &str) -> &str {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => text.get(..end).unwrap_or_default(),
        None => text,
    }
}

/// Returns an argument as a shell reads it back.
pub fn quoted(argument: &str) -> String {
    format!("'{}'", argument.replace('\'', r"'\''"))
}
