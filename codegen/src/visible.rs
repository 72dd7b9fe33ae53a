//! Texts of strangers in output: documents, traffic and names of files have characters that a terminal executes, that hide
//! or reorder others, or with which a line ends and a command for a runner of CI begins.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Returns a text on one line, in which hidden characters are escapes of Rust, such as `\u{202e}`.
pub fn visible(text: &str) -> Cow<'_, str> {
    let is_plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    if is_plain { text.into() } else { escaped(text, |char, _| is_hidden(char), rust) }
}

/// Returns a text of several lines, in which hidden characters are escapes of Rust, except codes of colors if it has some.
pub fn visible_lines(text: &str, colors: bool) -> Cow<'_, str> {
    let is_color = |char, rest: &str| {
        let is_code = |char: char| char.is_ascii_digit() || "[;".contains(char);
        colors && char == '\u{1b}' && rest.trim_start_matches(is_code).starts_with('m')
    };
    escaped(text, |char, rest| is_active(char, rest) && !is_color(char, rest), rust)
}

/// Returns JSON of several lines, in which hidden characters are escapes of JSON.
pub fn visible_json(text: &str) -> Cow<'_, str> {
    escaped(text, is_active, |out, char| {
        for unit in char.encode_utf16(&mut [0; 2]) {
            let _ = write!(out, "\\u{unit:04x}");
        }
    })
}

/// Returns whether a character of a text of several lines is escaped; `rest` follows it. `##[` begins a command for runners
/// of CI, anywhere in a line, and `::` at its start, unless it is an annotation or, as `:::`, before a further place.
pub(crate) fn is_active(char: char, rest: &str) -> bool {
    match char {
        '\n' => {
            let line = rest.trim_start_matches(|it: char| it != '\n' && it.is_whitespace());
            let command = line.strip_prefix("::").map(|line| line.split(' ').next());
            command.is_some_and(|it| !matches!(it, Some(":" | "error" | "notice" | "warning")))
        }
        '\t' => false,
        '\r' => !rest.starts_with('\n'),
        '#' => rest.starts_with("#["),
        char => is_hidden(char),
    }
}

/// Returns whether a character is invisible and changes how others are shown, or ends a line.
pub(crate) fn is_hidden(char: char) -> bool {
    char.is_control()
        || matches!(
            char,
            '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
        )
        || matches!(char, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Appends a character as Rust escapes it.
fn rust(out: &mut String, char: char) {
    out.extend(char.escape_unicode());
}

/// Returns a text with the escapes that `escape` appends for characters. These are chosen by what follows them.
pub(crate) fn escaped(
    text: &str,
    is_escaped: impl Fn(char, &str) -> bool,
    escape: impl Fn(&mut String, char),
) -> Cow<'_, str> {
    let mut out = String::new();
    let mut rest = 0;
    for (at, char) in text.char_indices() {
        let after = at + char.len_utf8();
        if is_escaped(char, &text[after..]) {
            out.push_str(&text[rest..at]);
            escape(&mut out, char);
            rest = after;
        }
    }
    if rest == 0 { text.into() } else { (out + &text[rest..]).into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_colors_stay() {
        let text = "a\u{1b}[1;31mb\u{1b}[0m\tc\r\nd\re\u{1b}[2Jf\u{202e}##[group]";
        let shown = "a\u{1b}[1;31mb\u{1b}[0m\tc\r\nd\\u{d}e\\u{1b}[2Jf\\u{202e}\\u{23}#[group]";
        assert_eq!(visible_lines(text, true), shown);
        assert_eq!(visible_lines(text, false), shown.replace('\u{1b}', "\\u{1b}"));
        assert_eq!(visible("a\nb\tc"), "a\\u{a}b\\u{9}c");
        let commands =
            "a\n  ::: b:1:2\n::notice title=b::c\n::error::a\n \t\u{a0}::stop-commands::\n::::a";
        let shown = "a\n  ::: b:1:2\n::notice title=b::c\\u{a}::error::a\\u{a} \t\u{a0}::stop-commands::\\u{a}::::a";
        assert_eq!(visible_lines(commands, true), shown);
        assert!(matches!(visible("👩\u{200d}💻 é"), Cow::Borrowed(_)));
    }

    #[test]
    fn json_has_escapes_of_json() {
        let shown = visible_json("{\n  \"\u{202e}\u{e0001}\": \"\u{7f}##[a]\"\n}");
        assert_eq!(shown, "{\n  \"\\u202e\\udb40\\udc01\": \"\\u007f\\u0023#[a]\"\n}");
    }
}
