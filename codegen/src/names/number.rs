//! The singular of English words.

use std::borrow::Cow;

/// The plurals that follow no rule, or the rule of other words, by their ending and that of the singular.
const IRREGULAR: [(&str, &str, &[&str]); 9] = [
    ("", "", &["dns", "https", "news", "series", "sms", "species", "tls"]),
    ("s", "", &["caches", "cookies", "movies"]),
    ("es", "", &["aliases", "biases", "bonuses", "buses", "canvases", "statuses"]),
    ("es", "is", &["analyses", "axes"]),
    ("ices", "ex", &["indices", "vertices"]),
    ("ices", "ix", &["matrices"]),
    ("a", "on", &["criteria"]),
    ("ren", "", &["children"]),
    ("eople", "erson", &["people"]),
];

/// Returns the singular of an English word in lower case, or the word itself.
pub fn singular(word: &str) -> Cow<'_, str> {
    let mut irregular = IRREGULAR.iter().filter(|(.., words)| words.contains(&word));
    if let Some((plural, singular, _)) = irregular.next() {
        return format!("{}{singular}", word.strip_suffix(plural).unwrap_or(word)).into();
    }
    if ["ss", "us", "is"].iter().any(|end| word.ends_with(end)) {
        return word.into();
    }
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        return format!("{stem}y").into();
    }
    let stem = ["sses", "xes", "ches", "shes"].iter().find(|end| word.ends_with(*end));
    let end = if stem.is_some() { "es" } else { "s" };
    word.strip_suffix(end).filter(|stem| !stem.is_empty()).unwrap_or(word).into()
}

#[cfg(test)]
mod tests {
    use super::singular;

    #[test]
    fn words_have_a_singular() {
        let cases = [
            ("users", "user"),
            ("categories", "category"),
            ("boxes", "box"),
            ("addresses", "address"),
            ("batches", "batch"),
            ("status", "status"),
            ("statuses", "status"),
            ("access", "access"),
            ("series", "series"),
            ("children", "child"),
            ("s", "s"),
            ("größen", "größen"),
        ];
        for (word, expected) in cases {
            assert_eq!(singular(word), expected);
        }
    }
}
