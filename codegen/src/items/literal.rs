//! String literals in `api.txt`.

/// Returns a text as a literal, on one line.
pub(super) fn quoted(text: &str) -> String {
    format!("{text:?}")
}

/// Returns the text of a string literal.
pub(super) fn unescaped(literal: &str) -> Option<String> {
    let mut text = String::new();
    let mut chars = literal.strip_prefix('"')?.strip_suffix('"')?.chars();
    while let Some(char) = chars.next() {
        let char = match char {
            '\\' => match chars.next()? {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                '0' => '\0',
                'u' => {
                    let digits: String =
                        chars.by_ref().skip(1).take_while(|char| *char != '}').collect();
                    char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?
                }
                char => char,
            },
            char => char,
        };
        text.push(char);
    }
    Some(text)
}
