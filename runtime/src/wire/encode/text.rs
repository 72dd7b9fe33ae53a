//! JSON strings, numbers and brackets (RFC 8259).
//!
//! Encoding is mostly the search for characters to escape. It checks eight bytes at once; `serde_json` over serde's
//! traits takes twice as long (docs/performance.md).

use serde::Serialize;

/// Writes a string in quotes.
#[inline]
pub(in crate::wire) fn string(body: &mut Vec<u8>, text: &str) {
    if is_plain(text.as_bytes()) {
        body.reserve(text.len() + 2);
        body.push(b'"');
        body.extend_from_slice(text.as_bytes());
        body.push(b'"');
    } else {
        json(body, text);
    }
}

/// Writes a value with `serde_json`.
pub(in crate::wire) fn json<T: Serialize + ?Sized>(body: &mut Vec<u8>, value: &T) {
    let written = serde_json::to_writer(body, value);
    debug_assert!(written.is_ok(), "writing to memory does not fail, and names are strings");
}

/// Puts brackets around what was written since `start`: the first takes the place of a comma.
pub(in crate::wire) fn enclose(body: &mut Vec<u8>, start: usize, [open, close]: [u8; 2]) {
    match body.get_mut(start) {
        Some(comma) => *comma = open,
        None => body.push(open),
    }
    body.push(close);
}

/// Returns a property's name in JSON, from the comma before it to the colon.
pub(in crate::wire) fn lead(name: &str) -> Box<[u8]> {
    let mut lead = vec![b','];
    string(&mut lead, name);
    lead.push(b':');
    lead.into_boxed_slice()
}

/// Returns whether a string needs no escapes (RFC 8259, section 7).
#[inline]
fn is_plain(text: &[u8]) -> bool {
    let Some(&end) = text.last_chunk() else {
        return !text.iter().any(|byte| *byte < b' ' || *byte == b'"' || *byte == b'\\');
    };
    let (words, _) = text.as_chunks();
    words.iter().fold(special(end), |found, word| found | special(*word)) == 0
}

/// Returns zero if none of eight bytes needs an escape.
///
/// Subtracting 1 from each byte sets the highest bit of bytes that are 0, or had it set. Other comparisons follow from
/// that.
fn special(word: [u8; 8]) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let word = u64::from_le_bytes(word);
    let equal = |byte: u8| {
        let zero = word ^ (EACH * u64::from(byte));
        zero.wrapping_sub(EACH) & !zero
    };
    let control = word.wrapping_sub(EACH * u64::from(b' ')) & !word;
    (control | equal(b'"') | equal(b'\\')) & (EACH << 7)
}
