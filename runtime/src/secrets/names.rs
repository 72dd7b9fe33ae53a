//! Values that are probably secrets, by their names or by their form: for all that writes values of which the spec does not
//! say it.

use crate::url::query::decoded;

/// Parts of the names of secrets, in lower case and without separators.
const SECRET: [&str; 20] = [
    "accesskey", "apikey", "assertion", "authorization", "cookie", "credential", "encryptionkey",
    "jwt", "passcode", "passphrase", "passwd", "password", "pincode", "privatekey", "secret",
    "sessionid", "sharedkey", "signature", "signingkey", "token",
];

/// Short names of secrets, which are parts of other words.
const SHORT: [&str; 9] = ["auth", "cvc", "cvv", "otp", "pin", "pwd", "sid", "sig", "ssn"];

/// Returns whether a property, a parameter or a header of this name is probably a secret.
pub(crate) fn is_secret(name: &str) -> bool {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    let plain = letters.map(|it| it.to_ascii_lowercase()).collect::<String>();
    SHORT.contains(&plain.as_str()) || SECRET.iter().any(|part| plain.contains(part))
}

/// Returns whether a text has a URL with user information, or a value that its name makes a secret, as in the query of a
/// presigned URL.
pub(crate) fn names_secret(text: &str, is_secret: impl Fn(&str) -> bool) -> bool {
    let ends = |char: char| char.is_whitespace() || "?&#;".contains(char);
    let authority = |rest: &str| rest.split(|char| ends(char) || char == '/').next()?.find('@');
    let names = |text: &str| {
        let mut pairs = text.split(ends).filter_map(|pair| pair.split_once('='));
        text.split("://").skip(1).any(|rest| authority(rest).is_some())
            || pairs.any(|(name, _)| is_secret(&decoded(name)))
    };
    names(text) || text.contains('%') && names(&decoded(text))
}
