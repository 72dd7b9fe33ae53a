//! Quoted strings in headers (RFC 9110, section 5.6.4).

/// Returns the text that a quoted string stands for, without its first quote, and what follows the last one.
pub fn unquoted(quoted: &str) -> (String, &str) {
    let mut text = String::new();
    let mut chars = quoted.chars();
    while let Some(char) = chars.next() {
        match char {
            '"' => break,
            '\\' => text.extend(chars.next()),
            char => text.push(char),
        }
    }
    (text, chars.as_str())
}
