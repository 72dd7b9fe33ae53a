//! Rewrites `CommonMark` of a spec so that `rustdoc` renders it without running code, and without HTML and links to
//! items. HTML becomes `CommonMark`, too.
//!
//! The text is parsed by the parser of `rustdoc`, so that both agree on what is code.

mod html;

use std::fmt::Write as _;

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd, TextMergeStream};

/// A block of documentation.
#[derive(Clone, Debug)]
pub struct Block {
    /// The prefix of its first line, such as `- `.
    pub first: String,
    /// The prefix of its other lines.
    pub rest: String,
    /// Whether a blank line separates it from the block before.
    pub is_set_off: bool,
    /// Its text.
    pub text: Text,
}

/// The text of a block.
#[derive(Clone, Debug)]
pub enum Text {
    /// Inline text, to be wrapped.
    Wrapped(String),
    /// Lines that are not wrapped.
    Verbatim(Vec<String>),
}

/// Maximum nesting of lists and quotes.
const MAX_DEPTH: usize = 8;

/// Rewrites a text; returns no blocks if nothing in it is visible.
pub fn rewrite(text: &str) -> Vec<Block> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS;
    let mut writer = Writer::default();
    for event in TextMergeStream::new(Parser::new_ext(text, options)) {
        writer.event(event);
    }
    writer.flush(true);
    if writer.is_visible { writer.blocks } else { Vec::new() }
}

/// A list or quote that contains blocks.
struct Container {
    /// The prefix of the next line.
    next: String,
    /// The prefix of the lines after it.
    rest: &'static str,
}

#[derive(Default)]
struct Writer {
    blocks: Vec<Block>,
    /// The inline text of the block that is being read.
    inline: String,
    containers: Vec<Container>,
    /// The number of the next item of each open list; `None` for bullets.
    lists: Vec<Option<u64>>,
    /// The targets of the open links.
    links: Vec<Target>,
    /// The open elements of HTML in the inline text.
    open: Vec<Open>,
    /// The number of open elements of HTML around each open link of `CommonMark`.
    around_links: Vec<usize>,
    /// The open lists of HTML, and whether they have an open item.
    html_lists: Vec<bool>,
    /// The rows of the open table.
    table: Option<Vec<String>>,
    is_code: bool,
    /// Whether the next block of a list follows without a blank line.
    is_tight: bool,
    is_visible: bool,
}

/// The target of a link.
enum Target {
    /// A web address, as it is written.
    Address(String),
    /// An item or a file, which is a text after that of the link.
    Text(String),
    /// None, or a part of the text.
    Nothing,
}

/// An element that is written when it ends. One without an end may be a placeholder, and is text.
struct Open {
    name: String,
    /// The tag, as text.
    tag: String,
    /// The start of its content in the inline text.
    start: usize,
}

impl Writer {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => {
                if matches!(tag, TagEnd::Item | TagEnd::BlockQuote(_)) {
                    self.close_html_lists();
                }
                self.end(tag);
            }
            Event::Text(text) if self.is_code => self.inline.push_str(&text),
            Event::Text(text) => self.text(&text),
            Event::Html(html) | Event::InlineHtml(html) => self.html(&html),
            Event::Code(code) | Event::InlineMath(code) | Event::DisplayMath(code) => {
                self.is_visible |= is_visible(&code);
                let span = code_span(&code);
                // A bar ends a cell even in a code span.
                self.inline.push_str(&if self.table.is_some() {
                    span.replace('|', "\\|")
                } else {
                    span
                });
            }
            Event::FootnoteReference(label) => self.text(&format!("[{label}]")),
            Event::TaskListMarker(is_done) => self.text(if is_done { "[x] " } else { "[ ] " }),
            Event::SoftBreak => self.inline.push(' '),
            Event::HardBreak => self.line_break(),
            Event::Rule => {
                self.flush(true);
                self.verbatim(vec!["***".to_owned()]);
            }
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph => self.is_tight = false,
            Tag::CodeBlock(_) => {
                self.flush(true);
                self.is_code = true;
            }
            Tag::Heading { .. } | Tag::HtmlBlock | Tag::MetadataBlock(_) => self.flush(true),
            Tag::List(number) => {
                self.flush(true);
                // A numbered list that does not begin with 1 cannot follow a paragraph at once.
                self.is_tight = !self.lists.is_empty() && number.is_none();
                self.lists.push(number);
            }
            Tag::Item => self.open_item(),
            Tag::BlockQuote(_) => {
                self.flush(true);
                self.containers.push(Container { next: "> ".to_owned(), rest: "> " });
            }
            Tag::FootnoteDefinition(label) => {
                self.flush(true);
                self.text(&format!("[{label}]: "));
            }
            Tag::Table(_) => {
                self.flush(true);
                self.table = Some(Vec::new());
            }
            Tag::TableHead | Tag::TableRow => self.inline.push('|'),
            Tag::TableCell => self.inline.push(' '),
            Tag::Emphasis => self.inline.push('*'),
            Tag::Strong => self.inline.push_str("**"),
            Tag::Strikethrough => self.inline.push_str("~~"),
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                let target = self.target(dest_url.into_string());
                if matches!(target, Target::Address(_)) {
                    self.inline.push('[');
                }
                self.links.push(target);
                self.around_links.push(self.open.len());
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock | TagEnd::FootnoteDefinition => {
                self.flush(true);
                self.is_tight = false;
            }
            TagEnd::Heading(level) => self.heading(level),
            TagEnd::CodeBlock => self.code_block(),
            TagEnd::List(_) => {
                self.lists.pop();
                self.is_tight = !self.lists.is_empty();
            }
            TagEnd::Item => {
                let was_tight = self.is_tight || !self.inline.is_empty();
                self.flush(!self.is_tight);
                self.containers.pop();
                self.is_tight = was_tight;
            }
            TagEnd::BlockQuote(_) => {
                self.flush(true);
                self.containers.pop();
            }
            TagEnd::Table => {
                let rows = self.table.take().unwrap_or_default();
                self.verbatim(rows);
            }
            TagEnd::TableHead => {
                self.row();
                if let Some(rows) = &mut self.table {
                    let cells = rows.first().map_or(0, |row| bars(row).saturating_sub(1));
                    rows.push(format!("|{}", "---|".repeat(cells)));
                }
            }
            TagEnd::TableRow => self.row(),
            TagEnd::TableCell => {
                self.end_open();
                self.inline.push_str(" |");
            }
            TagEnd::Emphasis => self.inline.push('*'),
            TagEnd::Strong => self.inline.push_str("**"),
            TagEnd::Strikethrough => self.inline.push_str("~~"),
            TagEnd::Link | TagEnd::Image => {
                let around = self.around_links.pop().unwrap_or_default();
                let within = self.open.split_off(around.min(self.open.len()));
                self.write_open(within);
                self.close_link();
            }
            _ => {}
        }
    }

    fn open_item(&mut self) {
        self.flush(!self.is_tight);
        let (next, rest) = match self.lists.last_mut() {
            Some(Some(number)) => {
                let marker = format!("{number}. ");
                *number = number.saturating_add(1);
                (marker, "   ")
            }
            _ => ("- ".to_owned(), "  "),
        };
        self.containers.push(Container { next, rest });
    }

    fn close_link(&mut self) {
        match self.links.pop() {
            Some(Target::Address(address)) => {
                let _ = write!(self.inline, "]({address})");
            }
            Some(Target::Text(target)) => self.text(&format!(" ({target})")),
            Some(Target::Nothing) | None => {}
        }
    }

    fn heading(&mut self, level: HeadingLevel) {
        self.end_open();
        let text = std::mem::take(&mut self.inline).replace('\n', " ");
        if !text.trim().is_empty() {
            self.verbatim(vec![format!("{} {text}", "#".repeat(level as usize))]);
        }
    }

    fn code_block(&mut self) {
        self.is_code = false;
        let code = std::mem::take(&mut self.inline);
        self.is_visible |= is_visible(&code);
        let fence = "`".repeat(longest_run(&code).max(2) + 1);
        let mut lines = vec![format!("{fence}text")];
        lines.extend(
            code.lines().map(|line| visible(&line.replace('\t', "    ")).trim_end().to_owned()),
        );
        lines.push(fence);
        self.verbatim(lines);
    }

    fn row(&mut self) {
        let row = std::mem::take(&mut self.inline).replace('\n', " ");
        if let Some(rows) = &mut self.table {
            rows.push(row);
        }
    }

    /// Ends the block of inline text.
    fn flush(&mut self, is_set_off: bool) {
        self.end_open();
        let text = std::mem::take(&mut self.inline);
        if !text.trim().is_empty() {
            self.push(Text::Wrapped(text.trim().to_owned()), is_set_off && !self.is_tight);
        }
    }

    fn verbatim(&mut self, lines: Vec<String>) {
        self.push(Text::Verbatim(lines), true);
        self.is_tight = false;
    }

    fn push(&mut self, text: Text, is_set_off: bool) {
        let mut first = String::new();
        let mut rest = String::new();
        for container in self.containers.iter_mut().take(MAX_DEPTH) {
            first.push_str(&std::mem::replace(&mut container.next, container.rest.to_owned()));
            rest.push_str(container.rest);
        }
        self.blocks.push(Block { first, rest, is_set_off, text });
    }

    /// Ends a line. A paragraph has no empty ones.
    fn line_break(&mut self) {
        self.inline.truncate(self.inline.trim_end().len());
        if !self.inline.is_empty() {
            self.inline.push('\n');
        }
    }

    /// Writes a text; outside of links, the web addresses in it become links.
    fn text(&mut self, text: &str) {
        self.is_visible |= is_visible(text);
        let escaped = if self.is_linked() { escaped(text) } else { escaped_and_linked(text) };
        let is_cell = self.table.is_some();
        self.inline.push_str(&if is_cell { escaped.replace('|', "\\|") } else { escaped });
    }

    /// Returns what becomes of a link to a target. A link has no others within it.
    fn target(&self, target: String) -> Target {
        match address(&target) {
            Some(_) if self.is_linked() => Target::Nothing,
            Some(address) => Target::Address(address),
            None if target.is_empty() || target.starts_with('#') => Target::Nothing,
            None => Target::Text(target),
        }
    }

    /// Returns whether the text is in a cell or a link, which have no blocks within them.
    fn is_inline(&self) -> bool {
        self.table.is_some() || !self.around_links.is_empty()
    }

    fn is_linked(&self) -> bool {
        self.links.iter().any(|target| matches!(target, Target::Address(_)))
    }
}

/// Escapes a text, in which web addresses become links.
pub fn escaped_and_linked(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    let starts = |text: &str| {
        let schemes = if text.contains(':') { &["http://", "https://"][..] } else { &[] };
        schemes.iter().filter_map(|scheme| text.find(scheme)).min()
    };
    while let Some(start) = starts(rest) {
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
        let is_other = |char: char| !char.is_ascii_alphanumeric() && !" ,.".contains(char);
        let (plain, others) = rest.split_at(rest.find(is_other).unwrap_or(rest.len()));
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

/// Writes a text as a code span.
pub fn code_span(code: &str) -> String {
    let code = visible(&code.replace(['\n', '\t'], " "));
    if code.trim().is_empty() {
        return "`\"\"`".to_owned();
    }
    let ticks = "`".repeat(longest_run(&code) + 1);
    let is_padded = code.starts_with(['`', ' ']) || code.ends_with(['`', ' ']);
    let pad = if is_padded { " " } else { "" };
    format!("{ticks}{pad}{code}{pad}{ticks}")
}

/// Writes invisible characters as escapes of Rust.
pub fn visible(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut out, char| {
        if is_hidden(char) {
            let _ = write!(out, "\\u{{{:x}}}", u32::from(char));
        } else {
            out.push(char);
        }
        out
    })
}

/// Returns whether a character is invisible and changes how others are shown, or ends a line.
fn is_hidden(char: char) -> bool {
    char.is_control()
        || matches!(
            char,
            '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
        )
        || matches!(char, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

fn is_visible(text: &str) -> bool {
    let is_joiner = |char| matches!(char, '\u{ad}' | '\u{34f}' | '\u{200c}' | '\u{200d}');
    text.chars().any(|char| !char.is_whitespace() && !is_hidden(char) && !is_joiner(char))
}

/// Returns whether an ampersand begins an entity.
fn is_entity(text: &str) -> bool {
    let name = |name: &str| {
        !name.is_empty() && name.chars().all(|char| char.is_ascii_alphanumeric() || char == '#')
    };
    text[1..].split_once(';').is_some_and(|(before, _)| name(before))
}

/// Returns the target of a link as it is written between parentheses, if it is a web or mail address.
fn address(target: &str) -> Option<String> {
    let is_plain = |byte: u8| {
        byte.is_ascii_graphic() && !matches!(byte, b'(' | b')' | b'<' | b'>' | b'\\' | b'`' | b'|')
    };
    let is_address =
        ["http://", "https://", "mailto:"].iter().any(|scheme| target.starts_with(scheme));
    is_address.then(|| {
        target.bytes().fold(String::new(), |mut out, byte| {
            if is_plain(byte) {
                out.push(char::from(byte));
            } else {
                let _ = write!(out, "%{byte:02X}");
            }
            out
        })
    })
}

fn address_length(text: &str) -> usize {
    let is_end =
        |char: char| char.is_whitespace() || is_hidden(char) || "<>\"`[]{}|\\^".contains(char);
    let end = text.find(is_end).unwrap_or(text.len());
    text[..end].trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '*', '\'']).len()
}

fn longest_run(text: &str) -> usize {
    text.split(|char| char != '`').map(str::len).max().unwrap_or_default()
}

/// Returns how many bars of a row are not escaped.
fn bars(row: &str) -> usize {
    row.matches('|').count() - row.matches("\\|").count()
}
