//! Media types, content codings, and texts in their charsets.

use std::str;

use http::{HeaderMap, header};
use wire_rules::quoted::unquoted;

use crate::wire;

/// Returns the media type of a message (RFC 9110, section 8.3).
pub(crate) fn media_type(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::CONTENT_TYPE)?.to_str().ok()
}

/// Returns a media type without its parameters.
pub(crate) fn essence(media_type: &str) -> &str {
    media_type.split(';').next().unwrap_or_default().trim()
}

/// Returns whether a list of media types has one, or a range of it.
pub(crate) fn accepts(list: &str, name: &str) -> bool {
    list.split(',').map(essence).any(|it| match it.strip_suffix('*') {
        Some("*/") => true,
        Some(range) => {
            name.get(..range.len()).is_some_and(|start| start.eq_ignore_ascii_case(range))
        }
        None => it.eq_ignore_ascii_case(name),
    })
}

#[cfg(any(feature = "record", feature = "test-util"))]
pub(crate) fn is_form(media_type: &str) -> bool {
    essence(media_type).eq_ignore_ascii_case("application/x-www-form-urlencoded")
}

/// The content codings that change a body (RFC 9110, section 8.4.1, and the registry of IANA). Other values, such as the name of
/// a charset, are mistakes of servers.
const CODINGS: [&str; 12] = [
    "aes128gcm", "br", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "pack200-gzip",
    "x-compress", "x-gzip", "zstd",
];

/// Explains content codings that the transport has not decoded.
pub(crate) fn undecoded(headers: &HeaderMap) -> Option<String> {
    let lines = headers.get_all(header::CONTENT_ENCODING).iter();
    let lines: Vec<_> = lines.map(|line| String::from_utf8_lossy(line.as_bytes())).collect();
    let codings = lines.join(", ");
    let is_coding = |name: &str| CODINGS.iter().any(|coding| coding.eq_ignore_ascii_case(name));
    if !codings.split(',').map(str::trim).any(is_coding) {
        return None;
    }
    let known = ["", "gzip", "x-gzip", "br", "deflate", "identity"];
    let is_known = |name: &str| known.iter().any(|it| it.eq_ignore_ascii_case(name.trim()));
    let feature = if headers.contains_key(header::CONTENT_RANGE) {
        "; a part of it cannot be"
    } else if codings.split(',').all(is_known) {
        "; enable the feature `compression`, which decodes up to four codings"
    } else {
        "; only `gzip`, `br` and `deflate` can be"
    };
    Some(format!("the response is encoded as `{codings}`, which was not decoded{feature}"))
}

/// Decodes a text in the charset of its media type. One byte order mark is removed. A string in JSON is its text, because
/// servers that can answer with any type choose between both.
pub(crate) fn decode(body: &[u8], media_type: &str) -> Result<String, String> {
    let essence = essence(media_type).to_ascii_lowercase();
    let is_json = essence.ends_with("/json") || essence.ends_with("+json");
    if let Some(text) = is_json.then(|| wire::nearest(body).ok()).flatten() {
        return Ok(text);
    }
    let charset = charset(media_type);
    match charset.as_str() {
        "utf-8" | "utf8" | "us-ascii" | "ascii" => {
            let text = str::from_utf8(body);
            let text = text.map_err(|_| format!("the body is not text in {charset}"))?;
            Ok(text.strip_prefix('\u{feff}').unwrap_or(text).to_owned())
        }
        "iso-8859-1" | "iso_8859-1" | "latin1" => Ok(latin_1(body)),
        other => Err(format!("the charset `{other}` is not supported; `send_raw()` has the bytes")),
    }
}

/// Encodes a text in the charset of its media type.
pub(crate) fn encode(text: String, media_type: &str) -> Result<Vec<u8>, String> {
    let charset = charset(media_type);
    let lacking = || format!("its text has characters that {charset} lacks");
    match charset.as_str() {
        "utf-8" | "utf8" => Ok(text.into_bytes()),
        "us-ascii" | "ascii" if text.is_ascii() => Ok(text.into_bytes()),
        "us-ascii" | "ascii" => Err(lacking()),
        "iso-8859-1" | "iso_8859-1" | "latin1" => {
            let bytes = text.chars().map(|char| u8::try_from(char).ok());
            bytes.collect::<Option<_>>().ok_or_else(lacking)
        }
        other if text.is_ascii() && contains_ascii(other) => Ok(text.into_bytes()),
        other => Err(format!("the charset `{other}` is not supported")),
    }
}

/// Returns whether a charset has the characters of US-ASCII, with the same bytes.
fn contains_ascii(charset: &str) -> bool {
    let names = ["iso-8859-", "windows-125", "koi8-", "euc-", "gb", "big5", "macintosh"];
    names.iter().any(|start| charset.starts_with(start))
}

/// Returns a parameter of a header, whose value can be quoted (RFC 9110, section 5.6.6).
pub(crate) fn parameter(header: &str, name: &str) -> Option<String> {
    let (_, mut rest) = header.split_once(';')?;
    loop {
        let (before, after) = rest.split_once('=')?;
        let after = after.trim_start();
        let (value, after) = if let Some(quoted) = after.strip_prefix('"') {
            unquoted(quoted)
        } else {
            let (value, after) = after.split_at(after.find(';').unwrap_or(after.len()));
            (value.trim_end().to_owned(), after)
        };
        // One without a value is part of what is before the next value.
        let found = before.rsplit(';').next().unwrap_or_default();
        if found.trim().eq_ignore_ascii_case(name) {
            return Some(value);
        }
        (_, rest) = after.split_once(';')?;
    }
}

/// Returns the parameter `charset` of a media type (RFC 9110, section 8.3.2) in lower case, or UTF-8.
fn charset(media_type: &str) -> String {
    let charset = parameter(media_type, "charset").filter(|charset| !charset.is_empty());
    charset.map_or_else(|| "utf-8".to_owned(), |charset| charset.to_ascii_lowercase())
}

/// Decodes ISO 8859-1, whose bytes are the first characters of Unicode.
pub(crate) fn latin_1(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn texts_have_the_charset_of_their_media_type() {
        for (media_type, body, text) in [
            ("text/plain", "é".as_bytes(), "é"),
            ("", b"\xef\xbb\xbfa", "a"),
            ("", "\u{feff}\u{feff}a".as_bytes(), "\u{feff}a"),
            ("text/plain; note=\"a; charset=latin1\"", "é".as_bytes(), "é"),
            ("text/plain; note=\"a\\\"; charset=latin1\"; charset=utf-8", "é".as_bytes(), "é"),
            ("text/csv; header=present; Charset=\"UTF-8\"", "é".as_bytes(), "é"),
            ("text/plain; charset=us-ascii", b"a", "a"),
            ("text/plain;charset=ISO-8859-1", b"\xe9", "é"),
            ("application/json; charset=latin1", "\"é\\n\"".as_bytes(), "é\n"),
            ("application/problem+json", b"{\"a\": 1}", "{\"a\": 1}"),
            ("application/json", b"not JSON", "not JSON"),
            ("application/json", br#""a\ud800""#, "a\u{fffd}"),
            ("text/plain", b"\"a\"", "\"a\""),
        ] {
            assert_eq!(decode(body, media_type).as_deref(), Ok(text), "{media_type}");
        }
    }

    #[test]
    fn texts_are_encoded_in_the_charset_of_their_media_type() {
        for (media_type, body) in [
            ("text/plain", Ok("é".as_bytes())),
            ("text/plain; charset=UTF-8", Ok("é".as_bytes())),
            ("text/plain;charset=\"ISO-8859-1\"", Ok(b"\xe9")),
            ("text/plain; charset=utf-16", Err("the charset `utf-16` is not supported")),
            ("text/plain; charset=us-ascii", Err("has characters that us-ascii lacks")),
            ("text/plain; charset=koi8-r", Err("the charset `koi8-r` is not supported")),
        ] {
            match (encode("é".to_owned(), media_type), body) {
                (Ok(encoded), body) => {
                    assert_eq!(Ok(&*encoded), body, "{media_type}");
                    assert_eq!(decode(&encoded, media_type).as_deref(), Ok("é"), "{media_type}");
                }
                (Err(why), body) => assert!(why.contains(body.unwrap_err()), "{why}"),
            }
        }
        assert_eq!(encode("a".to_owned(), "text/plain; charset=ascii"), Ok(b"a".to_vec()));
        assert!(encode("€".to_owned(), "text/plain; charset=latin1").is_err());
        assert_eq!(encode("a".to_owned(), "text/plain; charset=windows-1252"), Ok(b"a".to_vec()));
        assert!(encode("a".to_owned(), "text/plain; charset=utf-7").is_err());
    }

    #[test]
    fn other_bytes_are_not_text() {
        for (media_type, body) in [
            ("text/plain", &b"\xff"[..]),
            ("text/plain; charset=utf-16", b"\0a"),
            ("text/plain; charset=koi8-r", b"a"),
        ] {
            assert!(decode(body, media_type).is_err(), "{media_type}");
        }
    }
}
