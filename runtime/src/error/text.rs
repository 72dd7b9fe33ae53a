//! Parts of a response that errors show.

use http::HeaderMap;
use serde_json::Value;

use crate::wire::{self, charset};

/// Maximum length of a text that is shown, in bytes.
const LIMIT: usize = 2048;

/// Properties with the message of an error body, the best first. They are also looked up in `error` and `errors[0]`.
pub(crate) const MESSAGES: [&str; 6] =
    ["message", "detail", "error_description", "title", "reason", "error"];

/// Headers with the server's identifier of a request, best first.
const REQUEST_IDS: [&str; 5] =
    ["x-request-id", "request-id", "x-correlation-id", "x-amzn-requestid", "cf-ray"];

/// Returns the server's identifier of a request.
pub(super) fn request_id(headers: &HeaderMap) -> Option<&str> {
    REQUEST_IDS
        .iter()
        .find_map(|name| headers.get(*name)?.to_str().ok())
        .filter(|id| !id.is_empty())
}

/// Returns the message of the body of an error response, in any length.
pub(super) fn body_message(headers: &HeaderMap, body: &[u8]) -> Option<String> {
    if body.is_empty() {
        return None;
    }
    let kind = charset::media_type(headers).unwrap_or_default().to_ascii_lowercase();
    if kind.starts_with("text/html") {
        return Some(format!("an HTML page of {} bytes, perhaps from a proxy", body.len()));
    }
    let text = match wire::nearest::<Value>(body) {
        Ok(Value::Object(object)) if object.is_empty() => return None,
        Ok(value) => {
            let message = || message(&value).map(str::to_owned);
            problem(&value, &kind).or_else(message).unwrap_or_else(|| value.to_string())
        }
        Err(_) => match std::str::from_utf8(body) {
            Ok(text) => text.trim().to_owned(),
            Err(_) => return Some(format!("{} bytes that are not text", body.len())),
        },
    };
    Some(text)
}

/// Returns the title and the detail of a problem (RFC 9457, section 3.1).
fn problem(value: &Value, kind: &str) -> Option<String> {
    let is_problem = kind.starts_with("application/problem+json");
    let text = |name| value.get(name)?.as_str().filter(|text| is_problem && !text.is_empty());
    Some(format!("{}: {}", text("title")?, text("detail")?))
}

/// Returns the message of an error body.
pub(super) fn message<'v>(value: &'v Value) -> Option<&'v str> {
    let object = value.as_object()?;
    let text = |value: &'v Value| value.as_str().filter(|text| !text.is_empty());
    let own = MESSAGES.iter().find_map(|name| text(object.get(*name)?));
    let first = object.get("errors").and_then(|errors| errors.get(0));
    own.or_else(|| message(object.get("error")?))
        .or_else(|| first.and_then(|first| text(first).or_else(|| message(first))))
}

/// Returns the text of a message at `{id}` in a pattern: up to the text that follows in the pattern, or else
/// up to white space.
pub(super) fn matched(message: &str, pattern: &str) -> Option<String> {
    let (before, after) = pattern.split_once("{id}")?;
    let (_, rest) = message.split_once(before)?;
    let id = match after {
        "" => rest.split_whitespace().next()?,
        after => rest.split_once(after)?.0.trim(),
    };
    (!id.is_empty()).then(|| id.to_owned())
}

/// Returns whether a character changes the direction of text (UAX #9, section 2), or separates lines.
pub(crate) fn is_misleading(character: char) -> bool {
    matches!(
        character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}

/// Returns at most 2 KiB of a text that cannot forge lines of a log: control characters become spaces, and characters
/// that change the direction of text are escaped.
pub(crate) fn clip(text: &str) -> String {
    let mut shown = String::new();
    for character in text.chars() {
        let before = shown.len();
        match character {
            character if character.is_control() => shown.push(' '),
            character if is_misleading(character) => shown.extend(character.escape_unicode()),
            character => shown.push(character),
        }
        if shown.len() > LIMIT - '…'.len_utf8() {
            shown.truncate(before);
            shown.push('…');
            break;
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message_of(body: &str) -> Option<String> {
        body_message(&HeaderMap::new(), body.as_bytes())
    }

    #[test]
    fn messages_are_found_in_error_bodies() {
        assert_eq!(
            message_of(r#"{"code":5,"message":"no such app"}"#).as_deref(),
            Some("no such app")
        );
        assert_eq!(message_of(r#"{"error":{"code":5,"detail":"gone"}}"#).as_deref(), Some("gone"));
        assert_eq!(
            message_of(r#"{"errors":[{"title":"first"},{"title":"second"}]}"#).as_deref(),
            Some("first")
        );
        assert_eq!(
            message_of(r#"{"error":"invalid_client","error_description":"who?"}"#).as_deref(),
            Some("who?")
        );
        assert_eq!(message_of(r#"{"errors":["bad name","x"]}"#).as_deref(), Some("bad name"));
        assert_eq!(message_of(r#"{"message":"","detail":"gone"}"#).as_deref(), Some("gone"));
        assert_eq!(
            message_of(r#"{"error":"","errors":[{"reason":"full"}]}"#).as_deref(),
            Some("full")
        );
        let lossy = message_of(r#"{"code":1e400,"message":"\udc00 is no character"}"#);
        assert_eq!(lossy.as_deref(), Some("\u{fffd} is no character"));
        assert_eq!(message_of(r#"{"code":5}"#).as_deref(), Some(r#"{"code":5}"#));
        assert_eq!(message_of("plain\n text \n").as_deref(), Some("plain\n text"));
        assert_eq!(message_of(""), None);
        assert_eq!(message_of("{}"), None);
    }

    #[test]
    fn problems_have_a_title_and_a_detail() {
        let headers = HeaderMap::from_iter([(
            http::header::CONTENT_TYPE,
            http::HeaderValue::from_static("application/Problem+JSON; charset=utf-8"),
        )]);
        for (body, shown) in [
            (r#"{"title":"Not Found","detail":"no task 7","status":404}"#, "Not Found: no task 7"),
            (r#"{"title":"Not Found"}"#, "Not Found"),
            (r#"{"detail":"no task 7","title":""}"#, "no task 7"),
            (r#"{"message":"gone"}"#, "gone"),
            (r#"{"status":404}"#, r#"{"status":404}"#),
        ] {
            assert_eq!(body_message(&headers, body.as_bytes()).as_deref(), Some(shown), "{body}");
        }
    }

    #[test]
    fn identifiers_are_found_in_messages() {
        let found = |message, pattern| matched(message, pattern);
        assert_eq!(found("denied (id: a-1)", "(id: {id})").as_deref(), Some("a-1"));
        assert_eq!(found("denied id=a-1 then", "id={id}").as_deref(), Some("a-1"));
        assert_eq!(found("a-1: denied", "{id}:").as_deref(), Some("a-1"));
        for (message, pattern) in
            [("denied", "id={id}"), ("id=", "id={id}"), ("(id: a-1", "(id: {id})"), ("a", "a")]
        {
            assert_eq!(found(message, pattern), None, "{message}");
        }
    }

    #[test]
    fn messages_are_clipped_to_two_kibibytes() {
        let shown = clip(&"é".repeat(5000));
        assert!(shown.len() <= LIMIT, "{}", shown.len());
        assert!(shown.ends_with('…'));
        assert_eq!(clip("short\n text"), "short  text");
    }

    #[test]
    fn characters_that_reorder_text_are_escaped() {
        assert_eq!(clip("a\u{202e}b\u{2066}c\u{200f}"), "a\\u{202e}b\\u{2066}c\\u{200f}");
        let shown = clip(&"\u{202e}".repeat(5000));
        assert!(shown.len() <= LIMIT, "{}", shown.len());
        assert_eq!(clip("שלום, é 🦀"), "שלום, é 🦀");
    }
}
