//! The operations of a document, and which of them a request calls.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

use percent_encoding::percent_decode_str;
use secret_names::is_secret;

use super::seen::Tally;
use super::table::{Id, Table};
use super::texts::{DeclaredText, Texts};
use codegen::document::{Document, Pointer, Status, View};
use codegen::ir::{self, Location, Type};
use codegen::media_type::{MediaKind, essence};

/// Maximum number of addresses of a server: variables multiply them.
const MAX_ADDRESSES: usize = 1_000;

/// An operation, and what was seen of it.
pub struct Operation<'d> {
    pub method: &'d str,
    pub template: &'d str,
    pub pointer: Pointer,
    segments: Vec<&'d str>,
    /// The query parameters in the template.
    fixed: Vec<&'d str>,
    /// `None` if the crate does not have the operation.
    pub parameters: Option<Vec<DeclaredText<'d>>>,
    /// The number of the message with the body of requests.
    pub request: usize,
    responses: Vec<(Status, usize)>,
    pub count: u64,
    /// The statuses that are not declared, with the numbers of their messages.
    pub statuses: BTreeMap<u16, (Tally, usize)>,
    /// The query parameters that are not declared.
    pub names: BTreeMap<Box<str>, (Tally, Id)>,
}

/// The body of a request, or a response.
#[derive(Default)]
pub struct Message<'d> {
    pub pointer: Pointer,
    pub is_declared: bool,
    media: Vec<Media<'d>>,
    pub headers: Vec<DeclaredText<'d>>,
    pub is_body_required: bool,
    /// The media types that are not declared.
    pub types: BTreeMap<Box<str>, (Tally, Id)>,
    /// The headers that are not declared.
    pub names: BTreeMap<Box<str>, (Tally, Id)>,
}

pub struct Operations<'d> {
    pub all: Vec<Operation<'d>>,
    pub messages: Vec<Message<'d>>,
    by_id: HashMap<&'d str, usize>,
    by_template: HashMap<(&'d str, &'d str), usize>,
    bases: Vec<Base>,
    credentials: HashSet<&'d str>,
}

/// A server. Variables are in braces.
struct Base {
    /// `None` for the host of the document.
    host: Option<String>,
    segments: Vec<String>,
}

/// What a message declares of a media type.
pub struct Media<'d> {
    name: &'d str,
    pub pointer: Pointer,
    /// The place of the values; [`Id::MAX`] for any.
    pub place: Id,
    pub is_events: bool,
    /// The items of a stream: the names of events, with the places of JSON. A single one has any name.
    pub items: Vec<(&'d str, Id)>,
    pub form: Vec<DeclaredText<'d>>,
}

/// What a request calls.
pub struct Route<'u> {
    pub host: &'u str,
    /// The operation; of an unknown path or method, one with this path.
    pub operation: Option<usize>,
    /// The method and the path, if they are no operation of this server.
    pub unknown: Option<String>,
    /// Whether the server belongs to the API. Without an operation, this is only known if its address has no variables.
    pub is_own: bool,
}

impl<'d> Operations<'d> {
    pub fn new(document: &'d Document, servers: &[String], table: &mut Table<'d>) -> Self {
        let root = document.root();
        let schemes = document.components("securitySchemes").map(|(_, scheme)| scheme);
        let credentials =
            schemes.filter_map(View::followed).filter(|it| it.text("in") == Some("query"));
        let own = [root].into_iter().chain(document.server_lists());
        let own = own.flat_map(|view| view.list("servers").collect::<Vec<_>>());
        let own = own.flat_map(|server| addresses(&server));
        let mut bases: Vec<Base> =
            own.chain(servers.iter().cloned()).map(|url| Base::new(&url)).collect();
        if bases.is_empty() {
            bases.push(Base::new("/"));
        }
        bases.sort_by_key(|base| Reverse(base.segments.len()));
        let mut operations = Self {
            all: Vec::new(),
            messages: Vec::new(),
            by_id: HashMap::new(),
            by_template: HashMap::new(),
            bases,
            credentials: credentials.filter_map(|scheme| scheme.text("name")).collect(),
        };
        for (template, item) in document.paths() {
            let Some(item) = item.followed() else { continue };
            for (method, operation) in item.operations() {
                if let Some(operation) = operation.followed() {
                    operations.add(template, method, &operation, table);
                }
            }
        }
        operations
    }

    fn add(
        &mut self,
        template: &'d str,
        method: &'d str,
        operation: &View<'d>,
        table: &mut Table<'d>,
    ) {
        let index = self.all.len();
        let pointer = operation.pointer.to_string();
        let known = table.api.operations().find(|it| it.pointer == pointer);
        let parameters = known.map(|known| {
            let parameters = known.parameters.iter();
            parameters.flat_map(|it| DeclaredText::parameter(it, table)).collect()
        });
        let (path, fixed) = template.split_once('?').unwrap_or((template, ""));
        let body = operation.child("requestBody").and_then(View::followed);
        let request = self.message(
            body.as_ref()
                .map_or_else(|| operation.pointer.join("requestBody"), |it| it.pointer.clone()),
            body.as_ref(),
            known,
            table,
        );
        let responses = operation.responses().filter_map(|(key, view)| {
            let view = view.followed()?;
            Some((key, self.message(view.pointer.clone(), Some(&view), known, table)))
        });
        let responses = responses.collect();
        self.by_id.extend(operation.text("operationId").map(|id| (id, index)));
        self.by_template.entry((method, template)).or_insert(index);
        self.all.push(Operation {
            method,
            template,
            pointer: operation.pointer.clone(),
            segments: path.split('/').skip(1).collect(),
            fixed: fixed.split('&').filter(|pair| !pair.is_empty()).collect(),
            parameters,
            request,
            responses,
            count: 0,
            statuses: BTreeMap::new(),
            names: BTreeMap::new(),
        });
    }

    fn message(
        &mut self,
        pointer: Pointer,
        view: Option<&View<'d>>,
        of: Option<&'d ir::Operation>,
        table: &mut Table<'d>,
    ) -> usize {
        let known = self.messages.iter().position(|message| message.pointer == pointer);
        known.unwrap_or_else(|| {
            let media = view.into_iter().flat_map(View::content);
            let media: Vec<_> = media.map(|(name, view)| Media::new(name, &view, table)).collect();
            let headers = view.into_iter().flat_map(|view| view.map("headers"));
            let headers = headers.map(|(name, view)| {
                let mut known = of.into_iter().flat_map(|of| &of.headers);
                let known = known.find(|known| known.wire.eq_ignore_ascii_case(name));
                let pointer = view.followed().map(|view| view.pointer).unwrap_or_default();
                DeclaredText::header(name, pointer, known.map(|known| &known.ty), table)
            });
            let headers = headers.collect();
            let is_json =
                |it: &Media<'_>| MediaKind::of(it.name) == MediaKind::Json && it.place != Id::MAX;
            let is_request = pointer.last() == Some("requestBody");
            self.messages.push(Message {
                pointer,
                is_declared: view.is_some(),
                is_body_required: match view {
                    Some(view) if is_request => view.flag("required"),
                    _ => !media.is_empty() && media.iter().all(is_json),
                },
                media,
                headers,
                ..Message::default()
            });
            self.messages.len() - 1
        })
    }

    pub fn route<'u>(
        &self,
        id: Option<&str>,
        template: Option<&str>,
        method: &str,
        url: &'u str,
    ) -> Option<Route<'u>> {
        let named = id.and_then(|id| self.by_id.get(id));
        let named = named.or_else(|| template.and_then(|it| self.by_template.get(&(method, it))));
        let (host, path) = split(url);
        let known =
            |operation| Route { host, operation: Some(operation), unknown: None, is_own: true };
        if let Some(operation) = named {
            return Some(known(*operation));
        }
        let steps: Vec<&str> = path.split('/').skip(1).collect();
        let mut own: Option<Route<'u>> = None;
        for base in self.bases.iter().filter(|base| base.has(host)) {
            let Some(rest) = base.rest(&steps) else { continue };
            let fitting =
                self.all.iter().enumerate().filter(|(_, operation)| operation.is_at(rest, url));
            let fitting: Vec<_> = fitting.collect();
            let called = fitting.iter().filter(|(_, it)| it.method.eq_ignore_ascii_case(method));
            if let Some((index, _)) = called.min_by_key(|(_, operation)| operation.rank()) {
                return Some(known(*index));
            }
            let operation = fitting.first().map(|(index, _)| *index);
            let path = operation.map(|index| self.all[index].template.to_owned());
            let before = [""].iter().chain(rest);
            let steps = before.zip(rest).map(|(name, step)| ["/", without_values(name, step)]);
            let path = path.unwrap_or_else(|| steps.flatten().collect());
            let is_own = base.host.as_ref().is_some_and(|host| !host.contains('{'));
            let unknown = Some(format!("{method} {path}"));
            let unknown = Route { host, operation, unknown, is_own };
            own = own.filter(|it| it.is_own || !is_own).or(Some(unknown));
        }
        own
    }

    /// Returns the values of the path, each in a step of its own; `None` if it does not end as the template. Without an
    /// operation, each step names the next one.
    pub fn variables<'u>(&self, operation: Option<usize>, url: &'u str) -> Option<Texts<'u>>
    where
        'd: 'u,
    {
        let steps: Vec<&str> = split(url).1.split('/').skip(1).collect();
        let decoded = |step: &'u str| percent_decode_str(step).decode_utf8_lossy();
        let Some(Operation { segments, .. }) = operation.map(|it| &self.all[it]) else {
            return Some(steps.windows(2).map(|it| (it[0].into(), decoded(it[1]))).collect());
        };
        let steps = &steps[steps.len().checked_sub(segments.len())?..];
        let mut variables = Texts::new();
        let is_own = segments.iter().zip(steps).all(|(segment, step)| {
            let mut add = |name: &'u str, value| variables.push((name.into(), decoded(value)));
            has_variables(segment, step, &mut add)
        });
        is_own.then_some(variables)
    }

    pub fn has_query(&self, operation: usize, name: &str) -> bool {
        let Operation { fixed, parameters, .. } = &self.all[operation];
        let locations = [Location::Query, Location::QueryString];
        parameters
            .as_ref()
            .is_none_or(|all| all.iter().any(|it| locations.contains(&it.location) && it.has(name)))
            || fixed.iter().any(|pair| pair.split('=').next() == Some(name))
            || self.credentials.contains(name)
    }

    /// Returns the number of the response of a status; the number of an undeclared response is new.
    pub fn response(&mut self, operation: usize, status: u16) -> (usize, bool) {
        let digit = u8::try_from(status / 100).unwrap_or_default();
        let keys = [Status::Code(status), Status::Range(digit), Status::Default];
        let declared = &self.all[operation].responses;
        let found = keys.iter().find_map(|key| declared.iter().find(|(other, _)| other == key));
        if let Some((_, message)) = found {
            return (*message, true);
        }
        if let Some((_, message)) = self.all[operation].statuses.get(&status) {
            return (*message, false);
        }
        self.messages.push(Message {
            pointer: self.all[operation].pointer.join("responses").join(&status.to_string()),
            ..Message::default()
        });
        (self.messages.len() - 1, false)
    }
}

impl Operation<'_> {
    /// Returns whether a path has the form of the template, and a URL its query.
    fn is_at(&self, steps: &[&str], url: &str) -> bool {
        self.segments.len() == steps.len()
            && self.segments.iter().zip(steps).all(|(segment, step)| fits(segment, step))
            && self.fixed.iter().all(|pair| url.split(['?', '&', '#']).any(|part| part == *pair))
    }

    /// Returns the rank among the operations with this path: those with few variables, and then with long texts, come
    /// first.
    fn rank(&self) -> (usize, Reverse<[usize; 2]>) {
        let variables = self.segments.iter().filter(|segment| segment.contains('{'));
        let texts = self.segments.iter().flat_map(|segment| segment.split('}'));
        let texts = texts.map(|text| text.find('{').unwrap_or(text.len()));
        (variables.count(), Reverse([self.fixed.len(), texts.sum()]))
    }
}

impl<'d> Message<'d> {
    pub fn media(&self, media_type: &str) -> Option<&Media<'d>> {
        let group = media_type.split('/').next().unwrap_or_default();
        let wanted = [media_type.to_owned(), format!("{group}/*"), "*/*".to_owned()];
        wanted.iter().find_map(|it| self.media.iter().find(|media| essence(media.name) == *it))
    }
}

impl<'d> Media<'d> {
    fn new(name: &'d str, view: &View<'d>, table: &mut Table<'d>) -> Self {
        let whole = view.schema().map(|schema| schema.pointer.clone());
        let place = whole.as_ref().and_then(|schema| table.root(schema));
        let is_events = essence(name) == "text/event-stream";
        let sites = &table.api.sites;
        let items = sites.items.get(&view.pointer).into_iter().flatten().map(|item| {
            let schema = item.schema.as_ref().filter(|schema| {
                // The data of events are texts, and a text describes all lines.
                let ty = sites.roots.get(*schema).map(Type::not_null);
                let is_text = matches!(ty, Some(Type::String | Type::Value));
                !is_text || !is_events && item.schema != whole
            });
            let place = schema.and_then(|schema| table.root(schema));
            (item.event.as_str(), place.unwrap_or(Id::MAX))
        });
        let (items, pointer) = (items.collect(), view.pointer.clone());
        let form = place.filter(|_| MediaKind::of(name) == MediaKind::Form);
        let form = form.map(|place| DeclaredText::form(view, place, table)).unwrap_or_default();
        Self { name, pointer, place: place.unwrap_or(Id::MAX), is_events, items, form }
    }

    /// Returns the place of an item; `None` if the event is not declared.
    pub fn item(&self, event: &str) -> Option<Id> {
        let mut items = self.items.iter();
        let found = items.find(|(name, _)| *name == event || self.items.len() == 1);
        found.map(|(_, place)| *place)
    }
}

impl Base {
    fn new(url: &str) -> Self {
        let (host, path) = split(url);
        let segments = path.split('/').filter(|segment| !segment.is_empty());
        Self {
            host: (!host.is_empty()).then(|| host.to_owned()),
            segments: segments.map(str::to_owned).collect(),
        }
    }

    fn has(&self, host: &str) -> bool {
        self.host.as_ref().is_none_or(|own| fits(own, host))
    }

    /// Returns the steps of a path below the server.
    fn rest<'s>(&self, steps: &'s [&'s str]) -> Option<&'s [&'s str]> {
        let (base, rest) = steps.split_at_checked(self.segments.len())?;
        let is_below = self.segments.iter().zip(base).all(|(segment, step)| fits(segment, step));
        is_below.then_some(rest)
    }
}

/// Returns the addresses of a server: one for each value of its variables that can be several steps of a path.
fn addresses(server: &View<'_>) -> Vec<String> {
    let mut urls: Vec<String> = server.text("url").map(str::to_owned).into_iter().collect();
    for (name, variable) in server.map("variables") {
        let listed = variable.list("enum").filter_map(|it| it.node.as_str().map(str::to_owned));
        let default = variable.text("default").map(str::to_owned);
        let values: Vec<String> = default.into_iter().chain(listed).collect();
        if values.iter().any(|value| value.contains('/')) {
            let braced = format!("{{{name}}}");
            let filled = urls.iter().flat_map(|url| {
                // The host is one of those that the variable can be.
                let any = url.starts_with(&braced);
                let values = values.iter().map(move |it| if any { split(it).1 } else { it });
                values.map(|value| url.replace(&braced, value))
            });
            urls = filled.take(MAX_ADDRESSES).collect();
        }
    }
    urls
}

/// Returns a step of a path after another one, unless it could be a value, such as an id.
fn without_values<'s>(name: &str, step: &'s str) -> &'s str {
    let is_version = step.strip_prefix('v').is_some_and(|rest| rest.len() < 3);
    let is_name = step.bytes().all(|byte| byte.is_ascii_alphabetic() || b"-_.".contains(&byte));
    let is_shown = step.len() <= 24 && (is_name || is_version) && !is_secret(name);
    if is_shown { step } else { "{}" }
}

/// Splits a URL into the host with its port, and the path without the query.
fn split(url: &str) -> (&str, &str) {
    let url = url.split(['?', '#']).next().unwrap_or(url);
    match url.split_once("://") {
        Some((_, rest)) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
        None => ("", url),
    }
}

/// Returns whether a step of a path has the form of a template.
fn fits(template: &str, step: &str) -> bool {
    has_variables(template, step, |_, _| {})
}

/// Returns whether a step of a path has the form of a template, and passes the variables. The first place of a text between
/// two of them leaves the most to the others.
fn has_variables<'s>(
    template: &'s str,
    step: &'s str,
    mut pass: impl FnMut(&'s str, &'s str),
) -> bool {
    let decoded = |step: &'s str| percent_decode_str(step).decode_utf8_lossy();
    let mut parts = template.split('{');
    let before = parts.next().unwrap_or_default();
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return template == step || step.contains('%') && decoded(step) == template;
    }
    let Some(mut rest) = step.strip_prefix(before) else { return false };
    while let Some(part) = parts.next() {
        let Some(((name, text), first)) = part.split_once('}').zip(rest.chars().next()) else {
            return template == step;
        };
        let inner = &rest[first.len_utf8()..];
        let is_last = parts.peek().is_none();
        let found = if is_last { inner.strip_suffix(text).map(str::len) } else { inner.find(text) };
        let Some(at) = found else { return is_last && decoded(inner).ends_with(text) };
        pass(name, &rest[..first.len_utf8() + at]);
        rest = &inner[at + text.len()..];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_have_the_form_of_templates() {
        for (template, step, expected) in [
            ("pets", "pets", true),
            ("pets", "pet", false),
            ("{id}", "1", true),
            ("{id}", "", false),
            ("{id}:cancel", "1:cancel", true),
            ("{id}:cancel", "1:start", false),
            ("{a}.{b}", "x.y.z", true),
            ("v{n}", "v1", true),
            ("v{n}", "v", false),
            ("{a}{b}", "x", false),
            ("{a}{b}-{c}", "é-y", false),
            ("{a}{b}-{c}", "éy-z", true),
            ("{a} b", "1%20b", true),
            ("{a", "{a", true),
            ("a b", "a%20b", true),
        ] {
            assert_eq!(fits(template, step), expected, "{template} {step}");
        }
        // There are many ways to divide a step among variables.
        assert!(!fits(&("{a}-".repeat(30) + "{b}:end"), &"x-".repeat(300)));
        let encoded = "%41".repeat(200_000);
        assert!(!fits("{a}:end", &encoded) && fits("{a}:end", &(encoded + "%3Aend")));
    }

    #[test]
    fn urls_have_a_host_and_a_path() {
        assert_eq!(split("https://a.b:1/c/d?e=/f#g"), ("a.b:1", "/c/d"));
        assert_eq!(split("https://a.b?c"), ("a.b", ""));
        assert_eq!(split("/v1"), ("", "/v1"));
    }
}
