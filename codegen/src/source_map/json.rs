//! The map of JSON, which is not a subset of YAML (surrogate pairs, long keys, keys on separate lines).

use std::ops::Range;

use super::map::{Content, Key, SourceMap, Value, body_start};

/// Returns the map of a JSON text; `None` if it is not JSON.
pub(super) fn map(text: &str) -> Option<SourceMap> {
    let mut scanner = Scanner { text, at: body_start(text) };
    let mut map = SourceMap::default();
    let mut open: Vec<Open> = Vec::new();
    scanner.skip_blanks();
    if !matches!(scanner.peek()?, b'{' | b'[') {
        return None;
    }
    loop {
        let mut key = None;
        if let Some(Open { index, is_empty }) = open.last_mut() {
            let object = matches!(map.values[*index].content, Content::Mapping(_));
            if scanner.take(if object { b'}' } else { b']' }) {
                map.values[*index].span.end = scanner.at;
                open.pop();
                scanner.skip_blanks();
                if open.is_empty() {
                    return (scanner.at == text.len()).then_some(map);
                }
                continue;
            }
            if !std::mem::take(is_empty) {
                scanner.expect(b',')?;
            }
            if object {
                key = Some(scanner.key()?);
            }
        }
        let (content, span) = scanner.value()?;
        let index = map.values.len();
        let opens = !matches!(content, Content::Scalar);
        map.values.push(Value { span, content });
        if let Some(Open { index: parent, .. }) = open.last() {
            match (&mut map.values[*parent].content, key) {
                (Content::Mapping(members), Some(key)) => members.push((key, index)),
                (Content::Sequence(items), _) => items.push(index),
                _ => return None,
            }
        }
        if opens {
            open.push(Open { index, is_empty: true });
        }
    }
}

/// An open collection.
struct Open {
    index: usize,
    is_empty: bool,
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

impl Scanner<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_while(&mut self, condition: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&condition) {
            self.at += 1;
        }
    }

    fn skip_blanks(&mut self) {
        self.skip_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
    }

    /// Takes a sign and the blanks before it, if it is next.
    fn take(&mut self, sign: u8) -> bool {
        self.skip_blanks();
        let found = self.peek() == Some(sign);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: u8) -> Option<()> {
        self.take(sign).then_some(())
    }

    /// Takes a key and its colon.
    fn key(&mut self) -> Option<Key> {
        self.skip_blanks();
        let span = self.string()?;
        let text = serde_json::from_str(&self.text[span.clone()]).ok()?;
        self.expect(b':')?;
        Some(Key { text, span, plain: false })
    }

    /// Takes a scalar, or the opening bracket of a collection.
    fn value(&mut self) -> Option<(Content, Range<usize>)> {
        self.skip_blanks();
        let start = self.at;
        let content = match self.peek()? {
            b'{' => Content::Mapping(Vec::new()),
            b'[' => Content::Sequence(Vec::new()),
            b'"' => return Some((Content::Scalar, self.string()?)),
            _ => {
                self.skip_while(|byte| {
                    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
                });
                return (self.at > start).then_some((Content::Scalar, start..self.at));
            }
        };
        self.at += 1;
        Some((content, start..self.at))
    }

    fn string(&mut self) -> Option<Range<usize>> {
        let start = self.at;
        self.expect(b'"')?;
        loop {
            self.skip_while(|byte| byte != b'"' && byte != b'\\');
            match self.peek()? {
                b'"' => break,
                _ => self.at += 2,
            }
        }
        self.at += 1;
        Some(start..self.at)
    }
}
