//! The headers of responses that the spec describes.

use std::marker::PhantomData;
use std::str::FromStr;
use std::{fmt, iter};

use http::header::SET_COOKIE;
use http::{HeaderMap, HeaderValue};
use jiff::tz::TimeZone;
use serde::Serialize;
use serde::de::DeserializeOwned;
use wire_rules::http_date;

use crate::error::Error;
use crate::reply::raw::RawReply;
use crate::wire::{Secret, Sensitive, Timestamp, Typed};

/// A header of responses, by its name and the type of its value. Requests have a constant for each header that the spec
/// describes: `response.header(tasks::List::X_TOTAL_COUNT)`.
pub struct ReplyHeader<T> {
    name: &'static str,
    value: PhantomData<fn() -> T>,
}

impl<T> ReplyHeader<T> {
    /// Returns a header by its name, in lower case. It is for headers that the spec does not describe.
    pub const fn new(name: &'static str) -> Self {
        Self { name, value: PhantomData }
    }

    /// Returns the name, in lower case.
    pub const fn name(&self) -> &'static str {
        self.name
    }
}

impl<T> Clone for ReplyHeader<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for ReplyHeader<T> {}

impl<T> fmt::Debug for ReplyHeader<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ReplyHeader").field(&self.name).finish()
    }
}

impl<T: FromHeader> ReplyHeader<T> {
    pub(crate) fn read(self, headers: &HeaderMap) -> Option<T> {
        let lines = headers.get_all(self.name).into_iter();
        let lines: Result<Vec<_>, _> = lines.map(HeaderValue::to_str).collect();
        T::from_lines(&mut lines.ok()?.into_iter(), self.name != SET_COOKIE.as_str())
    }
}

/// A type of the value of a header.
pub trait FromHeader: Sized {
    /// Reads a value.
    fn from_header(text: &str) -> Option<Self>;

    /// Reads the lines of a header; the first one, if the value is not a list. Each element of a list is a line of its
    /// own, unless commas separate them (`has_commas`).
    fn from_lines(lines: &mut dyn Iterator<Item = &str>, _has_commas: bool) -> Option<Self> {
        Self::from_header(lines.next()?)
    }
}

impl FromHeader for String {
    fn from_header(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }
}

macro_rules! from_header {
    ($($ty:ty)*) => {
        $(impl FromHeader for $ty {
            fn from_header(text: &str) -> Option<Self> {
                Self::from_str(text.trim()).ok()
            }
        })*
    };
}

from_header!(bool i32 i64 u32 u64 i128);

/// A number of JSON, which has neither NaN nor infinities.
impl FromHeader for f64 {
    fn from_header(text: &str) -> Option<Self> {
        text.trim().parse().ok().filter(|number: &Self| number.is_finite())
    }
}

/// A date-time, or an HTTP-date, as `Last-Modified` and `Expires` have it whatever their schema is (RFC 9110, section 5.6.7).
impl FromHeader for Timestamp {
    fn from_header(text: &str) -> Option<Self> {
        let text = text.trim();
        text.parse().ok().or_else(|| {
            let now = jiff::Timestamp::now().to_zoned(TimeZone::UTC).datetime();
            let date = http_date::parse(text, now)?;
            TimeZone::UTC.to_timestamp(date).ok().map(Self::from)
        })
    }
}

impl<T: Serialize + DeserializeOwned> FromHeader for Typed<T> {
    fn from_header(text: &str) -> Option<Self> {
        Self::of_text(text.trim())
    }
}

impl<T: FromHeader + Sensitive> FromHeader for Secret<T> {
    fn from_header(text: &str) -> Option<Self> {
        T::from_header(text).map(Self::from)
    }
}

/// A list, whose lines are one, apart from `Set-Cookie` (RFC 9110, section 5.3). An element that cannot be read leaves no
/// value.
impl<T: FromHeader> FromHeader for Vec<T> {
    fn from_header(text: &str) -> Option<Self> {
        Self::from_lines(&mut iter::once(text), true)
    }

    fn from_lines(lines: &mut dyn Iterator<Item = &str>, has_commas: bool) -> Option<Self> {
        let mut lines = lines.peekable();
        lines.peek()?;
        let elements = lines.flat_map(|line| line.split(|char| has_commas && char == ','));
        let elements = elements.map(str::trim).filter(|element| !element.is_empty());
        elements.map(T::from_header).collect()
    }
}

/// Adds what all replies have beside their bodies, by the fields that lead to their [`RawReply`].
macro_rules! head {
    ($name:ident$(<$of:ident>)? $(, $field:ident)*) => {
        impl$(<$of>)? $name$(<$of>)? {
            /// Returns the status.
            pub fn status(&self) -> u16 {
                self$(.$field)*.status.as_u16()
            }

            /// Returns the headers.
            pub fn headers(&self) -> &::http::HeaderMap {
                &self$(.$field)*.headers
            }

            /// Returns the name of the file that the reply is (`Content-Disposition`, RFC 6266), as one that is safe
            /// within a folder: without the path and what file systems reject. `None` if there is none.
            pub fn file_name(&self) -> Option<String> {
                $crate::reply::file_name::file_name(self.headers())
            }

            /// Returns the value of a header: `response.header(tasks::List::X_TOTAL_COUNT)`. `None` if it is absent or
            /// does not have the type; [`headers`](Self::headers) has the text.
            pub fn header<H: $crate::FromHeader>(&self, name: $crate::ReplyHeader<H>) -> Option<H> {
                name.read(self.headers())
            }
        }
    };
}

pub(crate) use head;

head!(RawReply);

impl Error {
    /// Returns the value of a header of the response: `error.header(tasks::List::X_RATE_LIMIT_RESET)`. `None` if it is
    /// absent or does not have the type; [`headers`](Self::headers) has the text.
    pub fn header<H: FromHeader>(&self, header: ReplyHeader<H>) -> Option<H> {
        header.read(self.headers())
    }
}
