//! Rewrites `CommonMark` of a spec so that `rustdoc` renders it without running code, and without HTML and links to
//! items. HTML becomes `CommonMark`, too.
//!
//! The text is parsed by the parser of `rustdoc`, so that both agree on what is code.

mod html;
mod inline;

use std::fmt::Write as _;

use pulldown_cmark::{
    Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd, TextMergeStream,
};

use inline::{address, is_visible, longest_run};
pub use inline::{code_span, escaped, escaped_and_linked};

use crate::visible::visible;

/// A block of documentation.
#[derive(Clone, Debug)]
pub struct Block {
    /// The prefix of its first line, such as `- `.
    pub first: String,
    /// The prefix of its other lines.
    pub rest: String,
    /// The blank line that separates it from the block before, if one does: it has the marks of the quotes around both.
    pub gap: Option<String>,
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

/// Maximum number of open elements within a paragraph; others are text. When an element ends, what is within it moves.
const MAX_OPEN: usize = 32;

/// Maximum length of a text in bytes: the parser takes quadratic time for some.
const MAX_TEXT: usize = 64 << 10;

/// Replaces the rest of a text that is too long.
const REST: &str = "(The document has the rest of this text.)";

#[cfg(test)]
thread_local! {
    /// The number of bytes that were moved because an element ended.
    pub static MOVED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Rewrites a text; returns no blocks if nothing in it is visible.
pub fn rewrite(text: &str) -> Vec<Block> {
    let mut ends = (0..=text.len().min(MAX_TEXT)).rev();
    let (text, rest) = ends.find_map(|end| text.split_at_checked(end)).unwrap_or((text, ""));
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS;
    let mut writer = Writer::default();
    for event in TextMergeStream::new(Parser::new_ext(text, options)) {
        writer.event(event);
    }
    writer.flush(true);
    if !rest.is_empty() {
        writer.text(REST);
        writer.flush(true);
    }
    if writer.is_visible { writer.blocks } else { Vec::new() }
}

/// A list or quote that contains blocks.
struct Container {
    /// The prefix of the next line.
    next: String,
    /// The prefix of the lines after it.
    rest: &'static str,
    /// Whether a block of it was written.
    is_begun: bool,
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
    links: Vec<LinkTarget>,
    /// The open elements in the inline text, except for the links of `CommonMark`.
    open: Vec<Open>,
    /// The number of open elements around each open link of `CommonMark`.
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

enum LinkTarget {
    /// A web address, as it is written.
    Address(String),
    /// An item or a file, which is written as text after the text of the link.
    Text(String),
    /// None, or a part of the text.
    Nothing,
}

/// An element that is written when it ends, if it has content.
struct Open {
    /// The name of the tag, or the mark of `CommonMark`.
    name: String,
    /// The tag of HTML, as text. Without an end, it may be a placeholder, and is text.
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
                self.code(&code);
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
                // A numbered list that does not begin with 1 cannot follow a paragraph at once, and neither can one whose
                // first item begins with a list.
                let is_begun = self.containers.last().is_none_or(|container| container.is_begun);
                let is_tight = if is_begun { !self.lists.is_empty() } else { self.is_tight };
                self.is_tight = is_tight && number.is_none();
                self.lists.push(number);
            }
            Tag::Item => self.open_item(),
            Tag::BlockQuote(_) => {
                self.flush(true);
                let next = "> ".to_owned();
                self.containers.push(Container { next, rest: "> ", is_begun: false });
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
            Tag::Emphasis => self.open("*", String::new()),
            Tag::Strong => self.open("**", String::new()),
            Tag::Strikethrough => self.open("~~", String::new()),
            Tag::Link { dest_url, link_type, .. } | Tag::Image { dest_url, link_type, .. } => {
                let scheme = if link_type == LinkType::Email { "mailto:" } else { "" };
                self.open_link(&[scheme, &dest_url].concat());
                self.begin_link();
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
                    let head = rows.first().map_or("", String::as_str);
                    let bars = head.matches('|').count() - head.matches("\\|").count();
                    rows.push(format!("|{}", "---|".repeat(bars.saturating_sub(1))));
                }
            }
            TagEnd::TableRow => self.row(),
            TagEnd::TableCell => {
                self.end_open();
                self.inline.push_str(" |");
            }
            TagEnd::Emphasis => self.close("*"),
            TagEnd::Strong => self.close("**"),
            TagEnd::Strikethrough => self.close("~~"),
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
        self.containers.push(Container { next, rest, is_begun: false });
    }

    /// Opens a link to a target, without its bracket.
    pub fn open_link(&mut self, target: &str) {
        let target = self.target(target);
        self.links.push(target);
        // After an exclamation mark, it would be an image.
        let end = self.inline.len();
        let Some(before) = self.inline.strip_suffix('!') else { return };
        if (before.len() - before.trim_end_matches('\\').len()).is_multiple_of(2) {
            self.inline.insert(end - 1, '\\');
            self.open.iter_mut().filter(|open| open.start == end).for_each(|open| open.start += 1);
        }
    }

    /// Writes the bracket of the last link.
    pub fn begin_link(&mut self) {
        if matches!(self.links.last(), Some(LinkTarget::Address(_))) {
            self.inline.push('[');
        }
    }

    fn close_link(&mut self) {
        match self.links.pop() {
            Some(LinkTarget::Address(address)) => {
                let start = self.inline.rfind('[').unwrap_or_default();
                let content = self.inline[start..].strip_prefix('[').unwrap_or_default();
                let is_bare = content.trim().is_empty() || content == escaped(&address);
                if is_bare && !self.inline[..start].ends_with('\\') {
                    self.is_visible = true;
                    self.inline.truncate(start);
                    let _ = write!(self.inline, "<{address}>");
                } else {
                    let _ = write!(self.inline, "]({address})");
                }
            }
            Some(LinkTarget::Text(target)) => self.text(&format!(" ({target})")),
            Some(LinkTarget::Nothing) | None => {}
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
        let mut gap = String::new();
        let mut is_shared = true;
        for container in self.containers.iter_mut().take(MAX_DEPTH) {
            first.push_str(&std::mem::replace(&mut container.next, container.rest.to_owned()));
            rest.push_str(container.rest);
            is_shared &= std::mem::replace(&mut container.is_begun, true);
            gap.push_str(if is_shared { container.rest } else { "" });
        }
        let gap = is_set_off.then(|| gap.trim_end().to_owned());
        self.blocks.push(Block { first, rest, gap, text });
    }

    /// Ends a line. A paragraph has no empty ones.
    fn line_break(&mut self) {
        let end = self.inline.trim_end().len();
        self.inline.truncate(end);
        self.open.iter_mut().for_each(|open| open.start = open.start.min(end));
        if !self.inline.is_empty() {
            self.inline.push('\n');
        }
    }

    /// Writes a text; outside of links, the web addresses in it become links.
    fn text(&mut self, text: &str) {
        self.is_visible |= is_visible(text);
        let escaped = if self.is_linked() { escaped(text) } else { escaped_and_linked(text) };
        let is_cell = self.table.is_some();
        let start = self.inline.len();
        self.inline.push_str(&if is_cell { escaped.replace('|', "\\|") } else { escaped });
        self.escape_address(start);
    }

    pub fn code(&mut self, code: &str) {
        // At the start of a paragraph, it would make the text of its link the label of a definition.
        if self.is_linked() && code.contains("]:") {
            return self.text(code);
        }
        // It would be one with another span directly before it.
        if self.inline.ends_with('`') {
            self.inline.push(' ');
        }
        let span = code_span(code);
        // A bar ends a cell even in a code span.
        let is_cell = self.table.is_some();
        self.inline.push_str(&if is_cell { span.replace('|', "\\|") } else { span });
    }

    /// Escapes a web address whose scheme is partly before the start of the last text, such as before a comment.
    fn escape_address(&mut self, start: usize) {
        for scheme in ["http://", "https://"] {
            let from = (start + 1).saturating_sub(scheme.len());
            let around =
                &self.inline.as_bytes()[from..self.inline.len().min(start + scheme.len() - 1)];
            let found = around.windows(scheme.len()).position(|part| part == scheme.as_bytes());
            if let Some(position) = found {
                self.inline.insert(from + position + scheme.len() - 1, '\\');
            }
        }
    }

    /// Returns what becomes of a link to a target. A link has no others within it.
    fn target(&self, target: &str) -> LinkTarget {
        match address(target) {
            Some(_) if self.is_linked() => LinkTarget::Nothing,
            Some(address) => LinkTarget::Address(address),
            None if target.is_empty() || target.starts_with('#') => LinkTarget::Nothing,
            None => LinkTarget::Text(target.to_owned()),
        }
    }

    /// Returns whether the text is in a cell or a link, which have no blocks within them.
    fn is_inline(&self) -> bool {
        self.table.is_some() || !self.around_links.is_empty()
    }

    fn is_linked(&self) -> bool {
        self.links.iter().any(|target| matches!(target, LinkTarget::Address(_)))
    }
}
