//! What changes of different items have in common, so that a report shows those with one cause together.

use super::what::Replacement;
use crate::items::MemberKind;

/// Returns what the removal of a property has in common with others; `None` for other members.
pub(super) fn removed(kind: MemberKind, name: &str, replacement: &Replacement) -> Option<String> {
    if !matches!(kind, MemberKind::Field | MemberKind::Variant) {
        return None;
    }
    let Replacement::Perhaps(to) = replacement else { return Some(format!(" named `{name}`")) };
    Some(format!(" named `{name}`, perhaps now `{}`", to.name()))
}

/// Describes the words that differ between two names, or between two routes.
pub(super) fn replaced(from: &str, to: &str) -> String {
    let [from, to] = [words(from), words(to)];
    let same = from.iter().zip(&to).take_while(|(from, to)| from == to).count();
    let [from, to] = [from.get(same..).unwrap_or_default(), to.get(same..).unwrap_or_default()];
    let end = from.iter().rev().zip(to.iter().rev()).take_while(|(from, to)| from == to).count();
    let [from, to] = [from, to].map(|words| {
        let words = words.get(..words.len().saturating_sub(end)).unwrap_or_default();
        words.concat().trim_matches(is_separator).to_owned()
    });
    match (from.is_empty(), to.is_empty()) {
        (true, _) => format!(" with `{to}` added"),
        (_, true) => format!(" without `{from}`"),
        _ => format!(" with `{to}` instead of `{from}`"),
    }
}

fn is_separator(character: char) -> bool {
    matches!(character, '/' | ':' | '_' | '.' | '-' | ' ')
}

/// Splits a name or a route into its words and what separates them.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = 0;
    let mut previous = None;
    for (at, character) in text.char_indices() {
        let begins = previous.is_some_and(|previous: char| {
            is_separator(character) != is_separator(previous)
                || (character.is_uppercase() && !previous.is_uppercase())
        });
        if begins {
            words.extend(text.get(start..at));
            start = at;
        }
        previous = Some(character);
    }
    words.extend(text.get(start..));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_in_words() {
        let cases = [
            ("models::TypeStyleCase", "models::BaseTypeStyleCase", " with `Base` added"),
            ("models::PetV1", "models::Pet", " without `V1`"),
            ("models::pet::v1::Owner", "models::zoo::v1::Owner", " with `zoo` instead of `pet`"),
            ("GET /api/v1/pets/{id}", "GET /api/v2/pets/{id}", " with `v2` instead of `v1`"),
            ("models::Pet.owner_id", "models::Pet.keeper_id", " with `keeper` instead of `owner`"),
            ("POST /pets", "PUT /pets", " with `PUT` instead of `POST`"),
        ];
        for (from, to, expected) in cases {
            assert_eq!(replaced(from, to), expected, "{from} -> {to}");
        }
    }
}
