//! Descriptions as doc comments: CommonMark made safe for rustdoc, and wrapped.

use std::borrow::Cow;

use proc_macro2::TokenStream;
use quote::quote;

use crate::ir::{Api, Docs};

/// How wide the text of a doc comment gets.
const WIDTH: usize = 96;

/// Writes a text of the description as doc attributes, wrapped for an item that stands `indent` columns from the left.
pub fn attributes(text: &str, indent: usize) -> TokenStream {
    commented(lines(text, WIDTH - indent, &safe))
}

/// Writes a text of an emitter's own, which may link to items.
pub fn own(text: &str, indent: usize) -> TokenStream {
    commented(lines(text, WIDTH - indent, &str::to_owned))
}

fn commented(lines: Vec<String>) -> TokenStream {
    let lines =
        lines.into_iter().map(|line| if line.is_empty() { line } else { format!(" {line}") });
    quote!(#(#[doc = #lines])*)
}

/// Writes what an item tells about itself, or `fallback` where it tells nothing, with a `#[deprecated]` where it is.
pub fn of(docs: &Docs, fallback: &str, indent: usize) -> TokenStream {
    let text = attributes(docs.text.as_deref().unwrap_or(fallback), indent);
    let deprecated = docs.deprecated.then(|| quote!(#[deprecated]));
    quote!(#text #deprecated)
}

/// Writes a `#[doc(alias)]` of the wire's name, where it differs from the Rust name.
pub fn alias(wire: &str, rust: &str) -> Option<TokenStream> {
    let allowed = !wire.is_empty() && !wire.contains(['"', '\'', ' ', '\t', '\n', '\r']);
    (allowed && wire != rust).then(|| quote!(#[doc(alias = #wire)]))
}

/// Writes a text of the description as the lines of an inner doc comment (`//!`).
pub fn inner(text: &str) -> String {
    inner_commented(&lines(text, WIDTH, &safe))
}

/// Writes a text of an emitter's own as the lines of an inner doc comment (`//!`).
pub fn own_inner(text: &str) -> String {
    inner_commented(&lines(text, WIDTH, &str::to_owned))
}

fn inner_commented(lines: &[String]) -> String {
    let mut out = String::new();
    for line in lines {
        out.push_str(if line.is_empty() { "//!" } else { "//! " });
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// Returns the first sentence of a text, or its first line, safe for rustdoc.
pub fn summary(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    safe(line.split_inclusive(". ").next().unwrap_or(line).trim_end())
}

/// Returns what an API is called in a sentence.
pub fn api_name(api: &Api) -> String {
    if api.title.split_whitespace().any(|word| word == "API") {
        api.title.clone()
    } else {
        format!("{} API", api.title)
    }
}

/// Makes a run of text safe.
type Escape<'e> = &'e dyn Fn(&str) -> String;

/// What the next line of a text belongs to.
enum Block {
    Paragraph(String),
    Item { indent: usize, hanging: usize, text: String },
}

/// Breaks a text into lines that rustdoc reads as the author meant them; `escape` is applied to all that is no code.
fn lines(text: &str, width: usize, escape: Escape<'_>) -> Vec<String> {
    let mut out = Vec::new();
    let mut block: Option<Block> = None;
    let mut fence: Option<&str> = None;
    let text = visible(text);
    for line in text.trim().lines() {
        let trimmed = line.trim();
        if let Some(mark) = fence {
            out.push(line.trim_end().to_owned());
            if trimmed.starts_with(mark) {
                fence = None;
            }
            continue;
        }
        if let Some(mark) = fence_mark(trimmed) {
            flush(&mut block, width, escape, &mut out);
            out.push(format!("{mark}{}", language(&trimmed[mark.len()..])));
            fence = Some(mark);
        } else if trimmed.is_empty() {
            flush(&mut block, width, escape, &mut out);
            if out.last().is_some_and(|last| !last.is_empty()) {
                out.push(String::new());
            }
        } else if let Some(hanging) = list_marker(trimmed) {
            flush(&mut block, width, escape, &mut out);
            let indent = (line.len() - line.trim_start().len()).min(8);
            block = Some(Block::Item { indent, hanging, text: trimmed.to_owned() });
        } else if trimmed.starts_with(['#', '|', '>']) {
            flush(&mut block, width, escape, &mut out);
            out.push(escape(trimmed));
        } else {
            match &mut block {
                Some(Block::Paragraph(text) | Block::Item { text, .. }) => {
                    text.push(' ');
                    text.push_str(trimmed);
                }
                None => block = Some(Block::Paragraph(trimmed.to_owned())),
            }
        }
    }
    flush(&mut block, width, escape, &mut out);
    out.extend(fence.map(str::to_owned));
    while out.last().is_some_and(String::is_empty) {
        out.pop();
    }
    out
}

/// Removes what cannot be seen, which rustc refuses in comments, and tabs.
fn visible(text: &str) -> String {
    let is_hidden = |char: char| {
        let turns_text_around = matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        (char.is_control() && char != '\n') || turns_text_around
    };
    text.replace('\t', "    ").chars().filter(|&char| !is_hidden(char)).collect()
}

/// Returns the marks that begin or end a block of code at the start of a line.
fn fence_mark(line: &str) -> Option<&str> {
    let mark = ['`', '~'].into_iter().find(|&mark| line.starts_with(mark))?;
    let length = line.len() - line.trim_start_matches(mark).len();
    (length >= 3 && !line[length..].contains('`')).then(|| &line[..length])
}

/// Returns the language of a block of code: `text` where rustdoc would take it for Rust, and test it.
fn language(info: &str) -> &str {
    const RUST: &[&str] =
        &["", "rust", "ignore", "should_panic", "no_run", "compile_fail", "test_harness", "custom"];
    let word =
        info.split(|char: char| !char.is_alphanumeric() && char != '_').next().unwrap_or_default();
    let is_rust = RUST.contains(&word) || word.starts_with("edition") || word.starts_with("ignore");
    if is_rust { "text" } else { word }
}

fn flush(block: &mut Option<Block>, width: usize, escape: Escape<'_>, out: &mut Vec<String>) {
    let (indent, hanging, text) = match block.take() {
        Some(Block::Paragraph(text)) => (0, 0, text),
        Some(Block::Item { indent, hanging, text }) => (indent, hanging, text),
        None => return,
    };
    let mut line = " ".repeat(indent);
    // A marker is never left alone on its line.
    let mut fewest = usize::from(hanging > 0);
    let (mut words, mut is_first_line) = (0, true);
    for word in escape(&text).split_whitespace() {
        let is_full = line.chars().count() + 1 + word.chars().count() > width;
        if is_full && words > fewest {
            out.push(std::mem::replace(&mut line, " ".repeat(indent + hanging)));
            (words, fewest, is_first_line) = (0, 0, false);
        }
        if words > 0 {
            line.push(' ');
        }
        if words == 0 && !is_first_line {
            line.push_str(&unmarked(word));
        } else {
            line.push_str(word);
        }
        words += 1;
    }
    out.push(line);
}

/// Escapes a word that may mean something at the start of a line that it does not mean in the middle of one.
fn unmarked(word: &str) -> Cow<'_, str> {
    let digits = word.len() - word.trim_start_matches(|char: char| char.is_ascii_digit()).len();
    if digits > 0 && list_marker(word).is_some() {
        format!("{}\\{}", &word[..digits], &word[digits..]).into()
    } else if list_marker(word).is_some() || word.starts_with(['#', '>', '|', '+', '=']) {
        format!("\\{word}").into()
    } else {
        word.into()
    }
}

/// Returns the width of the list marker that a line begins with.
fn list_marker(line: &str) -> Option<usize> {
    if ["- ", "* ", "+ "].iter().any(|marker| line.starts_with(marker))
        || matches!(line, "-" | "*" | "+")
    {
        return Some(2);
    }
    let digits = line.len() - line.trim_start_matches(|char: char| char.is_ascii_digit()).len();
    let rest = &line[digits..];
    let is_marker = rest.starts_with(". ") || rest.starts_with(") ") || rest == "." || rest == ")";
    ((1..=9).contains(&digits) && is_marker).then_some(digits + 2)
}

/// Escapes what rustdoc would take for HTML or for a link to an item, and makes links of bare addresses.
fn safe(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        let taken = match char {
            '`' => code_span(rest),
            '<' if is_autolink(rest) => rest.find('>').map_or(rest.len(), |end| end + 1),
            '<' => {
                out.push_str("&lt;");
                rest = &rest[1..];
                continue;
            }
            '[' => link(rest).unwrap_or_else(|| {
                out.push('\\');
                1
            }),
            ']' => {
                out.push('\\');
                1
            }
            'h' if rest.starts_with("http://") || rest.starts_with("https://") => {
                let end = address_end(rest);
                out.push('<');
                out.push_str(&rest[..end]);
                out.push('>');
                rest = &rest[end..];
                continue;
            }
            '\\' => 1 + rest.chars().nth(1).map_or(0, char::len_utf8),
            _ => char.len_utf8(),
        };
        out.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    out
}

/// Returns the length of the code span at the start of a text, or of the backticks that open none.
fn code_span(text: &str) -> usize {
    let ticks = text.len() - text.trim_start_matches('`').len();
    let fence = &text[..ticks];
    let mut from = ticks;
    while let Some(found) = text[from..].find(fence) {
        let start = from + found;
        let run = text[start..].len() - text[start..].trim_start_matches('`').len();
        if run == ticks {
            return start + run;
        }
        from = start + run;
    }
    ticks
}

fn is_autolink(text: &str) -> bool {
    ["<http://", "<https://", "<mailto:"].iter().any(|start| text.starts_with(start))
        && text.contains('>')
}

/// Returns the length of an inline link (`[text](address)`) at the start of a text.
fn link(text: &str) -> Option<usize> {
    let close = text.find("](")?;
    let inside = &text[1..close];
    if inside.contains(['[', ']', '\n']) {
        return None;
    }
    let target = &text[close + 2..];
    let end = target.find(')')?;
    let address = &target[..end];
    let absolute = address.starts_with("http://")
        || address.starts_with("https://")
        || address.starts_with("mailto:");
    absolute.then_some(close + 2 + end + 1)
}

fn address_end(text: &str) -> usize {
    let end = text
        .find(|char: char| char.is_whitespace() || "<>\"`[]{}|\\^".contains(char))
        .unwrap_or(text.len());
    text[..end].trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '*', '\'']).len()
}

#[cfg(test)]
mod tests {
    use super::safe;

    fn lines(text: &str, width: usize) -> Vec<String> {
        super::lines(text, width, &safe)
    }

    #[test]
    fn text_is_safe_for_rustdoc() {
        let cases = [
            ("a <b> c", "a &lt;b> c"),
            ("see [Task] and `[Task]`", "see \\[Task\\] and `[Task]`"),
            ("see [docs](https://x.example/a)", "see [docs](https://x.example/a)"),
            ("see [docs](/relative)", "see \\[docs\\](/relative)"),
            ("at https://x.example/a.", "at <https://x.example/a>."),
            ("``a ` <b>`` <c>", "``a ` <b>`` &lt;c>"),
            ("open ` tick <b>", "open ` tick &lt;b>"),
        ];
        for (text, expected) in cases {
            assert_eq!(safe(text), expected, "{text}");
        }
    }

    #[test]
    fn code_is_never_taken_for_a_doctest() {
        assert_eq!(lines("A:\n```\nlet x;\n```\nB", 80), ["A:", "```text", "let x;", "```", "B"]);
        assert_eq!(lines("A\n\n    indented", 80), ["A", "", "indented"]);
        assert_eq!(lines("```\nopen", 80), ["```text", "open", "```"]);
    }

    #[test]
    fn wrapped_lines_do_not_become_lists() {
        assert_eq!(lines("aaaa bbbb - cccc", 9), ["aaaa bbbb", "\\- cccc"]);
        assert_eq!(lines("- aaaa bbbb cccc", 11), ["- aaaa bbbb", "  cccc"]);
        assert_eq!(lines("aaaa bbbb 12. cc", 9), ["aaaa bbbb", "12\\. cc"]);
        assert_eq!(lines("- aaaaaaaaaaaa", 9), ["- aaaaaaaaaaaa"]);
    }
}
