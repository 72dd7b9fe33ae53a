//! Documentation of emitted items.
//!
//! Only [`Doc::of_spec`], [`Inline::plain`] and [`Inline::code`] turn text of a spec into documentation: emitters cannot write
//! a string of the spec into a comment.

use std::fmt;
use std::ops::Range;

use proc_macro2::TokenStream;
use quote::quote;

use super::attributes::{Attributes, literal};
use super::markdown::{self, Block, Text};
use crate::ir::{Docs, FieldName, MethodName, ModuleName, TypeName, VariantName};
use crate::items::Path;

/// The width of doc comments.
const WIDTH: usize = 96;

/// Inline text that is safe in documentation.
#[derive(Clone, Debug, Default)]
pub struct Inline(String);

/// Writes inline text: a literal in `CommonMark`, and parts that are safe.
macro_rules! text {
    ($text:literal $(, $part:expr)* $(,)?) => {
        $crate::emit::rust::docs::Inline::assembled(format_args!(
            $text $(, $crate::emit::rust::docs::Inline::from(&$part))*
        ))
    };
}
pub(crate) use text;

impl Inline {
    /// Wraps the output of `text!`.
    pub fn assembled(text: fmt::Arguments<'_>) -> Self {
        Self(text.to_string())
    }

    /// Writes a text of the spec without markup, such as a title.
    pub fn plain(text: &str) -> Self {
        let text = markdown::escaped_and_linked(text.trim());
        Self(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Writes a text of the spec as code, such as a path.
    pub fn code(text: &str) -> Self {
        Self(markdown::code_span(text))
    }

    /// Returns whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn in_cell(&self) -> String {
        self.0.replace('|', "\\|").replace('\n', " ")
    }
}

impl fmt::Display for Inline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&Inline> for Inline {
    fn from(text: &Inline) -> Self {
        text.clone()
    }
}

impl From<&&Path> for Inline {
    fn from(path: &&Path) -> Self {
        Self::from(*path)
    }
}

impl From<&&'static str> for Inline {
    fn from(text: &&'static str) -> Self {
        Self((*text).to_owned())
    }
}

impl From<&usize> for Inline {
    fn from(number: &usize) -> Self {
        Self(number.to_string())
    }
}

impl From<&Path> for Inline {
    fn from(path: &Path) -> Self {
        Self(path.as_str().replace("r#", ""))
    }
}

macro_rules! from_names {
    ($($name:ident),*) => {$(
        impl From<&$name> for Inline {
            fn from(name: &$name) -> Self {
                Self(name.bare().to_owned())
            }
        }

        impl From<&&$name> for Inline {
            fn from(name: &&$name) -> Self {
                Self::from(*name)
            }
        }
    )*};
}

from_names!(FieldName, MethodName, ModuleName, TypeName, VariantName);

/// Safe documentation: all tests, HTML and links to items in it are from emitters.
#[derive(Clone, Debug, Default)]
pub struct Doc {
    blocks: Vec<Block>,
}

impl From<Inline> for Doc {
    fn from(text: Inline) -> Self {
        Self::default().paragraph(text)
    }
}

impl Doc {
    /// Converts a description of the spec; `None` if nothing in it is visible.
    pub fn of_spec(text: &str) -> Option<Self> {
        let blocks = markdown::rewrite(text);
        (!blocks.is_empty()).then_some(Self { blocks })
    }

    /// Converts a summary of the spec, which is no `CommonMark` by the standard; some have code and links nevertheless.
    pub fn of_summary(text: &str) -> Self {
        let is_markup = text.contains('`') || text.contains("](");
        let markup = if is_markup { Self::of_spec(text) } else { None };
        markup.unwrap_or_else(|| Inline::plain(text).into())
    }

    /// Converts the description of an item, or uses another text if it has none.
    pub fn new(docs: &Docs, otherwise: impl FnOnce() -> Option<Inline>) -> Self {
        let described = docs.text.as_deref().and_then(Self::of_spec);
        described.unwrap_or_else(|| otherwise().map(Self::from).unwrap_or_default())
    }

    pub fn paragraph(self, text: Inline) -> Self {
        self.block("", true, Text::Wrapped(text.0))
    }

    /// Adds paragraphs, such as one that an item may have.
    pub fn paragraphs(self, texts: impl IntoIterator<Item = Inline>) -> Self {
        texts.into_iter().fold(self, Self::paragraph)
    }

    pub fn heading(self, text: &'static str) -> Self {
        self.block("", true, Text::Verbatim(vec![format!("# {text}")]))
    }

    pub fn item(self, text: Inline) -> Self {
        let starts = self.blocks.last().is_none_or(|block| block.first != "- ");
        self.block("- ", starts, Text::Wrapped(text.0))
    }

    /// Adds a program that `rustdoc` compiles and does not run.
    pub fn program(self, lines: impl IntoIterator<Item = String>) -> Self {
        let mut text = vec!["```no_run".to_owned()];
        text.extend(lines);
        text.push("```".to_owned());
        self.block("", true, Text::Verbatim(text))
    }

    fn block(mut self, first: &str, is_set_off: bool, text: Text) -> Self {
        let rest = " ".repeat(first.len());
        let gap = is_set_off.then(String::new);
        self.blocks.push(Block { first: first.to_owned(), rest, gap, text });
        self
    }

    pub fn and(mut self, other: Self) -> Self {
        self.blocks.extend(other.blocks);
        self
    }

    /// Returns all paragraphs as one.
    pub fn inline(&self) -> Inline {
        Inline(self.texts().collect::<Vec<_>>().join(" "))
    }

    fn texts(&self) -> impl Iterator<Item = &str> {
        self.blocks.iter().filter_map(|block| match &block.text {
            Text::Wrapped(text) => Some(text.as_str()),
            Text::Verbatim(_) => None,
        })
    }

    pub fn summary(&self) -> Inline {
        let text = self.texts().next();
        let mut summary = String::new();
        for Word { text, breaks, is_linked } in words(text.unwrap_or_default()) {
            if !summary.is_empty() {
                summary.push(' ');
            }
            summary.push_str(text);
            if !is_linked && (breaks || text.ends_with(['.', '!', '?'])) {
                break;
            }
        }
        Inline(summary)
    }

    /// Returns the text without line breaks in paragraphs.
    pub fn text(&self) -> String {
        self.lines(usize::MAX).join("\n") + "\n"
    }

    /// Returns the attributes of an item that is indented by `indent` columns.
    pub fn attributes(&self, indent: usize) -> Attributes {
        Attributes::new(self.commented(indent))
    }

    /// Returns the documentation of a file, in the file itself.
    pub fn inner(&self) -> TokenStream {
        let text = literal(&self.commented(0));
        quote!(#![doc = #text])
    }

    /// Returns the lines as they follow the mark of a comment.
    fn commented(&self, indent: usize) -> Vec<String> {
        let mut lines = self.lines(WIDTH.saturating_sub(indent));
        let filled = lines.iter_mut().filter(|line| !line.is_empty());
        filled.for_each(|line| line.insert(0, ' '));
        lines
    }

    fn lines(&self, width: usize) -> Vec<String> {
        let mut out = Vec::new();
        for block in &self.blocks {
            out.extend(block.gap.clone().filter(|_| !out.is_empty()));
            match &block.text {
                Text::Wrapped(text) => wrap(block, text, width, &mut out),
                Text::Verbatim(lines) => {
                    for (index, line) in lines.iter().enumerate() {
                        let prefix = if index == 0 { &block.first } else { &block.rest };
                        out.push(format!("{prefix}{line}").trim_end().to_owned());
                    }
                }
            }
        }
        out
    }
}

/// Breaks the text of a block into lines.
fn wrap(block: &Block, text: &str, width: usize, out: &mut Vec<String>) {
    let mut line = block.first.clone();
    let mut is_empty = true;
    for Word { text: word, breaks, .. } in words(text) {
        // Few lines are long enough for their characters to be counted.
        let is_full = line.len().saturating_add(word.len()) >= width
            && line.chars().count() + word.chars().count() >= width;
        if is_full && !is_empty {
            out.push(std::mem::replace(&mut line, block.rest.clone()));
            is_empty = true;
        }
        if is_empty {
            push_first(word, &mut line);
        } else {
            line.push(' ');
            line.push_str(word);
        }
        is_empty = false;
        if breaks {
            line.push('\\');
            out.push(std::mem::replace(&mut line, block.rest.clone()));
            is_empty = true;
        }
    }
    if !is_empty {
        out.push(line);
    }
}

/// Writes the first word of a line, escaped if it would begin a block there.
fn push_first(word: &str, line: &mut String) {
    let digits = word.len() - word.trim_start_matches(|char: char| char.is_ascii_digit()).len();
    let (number, mark) = word.split_at(digits);
    let is_marker = match mark {
        "" => false,
        "." | ")" => !number.is_empty(),
        _ if number.is_empty() => {
            mark.starts_with('>') || mark.chars().all(|char| "-+=#:|".contains(char))
        }
        _ => false,
    };
    line.push_str(number);
    line.push_str(if is_marker { "\\" } else { "" });
    line.push_str(mark);
}

/// A word of inline text; a code span is one word.
struct Word<'t> {
    text: &'t str,
    /// Whether a line break follows.
    breaks: bool,
    /// Whether it ends within the text of a link.
    is_linked: bool,
}

fn words(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut start = 0;
    let mut at = 0;
    let mut links = 0_usize;
    let bytes = text.as_bytes();
    let mut push = |range: Range<usize>, breaks, links| {
        let text = text.get(range).unwrap_or_default();
        if !text.is_empty() {
            words.push(Word { text, breaks, is_linked: links > 0 });
        }
    };
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'`' => at += code_length(&text[at..]),
            b' ' | b'\n' => {
                push(start..at, byte == b'\n', links);
                at += 1;
                start = at;
            }
            _ => {
                match byte {
                    b'[' => links += 1,
                    b']' => links = links.saturating_sub(1),
                    _ => {}
                }
                at += 1;
            }
        }
    }
    push(start..bytes.len(), false, links);
    words
}

/// Returns the length of the code span at the start of a text.
fn code_length(text: &str) -> usize {
    let ticks = text.len() - text.trim_start_matches('`').len();
    let mark = &text[..ticks];
    let mut at = ticks;
    while let Some(found) = text[at..].find(mark) {
        let rest = &text[at + found..];
        let run = rest.len() - rest.trim_start_matches('`').len();
        at += found + run;
        if run == ticks {
            return at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests;
