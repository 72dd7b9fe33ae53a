//! Writes JSON (RFC 8259) to memory.
//!
//! Most of encoding is copying text, and most of that is looking for characters to escape. This serializer looks at
//! eight bytes at once. Beyond that it leaves out whatever neither models nor free-form values are made of.

use std::error::Error;
use std::fmt::{self, Display, Write};

use serde::ser::{
    self, Impossible, Serialize, SerializeMap, SerializeSeq, SerializeStruct, Serializer,
};

/// The name of the struct that `serde_json`'s numbers pretend to be when its feature `arbitrary_precision` is on. Any
/// crate of a program can switch it on for all.
pub(super) const NUMBER: &str = "$serde_json::private::Number";

/// The body that is written to.
pub(super) struct Json<'a>(pub &'a mut Vec<u8>);

/// Why a value could not be written: it is neither a model nor a free-form value.
#[derive(Debug)]
pub(super) struct Foreign(String);

/// The inside of an array or an object.
pub(super) struct Inside<'a> {
    body: &'a mut Vec<u8>,
    started: bool,
    end: u8,
}

impl Foreign {
    fn new() -> Self {
        Self("neither a model nor a free-form value".to_owned())
    }
}

impl Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Foreign {}

impl ser::Error for Foreign {
    fn custom<T: Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// Adds a string, in quotes.
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
    words
        .iter()
        .fold(special(end), |found, word| found | special(*word))
        == 0
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
                let (high, low) = (
                    DIGITS[usize::from(byte >> 4)],
                    DIGITS[usize::from(byte & 0xf)],
                );
                body.extend_from_slice(&[b'\\', b'u', b'0', b'0', high, low]);
                continue;
            }
        };
        body.extend_from_slice(&[b'\\', short]);
    }
    body.extend_from_slice(rest);
}

/// Writes to the inside of a string.
struct Escaping<'a>(&'a mut Vec<u8>);

impl Write for Escaping<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        inside(self.0, text.as_bytes());
        Ok(())
    }
}

impl Inside<'_> {
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
}

impl SerializeSeq for Inside<'_> {
    type Ok = ();
    type Error = Foreign;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, element: &T) -> Result<(), Foreign> {
        self.next();
        element.serialize(Json(self.body))
    }

    fn end(self) -> Result<(), Foreign> {
        self.close();
        Ok(())
    }
}

impl SerializeMap for Inside<'_> {
    type Ok = ();
    type Error = Foreign;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, name: &T) -> Result<(), Foreign> {
        self.next();
        name.serialize(Json(self.body))
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Foreign> {
        self.body.push(b':');
        value.serialize(Json(self.body))
    }

    fn end(self) -> Result<(), Foreign> {
        self.close();
        Ok(())
    }
}

/// A number that pretends to be a struct.
impl SerializeStruct for Json<'_> {
    type Ok = ();
    type Error = Foreign;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        _: &'static str,
        digits: &T,
    ) -> Result<(), Foreign> {
        let mut text = Vec::new();
        digits.serialize(Json(&mut text))?;
        self.0.extend(text.iter().filter(|byte| **byte != b'"'));
        Ok(())
    }

    fn end(self) -> Result<(), Foreign> {
        Ok(())
    }
}

/// Adds a scalar by way of `serde_json`.
macro_rules! scalars {
    ($($method:ident: $type:ty),+) => {$(
        fn $method(self, value: $type) -> Result<(), Foreign> {
            serde_json::to_writer(self.0, &value).map_err(ser::Error::custom)
        }
    )+};
}

impl<'a> Serializer for Json<'a> {
    type Ok = ();
    type Error = Foreign;
    type SerializeSeq = Inside<'a>;
    type SerializeTuple = Impossible<(), Foreign>;
    type SerializeTupleStruct = Impossible<(), Foreign>;
    type SerializeTupleVariant = Impossible<(), Foreign>;
    type SerializeMap = Inside<'a>;
    type SerializeStruct = Self;
    type SerializeStructVariant = Impossible<(), Foreign>;

    scalars! {
        serialize_bool: bool, serialize_char: char, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32,
        serialize_i64: i64, serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64,
        serialize_f32: f32, serialize_f64: f64
    }

    #[inline(never)]
    fn serialize_str(self, value: &str) -> Result<(), Foreign> {
        quoted(self.0, value.as_bytes());
        Ok(())
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<(), Foreign> {
        self.0.push(b'"');
        write!(Escaping(self.0), "{value}").map_err(ser::Error::custom)?;
        self.0.push(b'"');
        Ok(())
    }

    fn serialize_unit(self) -> Result<(), Foreign> {
        self.0.extend_from_slice(b"null");
        Ok(())
    }

    fn serialize_none(self) -> Result<(), Foreign> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Foreign> {
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Inside<'a>, Foreign> {
        self.0.push(b'[');
        Ok(Inside {
            body: self.0,
            started: false,
            end: b']',
        })
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Inside<'a>, Foreign> {
        self.0.push(b'{');
        Ok(Inside {
            body: self.0,
            started: false,
            end: b'}',
        })
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Self, Foreign> {
        if name == NUMBER {
            Ok(self)
        } else {
            Err(Foreign::new())
        }
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<(), Foreign> {
        Err(Foreign::new())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Foreign> {
        Err(Foreign::new())
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
    ) -> Result<(), Foreign> {
        Err(Foreign::new())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: &T,
    ) -> Result<(), Foreign> {
        Err(Foreign::new())
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Foreign> {
        Err(Foreign::new())
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Foreign> {
        Err(Foreign::new())
    }

    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleStruct, Foreign> {
        Err(Foreign::new())
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Foreign> {
        Err(Foreign::new())
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Foreign> {
        Err(Foreign::new())
    }
}
