//! Headers that users set.

use http::{HeaderName, HeaderValue, header};

use crate::auth::key_text::has_private_key;
use crate::auth::scheme::Scheme;
use crate::secrets::is_secret;

/// Headers of the connection and of the framing of a message (RFC 9110, sections 6.4.1 and 7.6.1), which the HTTP
/// client sets, and the host, which it takes from the URL. A wrong one would make the server read other content than was
/// sent, or another host receive it.
const OF_THE_CONNECTION: [HeaderName; 9] = [
    header::CONNECTION,
    header::CONTENT_LENGTH,
    header::HOST,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
    header::TE,
    header::TRAILER,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
];

/// Parses a header, or returns the reason why it is invalid. The value is not shown: it may be a secret. It is marked as
/// sensitive in a header with the name of a secret.
pub(crate) fn parse(
    name: &str,
    value: &str,
    schemes: &[Scheme],
) -> Result<(HeaderName, HeaderValue), String> {
    let parsed = HeaderName::from_bytes(name.as_bytes())
        .map_err(|_| format!("`{name}` is not a valid header name"))?;
    if OF_THE_CONNECTION.contains(&parsed) {
        return Err(format!("the header `{name}` is set by the HTTP client; remove it"));
    }
    let mut value = HeaderValue::from_str(value)
        .map_err(|_| format!("the value of the header `{name}` contains invalid characters"))?;
    if value.to_str().is_ok_and(has_private_key) {
        return Err(format!("the header `{name}` has a private key, which is never sent"));
    }
    let is_key = schemes.iter().any(|scheme| scheme.place.header().as_ref() == Some(&parsed));
    value.set_sensitive(is_key || is_secret(name));
    Ok((parsed, value))
}
