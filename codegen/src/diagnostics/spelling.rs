//! Which known name a misspelled one was meant to be.

/// The most edits between a misspelled name and the one that was meant.
const MOST_EDITS: usize = 3;

/// The longest name that is compared: comparing takes the square of the length.
const LONGEST: usize = 100;

/// Returns the known name that a misspelled one resembles most, if any does.
pub(crate) fn closest<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    if name.len() > LONGEST {
        return None;
    }
    let spelled = letters(name);
    let distance = |candidate: &'k str| {
        let limit = (candidate.len().min(name.len()) / 3).min(MOST_EDITS);
        if candidate.len().abs_diff(name.len()) > 2 * MOST_EDITS {
            return None;
        }
        let distance = strsim::osa_distance(&spelled, &letters(candidate));
        (distance <= limit).then_some((distance, candidate))
    };
    known.filter_map(distance).min().map(|(_, candidate)| candidate)
}

/// Returns what of a name counts: letters and digits, whatever their case and what separates words.
fn letters(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    fn closest(name: &str, known: &[&'static str]) -> Option<&'static str> {
        super::closest(name, known.iter().copied())
    }

    #[test]
    fn suggests_what_was_meant() {
        let known = ["operationId", "parameters", "get", "put", "responses"];
        assert_eq!(closest("operationID", &known), Some("operationId"));
        assert_eq!(closest("operation_id", &known), Some("operationId"));
        assert_eq!(closest("parameter", &known), Some("parameters"));
        assert_eq!(closest("reponses", &known), Some("responses"));
        assert_eq!(closest("GET", &known), Some("get"));
        assert_eq!(closest("Onwer", &["Owner"]), Some("Owner"));
    }

    #[test]
    fn suggests_nothing_for_something_else() {
        assert_eq!(closest("overlays", &["parameters", "get"]), None);
        assert_eq!(closest("post", &[]), None);
        assert_eq!(closest("", &["get"]), None);
        assert_eq!(closest("日本", &["get"]), None);
        assert_eq!(closest(&"a".repeat(101), &["aaa"]), None);
    }
}
