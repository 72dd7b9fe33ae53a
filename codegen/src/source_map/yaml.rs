//! The map of YAML, from the events of a parser that agrees with the one of the tree.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Read;
use std::ops::Range;

use libyaml_safer::{Event, EventData, MappingStyle, Parser, ScalarStyle, SequenceStyle};

use super::map::{Content, Key, SourceMap, Value, body_start};

/// The prefix of the tags of YAML's own schema (YAML 1.2 §10).
const OWN_TAGS: &str = "tag:yaml.org,2002:";

/// Returns the map of a YAML text, up to its first syntax error.
pub(super) fn map(text: &str) -> SourceMap {
    let start = body_start(text);
    let body = without_fatal_tags(&text[start..]);
    let mut parser = Parser::new();
    // The parser rejects a block scalar that ends without a line break.
    let end = if body.ends_with('\n') { "" } else { "\n" };
    parser.set_input(body.as_bytes().chain(end.as_bytes()));
    let mut builder = Builder { start, ..Builder::default() };
    let mut documents = 0;
    for event in parser.map_while(Result::ok) {
        let span = builder.span(&event);
        documents += usize::from(matches!(event.data, EventData::DocumentStart { .. }));
        if documents == 2 {
            builder.map.second_document = Some(span);
            break;
        }
        builder.take(event.data, span);
    }
    builder.map
}

/// Returns the offset where YAML nests deeper than a limit. Parsers take quadratic time for nested flow style, so this is
/// checked before the whole text is parsed.
pub(crate) fn too_deep(text: &str, limit: usize) -> Option<usize> {
    let mut open = 0usize;
    let seems_deep = text.bytes().any(|byte| {
        match byte {
            b'[' | b'{' => open += 1,
            b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        open > limit
    });
    if !seems_deep {
        return None;
    }
    let mut parser = Parser::new();
    parser.set_input(text.as_bytes().chain(&b"\n"[..]));
    let mut depth = 0;
    for event in parser.map_while(Result::ok) {
        match event.data {
            EventData::SequenceStart { .. } | EventData::MappingStart { .. } => depth += 1,
            EventData::SequenceEnd | EventData::MappingEnd => depth -= 1,
            _ => {}
        }
        if depth > limit {
            return usize::try_from(event.start_mark.index).ok();
        }
    }
    None
}

/// Replaces every tag before a comma by `~` and blanks of the same length: the parser rejects them.
fn without_fatal_tags(text: &str) -> Cow<'_, str> {
    let mut safe = Cow::Borrowed(text);
    for (start, _) in text.match_indices('!') {
        let begins =
            start == 0 || text[..start].ends_with([' ', '\t', '\n', '\r', '[', '{', ',', ':']);
        let length = text[start..]
            .find(|c: char| c.is_whitespace() || matches!(c, ',' | '[' | ']' | '{' | '}'));
        if let Some(length) =
            length.filter(|length| begins && text[start + length..].starts_with(','))
        {
            let blanks = ["~", &" ".repeat(length - 1)].concat();
            safe.to_mut().replace_range(start..start + length, &blanks);
        }
    }
    safe
}

#[derive(Default)]
struct Builder {
    /// The offset after a byte order mark.
    start: usize,
    map: SourceMap,
    /// The open collections, from the outermost to the innermost.
    open: Vec<Open>,
    anchors: HashMap<String, Anchor>,
}

/// An open collection.
struct Open {
    index: usize,
    /// The key of the next value, in a mapping.
    key: Option<Key>,
    flow: bool,
}

/// The target of an alias.
struct Anchor {
    /// The value; `None` for an anchor on a key.
    index: Option<usize>,
    /// The text of a scalar, for an alias that is a key.
    text: Option<String>,
}

impl Builder {
    fn span(&self, event: &Event) -> Range<usize> {
        let offset = |index: u64| self.start + usize::try_from(index).unwrap_or_default();
        offset(event.start_mark.index)..offset(event.end_mark.index)
    }

    fn take(&mut self, data: EventData, span: Range<usize>) {
        match data {
            EventData::Scalar { anchor, tag, value, style, .. } => {
                self.note_tag(tag, &span);
                self.scalar(value, span, anchor, style == ScalarStyle::Plain);
            }
            EventData::Alias { anchor } => self.alias(&anchor, span),
            EventData::SequenceStart { anchor, tag, style, .. } => {
                self.note_tag(tag, &span);
                self.open(
                    Content::Sequence(Vec::new()),
                    span,
                    anchor,
                    style == SequenceStyle::Flow,
                );
            }
            EventData::MappingStart { anchor, tag, style, .. } => {
                self.note_tag(tag, &span);
                self.open(Content::Mapping(Vec::new()), span, anchor, style == MappingStyle::Flow);
            }
            EventData::SequenceEnd | EventData::MappingEnd => self.close(span.end),
            _ => {}
        }
    }

    fn note_tag(&mut self, tag: Option<String>, span: &Range<usize>) {
        if let Some(tag) = tag.filter(|tag| tag != "!" && !tag.starts_with(OWN_TAGS)) {
            let length = tag.len();
            self.map.tags.push((tag, span.start..span.start + length));
        }
    }

    fn scalar(&mut self, text: String, span: Range<usize>, anchor: Option<String>, plain: bool) {
        let anchored = anchor.map(|anchor| (anchor, text.clone()));
        let index = if self.expects_key() {
            self.set_key(Key { text, span, plain });
            None
        } else {
            Some(self.add(Content::Scalar, span))
        };
        if let Some((anchor, text)) = anchored {
            self.anchors.insert(anchor, Anchor { index, text: Some(text) });
        }
    }

    fn alias(&mut self, anchor: &str, span: Range<usize>) {
        let (index, text) = match self.anchors.get(anchor) {
            Some(anchor) => (anchor.index, anchor.text.clone()),
            None => (None, None),
        };
        if self.expects_key() {
            self.set_key(Key { text: text.unwrap_or_default(), span, plain: false });
        } else {
            self.add(index.map_or(Content::Scalar, Content::Alias), span);
        }
    }

    fn open(&mut self, content: Content, span: Range<usize>, anchor: Option<String>, flow: bool) {
        let index = self.add(content, span);
        if let Some(anchor) = anchor {
            self.anchors.insert(anchor, Anchor { index: Some(index), text: None });
        }
        self.open.push(Open { index, key: None, flow });
    }

    /// Closes a collection. Block style has no closing sign: it ends with its last value.
    fn close(&mut self, end: usize) {
        let Some(Open { index, flow, .. }) = self.open.pop() else {
            return;
        };
        let last = match &self.map.values[index].content {
            Content::Sequence(items) => items.last(),
            Content::Mapping(members) => members.last().map(|(_, value)| value),
            Content::Scalar | Content::Alias(_) => None,
        };
        let last_end = last.map(|last| self.map.values[*last].span.end);
        if let Some(end) = if flow { Some(end) } else { last_end } {
            self.map.values[index].span.end = end;
        }
    }

    fn expects_key(&self) -> bool {
        self.open.last().is_some_and(|open| {
            open.key.is_none() && matches!(self.map.values[open.index].content, Content::Mapping(_))
        })
    }

    fn set_key(&mut self, key: Key) {
        if let Some(open) = self.open.last_mut() {
            open.key = Some(key);
        }
    }

    /// Adds a value to the innermost open collection, and returns its index.
    fn add(&mut self, content: Content, span: Range<usize>) -> usize {
        let index = self.map.values.len();
        self.map.values.push(Value { span, content });
        if let Some(open) = self.open.last_mut() {
            match (&mut self.map.values[open.index].content, open.key.take()) {
                (Content::Sequence(items), _) => items.push(index),
                (Content::Mapping(members), Some(key)) => members.push((key, index)),
                _ => {}
            }
        }
        index
    }
}
