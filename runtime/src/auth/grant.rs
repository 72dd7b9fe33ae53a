//! What a token endpoint answers (RFC 6749, section 5).

use std::borrow::Cow;
use std::time::Duration;

use http::StatusCode;
use secrecy::SecretString;
use serde_json::{Map, Value};

use super::{Token, TokenError};
use crate::error::clip;
use crate::redact::mask;
use crate::transport::Body;

/// The largest answer that is read. Tokens are a few kilobytes.
const LIMIT: usize = 1 << 20;

/// The most of a lifetime that is believed: longer ones are as good as this one.
const LONGEST: u64 = 366 * 24 * 60 * 60;

/// The codes of an error response that every server may use (RFC 6749, section 5.2).
const CODES: [&str; 6] = [
    "invalid_request",
    "invalid_client",
    "invalid_grant",
    "unauthorized_client",
    "unsupported_grant_type",
    "invalid_scope",
];

/// Reads a token, or says why there is none; without these secrets, which the answer may repeat.
pub(super) async fn read(
    response: http::Response<Body>,
    secrets: &[&str],
) -> Result<Token, TokenError> {
    let (parts, mut body) = response.into_parts();
    let mut bytes = Vec::new();
    while let Some(chunk) = body.chunk().await.map_err(|error| {
        TokenError::transient("the token endpoint's answer broke off").with_source(error)
    })? {
        if bytes.len() + chunk.len() > LIMIT {
            return Err(TokenError::new("the token endpoint's answer is larger than 1 MiB"));
        }
        bytes.extend_from_slice(&chunk);
    }
    let answer = serde_json::from_slice::<Map<String, Value>>(&bytes).ok();
    // Some servers say with success that there is none, others give every answer an empty `error`.
    let is_error = answer
        .as_ref()
        .and_then(|answer| answer.get("error")?.as_str())
        .is_some_and(|error| !error.is_empty());
    if !parts.status.is_success() || is_error {
        return Err(refusal(parts.status, answer.as_ref(), secrets));
    }
    // The answer itself is not shown: it may hold a token.
    let answer = answer.ok_or_else(|| {
        TokenError::new("the token endpoint's answer is not a JSON object; check the token URL")
    })?;
    token(&answer)
}

fn token(answer: &Map<String, Value>) -> Result<Token, TokenError> {
    let kind = answer.get("token_type").and_then(Value::as_str).unwrap_or("bearer");
    if !kind.eq_ignore_ascii_case("bearer") {
        return Err(TokenError::new("the token endpoint gives tokens that are not bearer tokens"));
    }
    let secret = answer.get("access_token").and_then(Value::as_str).unwrap_or_default();
    if secret.is_empty() {
        return Err(TokenError::new("the token endpoint's answer has no `access_token`"));
    }
    let token = Token::new(SecretString::from(secret));
    Ok(match lifetime(answer.get("expires_in")) {
        None => token,
        Some(lifetime) => token.expires_in(lifetime),
    })
}

/// Reads `expires_in` as servers write it: a number, or a number as text. What is no number counts
/// as absent.
fn lifetime(value: Option<&Value>) -> Option<Duration> {
    let seconds = match value? {
        Value::Number(number) => number.as_f64()?,
        Value::String(text) => text.trim().parse().ok()?,
        _ => return None,
    };
    // `max` also turns "not a number" into zero.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the cast of floats saturates, which is meant"
    )]
    let seconds = seconds.max(0.0) as u64;
    Some(Duration::from_secs(seconds.min(LONGEST)))
}

/// Says what an error response says (RFC 6749, section 5.2). Only the server's words are masked, and
/// of these no registered code: a secret may read like a word of the sentence.
fn refusal(
    status: StatusCode,
    answer: Option<&Map<String, Value>>,
    secrets: &[&str],
) -> TokenError {
    let text = |name: &str| answer.and_then(|answer| answer.get(name)).and_then(Value::as_str);
    let mut message = format!("the token endpoint answered HTTP {status}");
    if let Some(error) = text("error") {
        let error =
            if CODES.contains(&error) { Cow::Borrowed(error) } else { mask(error, secrets) };
        message = format!("{message}: {error}");
    }
    if let Some(description) = text("error_description") {
        message = format!("{message} ({})", mask(description, secrets));
    }
    let message = clip(&message);
    if matches!(status.as_u16(), 408 | 429 | 500 | 502 | 503 | 504)
        || text("error") == Some("temporarily_unavailable")
    {
        TokenError::transient(message)
    } else {
        TokenError::new(message)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lifetimes_as_servers_write_them() {
        for (written, read) in [
            (json!(3600), Some(3600)),
            (json!("3600"), Some(3600)),
            (json!(3599.9), Some(3599)),
            (json!(0), Some(0)),
            (json!(-5), Some(0)),
            (json!(u64::MAX), Some(LONGEST)),
            (json!("NaN"), Some(0)),
            (json!("soon"), None),
            (json!(null), None),
            (json!([3600]), None),
        ] {
            assert_eq!(
                lifetime(Some(&written)).map(|lifetime| lifetime.as_secs()),
                read,
                "{written}"
            );
        }
        assert_eq!(lifetime(None), None);
    }
}
