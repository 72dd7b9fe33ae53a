//! Syntax errors, with help texts.

use crate::diagnostics::{Code, Diagnostics, Place};
use crate::source_map::{self, Pointer};

/// The message for aliases that would make a small text huge.
pub(super) const TOO_MUCH_ALIASED: &str = "the aliases add more than 4 MiB to the text";

/// A part of both parsers' message for a text that nests too deep.
const TOO_DEEP: &str = "recursion limit exceeded";

/// The cure of a merge conflict.
pub(super) const CONFLICT: &str = "keep one of its sides, and remove the markers";

/// The message for a key that is a list or a mapping.
pub(super) const KEY_EXPECTED: &str = "a key that is a string";

/// Parts of the parsers' messages, each with a help text. The first match applies.
const CURES: &[(&str, &str)] = &[
    (
        "mapping values are not allowed",
        "quote a text that contains `: `; otherwise check the indentation of this line and of the line before",
    ),
    (
        "did not find expected key",
        "begin this line, or the one before, in the column of its siblings; quote the whole text if it begins with a quote, `[` or `{`",
    ),
    (
        "did not find expected '-' indicator",
        "begin this line, or the one before, in the column of its siblings, with `- `",
    ),
    ("did not find expected ',' or", "close the bracket, or put a comma between the values"),
    (
        "could not find expected ':'",
        "write `key: value` with a space after the colon, and check the indentation",
    ),
    (
        "found character that cannot start any token",
        "indent with spaces, not tabs; quote a text that begins with `@`, `%` or a backtick",
    ),
    ("did not find expected alphabetic", "quote a text that begins with `*` or `&`"),
    ("tab character", "indent with spaces, not tabs"),
    ("unexpected end of stream", "close the open quote or bracket"),
    ("unexpected document indicator", "close the open quote or bracket"),
    ("unknown escape character", "write `\\\\` for a backslash, or use single quotes"),
    ("invalid Unicode character escape", "write the character itself"),
    ("unknown anchor", "define the anchor (`&name`) above its first use, or correct the name"),
    ("undefined tag handle", "quote a text that begins with `!`"),
    (
        "control characters are not allowed",
        "remove the invisible character, or write it as an escape in double quotes",
    ),
    (TOO_DEEP, "the maximum nesting is 128 levels: move inner schemas to `components`"),
    (
        "repetition limit exceeded",
        "write the repeated parts out, or move them to `components` and use `$ref`",
    ),
    (TOO_MUCH_ALIASED, "write the repeated parts out, or move them to `components` and use `$ref`"),
    (KEY_EXPECTED, "write a string before the colon"),
    (
        "EOF while parsing",
        "the text ends too early: close the open brackets and quotes, or restore the rest of the file",
    ),
    ("trailing comma", "remove the comma"),
    ("trailing characters", "remove the text after the end of the document"),
    ("key must be a string", "put the key in double quotes"),
];

/// A text that could not be parsed.
pub(super) struct SyntaxError {
    syntax: &'static str,
    message: String,
    offset: usize,
}

impl SyntaxError {
    /// Returns the error of YAML that nests too deep at an offset.
    pub(super) fn depth(offset: usize) -> Self {
        Self { syntax: "YAML", message: TOO_DEEP.to_owned(), offset }
    }

    /// Returns whether the text nests too deep.
    pub(super) fn is_depth(&self) -> bool {
        self.message.contains(TOO_DEEP)
    }

    /// Returns whether a comment in JSON is the error.
    pub(super) fn is_comment(&self, text: &str) -> bool {
        let rests = [self.offset, self.offset.saturating_sub(1)].map(|at| text.get(at..));
        let mut rests = rests.iter().flatten();
        self.syntax == "JSON" && rests.any(|rest| rest.starts_with("//") || rest.starts_with("/*"))
    }

    /// Converts an error of `serde_yaml`, with the index of the character where it is.
    pub(super) fn yaml(message: &str, character: Option<usize>, text: &str) -> Self {
        let offset = if message.starts_with("control characters") {
            text.find(is_forbidden_in_yaml)
        } else {
            character.map(|index| {
                text.char_indices().nth(index).map_or(text.len(), |(offset, _)| offset)
            })
        };
        Self { syntax: "YAML", message: without_position(message), offset: offset.unwrap_or(0) }
    }

    /// Converts an error of `serde_json`.
    pub(super) fn json(error: &serde_json::Error, text: &str) -> Self {
        let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1));
        let line_start: usize = lines.map(str::len).sum();
        let mut offset = (line_start + error.column().saturating_sub(1)).min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        Self { syntax: "JSON", message: without_position(&error.to_string()), offset }
    }

    /// Reports the error; the text begins at `start` of the file.
    pub(super) fn report(
        self,
        file: &Pointer,
        start: usize,
        text: &str,
        diagnostics: &mut Diagnostics,
    ) {
        // Texts that nest too deep take quadratic time.
        let may_be_open = self.syntax == "YAML" && !self.is_depth();
        let is_comment = self.is_comment(text);
        let Self { syntax, message, offset } = self;
        let conflict = conflict_marker(text, false).filter(|_| syntax == "YAML");
        let offset = visible_offset(text, conflict.unwrap_or(offset));
        let length = text[offset..].chars().next().map_or(0, char::len_utf8);
        let place = Place::Text(file.clone(), start + offset..start + offset + length);
        let cure = CURES.iter().find(|(complaint, _)| message.contains(complaint));
        let cure = match cure {
            _ if is_comment => "remove the comments: JSON has none",
            Some((_, cure)) => cure,
            None => "correct the syntax here, or just above",
        };
        let message = format!("this is not valid {syntax}: {message}");
        let diagnostic = diagnostics.report(Code::Syntax, place, message);
        if conflict.is_some() {
            diagnostic.help(format!("this begins a merge conflict of Git: {CONFLICT}"));
        } else if may_be_open && let Some(opening) = source_map::quoted_before_error(text) {
            let opening = Place::Text(file.clone(), start + opening..start + opening + 1);
            diagnostic
                .related(opening, "this quoted text ends just before")
                .help(format!("close the quote where the text ends; otherwise {cure}"));
        } else {
            diagnostic.help(cure);
        }
    }
}

/// Returns the offset of the first marker of a merge conflict: at the start of a line, also after spaces in a text.
pub(super) fn conflict_marker(text: &str, is_in_text: bool) -> Option<usize> {
    let mut end = 0;
    text.split_inclusive('\n').find_map(|line| {
        end += line.len();
        let rest = if is_in_text { line.trim_start() } else { line };
        rest.starts_with("<<<<<<< ").then(|| end - rest.len())
    })
}

/// Moves a position at the end of the text back to the last character that can be shown.
fn visible_offset(text: &str, offset: usize) -> usize {
    if offset < text.trim_end().len() {
        return offset;
    }
    text.trim_end().char_indices().next_back().map_or(0, |(last, _)| last)
}

/// Removes the positions from a message of a parser, because the place is shown separately.
fn without_position(message: &str) -> String {
    let is_position = |char: char| char.is_ascii_digit() || " column".contains(char);
    let mut parts = message.split(" at line ").flat_map(|part| part.split(" at position "));
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |clean, part| clean + part.trim_start_matches(is_position))
}

/// Returns whether YAML allows a character only as an escape (YAML 1.2 §5.1).
fn is_forbidden_in_yaml(c: char) -> bool {
    !matches!(c, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{fffd}' | '\u{10000}'..)
}
