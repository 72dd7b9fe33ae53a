//! Writes JSON (RFC 8259) to memory.
//!
//! Most of encoding is copying text, and most of that is looking for characters to escape. This writer looks at eight
//! bytes at once, and writes the names of described members together with what is around them.

use std::convert::Infallible;
use std::fmt::{self, Display, Write};

use super::Value;
use super::encode::Encoded;
use super::sink::{Elements, Members, Sink};
use super::table::Member;

/// The body that a value is written to.
pub(super) struct Json<'a>(pub &'a mut Vec<u8>);

/// The body that the inside of an array or an object is written to.
pub(super) struct Inside<'a> {
    body: &'a mut Vec<u8>,
    started: bool,
    end: u8,
}

impl<'a> Sink for Json<'a> {
    type Done = ();
    type Error = Infallible;
    type Members = Inside<'a>;
    type Elements = Inside<'a>;

    fn null(self) -> Result<(), Infallible> {
        self.0.extend_from_slice(b"null");
        Ok(())
    }

    fn boolean(self, value: bool) -> Result<(), Infallible> {
        self.0.extend_from_slice(if value { b"true" } else { b"false" });
        Ok(())
    }

    fn signed(self, value: i64) -> Result<(), Infallible> {
        number(self.0, &value);
        Ok(())
    }

    fn unsigned(self, value: u64) -> Result<(), Infallible> {
        number(self.0, &value);
        Ok(())
    }

    fn float(self, value: f64) -> Result<(), Infallible> {
        number(self.0, &value);
        Ok(())
    }

    // Text is written from many places, all of which would grow by this.
    #[inline(never)]
    fn text(self, text: &str) -> Result<(), Infallible> {
        quoted(self.0, text.as_bytes());
        Ok(())
    }

    fn displayed(self, text: &dyn Display) -> Result<(), Infallible> {
        self.0.push(b'"');
        written(write!(Text(self.0), "{text}").is_ok());
        self.0.push(b'"');
        Ok(())
    }

    fn value(self, value: &Value) -> Result<(), Infallible> {
        any(self.0, value);
        Ok(())
    }

    fn members(self) -> Result<Inside<'a>, Infallible> {
        Ok(Inside::new(self.0, b'{', b'}'))
    }

    fn elements(self, _: usize) -> Result<Inside<'a>, Infallible> {
        Ok(Inside::new(self.0, b'[', b']'))
    }
}

impl<'a> Inside<'a> {
    fn new(body: &'a mut Vec<u8>, start: u8, end: u8) -> Self {
        body.push(start);
        Self { body, started: false, end }
    }

    /// Puts a comma before everything but the first.
    fn next(&mut self) {
        if self.started {
            self.body.push(b',');
        }
        self.started = true;
    }

    fn close(self) {
        self.body.push(self.end);
    }

    fn name(&mut self, name: &str) {
        self.next();
        quoted(self.body, name.as_bytes());
        self.body.push(b':');
    }
}

impl Members for Inside<'_> {
    type Done = ();
    type Error = Infallible;

    #[inline]
    fn described(&mut self, member: &Member, value: &Encoded<'_>) -> Result<(), Infallible> {
        self.body.extend_from_slice(if self.started {
            &member.lead
        } else {
            member.lead.get(1..).unwrap_or_default()
        });
        self.started = true;
        value.write(Json(self.body))
    }

    fn named(&mut self, name: &str, value: &Encoded<'_>) -> Result<(), Infallible> {
        self.name(name);
        value.write(Json(self.body))
    }

    fn end(self) -> Result<(), Infallible> {
        self.close();
        Ok(())
    }
}

impl Elements for Inside<'_> {
    type Done = ();
    type Error = Infallible;

    fn element(&mut self, value: &Encoded<'_>) -> Result<(), Infallible> {
        self.next();
        value.write(Json(self.body))
    }

    fn end(self) -> Result<(), Infallible> {
        self.close();
        Ok(())
    }
}

/// Returns a member's name as it stands in JSON, after a comma and before the value.
pub(super) fn lead(name: &str) -> Box<[u8]> {
    let mut lead = vec![b','];
    quoted(&mut lead, name.as_bytes());
    lead.push(b':');
    lead.into_boxed_slice()
}

/// Adds any value.
fn any(body: &mut Vec<u8>, value: &Value) {
    match value {
        Value::Null => body.extend_from_slice(b"null"),
        Value::Bool(value) => body.extend_from_slice(if *value { b"true" } else { b"false" }),
        Value::Number(value) => number(body, value),
        Value::String(text) => quoted(body, text.as_bytes()),
        Value::Array(elements) => {
            let mut inside = Inside::new(body, b'[', b']');
            for element in elements {
                inside.next();
                any(inside.body, element);
            }
            inside.close();
        }
        Value::Object(members) => {
            let mut inside = Inside::new(body, b'{', b'}');
            for (name, value) in members {
                inside.name(name);
                any(inside.body, value);
            }
            inside.close();
        }
    }
}

/// Adds a number, or null for one that JSON has no digits for.
fn number<T: serde::Serialize + ?Sized>(body: &mut Vec<u8>, value: &T) {
    written(serde_json::to_writer(body, value).is_ok());
}

/// Notes that memory takes whatever is written to it.
fn written(success: bool) {
    debug_assert!(success, "memory takes whatever is written to it");
}

/// Adds a string, in quotes.
#[inline]
fn quoted(body: &mut Vec<u8>, text: &[u8]) {
    body.reserve(text.len() + 2);
    body.push(b'"');
    inside(body, text);
    body.push(b'"');
}

/// Adds the inside of a string.
#[inline]
fn inside(body: &mut Vec<u8>, text: &[u8]) {
    if is_plain(text) {
        body.extend_from_slice(text);
    } else {
        escaped(body, text);
    }
}

/// Tells whether nothing in a string needs to be escaped.
#[inline]
fn is_plain(text: &[u8]) -> bool {
    let Some(&end) = text.last_chunk() else {
        return !text.iter().any(|byte| must_be_escaped(*byte));
    };
    let (words, _) = text.as_chunks();
    words.iter().fold(special(end), |found, word| found | special(*word)) == 0
}

/// Tells whether a byte cannot stand in a string (RFC 8259, section 7).
fn must_be_escaped(byte: u8) -> bool {
    byte < b' ' || byte == b'"' || byte == b'\\'
}

/// Returns zero if none of eight bytes must be escaped.
///
/// Subtracting 1 from each byte sets the highest bit of those that are 0, or were set before. Comparisons with other
/// bytes are made of that.
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

/// Adds the inside of a string in which something must be escaped (RFC 8259, section 7).
#[cold]
fn escaped(body: &mut Vec<u8>, text: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut rest = text;
    while let Some(place) = rest.iter().position(|byte| must_be_escaped(*byte)) {
        let (run, tail) = rest.split_at(place);
        body.extend_from_slice(run);
        let Some((&byte, tail)) = tail.split_first() else {
            return;
        };
        rest = tail;
        let short = match byte {
            b'"' | b'\\' => byte,
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            0x08 => b'b',
            0x0c => b'f',
            _ => {
                let (high, low) = (DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 0xf)]);
                body.extend_from_slice(&[b'\\', b'u', b'0', b'0', high, low]);
                continue;
            }
        };
        body.extend_from_slice(&[b'\\', short]);
    }
    body.extend_from_slice(rest);
}

/// The inside of a string.
struct Text<'a>(&'a mut Vec<u8>);

impl Write for Text<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        inside(self.0, text.as_bytes());
        Ok(())
    }
}
