//! What changes of different items have in common, so that a report shows those with one cause together.

use super::change::Difference;
use super::what::{FromTo, Replacement, What};
use crate::items::{MemberKind, Path};

impl Difference {
    /// Returns what the difference has in common with others of the same kind that probably have the same cause: the
    /// end of a sentence that begins with "and 3 others". `None` if only equal sentences show a common cause.
    pub fn pattern(&self) -> Option<String> {
        let is_property = matches!(self.kind, MemberKind::Field | MemberKind::Variant);
        match &self.what {
            What::Removed(Replacement::Perhaps(to)) if is_property => {
                let to = Path::new(to).name().rsplit('.').next().unwrap_or_default().to_owned();
                Some(format!(" named `{}`, perhaps now `{to}`", self.name))
            }
            What::Removed(_) if is_property => Some(format!(" named `{}`", self.name)),
            What::Renamed { to, .. } | What::Aliased { to } => {
                Some(replaced(self.path().as_str(), to.as_str()))
            }
            What::Route(FromTo { from, to }) => Some(replaced(from, to)),
            What::Retyped(_) => {
                let [from, to] = [&self.old, &self.new].map(|line| type_in(line));
                Some(format!(" of type `{}`, now `{}`", from?, to?))
            }
            What::Credentials { from, .. } => Some(format!(" that accepted {from}")),
            What::Gated { lost: Some(lost), .. } => Some(format!(" of the feature `{lost}`")),
            What::Deprecated => Some(String::new()),
            _ => None,
        }
    }
}

/// Returns the type in the line of a field.
fn type_in(line: &str) -> Option<&str> {
    let (_, definition) = line.split_once(": ")?;
    definition.split_once(" as \"").map(|(ty, _)| ty)
}

/// Describes the words that differ between two names, or between two routes.
fn replaced(from: &str, to: &str) -> String {
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
