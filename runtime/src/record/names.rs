//! Names of secrets.

/// Parts of the names of secrets, in lower case and without separators.
const SECRET: [&str; 20] = [
    "accesskey", "apikey", "assertion", "authorization", "cookie", "credential", "encryptionkey",
    "jwt", "passcode", "passphrase", "passwd", "password", "pincode", "privatekey", "secret",
    "sessionid", "sharedkey", "signature", "signingkey", "token",
];

/// Short names of secrets, which are parts of other words.
const SHORT: [&str; 9] = ["auth", "cvc", "cvv", "otp", "pin", "pwd", "sid", "sig", "ssn"];

/// Returns whether a property or a parameter of this name is probably a secret.
pub(super) fn is_secret(name: &str) -> bool {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    let plain = letters.map(|it| it.to_ascii_lowercase()).collect::<String>();
    SHORT.contains(&plain.as_str()) || SECRET.iter().any(|part| plain.contains(part))
}

/// Returns whether a value of an enum looks like the name that such values are.
pub(super) fn is_constant(text: &str) -> bool {
    text.len() <= 128 && text.chars().all(|it| it.is_ascii_alphanumeric() || "_-.:/+ ".contains(it))
}
