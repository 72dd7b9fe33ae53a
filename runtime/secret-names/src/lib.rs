//! Whether the name of a property, a parameter or a header is that of a secret.
//!
//! The last words of a name decide, as they say what its value is: `old_password` is a password, `password_policy_id` is
//! an id, and `token_count` is a number.

#[cfg(test)]
mod tests;

/// Names of secrets, whatever precedes them.
const SECRETS: [&str; 17] = [
    "assertion", "cookie", "cookies", "credential", "credentials", "jwt", "jwts", "passcode",
    "passcodes", "passphrase", "passwd", "password", "passwords", "pwd", "secret", "secrets",
    "signature",
];

/// Names of secrets that others end in: `otp` is the end of `laptop`, without its separators.
const WORDS: [&str; 8] = ["bearer", "cvc", "cvv", "otp", "otps", "psk", "ssn", "totp"];

/// Names of secrets if only [`MODIFIERS`] precede them.
const ALONE: [&str; 5] = ["auth", "authorization", "pin", "session", "sig"];

/// Words that do not change what a name means.
const MODIFIERS: [&str; 11] =
    ["basic", "card", "confirm", "current", "http", "my", "new", "old", "proxy", "user", "x"];

/// Names of secrets after one of these words.
const AFTER: [(&str, &[&str]); 7] = [
    (
        "code",
        &[
            "access", "auth", "authorization", "backup", "device", "fa", "factor", "otp", "pin",
            "recovery", "security", "verification",
        ],
    ),
    ("id", &["phpsess", "session"]),
    (
        "key",
        &[
            "access", "account", "admin", "api", "app", "application", "auth", "decryption",
            "encryption", "function", "functions", "hmac", "license", "master", "plaintext",
            "private", "recovery", "root", "secret", "server", "service", "session", "shared",
            "signing", "subscription", "symmetric",
        ],
    ),
    ("pass", &["admin", "database", "db", "root", "smtp", "user"]),
    ("phrase", &["mnemonic", "recovery", "seed"]),
    ("string", &["connection"]),
    ("verifier", &["code", "oauth"]),
];

/// Words after which tokens are secrets. Other tokens are parts of texts, of which models and limits speak.
const TOKENS: [&str; 11] = [
    "access", "api", "auth", "bearer", "device", "personal", "push", "refresh", "secret",
    "security", "session",
];

/// Words after which a token is a place in a list.
const PLACES: [&str; 8] =
    ["continuation", "cursor", "next", "page", "pagination", "previous", "start", "sync"];

/// Words after the name of a secret that say how it is written, or which of several it is.
const FORMS: [&str; 26] = [
    "again", "base", "confirm", "confirmation", "content", "current", "data", "der", "encoded",
    "encrypted", "hash", "hex", "json", "jwk", "new", "old", "pem", "plain", "plaintext",
    "primary", "raw", "repeat", "secondary", "string", "text", "value",
];

/// First words of the names of flags and numbers.
const FLAGS: [&str; 17] = [
    "allow", "are", "can", "count", "enable", "has", "hide", "is", "max", "min", "needs", "num",
    "number", "require", "requires", "show", "use",
];

/// Words between a name and what it belongs to.
const PREPOSITIONS: [&str; 3] = ["for", "from", "of"];

/// Returns whether a property, a parameter or a header of this name is probably a secret.
pub fn is_secret(name: &str) -> bool {
    let words = words(name);
    let is_one_of = |word: &String, list: &[&str]| list.contains(&word.as_str());
    if words.len() > 1 && is_one_of(&words[0], &FLAGS) {
        return false;
    }
    let belongs = words.iter().position(|word| is_one_of(word, &PREPOSITIONS));
    [Some(words.len()), belongs].into_iter().flatten().any(|end| {
        let is_form = |word: &&String| is_one_of(word, &FORMS);
        let forms = words[..end].iter().rev().take_while(is_form).count();
        (end - forms..=end).any(|end| ends_in_secret(&words[..end]))
    })
}

/// Returns whether the last words are the name of a secret.
fn ends_in_secret(words: &[String]) -> bool {
    let [before @ .., last] = words else { return false };
    // Many names have no separators.
    let joined = words.concat();
    let ends_in = |word: &str, list: &[&str]| {
        joined.strip_suffix(word).is_some_and(|rest| list.iter().any(|it| rest.ends_with(it)))
    };
    let is_after =
        |(word, list): &(&str, &[&str])| ends_in(word, list) || ends_in(&format!("{word}s"), list);
    let is_modifier = |word: &String| MODIFIERS.contains(&word.as_str());
    SECRETS.iter().any(|secret| joined.ends_with(secret))
        || WORDS.contains(&last.as_str())
        || ALONE.contains(&last.as_str()) && before.iter().all(is_modifier)
        || AFTER.iter().any(is_after)
        || joined.ends_with("token") && !ends_in("token", &PLACES)
        || ends_in("tokens", &TOKENS)
}

/// Returns the words of a name in lower case: its runs of letters, divided where the case changes.
fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut previous = ' ';
    let mut chars = name.chars().peekable();
    while let Some(char) = chars.next() {
        let is_first = char.is_uppercase()
            && (previous.is_lowercase() || chars.peek().is_some_and(|next| next.is_lowercase()));
        if is_first || !char.is_alphabetic() {
            words.push(std::mem::take(&mut word));
        }
        if char.is_alphabetic() {
            word.extend(char.to_lowercase());
        }
        previous = char;
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}
