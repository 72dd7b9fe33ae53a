//! The order in which `cargo fmt` puts modules and imports (Rust Style Guide, "Sorting" and "Ordering" of imports).

use std::cmp::Ordering;

/// A part of a name, as far as sorting goes. The order of the variants matters.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Chunk<'n> {
    Underscore,
    Text(&'n str),
}

impl Chunk<'_> {
    fn cmp_length(&self, other: &Self) -> Ordering {
        self.length().cmp(&other.length())
    }

    fn length(&self) -> usize {
        match self {
            Self::Underscore => 1,
            Self::Text(text) => text.len(),
        }
    }
}

/// Compares modules: letter by letter.
pub fn modules(left: &str, right: &str) -> Ordering {
    bare(left).cmp(bare(right))
}

/// Compares imported names: numbers in them by their value, underscores before everything else.
pub fn names(left: &str, right: &str) -> Ordering {
    let (mut left, mut right) = (bare(left), bare(right));
    while !left.is_empty() && !right.is_empty() {
        let (left_chunk, left_rest) = chunk(left);
        let (right_chunk, right_rest) = chunk(right);
        let numbers = number(&left_chunk).zip(number(&right_chunk));
        let order = match numbers {
            // Of equal numbers the one with more zeros before it comes first.
            Some((left, right)) => {
                left.cmp(&right).then_with(|| right_chunk.cmp_length(&left_chunk))
            }
            None => left_chunk.cmp(&right_chunk),
        };
        if order != Ordering::Equal {
            return order;
        }
        (left, right) = (left_rest, right_rest);
    }
    left.len().cmp(&right.len())
}

/// Compares the paths that names are imported from, each with the sole name imported from there if there is one.
pub fn imports(left: (&str, Option<&str>), right: (&str, Option<&str>)) -> Ordering {
    let segments = |(path, name): (&'_ str, Option<&'_ str>)| {
        path.split("::").chain(name).map(str::to_owned).collect::<Vec<_>>()
    };
    let (left_segments, right_segments) = (segments(left), segments(right));
    for (left, right) in left_segments.iter().zip(&right_segments) {
        let order = relative(left).cmp(&relative(right)).then_with(|| names(left, right));
        if order != Ordering::Equal {
            return order;
        }
    }
    // What goes on where the other has a list of names comes first.
    right_segments.len().cmp(&left_segments.len())
}

fn relative(segment: &str) -> u8 {
    match segment {
        "self" => 0,
        "super" => 1,
        "crate" => 2,
        _ => 3,
    }
}

fn bare(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}

fn chunk(name: &str) -> (Chunk<'_>, &str) {
    if let Some(rest) = name.strip_prefix('_') {
        return (Chunk::Underscore, rest);
    }
    let is_number = name.starts_with(|first: char| first.is_ascii_digit());
    let end = name
        .find(|char: char| char == '_' || char.is_ascii_digit() != is_number)
        .unwrap_or(name.len());
    let (text, rest) = name.split_at(end);
    (Chunk::Text(text), rest)
}

fn number(chunk: &Chunk<'_>) -> Option<u128> {
    match chunk {
        Chunk::Text(text) => text.parse().ok(),
        Chunk::Underscore => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{imports, modules, names};

    #[test]
    fn modules_are_sorted_as_by_cargo_fmt() {
        let mut sorted = ["r#type", "thing", "u9", "u22", "i_u307", "i64"];
        sorted.sort_by(|left, right| modules(left, right));
        assert_eq!(sorted, ["i64", "i_u307", "thing", "r#type", "u22", "u9"]);
    }

    #[test]
    fn names_are_sorted_as_by_cargo_fmt() {
        let mut sorted =
            ["r#type", "thing", "apps", "app10", "app02", "app2", "app_ref", "app", "Zoo"];
        sorted.sort_by(|left, right| names(left, right));
        assert_eq!(
            sorted,
            ["Zoo", "app", "app_ref", "app02", "app2", "app10", "apps", "thing", "r#type"]
        );
    }

    #[test]
    fn longer_paths_come_before_lists() {
        let mut sorted = [
            ("runtime", None),
            ("runtime::internal", None),
            ("runtime", Some("Error")),
            ("crate::a", Some("B")),
            ("super", Some("C")),
        ];
        sorted.sort_by(|left, right| imports(*left, *right));
        assert_eq!(
            sorted.map(|(path, _)| path),
            ["super", "crate::a", "runtime", "runtime::internal", "runtime"]
        );
    }
}
