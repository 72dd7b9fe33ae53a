//! The map of JSON, which is not a subset of YAML (surrogate pairs, long keys, keys on separate lines).

use super::builder::Builder;
use super::map::{Content, Mapping, SourceMap, body_start};

/// Returns the map of a text that is JSON. For other texts, the result is unspecified.
pub(super) fn map(text: &str) -> SourceMap {
    let mut builder = Builder::default();
    let bytes = text.as_bytes();
    let mut at = body_start(text);
    while let Some(first) = bytes.get(at) {
        let start = at;
        at += 1;
        match first {
            b'{' => builder.open(Content::Mapping(Mapping::default()), start..at, None, true),
            b'[' => builder.open(Content::Sequence(Vec::new()), start..at, None, true),
            b'}' | b']' => builder.close(at),
            b'"' => {
                at = end_of_string(bytes, at);
                let key = if builder.expects_key() { &text[start..at] } else { "" };
                let text = serde_json::from_str(key).unwrap_or_default();
                builder.scalar(text, start..at, None, false);
            }
            b'-' | b'a'..=b'z' | b'0'..=b'9' => {
                let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
                at += bytes[at..].iter().take_while(|byte| is_part(byte)).count();
                builder.scalar(String::new(), start..at, None, false);
            }
            _ => {}
        }
    }
    builder.map
}

/// Returns the offset after the quote that ends a string.
fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}
