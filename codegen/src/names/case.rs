//! From the spelling of the document to the spelling of Rust: words, cases, and invalid characters.
//!
//! One rule for every kind of name. Text is normalized to NFKC, which replaces many characters that are invalid in
//! identifiers (`²` becomes `2`, `½` becomes `1 2`) and includes NFC, in which Rust compares identifiers. Other
//! characters that are invalid (UAX #31, `XID`) separate words. A name without a valid character has a word for each of
//! its symbols (`*` becomes `star`).

use std::borrow::Cow;
use std::fmt::Write as _;

use heck::{ToSnakeCase, ToUpperCamelCase};
use unicode_ident::{is_xid_continue, is_xid_start};
use unicode_normalization::{UnicodeNormalization, is_nfkc};

/// Words in mixed case, which `snake_case` does not split, each with its spelling there.
const MIXED: [(&str, &str); 9] = [
    ("OAuth", "Oauth"),
    ("oAuth", "oauth"),
    ("IPv4", "Ipv4"),
    ("IPv6", "Ipv6"),
    ("GitHub", "Github"),
    ("GitLab", "Gitlab"),
    ("GraphQL", "Graphql"),
    ("MySQL", "Mysql"),
    ("PostgreSQL", "Postgresql"),
];

/// Writes a name in `snake_case`, without regard to keywords.
pub fn snake(raw: &str) -> String {
    let name = mixed(&plural_acronyms(&signed(&readable(raw)))).to_snake_case();
    normal(if name.is_empty() { spelled(raw).to_snake_case() } else { name })
}

/// Writes a name in `UpperCamelCase`, without regard to keywords.
pub fn camel(raw: &str) -> String {
    let readable = readable(raw);
    let signed = signed(&readable);
    let words = plural_acronyms(&signed);
    let numbers = between_digits(&words).into_iter().map(ToUpperCamelCase::to_upper_camel_case);
    let name = numbers.collect::<Vec<_>>().join("_");
    normal(if name.is_empty() { spelled(raw).to_upper_camel_case() } else { name })
}

/// Replaces a sign before a word by its own word: the value `-created` is another one than `created`.
pub fn value(raw: &str) -> Cow<'_, str> {
    let mut rest = raw.chars();
    let sign = rest.next().filter(|first| matches!(first, '-' | '+' | '!')).and_then(symbol_word);
    match sign.filter(|_| rest.as_str().starts_with(char::is_alphanumeric)) {
        Some(word) => format!("{word} {}", rest.as_str()).into(),
        None => raw.into(),
    }
}

/// Turns a name in its final case into an identifier: a name that begins with a digit, or another character that
/// identifiers cannot begin with, gets a prefix.
pub fn identifier(name: String, prefix: char) -> String {
    if name.starts_with(is_xid_start) { name } else { format!("{prefix}{name}") }
}

/// Returns a text that differs from others of the same words: the first attempt is the text itself, the second has a
/// word for each symbol other than `_`, the third one for each symbol, the fourth one for its case, and others a checksum.
pub fn spelling(raw: &str, attempt: usize) -> Cow<'_, str> {
    match attempt {
        0 => raw.into(),
        1 => spelled(raw).replace("_underscore_", "_").into(),
        2 => spelled(raw).into(),
        3 => format!("{}{}", spelled(raw), case_word(raw)).into(),
        _ => format!("{} {:08x}", spelled(raw), checksum(&format!("{} {raw}", attempt - 1))).into(),
    }
}

/// Ranks texts of the same name. The text with the lowest rank, which has the most common spelling, gets the name.
pub fn unusualness(raw: &str) -> (usize, usize) {
    let symbols = raw.chars().filter(|char| !char.is_alphanumeric());
    let odd = raw.chars().filter(|char| !is_xid_continue(*char));
    (symbols.count() + usize::from(!is_nfkc(raw)), odd.count())
}

/// Returns the FNV-1a hash of a text, to distinguish long names with a common prefix.
pub fn checksum(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Replaces every letter that is not ASCII by its code point.
pub fn ascii(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for char in name.chars() {
        if char.is_ascii() { out.push(char) } else { push_code_point(&mut out, char) }
    }
    out
}

fn normal(name: String) -> String {
    if name.is_ascii() { name } else { name.nfkc().filter(|char| is_xid_continue(*char)).collect() }
}

/// Normalizes a text to NFKC, with spaces for invalid characters.
fn readable(raw: &str) -> Cow<'_, str> {
    if raw.is_ascii() {
        return raw.into();
    }
    raw.nfkc()
        .map(|char| if is_xid_continue(char) || char.is_ascii() { char } else { ' ' })
        .collect()
}

/// Replaces the sign of a number by a word, because `-1` is not `1`, and comparisons at the end: with `time<`, an API may
/// have `time>` and `time` as well, now or later.
fn signed(raw: &str) -> Cow<'_, str> {
    let unsigned = raw.strip_prefix(['-', '+']);
    if unsigned.is_some_and(|it| it.starts_with(|first: char| first.is_ascii_digit())) {
        return value(raw);
    }
    let name = raw.trim_end_matches(['<', '>', '=']);
    let is_compared = name.ends_with(char::is_alphanumeric) && !name.contains('<');
    if is_compared && name.len() < raw.len() {
        format!("{name}{}", spelled(&raw[name.len()..])).into()
    } else {
        raw.into()
    }
}

/// Splits a text between two digits that something separates: `1.5` is not `15`.
fn between_digits(raw: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut last_digit = None;
    for (index, char) in raw.char_indices() {
        if char.is_ascii_digit() {
            if last_digit.is_some_and(|last| last + 1 < index) {
                parts.push(&raw[start..index]);
                start = index;
            }
            last_digit = Some(index);
        } else if char.is_alphanumeric() {
            last_digit = None;
        }
    }
    parts.push(&raw[start..]);
    parts
}

/// Turns `IDs` into `Ids` and `URLs` into `Urls`, so that the plural of an acronym stays one word.
fn plural_acronyms(raw: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(raw);
    for (end, _) in raw.match_indices('s') {
        let is_end = raw[end + 1..].bytes().next().is_none_or(|after| !after.is_ascii_lowercase());
        let acronym = raw[..end].trim_end_matches(|letter: char| letter.is_ascii_uppercase()).len();
        if is_end && end - acronym >= 2 {
            text.to_mut()[acronym + 1..end].make_ascii_lowercase();
        }
    }
    text
}

/// Turns words in mixed case, such as `OAuth`, into ordinary ones. A match that begins within a word or an acronym is
/// not such a word.
fn mixed(raw: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(raw);
    // Few names have such a word, and all such words have one of these pairs.
    let rare = [b"Au", b"Pv", b"tH", b"tL", b"hQ", b"yS", b"eS"];
    if !raw.as_bytes().windows(2).any(|pair| rare.iter().any(|it| it[..] == *pair)) {
        return text;
    }
    for (word, ordinary) in MIXED {
        let first = word.chars().next().unwrap_or_default();
        let mut from = 0;
        while let Some(found) = text[from..].find(word) {
            let start = from + found;
            from = start + word.len();
            let before = text[..start].chars().next_back().unwrap_or(' ');
            if !(before.is_uppercase() || first.is_lowercase() && before.is_alphanumeric()) {
                text.to_mut().replace_range(start..from, ordinary);
            }
        }
    }
    text
}

/// Replaces all characters except the letters and digits of identifiers by words. Before a letter of a word, `-` is no sign.
fn spelled(raw: &str) -> String {
    if raw.is_empty() {
        return "empty".to_owned();
    }
    let composed = is_nfkc(raw);
    let mut out = String::with_capacity(raw.len());
    let mut before = '-';
    for (char, after) in raw.chars().zip(raw.chars().skip(1).chain(['-'])) {
        let is_within = before.is_alphanumeric() && after.is_alphabetic();
        before = char;
        match symbol_word(char) {
            Some("minus") if is_within => out.push_str("_hyphen_"),
            Some(word) => out.extend(["_", word, "_"]),
            None if char.is_alphanumeric()
                && is_xid_continue(char)
                && (composed || char.is_ascii()) =>
            {
                out.push(char);
            }
            None => push_code_point(&mut out, char),
        }
    }
    out
}

fn case_word(raw: &str) -> &'static str {
    let is_upper = |char: char| char.is_alphabetic() && !char.is_lowercase();
    let mut letters = raw.chars().filter(|char| char.is_alphabetic());
    let starts_upper = letters.next().is_some_and(is_upper);
    let rest: Vec<char> = letters.collect();
    match (starts_upper, rest.iter().any(|&char| is_upper(char))) {
        (true, true) if rest.iter().all(|&char| is_upper(char)) => " uppercase",
        (true, _) => " capitalized",
        (false, false) => " lowercase",
        (false, true) => " mixed case",
    }
}

fn symbol_word(char: char) -> Option<&'static str> {
    Some(match char {
        '*' => "star",
        '+' => "plus",
        '-' => "minus",
        '=' => "equal",
        '<' => "less",
        '>' => "greater",
        '!' => "not",
        '.' => "dot",
        ',' => "comma",
        '/' => "slash",
        '%' => "percent",
        '&' => "and",
        '|' => "or",
        '_' => "underscore",
        ' ' => "space",
        '@' => "at",
        '#' => "hash",
        '$' => "dollar",
        '?' => "question",
        ':' => "colon",
        '~' => "tilde",
        '^' => "caret",
        _ => return None,
    })
}

/// Writes the code point of a character that is invalid in identifiers.
fn push_code_point(out: &mut String, char: char) {
    let _ = write!(out, "_u{:x}_", char as u32);
}

#[cfg(test)]
mod tests {
    use super::{camel, identifier, snake, spelling};

    #[test]
    fn every_character_makes_an_identifier() {
        let others = ('\u{3000}'..=char::MAX).step_by(61);
        for char in ('\0'..'\u{3000}').chain(others) {
            let raw = char.to_string();
            for attempt in 0..3 {
                let text = spelling(&raw, attempt);
                for name in [identifier(snake(&text), 'n'), identifier(camel(&text), 'T')] {
                    let is_identifier = name.starts_with(unicode_ident::is_xid_start)
                        && name.chars().all(unicode_ident::is_xid_continue);
                    assert!(is_identifier, "{raw:?} makes {name:?}");
                }
            }
        }
    }

    #[test]
    fn letters_and_digits_outside_identifiers_are_read() {
        let cases = [("m²", "M2"), ("CO₂", "Co2"), ("½", "1_2"), ("①", "1"), ("٣", "٣")];
        for (raw, expected) in cases {
            assert_eq!(camel(raw), expected, "{raw}");
        }
        assert_eq!(snake("A\u{30a}ngstro\u{308}m"), "ångström");
        assert_eq!(snake("\u{1100}\u{1161}"), "\u{ac00}");
    }

    fn assert_snake(cases: &[(&str, &str)]) {
        for (raw, expected) in cases {
            assert_eq!(snake(raw), *expected, "{raw}");
        }
    }

    #[test]
    fn words_in_mixed_case_are_one_word() {
        let cases = [
            ("OAuth2Client", "oauth2_client"),
            ("listOAuthApps", "list_oauth_apps"),
            ("oAuthToken", "oauth_token"),
            ("IPv4Address", "ipv4_address"),
            ("allowedIPv6", "allowed_ipv6"),
            ("getGitHubRepo", "get_github_repo"),
            ("GitLabURL", "gitlab_url"),
            ("GraphQLError", "graphql_error"),
            ("useMySQL", "use_mysql"),
            ("PostgreSQLVersion", "postgresql_version"),
            // Not such words.
            ("noAuth", "no_auth"),
            ("RADIOAuth", "radio_auth"),
        ];
        assert_snake(&cases);
    }

    #[test]
    fn plurals_of_acronyms_are_one_word() {
        let cases =
            [("getIDPs", "get_idps"), ("listURLs", "list_urls"), ("IDsByName", "ids_by_name")];
        assert_snake(&cases);
    }

    #[test]
    fn a_comparison_at_the_end_is_a_word() {
        let cases = [
            ("StartTime", "start_time"),
            ("StartTime<", "start_time_less"),
            ("StartTime>", "start_time_greater"),
            ("size>=", "size_greater_equal"),
            ("List<Item>", "list_item"),
        ];
        assert_snake(&cases);
    }

    #[test]
    fn a_symbol_has_a_word_where_words_are_alike() {
        assert_eq!(camel(&spelling("-in_stock", 1)), "MinusInStock");
        assert_eq!(camel(&spelling("in-stock", 1)), "InHyphenStock");
        assert_eq!(camel(&spelling("GMT-1", 1)), "GmtMinus1");
        assert_eq!(camel(&spelling("in_stock", 2)), "InUnderscoreStock");
    }

    #[test]
    fn spellings_differ_where_words_do_not() {
        let alike = ["is_global", "isGlobal", "IsGlobal", "is-global", "_is_global", "is global"];
        let mut names: Vec<String> = alike.iter().map(|raw| snake(&spelling(raw, 3))).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), alike.len(), "{names:?}");
    }
}
