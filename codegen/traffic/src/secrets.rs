//! The secrets of requests, which servers repeat in any place of a reply.

use std::borrow::Cow;

use secret_names::{MIN_LENGTH, is_secret, redact};

use super::bodies::{Content, Read};
use super::seen::bounded;
use super::table::Table;
use super::texts::Texts;
use super::value::{PLACEHOLDER, Value, is_placeholder};

/// Maximum cost of the secrets of a request, in bytes and 100 for each: a name is searched for all of them.
const MAX_COST: usize = 1 << 16;

impl Table<'_> {
    /// Forgets the secrets of the exchange before, and adds the texts with the names of secrets in the query, the headers
    /// and the body of a request.
    pub fn begin(&mut self, texts: &[Texts<'_>; 2], sent: &Content<'_>, read: &Read<'_>) {
        self.secrets.clear();
        let form = if let Read::Form(form) = read { form.as_slice() } else { &[] };
        for (_, text) in texts.iter().flatten().chain(form).filter(|(name, _)| is_secret(name)) {
            // A scheme precedes a token, and a name a cookie.
            let cookies =
                text.split(';').map(|cookie| cookie.split_once('=').unwrap_or_default().1);
            let token = text.split_once(' ').unwrap_or_default().1;
            cookies.chain([&**text, token]).for_each(|it| withhold(&mut self.secrets, it));
        }
        match read {
            Read::Json(Ok((value, _))) => self.withhold_named(value, false),
            // Browsers send JSON as a text, too.
            Read::Other if let Ok((value, _)) = Value::parse(sent.text()) => {
                self.withhold_named(&value, false);
            }
            _ => {}
        }
    }

    fn withhold_named(&mut self, value: &Value<'_>, is_named: bool) {
        match value {
            Value::Text(text) if is_named => withhold(&mut self.secrets, text),
            Value::List(items) => items.iter().for_each(|it| self.withhold_named(it, is_named)),
            Value::Object(members) => {
                for (name, member) in members {
                    self.withhold_named(member, is_named || is_secret(name));
                }
            }
            _ => {}
        }
    }

    /// Returns a name or a value as findings show it, with placeholders for the secrets of the request, as a recorder writes
    /// them; `None` if it is one, or if there are too many.
    pub fn shown<'t>(&self, text: &'t str) -> Option<Cow<'t, str>> {
        if self.secrets.iter().map(|it| it.len() + 100).sum::<usize>() > MAX_COST {
            return None;
        }
        let whole = redact(text, &self.secrets, &format!("{PLACEHOLDER}{:016x}", 0));
        (!is_placeholder(&whole)).then(|| bounded(whole))
    }
}

/// Adds a secret of the request.
pub fn withhold(secrets: &mut Vec<String>, text: &str) {
    if text.len() >= MIN_LENGTH && !is_placeholder(text) {
        // Names of headers are compared in lower case.
        let lower = text.to_lowercase();
        secrets.extend((lower != text).then_some(lower));
        secrets.push(text.to_owned());
    }
}
