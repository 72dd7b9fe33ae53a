//! The secrets of requests, which servers repeat in any place of a reply.

use std::borrow::Cow;
use std::collections::HashSet;

use codegen::document::{Document, Pointer};
use codegen::ir::{Api, FieldWire, Shape, Type};
use secret_names::{MIN_LENGTH, is_secret, redact};

use super::bodies::{Content, Read};
use super::formats::{base64, example};
use super::seen::{Moment, bounded};
use super::table::Table;
use super::texts::{Texts, named};
use super::value::{PLACEHOLDER, Value, is_placeholder};

/// Maximum cost of the secrets of an exchange, in bytes and 100 for each: a name is searched for all of them.
const MAX_COST: usize = 1 << 14;

/// Maximum number of names that are remembered, and of the bytes of one.
const MAX_KNOWN: usize = 1024;

/// Parameters of credentials and of cookies that are no secrets (RFC 7616; RFC 9421; RFC 6265).
const PUBLIC: &str = "alg algorithm created domain expires headers max-age nc path priority qop realm samesite \
    signedheaders uri userhash username version";

impl Table<'_> {
    /// Forgets the secrets of the exchange before, and adds those of one: the values with the names of secrets, also of those
    /// of the document, in texts of it, its lists, its URL, and the body of the request.
    pub fn begin<'t>(
        &mut self,
        entry: &Value<'_>,
        texts: impl Iterator<Item = &'t Texts<'t>>,
        sent: &Content<'_>,
        read: &Read<'_>,
    ) {
        self.secrets.clear();
        self.cost = 0;
        texts.for_each(|texts| self.withhold_texts(texts));
        for list in [&["request", "queryString"][..], &["request", "postData", "params"]] {
            self.withhold_texts(&named(entry, list));
        }
        for message in ["request", "response"] {
            for (_, cookie) in named(entry, &[message, "cookies"]) {
                self.credentials(&cookie);
            }
        }
        let [url, form] = [&["request", "url"][..], &["request", "postData", "mimeType"]];
        for text in [url, form, &["response", "redirectURL"]] {
            self.withhold_in(entry.text(text).unwrap_or_default());
        }
        match read {
            Read::Json(Ok((value, _))) => self.withhold_named(value, false),
            Read::Form(form) => self.withhold_texts(form),
            _ => self.withhold_in(sent.text()),
        }
    }

    fn withhold_texts(&mut self, texts: &Texts<'_>) {
        for (name, text) in texts {
            if self.hides(name) { self.credentials(text) } else { self.withhold_in(text) }
        }
    }

    fn withhold_named(&mut self, value: &Value<'_>, is_named: bool) {
        match value {
            Value::Text(text) if is_named => self.credentials(text),
            Value::Text(text) => self.withhold_in(text),
            Value::Integer(number) if is_named => self.withhold(&number.to_string()),
            Value::List(items) => items.iter().for_each(|it| self.withhold_named(it, is_named)),
            Value::Object(members) => {
                // The name can be a value, such as in a patch (RFC 6902).
                let is_of = |key| value.text(&[key]).is_some_and(|name| self.hides(name));
                let has_value = value.get("value").is_some();
                let is_pair = has_value && ["key", "name", "path"].into_iter().any(is_of);
                for (name, member) in members {
                    let is_named = is_named || is_pair && name == "value" || self.hides(name);
                    self.withhold_named(member, is_named);
                }
            }
            _ => {}
        }
    }

    /// Adds the secrets of a text in JSON, also in lines, or else those that their names make secrets in it, and in the parts
    /// of a form.
    fn withhold_in(&mut self, text: &str) {
        let text = text.trim_start_matches('\u{feff}');
        // So begins an object of JSON in base64.
        let decoded = text.starts_with("ey").then(|| base64(text)).flatten().map(String::from_utf8);
        if let Some(Ok(decoded)) = decoded {
            return self.withhold_in(&decoded);
        }
        if !secret_names::can_name(text) {
            return;
        }
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value<'_>>();
        let mut withhold = |value: &Value<'_>| self.withhold_named(value, false);
        let is_json = text.starts_with(['{', '[', '"'])
            && values.all(|value| value.map(|value| withhold(&value)).is_ok());
        if !is_json {
            self.withhold_texts(&parts(text));
            for value in secret_names::named(text, &|name| self.hides(name)) {
                self.credentials(&value);
            }
        }
    }

    /// Adds a secret, and what it consists of: a token after its scheme, a password after its user, parameters (RFC 9110,
    /// section 11.4), cookies, and texts of JSON or XML.
    fn credentials(&mut self, text: &str) {
        let text = text.trim();
        if is_placeholder(text) {
            return;
        }
        self.withhold(text);
        if text.starts_with(['{', '[', '<']) {
            text.split(['"', '<', '>', ',']).for_each(|text| self.withhold(text.trim()));
        }
        let is_public =
            |name: &str| PUBLIC.split(' ').any(|it| it.eq_ignore_ascii_case(name.trim()));
        let cookies = text.split(';').filter_map(|cookie| cookie.split_once('='));
        for (_, cookie) in cookies.filter(|(name, _)| !is_public(name)) {
            self.withhold(cookie);
        }
        for parameter in secret_names::named(text, &|name| !is_public(name)) {
            self.withhold(&parameter);
        }
        // In YAML and in a command, others follow.
        self.withhold(text.split([',', '}']).next().unwrap_or_default().trim());
        let (scheme, token) = text.split_once(char::is_whitespace).unwrap_or(("", text));
        let token = token.trim().trim_matches(['"', '\'']);
        self.withhold(token);
        let user = base64(token).filter(|_| scheme.eq_ignore_ascii_case("basic"));
        let user = user.and_then(|user| String::from_utf8(user).ok());
        let user = user.as_deref().unwrap_or(token);
        // A key is a user without a password.
        let (user, password) = user.split_once(':').unwrap_or((user, ""));
        self.withhold(if password.is_empty() { user } else { password });
    }

    /// Returns whether a name is that of a secret. Those of an API repeat.
    pub fn hides(&self, name: &str) -> bool {
        let mut known = self.known.borrow_mut();
        if let Some(is_hidden) = known.get(name) {
            return *is_hidden;
        }
        let is_hidden = is_secret(name) || self.hidden.contains(&name.to_lowercase());
        if known.len().max(name.len()) < MAX_KNOWN {
            known.insert(name.into(), is_hidden);
        }
        is_hidden
    }

    /// Returns the moment of the value of a property or a parameter.
    pub fn of(&self, name: &str, moment: Moment) -> Moment {
        Moment { is_secret: moment.is_secret || self.hides(name), ..moment }
    }

    fn withhold(&mut self, text: &str) {
        let is_new = text.len() >= MIN_LENGTH && !is_placeholder(text);
        if is_new && self.cost < MAX_COST && !self.secrets.iter().any(|it| it == text) {
            self.cost += text.len() + 100;
            self.secrets.push(text.to_owned());
        }
    }

    /// Returns a name or a value as findings show it, with placeholders for the secrets of the exchange, as a recorder writes
    /// them; `None` if it is one, or if there are too many secrets.
    pub fn shown<'t>(&self, text: &'t str) -> Option<Cow<'t, str>> {
        if self.cost >= MAX_COST {
            return None;
        }
        let whole = redact(text, &self.secrets, &format!("{PLACEHOLDER}{:016x}", 0));
        (!is_placeholder(&whole)).then(|| bounded(whole))
    }
}

/// Returns the names of parameters, properties and credentials that a document makes secret, and those of properties that
/// a setting does, in lower case.
pub fn declared(document: &Document, api: &Api, hidden_at: &HashSet<Pointer>) -> HashSet<String> {
    let is_secret = |ty: &Type| matches!(ty.innermost(), Type::Secret(_));
    let types = api.definitions().into_iter();
    let objects = types.filter_map(|(_, it)| match &it.shape {
        Shape::Struct(object) => Some(&object.fields),
        _ => None,
    });
    let fields = objects.flatten().filter_map(|field| match &field.wire {
        FieldWire::Property(name) if is_secret(&field.ty) => Some(name.as_str()),
        _ => None,
    });
    let parameters = api.operations().flat_map(|it| &it.parameters).filter(|it| it.is_secret);
    let schemes = document.components("securitySchemes");
    let schemes =
        schemes.filter_map(|(_, scheme)| Some(scheme.followed()?.text("name")?.to_lowercase()));
    let names = fields.chain(parameters.map(|it| it.wire.as_str()));
    let names = names.chain(hidden_at.iter().filter_map(Pointer::last));
    names.map(str::to_lowercase).chain(schemes).collect()
}

/// Returns the names and the texts of the parts of a form in `multipart/form-data`.
fn parts(text: &str) -> Texts<'_> {
    let parts = text.split("\n--").filter_map(|part| {
        let (head, body) = part.split_once("\r\n\r\n").or_else(|| part.split_once("\n\n"))?;
        let mut all = head.split([';', '\r', '\n']).filter_map(|it| it.split_once('='));
        let (_, name) = all.find(|(key, _)| key.trim().eq_ignore_ascii_case("name"))?;
        Some((name.trim().trim_matches('"').into(), body.trim_end_matches('\r').into()))
    });
    parts.collect()
}

/// Returns whether a value is a number that is one of some secrets.
pub fn repeats(secrets: &[String], value: &Value<'_>) -> bool {
    matches!(value, Value::Integer(_) | Value::Float(_))
        && secrets.iter().any(|it| it.ends_with(char::is_numeric) && *it == example(value))
}
