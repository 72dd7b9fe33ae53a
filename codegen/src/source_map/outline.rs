//! The lines of a YAML text by indentation: where a few places are shown, most of a large text need not be parsed.

use std::ops::Range;

use super::map::{Spot, body_start};
use super::pointer::Pointer;
use super::yaml;

/// The lines of a YAML text that are neither blank nor comments.
pub(crate) struct Outline<'t> {
    text: &'t str,
    lines: Vec<Line<'t>>,
}

struct Line<'t> {
    /// From its start to the next such line.
    span: Range<usize>,
    indentation: usize,
    /// The line without its indentation and the blanks at its end.
    text: &'t str,
}

impl<'t> Outline<'t> {
    /// Reads the lines of a text.
    pub(crate) fn of(text: &'t str) -> Self {
        let mut end = body_start(text);
        let lines = text[end..].split_inclusive('\n').map(|line| {
            let start = end;
            end += line.len();
            let content = line.trim_start_matches(' ');
            let indentation = line.len() - content.len();
            Line { span: start..end, indentation, text: content.trim_end() }
        });
        let lines = lines.filter(|line| !line.text.is_empty() && !line.text.starts_with('#'));
        let mut lines: Vec<_> = lines.collect();
        if lines.first().is_some_and(|line| line.text == "---") {
            lines.remove(0);
        }
        let mut end = text.len();
        for line in lines.iter_mut().rev() {
            line.span.end = std::mem::replace(&mut end, line.span.start);
        }
        Self { text, lines }
    }

    /// Returns the spot of a pointer if indentation shows that it is in a small part of the text, of which only that is
    /// parsed.
    ///
    /// A line that is indented as the keys of a block mapping are is one of its keys, or an item of a list: everything else
    /// in it is indented more (YAML 1.2 §8.1). Where that is not so, the search ends.
    pub(crate) fn find(&self, pointer: &Pointer, largest: usize) -> Option<Spot> {
        let segments = pointer.segments();
        let mut lines = self.lines.as_slice();
        let mut part = None;
        for (depth, segment) in segments.iter().enumerate() {
            let Some(property) = property(lines, segment) else { break };
            let (first, last) = (property.first()?, property.last()?);
            part = Some((first.span.start..last.span.end, depth));
            lines = if first.text.ends_with(':') { &property[1..] } else { &[] };
        }
        let (part, depth) = part.filter(|(part, _)| part.len() <= largest)?;
        let inner =
            segments[depth..].iter().fold(Pointer::root(), |pointer, key| pointer.join(key));
        let Spot { key, value } = yaml::map(&self.text[part.clone()]).find(&inner)?;
        let shifted = |range: Range<usize>| range.start + part.start..range.end + part.start;
        Some(Spot { key: key.map(shifted), value: shifted(value) })
    }
}

/// Returns the lines of a property; `None` if they are not of a block mapping that has it once.
fn property<'l, 't>(lines: &'l [Line<'t>], name: &str) -> Option<&'l [Line<'t>]> {
    let indentation = lines.first()?.indentation;
    let mut found = None;
    for (index, line) in lines.iter().enumerate() {
        let is_item = line.text == "-" || line.text.starts_with("- ");
        if line.indentation > indentation || (line.indentation == indentation && is_item) {
            continue;
        }
        let key = key(line.text).filter(|_| line.indentation == indentation)?;
        match &mut found {
            None if key == name => found = Some(index..lines.len()),
            Some(_) if key == name => return None,
            Some(found) => found.end = found.end.min(index),
            None => {}
        }
    }
    found.map(|found| &lines[found])
}

/// Returns the key that a line begins with; `None` unless its value ends there, or is indented more.
fn key(line: &str) -> Option<&str> {
    let (key, value) = line.split_once(": ").or_else(|| Some((line.strip_suffix(':')?, "")))?;
    let is_closed = match value.trim_start().chars().next() {
        Some('&' | '!') => false,
        Some(mark @ ('"' | '\'')) => value.len() > 1 && value.ends_with(mark),
        Some('{') => value.ends_with('}'),
        Some('[') => value.ends_with(']'),
        _ => true,
    };
    let quoted = |mark: char| key.strip_prefix(mark)?.strip_suffix(mark);
    let key = quoted('"').or_else(|| quoted('\'')).unwrap_or(key);
    let is_plain = |char: char| char.is_alphanumeric() || "_-./{}$:".contains(char);
    let is_key = !key.starts_with(['-', '{', '}']) && !key.is_empty() && key.chars().all(is_plain);
    (is_key && is_closed).then_some(key)
}
