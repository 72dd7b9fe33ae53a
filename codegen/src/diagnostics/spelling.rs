//! Suggestions for misspelled names.

/// Maximum number of edits between a misspelled name and a suggestion.
const MAX_EDITS: usize = 3;

/// Maximum length of a name that is compared: the time grows with the square of the length.
const MAX_NAME_LENGTH: usize = 100;

/// Maximum number of comparisons in a run: every reference of a large document can be invalid.
const MAX_COMPARISONS: usize = 200_000;

/// Suggests known names, for a limited number of comparisons.
#[derive(Clone, Debug)]
pub(crate) struct Spelling {
    /// The number of comparisons left.
    left: usize,
}

impl Default for Spelling {
    fn default() -> Self {
        Self { left: MAX_COMPARISONS }
    }
}

impl Spelling {
    /// Returns the known name that is most similar to a misspelled one, if one is similar enough.
    pub(crate) fn closest<'k>(
        &mut self,
        name: &str,
        known: impl Iterator<Item = &'k str>,
    ) -> Option<&'k str> {
        if name.len() > MAX_NAME_LENGTH {
            return None;
        }
        let spelled = letters(name);
        let set = letter_set(name);
        let mut best = None;
        for candidate in known {
            self.left = self.left.checked_sub(1)?;
            let limit = (candidate.len().min(name.len()) / 3).min(MAX_EDITS);
            let differing = (set ^ letter_set(candidate)).count_ones() as usize;
            if candidate.len().abs_diff(name.len()) > 2 * MAX_EDITS || differing > 2 * limit {
                continue;
            }
            let distance = strsim::osa_distance(&spelled, &letters(candidate));
            if distance <= limit && best.is_none_or(|best| (distance, candidate) < best) {
                best = Some((distance, candidate));
            }
        }
        best.map(|(_, candidate)| candidate)
    }
}

/// Returns the help for an unknown name: the one that is probably meant, or else another text.
pub(crate) fn help_for_unknown(meant: Option<&str>, otherwise: &str) -> String {
    meant.map_or_else(|| otherwise.to_owned(), |meant| format!("did you mean `{meant}`?"))
}

/// Returns the set of letters and digits of a name, as bits: an edit changes at most two of them.
fn letter_set(name: &str) -> u64 {
    name.bytes()
        .filter(u8::is_ascii_alphanumeric)
        .fold(0, |set, byte| set | 1 << (byte.to_ascii_lowercase() & 63))
}

/// Returns the letters and digits of a name in lower case.
fn letters(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn closest(name: &str, known: &[&'static str]) -> Option<&'static str> {
        Spelling::default().closest(name, known.iter().copied())
    }

    #[test]
    fn similar_names_are_suggested() {
        let known = ["operationId", "parameters", "get", "put", "responses"];
        assert_eq!(closest("operationID", &known), Some("operationId"));
        assert_eq!(closest("operation_id", &known), Some("operationId"));
        assert_eq!(closest("parameter", &known), Some("parameters"));
        assert_eq!(closest("reponses", &known), Some("responses"));
        assert_eq!(closest("GET", &known), Some("get"));
        assert_eq!(closest("Onwer", &["Owner"]), Some("Owner"));
    }

    #[test]
    fn other_names_are_not_suggested() {
        assert_eq!(closest("overlays", &["parameters", "get"]), None);
        assert_eq!(closest("post", &[]), None);
        assert_eq!(closest("", &["get"]), None);
        assert_eq!(closest("日本", &["get"]), None);
        assert_eq!(closest(&"a".repeat(101), &["aaa"]), None);
    }

    #[test]
    fn comparisons_are_limited() {
        let mut spelling = Spelling { left: 3 };
        assert_eq!(spelling.closest("Onwer", ["Pet", "Owner"].into_iter()), Some("Owner"));
        assert_eq!(spelling.closest("Onwer", ["Pet", "Owner"].into_iter()), None);
    }
}
