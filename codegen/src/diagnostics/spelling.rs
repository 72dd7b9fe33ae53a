//! Which known name a misspelled one was meant to be.

/// Returns the known name that a misspelled one resembles most, if any does.
pub(crate) fn closest<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    let spelled = letters(name);
    let distances = known.map(|candidate| (distance(&spelled, &letters(candidate)), candidate));
    let (distance, candidate) = distances.min()?;
    (distance <= candidate.len().min(name.len()) / 3 && distance <= 3).then_some(candidate)
}

/// Returns what of a name counts: letters and digits, whatever their case and what separates words.
fn letters(name: &str) -> Vec<char> {
    name.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect()
}

/// Returns how many characters must be inserted, removed, replaced, or swapped with their neighbour to turn one text into
/// another.
fn distance(from: &[char], to: &[char]) -> usize {
    let mut rows = vec![vec![0; to.len() + 1]; from.len() + 1];
    rows[0] = (0..=to.len()).collect();
    for (i, a) in from.iter().enumerate() {
        rows[i + 1][0] = i + 1;
        for (j, b) in to.iter().enumerate() {
            let replaced = rows[i][j] + usize::from(a != b);
            let mut least = replaced.min(rows[i][j + 1] + 1).min(rows[i + 1][j] + 1);
            if i > 0 && j > 0 && *a == to[j - 1] && from[i - 1] == *b {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            rows[i + 1][j + 1] = least;
        }
    }
    rows[from.len()][to.len()]
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
    }
}
