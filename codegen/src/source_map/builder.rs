//! Builds the map of a text from its values in order.

use std::collections::HashMap;
use std::ops::Range;

use super::map::{Content, MapKey, Mapping, SourceMap, SpannedValue};

#[derive(Default)]
pub(super) struct Builder {
    pub(super) map: SourceMap,
    /// The open collections, from the outermost to the innermost.
    open: Vec<OpenValue>,
    anchors: HashMap<String, Anchor>,
}

/// An open collection.
struct OpenValue {
    index: usize,
    /// The key of the next value, in a mapping.
    key: Option<MapKey>,
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
    pub(super) fn scalar(
        &mut self,
        text: String,
        span: Range<usize>,
        anchor: Option<String>,
        plain: bool,
    ) {
        let anchored = anchor.map(|anchor| (anchor, text.clone()));
        let index = if self.expects_key() {
            self.set_key(MapKey { text, span, plain });
            None
        } else {
            Some(self.add(Content::Scalar, span))
        };
        if let Some((anchor, text)) = anchored {
            self.anchors.insert(anchor, Anchor { index, text: Some(text) });
        }
    }

    pub(super) fn alias(&mut self, anchor: &str, span: Range<usize>) {
        let (index, text) = match self.anchors.get(anchor) {
            Some(anchor) => (anchor.index, anchor.text.clone()),
            None => (None, None),
        };
        if self.expects_key() {
            self.set_key(MapKey { text: text.unwrap_or_default(), span, plain: false });
        } else {
            self.add(index.map_or(Content::Scalar, Content::Alias), span);
        }
    }

    pub(super) fn open(
        &mut self,
        content: Content,
        span: Range<usize>,
        anchor: Option<String>,
        flow: bool,
    ) {
        let index = self.add(content, span);
        if let Some(anchor) = anchor {
            self.anchors.insert(anchor, Anchor { index: Some(index), text: None });
        }
        self.open.push(OpenValue { index, key: None, flow });
    }

    /// Closes a collection. Block style has no closing sign: it ends with its last value.
    pub(super) fn close(&mut self, end: usize) {
        let Some(OpenValue { index, flow, .. }) = self.open.pop() else { return };
        let last = match &self.map.values[index].content {
            Content::Sequence(items) => items.last(),
            Content::Mapping(Mapping { members, .. }) => members.last().map(|(_, value)| value),
            Content::Scalar | Content::Alias(_) => None,
        };
        let last_end = last.map(|last| self.map.values[*last].span.end);
        if let Some(end) = if flow { Some(end) } else { last_end } {
            self.map.values[index].span.end = end;
        }
    }

    pub(super) fn expects_key(&self) -> bool {
        self.open.last().is_some_and(|open| {
            open.key.is_none() && matches!(self.map.values[open.index].content, Content::Mapping(_))
        })
    }

    fn set_key(&mut self, key: MapKey) {
        if let Some(open) = self.open.last_mut() {
            open.key = Some(key);
        }
    }

    /// Adds a value to the innermost open collection, and returns its index.
    fn add(&mut self, content: Content, span: Range<usize>) -> usize {
        let index = self.map.values.len();
        self.map.values.push(SpannedValue { span, content });
        if let Some(open) = self.open.last_mut() {
            match (&mut self.map.values[open.index].content, open.key.take()) {
                (Content::Sequence(items), _) => items.push(index),
                (Content::Mapping(mapping), Some(key)) => mapping.members.push((key, index)),
                _ => {}
            }
        }
        index
    }
}
