//! Text of a spec within a paragraph, without a meaning for the parser of `rustdoc`.

use std::fmt::Write as _;

use crate::visible::{is_hidden, visible};

/// Escapes a text, in which web addresses become links.
pub fn escaped_and_linked(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((start, _)) = rest.match_indices("http").find(|(at, _)| is_web(&rest[*at..])) {
        let (before, address) = rest.split_at(start);
        let (address, after) = address.split_at(address_length(address));
        out.push_str(&escaped(before));
        let _ = write!(out, "<{address}>");
        rest = after;
    }
    out + &escaped(rest)
}

/// Escapes the characters with a meaning in `CommonMark`, except those with one only at the start of a line.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    let mut rest = text;
    loop {
        let length = rest.find(|char: char| !char.is_ascii_alphanumeric() && !" ,.".contains(char));
        let (plain, others) = rest.split_at(length.unwrap_or(rest.len()));
        out.push_str(plain);
        before = plain.chars().next_back().unwrap_or(before);
        let mut chars = others.chars();
        let Some(char) = chars.next() else { break };
        rest = chars.as_str();
        let after = chars.next().unwrap_or(' ');
        let is_special = match char {
            '\\' | '`' | '*' | '[' | ']' | '<' | '~' => true,
            '_' => !(before.is_alphanumeric() && after.is_alphanumeric()),
            '&' => is_entity(others),
            _ => false,
        };
        match char {
            '\n' | '\t' => out.push(' '),
            '&' if is_special => out.push_str("&amp;"),
            char if is_hidden(char) => {
                let _ = write!(out, "\\\\u{{{:x}}}", u32::from(char));
            }
            char => {
                if is_special {
                    out.push('\\');
                }
                out.push(char);
            }
        }
        before = char;
    }
    out
}

pub fn code_span(code: &str) -> String {
    let code = code.replace(['\n', '\t'], " ");
    let code = visible(&code);
    if code.trim().is_empty() {
        return "`\"\"`".to_owned();
    }
    let ticks = "`".repeat(longest_run(&code) + 1);
    let is_padded = code.starts_with(['`', ' ']) || code.ends_with(['`', ' ']);
    let pad = if is_padded { " " } else { "" };
    format!("{ticks}{pad}{code}{pad}{ticks}")
}

pub fn is_visible(text: &str) -> bool {
    let joiners = ['\u{ad}', '\u{34f}', '\u{200c}', '\u{200d}'];
    text.chars().any(|char| !char.is_whitespace() && !is_hidden(char) && !joiners.contains(&char))
}

fn is_entity(text: &str) -> bool {
    let rest =
        text[1..].trim_start_matches(|char: char| char.is_ascii_alphanumeric() || char == '#');
    rest.len() + 1 < text.len() && rest.starts_with(';')
}

/// Returns the target of a link as it is written between parentheses, if it is a web or mail address.
pub fn address(target: &str) -> Option<String> {
    // `rustdoc` takes the address of a mail for an item if there is no dot in it.
    let is_mail = target.starts_with("mailto:") && target.split('#').next()?.contains('.');
    (is_mail || is_web(target)).then(|| {
        target.bytes().fold(String::new(), |mut out, byte| {
            if byte.is_ascii_graphic() && !b"()<>\\`|".contains(&byte) {
                out.push(char::from(byte));
            } else {
                let _ = write!(out, "%{byte:02X}");
            }
            out
        })
    })
}

fn is_web(address: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| address.starts_with(scheme))
}

fn address_length(text: &str) -> usize {
    let is_end =
        |char: char| char.is_whitespace() || is_hidden(char) || "<>\"`[]{}|\\^".contains(char);
    let end = text.find(is_end).unwrap_or(text.len());
    text[..end].trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '*', '\'']).len()
}

pub fn longest_run(text: &str) -> usize {
    text.split(|char| char != '`').map(str::len).max().unwrap_or_default()
}
