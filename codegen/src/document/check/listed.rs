//! Lists of names in messages.

/// How many names a message lists; the others are counted.
const LISTED: usize = 5;

/// Returns names as a list in a sentence.
pub(super) fn listed(names: &[&str]) -> String {
    let mut shown: Vec<String> =
        names.iter().take(LISTED).map(|name| format!("`{name}`")).collect();
    if names.len() > LISTED {
        shown.push(format!("{} more", names.len() - LISTED));
    }
    match shown.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => shown.concat(),
    }
}
