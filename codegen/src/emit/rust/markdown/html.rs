//! The HTML in texts of a spec, written as `CommonMark`. Tags that are no HTML are text: `<id>` is a placeholder.

use pulldown_cmark::{HeadingLevel, Tag, TagEnd};

use super::{LinkTarget, MAX_OPEN, Open, Writer, escaped, escaped_and_linked, is_visible};

enum HtmlPart<'t> {
    Text(&'t str),
    /// A tag: its name in lower case, whether it is an end tag, and the tag itself.
    Tag(String, bool, &'t str),
}

/// Elements whose content is written without them.
const TRANSPARENT: [&str; 18] = [
    "abbr", "big", "body", "center", "cite", "col", "colgroup", "font", "html", "ins", "mark", "q",
    "small", "span", "td", "th", "u", "var",
];

/// Elements that are paragraphs, such as the rows of a table.
const BLOCKS: [&str; 18] = [
    "article", "aside", "blockquote", "caption", "details", "div", "dl", "dd", "dt", "p", "pre",
    "section", "summary", "table", "tbody", "tfoot", "thead", "tr",
];

impl Writer {
    pub fn html(&mut self, html: &str) {
        for part in parts(html) {
            match part {
                HtmlPart::Text(text) => self.text(&unescaped(text)),
                HtmlPart::Tag(name, is_end, tag) => self.tag(&name, is_end, tag),
            }
        }
    }

    fn tag(&mut self, name: &str, is_end: bool, tag: &str) {
        match name {
            "" => {}
            "br" => self.line_break(),
            "b" | "strong" | "i" | "em" | "code" | "tt" | "kbd" | "samp" | "a" => {
                if is_end {
                    self.close(name);
                } else if self.open.len() < MAX_OPEN {
                    self.open_element(name, tag);
                } else {
                    self.text(tag);
                }
            }
            "ul" | "ol" if !self.is_inline() => {
                self.close_html_item();
                if !is_end {
                    self.html_lists.push(false);
                    self.start(Tag::List((name == "ol").then_some(1)));
                } else if self.html_lists.pop().is_some() {
                    self.end(TagEnd::List(name == "ol"));
                }
            }
            "li" if !self.is_inline() => {
                self.close_html_item();
                if !is_end {
                    if self.html_lists.is_empty() {
                        self.html_lists.push(false);
                        self.start(Tag::List(None));
                    }
                    self.start(Tag::Item);
                    self.html_lists.pop();
                    self.html_lists.push(true);
                }
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" if !self.is_inline() => {
                if is_end {
                    let level = name[1..].parse().unwrap_or(1);
                    self.end(TagEnd::Heading(
                        HeadingLevel::try_from(level).unwrap_or(HeadingLevel::H1),
                    ));
                } else {
                    self.separate();
                }
            }
            "hr" | "ul" | "ol" | "li" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.separate(),
            "td" | "th" if !is_end && is_visible(&self.inline) => self.inline.push_str(" – "),
            name if BLOCKS.contains(&name) => self.separate(),
            name if TRANSPARENT.contains(&name) => {}
            _ => self.text(tag),
        }
    }

    /// Ends a paragraph; a cell of a table and a link have only one.
    fn separate(&mut self) {
        if self.is_inline() {
            let is_separate = self.inline.ends_with(' ');
            self.inline.push_str(if is_separate { "" } else { " " });
        } else {
            self.flush(true);
        }
    }

    fn open_element(&mut self, name: &str, tag: &str) {
        let text = if self.is_linked() { escaped(tag) } else { escaped_and_linked(tag) };
        if name == "a" {
            self.open_link(&attribute(tag, "href").unwrap_or_default());
        }
        self.open(name, text);
    }

    pub fn open(&mut self, name: &str, tag: String) {
        if self.open.len() < MAX_OPEN {
            self.open.push(Open { name: name.to_owned(), tag, start: self.inline.len() });
        }
    }

    /// Writes an element that ends, unless it has no content.
    pub fn close(&mut self, name: &str) {
        let around = self.around_links.last().copied().unwrap_or_default();
        let position = self.open.iter().rposition(|open| open.name == name);
        let Some(position) = position.filter(|position| *position >= around) else { return };
        let within = self.open.split_off(position + 1);
        self.write_open(within);
        let start = self.open.pop().map_or(0, |open| open.start);
        let content = self.content_from(start).unwrap_or_default();
        let (before, trimmed, after) = trimmed(&content);
        if trimmed.is_empty() {
            if name == "a" {
                self.links.pop();
            }
            return self.inline.push_str(&content);
        }
        self.inline.push_str(before);
        match name {
            "a" => self.linked(trimmed),
            "b" | "strong" | "**" => self.emphasized("**", trimmed),
            "i" | "em" | "*" => self.emphasized("*", trimmed),
            "~~" => self.emphasized("~~", trimmed),
            _ => self.code(&without_escapes(trimmed)),
        }
        self.inline.push_str(after);
    }

    /// Takes the content of an element.
    fn content_from(&mut self, start: usize) -> Option<String> {
        let is_valid = self.inline.is_char_boundary(start);
        let content = is_valid.then(|| self.inline.split_off(start));
        #[cfg(test)]
        super::MOVED.set(super::MOVED.get() + content.as_ref().map_or(0, String::len));
        content
    }

    fn emphasized(&mut self, mark: &str, content: &str) {
        // `~~~~` would begin a block of code.
        let is_nested = self.open.iter().any(|open| open.name == mark);
        let mark = if is_nested { "" } else { mark };
        self.inline.extend([mark, content, mark]);
    }

    fn linked(&mut self, content: &str) {
        self.begin_link();
        self.inline.push_str(content);
        self.close_link();
    }

    /// Ends the elements that do not end in their paragraph.
    pub fn end_open(&mut self) {
        let open = std::mem::take(&mut self.open);
        self.write_open(open);
    }

    /// Writes elements without an end: links as if they ended here, because they have addresses, others as text.
    pub fn write_open(&mut self, open: Vec<Open>) {
        for Open { name, tag, start } in open.into_iter().rev() {
            let Some(content) = self.content_from(start) else { continue };
            let is_link = name == "a" && matches!(self.links.last(), Some(LinkTarget::Address(_)));
            let (before, trimmed, after) = trimmed(&content);
            if is_link && !trimmed.is_empty() {
                self.inline.push_str(before);
                self.linked(trimmed);
                self.inline.push_str(after);
                continue;
            }
            if name == "a" {
                self.links.pop();
            }
            self.is_visible |= !tag.is_empty();
            self.inline.extend([tag, content]);
        }
    }

    fn close_html_item(&mut self) {
        if let Some(is_open) = self.html_lists.last_mut()
            && std::mem::take(is_open)
        {
            self.end(TagEnd::Item);
        }
    }

    /// Ends the lists that have no end tag.
    pub fn close_html_lists(&mut self) {
        while !self.html_lists.is_empty() {
            self.close_html_item();
            self.html_lists.pop();
            self.end(TagEnd::List(false));
        }
    }
}

/// Splits a text into what is between spaces, and the spaces.
fn trimmed(text: &str) -> (&str, &str, &str) {
    let (before, rest) = text.split_at(text.len() - text.trim_start().len());
    let (trimmed, after) = rest.split_at(rest.trim_end().len());
    (before, trimmed, after)
}

/// Splits a text into tags and what is between them. Comments are left out.
fn parts(html: &str) -> Vec<HtmlPart<'_>> {
    let mut parts = Vec::new();
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        let (text, tag) = rest.split_at(start);
        parts.push(HtmlPart::Text(text));
        if let Some(comment) = tag.strip_prefix("<!--") {
            rest = comment.split_once("-->").map_or("", |(_, rest)| rest);
            continue;
        }
        let Some(end) = tag.find('>') else {
            rest = tag;
            break;
        };
        let (tag, after) = tag.split_at(end + 1);
        parts.push(part(tag));
        rest = after;
    }
    parts.push(HtmlPart::Text(rest));
    // Line breaks between blocks are no text.
    parts.retain(
        |part| !matches!(part, HtmlPart::Text(text) if text.contains('\n') && !is_visible(text)),
    );
    parts
}

fn part(tag: &str) -> HtmlPart<'_> {
    let content = tag.trim_start_matches('<');
    let is_end = content.starts_with('/');
    let content = content.trim_start_matches('/');
    let end = content.find(|char: char| !char.is_ascii_alphanumeric()).unwrap_or(content.len());
    let name = &content[..end];
    let is_name =
        content[end..].starts_with(['>', '/']) || content[end..].starts_with(char::is_whitespace);
    if name.is_empty() || !is_name {
        HtmlPart::Text(tag)
    } else {
        HtmlPart::Tag(name.to_ascii_lowercase(), is_end, tag)
    }
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let lower = tag.to_ascii_lowercase();
    let position = lower.find(&format!(" {name}="))? + name.len() + 2;
    let value = tag.get(position..)?;
    let quote = value.chars().next()?;
    let value = if quote == '"' || quote == '\'' {
        value[1..].split(quote).next()?
    } else {
        value.split([' ', '>']).next()?
    };
    Some(unescaped(value.trim()))
}

fn unescaped(text: &str) -> String {
    const ENTITIES: [(&str, &str); 7] = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&apos;", "'"),
        ("&nbsp;", " "),
        ("&amp;", "&"),
    ];
    let mut text = text.to_owned();
    if text.contains('&') {
        for (entity, char) in ENTITIES {
            text = text.replace(entity, char);
        }
    }
    text
}

/// Returns inline text without the escapes of `CommonMark` and the brackets of addresses, which code has none of.
fn without_escapes(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut is_address = false;
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        let rest = chars.as_str();
        match char {
            '\\' if rest.starts_with(|char: char| char.is_ascii_punctuation()) => {
                plain.extend(chars.next());
            }
            '<' if rest.starts_with("http") => is_address = true,
            '>' if is_address => is_address = false,
            _ => plain.push(char),
        }
    }
    plain.replace("&amp;", "&")
}
