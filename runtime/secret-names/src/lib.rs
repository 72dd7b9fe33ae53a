//! Whether the name of a property, a parameter or a header is that of a secret, and where a text has secrets.
//!
//! The last words of a name decide, as they say what its value is: `old_password` is a password, `password_policy_id` is
//! an id, and `token_count` is a number.

mod named;
mod redact;
#[cfg(test)]
mod tests;

pub use redact::{MIN_LENGTH, PLACEHOLDER, can_name, has_named, is_placeholder, named, redact};

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
    let name = Name::new(name);
    let words = name.ends.len();
    let is_one_of = |at: &usize, list: &[&str]| list.contains(&name.word(*at));
    if words > 1 && is_one_of(&0, &FLAGS) {
        return false;
    }
    let belongs = (0..words).find(|at| is_one_of(at, &PREPOSITIONS));
    [Some(words), belongs].into_iter().flatten().any(|words| {
        let forms = (0..words).rev().take_while(|at| is_one_of(at, &FORMS)).count();
        (words - forms..=words).any(|words| name.ends_in_secret(words))
    })
}

/// The words of a name: its runs of letters, divided where the case changes.
struct Name {
    /// All words in lower case, without separators.
    letters: String,
    ends: Vec<usize>,
}

impl Name {
    fn new(name: &str) -> Self {
        let mut words = Self { letters: String::with_capacity(name.len()), ends: Vec::new() };
        let mut previous = ' ';
        let mut chars = name.chars().peekable();
        while let Some(char) = chars.next() {
            let is_first = char.is_uppercase()
                && (previous.is_lowercase()
                    || chars.peek().is_some_and(|next| next.is_lowercase()));
            if is_first || !char.is_alphabetic() {
                words.end();
            }
            if char.is_alphabetic() {
                words.letters.extend(char.to_lowercase());
            }
            previous = char;
        }
        words.end();
        words
    }

    /// Ends a word, unless it would be empty.
    fn end(&mut self) {
        let end = self.letters.len();
        if self.ends.last().copied().unwrap_or_default() < end {
            self.ends.push(end);
        }
    }

    fn word(&self, at: usize) -> &str {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.letters[start..self.ends[at]]
    }

    /// Returns whether the last of the first words is the name of a secret, or ends in one: many names have no separators.
    fn ends_in_secret(&self, words: usize) -> bool {
        let Some(last) = words.checked_sub(1) else { return false };
        let letters = &self.letters[..self.ends[last]];
        let singular = letters.strip_suffix('s').unwrap_or(letters);
        let ends_in = |letters: &str, word: &str, list: &[&str]| {
            letters.strip_suffix(word).is_some_and(|rest| list.iter().any(|it| rest.ends_with(it)))
        };
        let is_after = |(word, list): &(&str, &[&str])| {
            ends_in(letters, word, list) || ends_in(singular, word, list)
        };
        let is_modifier = |at| MODIFIERS.contains(&self.word(at));
        SECRETS.iter().any(|secret| letters.ends_with(secret))
            || WORDS.contains(&self.word(last))
            || ALONE.contains(&self.word(last)) && (0..last).all(is_modifier)
            || AFTER.iter().any(is_after)
            || letters.ends_with("token") && !ends_in(letters, "token", &PLACES)
            || ends_in(letters, "tokens", &TOKENS)
    }
}
