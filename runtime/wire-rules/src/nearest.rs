//! JSON that `serde_json` refuses: with numbers beyond all floats, or with unpaired surrogates.

/// Returns the nearest JSON text that `serde_json` reads. `None` if it is the same.
pub fn text(json: &str) -> Option<String> {
    let largest = |digits: &str| {
        let float: f64 = digits.parse().ok().filter(|float: &f64| float.is_infinite())?;
        Some(format!("{:e}", f64::MAX.copysign(float)))
    };
    let numbers = replaced(json, largest);
    let paired = paired(numbers.as_deref().unwrap_or(json)).map(|(text, _)| text);
    paired.or(numbers)
}

/// Returns a JSON text of the same length with U+FFFD for unpaired surrogates, which JSON can have (RFC 8259, section 8.2),
/// and the first of them. `None` if there are none.
pub fn paired(text: &str) -> Option<(String, &str)> {
    let unit = |escape: &str| u16::from_str_radix(escape.strip_prefix('u')?.get(..4)?, 16).ok();
    let mut paired = text.to_owned();
    let mut first = None;
    let mut rest = text;
    while let Some((_, escape)) = rest.split_once('\\') {
        let low = escape.get(5..).and_then(|after| unit(after.strip_prefix('\\')?));
        let length = match (unit(escape), low) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 11,
            (Some(0xd800..=0xdfff), _) => {
                let start = text.len() - escape.len();
                paired.replace_range(start..start + 5, "ufffd");
                first = first.or(text.get(start - 1..start + 5));
                5
            }
            _ => 1,
        };
        rest = escape.get(length..).unwrap_or_default();
    }
    first.map(|first| (paired, first))
}

/// Returns a JSON text with other numbers. `None` if there are none.
pub fn replaced(text: &str, mut other: impl FnMut(&str) -> Option<String>) -> Option<String> {
    let mut replaced = String::new();
    let (mut pending, mut rest) = (text, text);
    while let Some(start) = rest.find(|it: char| it == '"' || it == '-' || it.is_ascii_digit()) {
        let (_, token) = rest.split_at(start);
        let before = pending.len() - token.len();
        // The first quote does not end a string.
        let mut is_escaped = true;
        let is_string = token.starts_with('"');
        let end = token.find(|it| {
            if !is_string {
                return !matches!(it, '0'..='9' | '+' | '-' | '.' | 'e' | 'E');
            }
            let is_end = it == '"' && !is_escaped;
            is_escaped = it == '\\' && !is_escaped;
            is_end
        });
        let end = end.map_or(token.len(), |end| end + usize::from(is_string));
        let (token, after) = token.split_at(end);
        if !is_string && let Some(number) = other(token) {
            replaced.extend([pending.split_at(before).0, &number]);
            pending = after;
        }
        rest = after;
    }
    (pending.len() < text.len()).then(|| replaced + pending)
}
