//! What the form of a text says: whether it is a credential, base64 of one, or nothing that can be a secret.

use base64::Engine as _;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::secrets::MIN_PART;

/// Reads base64 in either alphabet.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Returns whether a text has a credential: a token after its scheme (RFC 6750, section 2.1; RFC 7617, section 2), a JWT
/// (RFC 7519, section 3) or a private key in PEM (RFC 7468, section 10).
pub(super) fn is_credential(text: &str) -> bool {
    let mut words = text.split(|char: char| char.is_whitespace() || "\"',".contains(char));
    let mut last = "";
    let follows_scheme = words.any(|word| {
        let scheme = std::mem::replace(&mut last, word);
        let is_credentials = |text: String| text.contains(':');
        scheme.eq_ignore_ascii_case("bearer") && word.len() >= MIN_PART
            || scheme.eq_ignore_ascii_case("basic") && decoded(word).any(is_credentials)
    });
    // The beginning of a JSON object in base64.
    let mut objects = text.match_indices("eyJ").filter_map(|(at, _)| text.get(at..at + 16));
    follows_scheme
        || text.contains("PRIVATE KEY-----")
        || objects.any(|start| start.bytes().all(is_digit))
}

/// Returns the texts that are base64 in a text. Where one begins within a run of its characters is not known.
pub(super) fn decoded(text: &str) -> impl Iterator<Item = String> {
    let runs = text.split(|char: char| !char.is_ascii() || !is_digit(char as u8));
    let runs = runs.filter(|run| run.len() >= MIN_PART);
    runs.flat_map(|run| (0..4).filter_map(|start| run.get(start..))).filter_map(|run| {
        // A single character holds no byte.
        let whole = if run.len() % 4 == 1 { &run[..run.len() - 1] } else { run };
        let bytes = BASE64.decode(whole.replace('+', "-").replace('/', "_")).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    })
}

/// Returns whether a byte is a character of base64 (RFC 4648, sections 4 and 5).
fn is_digit(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/-_".contains(&byte)
}

/// Returns whether a value of an enum looks like the name that such values are.
pub(super) fn is_constant(text: &str) -> bool {
    text.len() <= 128 && text.chars().all(|it| it.is_ascii_alphanumeric() || "_-.:/+ ".contains(it))
}

/// Returns whether a text is a boolean, as in forms.
pub(super) fn is_boolean(text: &str) -> bool {
    matches!(text, "true" | "false")
}

/// Returns whether a text is a date or a date-time (RFC 3339), which no secret resembles.
pub(super) fn is_time(text: &str) -> bool {
    let is_dated = text.as_bytes().get(4) == Some(&b'-') && text.as_bytes().get(7) == Some(&b'-');
    let has_only =
        |text: &str| text.bytes().all(|it| it.is_ascii_digit() || b"-:.+TtZz ".contains(&it));
    is_dated
        && text.len() <= 40
        && has_only(text)
        && (text.len() == 10 && text.parse::<jiff::civil::Date>().is_ok()
            || text.parse::<jiff::Timestamp>().is_ok())
}

/// Returns whether a secret is so short that many names and values of enums contain it by chance.
pub(super) fn is_short(secret: &str) -> bool {
    (1..MIN_PART).contains(&secret.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_recognized_by_their_form() {
        for (text, expected) in [
            ("Bearer s3cr3t-token", true),
            ("it sent \"bearer abcdefgh\"", true),
            ("the bearer of news", false),
            ("Basic dXNlcjpwYXNz", true),
            ("Basic information", false),
            ("at eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.x", true),
            ("eyJ is no token", false),
            ("-----BEGIN EC PRIVATE KEY-----", true),
            ("-----BEGIN PUBLIC KEY-----", false),
        ] {
            assert_eq!(is_credential(text), expected, "{text}");
        }
    }

    #[test]
    fn base64_is_decoded_wherever_it_begins() {
        for (text, expected) in [
            ("QmVhcmVyIGFiYw==", "Bearer abc"),
            ("https://h/xQmVhcmVyIGFiYw", "Bearer abc"),
            ("see=PDw_Pz4-", "<<??>>"),
            ("see=PDw/Pz4+", "<<??>>"),
        ] {
            assert!(decoded(text).any(|decoded| decoded.contains(expected)), "{text}");
        }
        assert_eq!(decoded("a short text").next(), None);
    }
}
