//! Secrets in texts, in any spelling: servers repeat a request as JSON, in URLs, forms and HTML, or in several of them.

use std::borrow::Cow;
use std::ops::Range;

use super::is_secret;
use super::named::places;

/// The shortest secret that is looked for, in bytes. A shorter one would be found in ordinary words.
pub const MIN_LENGTH: usize = 4;

/// The beginning of the text that takes the place of another in a recording, before 16 hexadecimal digits.
pub const PLACEHOLDER: &str = "redacted-";

/// Returns whether a text has a first character of an escape.
fn has_escapes(text: &str) -> bool {
    text.bytes().any(|byte| b"%\\&".contains(&byte))
}

/// Returns whether a recorder wrote a text in place of another.
pub fn is_placeholder(text: &str) -> bool {
    text.strip_prefix(PLACEHOLDER).is_some_and(|digits| {
        digits.len() == 16 && digits.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'))
    })
}

/// Replaces these secrets, and the values that their names in the text make secrets, by a placeholder.
pub fn redact<'t>(text: &'t str, secrets: &[impl AsRef<str>], placeholder: &str) -> Cow<'t, str> {
    let plain = Plain::new(text);
    let undone = if plain.places.is_empty() { "" } else { &plain.text };
    let named = |text| places(text, &is_secret, false);
    let mut places: Vec<_> = named(text).collect();
    places.extend(named(undone).map(|place| plain.original(&place)));
    let whole = if secrets.is_empty() { String::new() } else { folded(&plain.text) };
    let place = |(at, it): (usize, &str)| at..at + it.len();
    let can_be = |it: &&str| it.len() <= whole.len() || has_escapes(it);
    let secrets = secrets.iter().map(AsRef::as_ref).filter(|it| it.len() >= MIN_LENGTH);
    for secret in secrets.filter(can_be) {
        places.extend(text.match_indices(secret).map(place));
        for form in forms(secret) {
            places.extend(whole.match_indices(&form).map(place).map(|it| plain.original(&it)));
        }
    }
    if places.is_empty() {
        return Cow::Borrowed(text);
    }
    places.sort_by_key(|place| place.start);
    let mut redacted = String::new();
    let mut end = 0;
    for place in places {
        if place.start >= end {
            redacted.push_str(&text[end..place.start]);
            redacted.push_str(placeholder);
        }
        end = end.max(place.end);
    }
    redacted.push_str(&text[end..]);
    Cow::Owned(redacted)
}

/// Returns whether a text has a value that its name makes a secret.
pub fn has_named(text: &str) -> bool {
    let has_named = |text: &str| places(text, &is_secret, false).next().is_some();
    has_named(text) || has_escapes(text) && has_named(&without_escapes(text))
}

/// Returns whether a text has a separator of a name, the sign after a user, or an escape, which can be one of these.
pub fn can_name(text: &str) -> bool {
    text.bytes().any(|byte| b"=:>@".contains(&byte)) || has_escapes(text)
}

/// Returns the values in a text of a request, without escapes, that their names make secrets.
pub fn named(text: &str, is_secret: &dyn Fn(&str) -> bool) -> Vec<String> {
    // An escape can be of a character that would end the value.
    let spelled = places(text, is_secret, true).map(|it| without_escapes(&text[it]));
    let plain = if has_escapes(text) { without_escapes(text) } else { String::new() };
    spelled.chain(places(&plain, is_secret, true).map(|it| plain[it].to_owned())).collect()
}

fn without_escapes(text: &str) -> String {
    let literal = Plain { text: text.to_owned(), places: Vec::new() };
    if has_escapes(text) { literal.undone().text } else { literal.text }
}

/// A text without its escapes.
struct Plain {
    text: String,
    /// The place in the original of each byte; empty if it is the same, or not asked for.
    places: Vec<Range<usize>>,
}

impl Plain {
    /// Undoes all escapes of a text. Those of a secret are undone in the same way, so what only looks like an escape in it
    /// is found, too.
    fn new(original: &str) -> Self {
        let mut literal = Self { text: original.to_owned(), places: Vec::new() };
        if !has_escapes(original) {
            return literal;
        }
        for (at, char) in original.char_indices() {
            let end = at + char.len_utf8();
            literal.places.resize(end, at..end);
        }
        literal.undone()
    }

    fn undone(&self) -> Self {
        self.undo(percent).undo(backslash).undo(entity)
    }

    /// Undoes the escapes that a function reads: it returns the first character of a text with its length.
    fn undo(&self, read: fn(&str) -> Option<(char, usize)>) -> Self {
        let mut plain = Self { text: String::new(), places: Vec::new() };
        let mut rest = self.text.as_str();
        while let Some(first) = rest.chars().next() {
            let at = self.text.len() - rest.len();
            let (char, length) = read(rest).unwrap_or((first, first.len_utf8()));
            let end = at + length;
            plain.text.push(char);
            if !self.places.is_empty() {
                plain.places.resize(plain.text.len(), self.original(&(at..end)));
            }
            rest = &self.text[end..];
        }
        plain
    }

    /// Returns the place in the original of a place that is not empty.
    fn original(&self, place: &Range<usize>) -> Range<usize> {
        match (self.places.get(place.start), self.places.get(place.end - 1)) {
            (Some(first), Some(last)) => first.start..last.end,
            _ => place.clone(),
        }
    }
}

/// Returns what a text without escapes has of a secret: the secret, unless it is then too short to be looked for, or its
/// base64, for each remainder of its place by three.
fn forms(secret: &str) -> Vec<String> {
    const DIGITS: &[u8; 64] = b"abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz0123456789 /";
    // The backslashes before a character are a part of it.
    let plain = without_escapes(secret.trim_end_matches('\\'));
    let mut forms = vec![folded(&plain)];
    for bytes in [secret, &plain].map(str::as_bytes) {
        let byte = |at: usize| bytes.get(at).copied().map_or(0, u16::from);
        forms.extend([0, 2, 4].map(|first: usize| {
            let digits = (first..).step_by(6).take_while(|bit| bit + 6 <= 8 * bytes.len());
            let digits = digits.map(|bit| {
                let pair = byte(bit / 8) << 8 | byte(bit / 8 + 1);
                char::from(DIGITS[usize::from(pair >> (10 - bit % 8) & 63)])
            });
            digits.collect()
        }));
    }
    // A backslash of the secret looks like an escape.
    forms.retain(|form| plain.len() + 1 >= MIN_LENGTH && form.len() + 1 >= MIN_LENGTH);
    forms
}

/// Returns a text with one of the characters that a spelling confuses: those of the alphabets of base64, `+` and a space in
/// forms, a control character and the letter of its escape in JSON, and capitals.
fn folded(text: &str) -> String {
    let folded = text.chars().map(|char| match char {
        '+' | '-' => ' ',
        '_' => '/',
        '\u{8}' => 'b',
        '\t' => 't',
        '\n' => 'n',
        '\u{c}' => 'f',
        '\r' => 'r',
        char => char.to_lowercase().find(|it| it.len_utf8() == char.len_utf8()).unwrap_or(char),
    });
    folded.collect()
}

/// Reads a percent-encoded character (RFC 3986, section 2.1). A percent sign that was encoded several times is one, also
/// before what only looks like a character.
fn percent(text: &str) -> Option<(char, usize)> {
    let sign = text.len() - text.strip_prefix('%')?.trim_start_matches("25").len();
    encoded(text).or((sign > 1).then_some(('%', sign)))
}

fn encoded(text: &str) -> Option<(char, usize)> {
    let mut rest = text;
    let mut bytes = Vec::new();
    let mut width = 1;
    while bytes.len() < width {
        let after = rest.strip_prefix('%')?.trim_start_matches("25");
        let byte = u8::try_from(hex(after, 2)?).ok()?;
        if bytes.is_empty() {
            // The length of a character in UTF-8 (RFC 3629, section 3).
            width = byte.leading_ones().clamp(1, 4) as usize;
        }
        bytes.push(byte);
        rest = &after[2..];
    }
    let char = str::from_utf8(&bytes).ok()?.chars().next()?;
    Some((char, text.len() - rest.len()))
}

/// Reads a character after a backslash, or the digits of one or of its two surrogates (RFC 8259, section 7). In JSON
/// within JSON there are several backslashes.
fn backslash(text: &str) -> Option<(char, usize)> {
    let rest = text.strip_prefix('\\')?.trim_start_matches('\\');
    let length = text.len() - rest.len();
    let Some(first) = rest.chars().next() else { return Some(('\\', length)) };
    let unit = |text: &str| hex(text.strip_prefix('u')?, 4);
    let spelled = |unit_of: u16| {
        if let Some(char) = char::from_u32(unit_of.into()) {
            return Some((char, length + 5));
        }
        let low = rest[5..].trim_start_matches('\\');
        let paired = unit(low).and_then(|low| char::decode_utf16([unit_of, low]).next()?.ok());
        // An unpaired one is read as this character.
        let unpaired = (char::REPLACEMENT_CHARACTER, length + 5);
        Some(paired.map_or(unpaired, |char| (char, text.len() - low.len() + 5)))
    };
    unit(rest).and_then(spelled).or(Some((first, length + first.len_utf8())))
}

/// Reads a character reference of HTML.
fn entity(text: &str) -> Option<(char, usize)> {
    const NAMED: [(&str, char); 4] = [("quot;", '"'), ("apos;", '\''), ("lt;", '<'), ("gt;", '>')];
    let once = text.strip_prefix('&')?;
    let name = once.trim_start_matches("amp;");
    let length = |rest: &str| text.len() - rest.len();
    let named = NAMED.iter().find_map(|(known, char)| Some((*char, name.strip_prefix(known)?)));
    if let Some((char, rest)) = named.or_else(|| numbered(name)) {
        return Some((char, length(rest)));
    }
    (name.len() < once.len()).then(|| ('&', length(name)))
}

/// Reads the rest of a reference by number, and returns the character with the text after it.
fn numbered(text: &str) -> Option<(char, &str)> {
    let number = text.strip_prefix('#')?;
    let (digits, radix) = number.strip_prefix(['x', 'X']).map_or((number, 10), |hex| (hex, 16));
    let end = digits.bytes().take(8).position(|byte| byte == b';')?;
    let char = char::from_u32(u32::from_str_radix(&digits[..end], radix).ok()?)?;
    Some((char, &digits[end + 1..]))
}

/// Reads a number of hexadecimal digits.
fn hex(text: &str, length: usize) -> Option<u16> {
    let digits = text.get(..length)?;
    let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    u16::from_str_radix(digits, 16).ok().filter(|_| is_hex)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redact<'t>(text: &'t str, secrets: &[impl AsRef<str>]) -> Cow<'t, str> {
        super::redact(text, secrets, "[redacted]")
    }

    /// Encodes all bytes that are reserved in URLs (RFC 3986, section 2.3).
    fn percent_encoded(text: &str) -> String {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        let spelled =
            |byte| if is_plain(byte) { char::from(byte).into() } else { format!("%{byte:02X}") };
        text.bytes().map(spelled).collect()
    }

    #[test]
    fn secrets_are_redacted_within_a_text() {
        for (text, redacted) in [
            ("no such token: abcd/ef", "no such token: [redacted]"),
            ("abcd/ef was sent, yes abcd/ef", "[redacted] was sent, yes [redacted]"),
            ("token=abcd%2Fef&x=1", "token=[redacted]&x=1"),
            ("token=abcd/ef-and-more", "token=[redacted]"),
            ("100% no secret", "100% no secret"),
            (r"C:\abcd/ef", "C:[redacted]"),
            ("%abcd/ef", "%[redacted]"),
        ] {
            assert_eq!(redact(text, &["abcd/ef", "abcd/ef-and-more", "no"]), redacted);
        }
    }

    #[test]
    fn every_spelling_of_a_secret_is_redacted() {
        let key = "-----BEGIN \"k+y\"\r\n\\a/ä😀&<50%25>'\t\u{8}\u{c}";
        let json = serde_json::to_string(key).unwrap();
        let json = &json[1..json.len() - 1];
        let ascii = r#"-----BEGIN \"k+y\"\r\n\\a\/\u00E4\ud83d\uDE00\u0026\u003c50%25>'\t\b\f"#;
        let twice = serde_json::to_string(ascii).unwrap();
        let html =
            "-----BEGIN &quot;k+y&#34;\r\n\\a&#x2F;&#228;😀&amp;&lt;50%25&gt;&apos;\t\u{8}\u{c}";
        let encoded = percent_encoded(key);
        for spelled in [
            key,
            json,
            ascii,
            twice.trim_matches('"'),
            html,
            &html.replace('&', "&amp;"),
            &encoded,
            &encoded.to_ascii_lowercase().replace("-----begin", "-----BEGIN"),
            &encoded.replace("%20", "+"),
            &encoded.replace("%2F", "/"),
            &encoded.replace('%', "%25"),
            &encoded.replace('%', "%2525"),
            &percent_encoded(json),
            &percent_encoded(ascii),
        ] {
            let text = format!("{{\"detail\":\"\\\"%\",\"input\":\"{spelled}\"}}");
            assert_eq!(redact(&text, &[key]), r#"{"detail":"\"%","input":"[redacted]"}"#);
            assert_eq!(redact(&text, &["k+y/"]), text);
        }
    }

    #[test]
    fn what_looks_like_a_spelling_is_found_as_it_is() {
        for secret in [
            "%41%42%43%44", "%C3%A4bcd", "50%_%off", r"\nathan", "&amp;amp;more", r"\ud83d!",
            "a+b c", "p%b2ssword", "100%c3", "%5\u{8}d",
        ] {
            let json = secret.replace('\\', r"\\");
            let html = secret.replace('&', "&amp;");
            let encoded = percent_encoded(secret);
            for text in [secret, &json, &html, &encoded] {
                assert_eq!(redact(&format!("({text})"), &[secret]), "([redacted])", "{text}");
            }
        }
    }

    #[test]
    fn a_short_secret_is_found_in_a_url() {
        assert_eq!(redact("GET /pets/ab%5Cc failed", &[r"ab\c"]), "GET /pets/[redacted] failed");
    }

    #[test]
    fn long_runs_of_escapes_take_linear_time() {
        for run in [
            "\\", "%25", "%", "&amp;", "25", "\\ud83d", "&#", "+", "pin=\"a\"b ", "<pin>", "=",
            ":", "a=", "\":",
        ] {
            let text = run.repeat(1 << 16);
            assert!(redact(&text, &["secret"]).starts_with(&run[..1]));
            assert!(named(&text, &|_| false).is_empty());
        }
    }
}
