//! Responses of endpoints (RFC 6749, section 5).

use std::time::Duration;

use http::StatusCode;
use jiff::Timestamp;
use secrecy::SecretString;
use serde_json::{Map, Value};

use super::token::{Token, TokenError};
use crate::error::clip;
use crate::error::retry::retry_after;
use crate::secrets::redact;
use crate::time::bounds;
use crate::transport::body::Body;
use crate::wire;

/// Maximum size of a response, in bytes. Tokens have a few kilobytes.
const LIMIT: usize = 1 << 20;

/// Reads a JSON object that was received now. Errors show the server's message without these secrets, which it may
/// repeat.
pub(crate) async fn object(
    response: http::Response<Body>,
    kind: &str,
    secrets: &[String],
    now: Timestamp,
) -> Result<Map<String, Value>, TokenError> {
    let (parts, mut body) = response.into_parts();
    let mut bytes = Vec::new();
    while let Some(chunk) = body.chunk().await.map_err(|error| {
        let message = format!("the response of the {kind} endpoint is incomplete");
        TokenError::of_transport(message, error)
    })? {
        if bytes.len() + chunk.len() > LIMIT {
            let message = format!("the response of the {kind} endpoint is larger than 1 MiB");
            return Err(TokenError::new(message));
        }
        bytes.extend_from_slice(&chunk);
    }
    let answer = wire::nearest::<Map<String, Value>>(&bytes).ok();
    // Some servers report an error with a successful status, others always add an empty `error`.
    let is_error = answer
        .as_ref()
        .and_then(|answer| answer.get("error")?.as_str())
        .is_some_and(|error| !error.is_empty());
    if !parts.status.is_success() || is_error {
        let refusal = refusal(kind, parts.status, answer.as_ref(), secrets);
        return Err(match retry_after::wait(&parts.headers, now) {
            None => refusal,
            Some(wait) => refusal.with_retry_after(wait),
        });
    }
    // The response is not shown: it may contain a token.
    answer.ok_or_else(|| {
        TokenError::new(format!(
            "the response of the {kind} endpoint is not a JSON object; check the {kind} URL",
        ))
    })
}

pub(crate) fn token(answer: &Map<String, Value>) -> Result<Token, TokenError> {
    let kind = answer.get("token_type").and_then(Value::as_str).unwrap_or("bearer");
    if !kind.eq_ignore_ascii_case("bearer") {
        return Err(TokenError::new(
            "the token endpoint returned a token that is not a bearer token",
        ));
    }
    let secret = answer.get("access_token").and_then(Value::as_str).unwrap_or_default();
    if secret.is_empty() {
        return Err(TokenError::new("the response of the token endpoint has no `access_token`"));
    }
    let refresh = answer
        .get("refresh_token")
        .and_then(Value::as_str)
        .filter(|refresh| !refresh.is_empty())
        .map(SecretString::from);
    let token = Token { refresh, ..Token::new(SecretString::from(secret)) };
    Ok(match seconds(answer.get("expires_in")) {
        None => token,
        Some(lifetime) => token.expires_in(lifetime),
    })
}

/// Reads a number of seconds: a number, or a number as text. Anything else counts as absent.
pub(crate) fn seconds(value: Option<&Value>) -> Option<Duration> {
    number(value?).map(bounds::seconds)
}

/// Reads a number, or a number as text.
pub(crate) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// Returns the error of an error response (RFC 6749, section 5.2).
fn refusal(
    kind: &str,
    status: StatusCode,
    answer: Option<&Map<String, Value>>,
    secrets: &[String],
) -> TokenError {
    let text = |name: &str| answer.and_then(|answer| answer.get(name)).and_then(Value::as_str);
    let mut message = format!("the {kind} endpoint returned HTTP {status}");
    if let Some(error) = text("error") {
        message = format!("{message}: {}", redact(error, secrets));
    }
    if let Some(description) = text("error_description") {
        message = format!("{message} ({})", redact(description, secrets));
    }
    let message = clip(&message);
    let error = if matches!(status.as_u16(), 408 | 429 | 500 | 502 | 503 | 504)
        || text("error") == Some("temporarily_unavailable")
    {
        TokenError::transient(message)
    } else {
        TokenError::new(message)
    };
    match text("error") {
        Some(code) => error.with_code(&clip(&redact(code, secrets))),
        None => error,
    }
}
