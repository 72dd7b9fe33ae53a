//! The singular of English words.

use std::borrow::Cow;

/// The plurals that follow no rule, or the rule of other words, each with its singular.
const IRREGULAR: [&str; 24] = [
    "aliases alias", "analyses analysis", "axes axis", "biases bias", "bonuses bonus", "buses bus",
    "caches cache", "canvases canvas", "children child", "cookies cookie", "criteria criterion",
    "dns dns", "https https", "indices index", "matrices matrix", "movies movie", "news news",
    "people person", "series series", "sms sms", "species species", "statuses status", "tls tls",
    "vertices vertex",
];

/// Returns the singular of an English word in lower case, or the word itself.
pub fn singular(word: &str) -> Cow<'_, str> {
    let mut irregular = IRREGULAR.iter().filter_map(|pair| pair.split_once(' '));
    if let Some((_, singular)) = irregular.find(|(plural, _)| *plural == word) {
        return singular.into();
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
