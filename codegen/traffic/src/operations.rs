//! The operations of a document, and which of them a request calls.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

use percent_encoding::percent_decode_str;

use super::seen::Tally;
use super::table::{Id, Table};
use codegen::document::{Document, ParameterIn, ParameterView, Pointer, StatusKey, View};
use codegen::ir::{Api, Field, Shape, Type};
use codegen::media_type::{MediaKind, essence};

/// An operation, and what was seen of it.
pub struct Operation<'d> {
    pub method: &'d str,
    pub template: &'d str,
    pub pointer: Pointer,
    segments: Vec<&'d str>,
    /// The query parameters in the template.
    fixed: Vec<&'d str>,
    query: HashSet<&'d str>,
    /// Whether a query parameter can have any name.
    has_any_query: bool,
    /// The number of the message with the body of requests.
    pub request: usize,
    responses: Vec<(StatusKey, usize)>,
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
    media: Vec<(&'d str, Option<Id>)>,
    pub headers: HashSet<String>,
    pub count: u64,
    /// The bodies of a JSON media type that are not JSON.
    pub malformed: Tally,
    /// Those of which only the nearest value is read.
    pub inexact: Tally,
    /// The media types that are not declared.
    pub types: BTreeMap<Box<str>, (Tally, Id)>,
    /// The headers that are not declared.
    pub names: BTreeMap<Box<str>, (Tally, Id)>,
}

/// The operations of a document.
pub struct Operations<'d> {
    pub all: Vec<Operation<'d>>,
    pub messages: Vec<Message<'d>>,
    by_id: HashMap<&'d str, usize>,
    by_template: HashMap<(&'d str, &'d str), usize>,
    bases: Vec<Base>,
    /// The query parameters of credentials.
    credentials: HashSet<&'d str>,
}

/// A server. Variables are in braces.
struct Base {
    /// `None` for the host of the document.
    host: Option<String>,
    segments: Vec<String>,
}

/// What a message declares of a body.
pub enum Body {
    /// The place of its values.
    At(Id),
    /// The media type alone.
    Any,
    Undeclared,
}

/// The operation that a request calls.
pub enum Route<'u> {
    Operation {
        operation: usize,
        host: &'u str,
    },
    /// No operation of this server. Whether the server belongs to the API is only known if its address has no
    /// variables.
    Unknown {
        path: String,
        host: &'u str,
        is_own: bool,
    },
    /// No operation: the request is to another server.
    Elsewhere,
}

impl<'d> Operations<'d> {
    pub fn new(document: &'d Document, servers: &[String], table: &mut Table<'d>) -> Self {
        let root = document.root();
        let schemes = root.child("components");
        let schemes = schemes.iter().flat_map(|it| it.map("securitySchemes"));
        let schemes = schemes.filter_map(|(_, scheme)| scheme.followed());
        let credentials = schemes.filter(|scheme| scheme.text("in") == Some("query"));
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
                    operations.add(template, &item, method, &operation, table);
                }
            }
        }
        operations
    }

    fn add(
        &mut self,
        template: &'d str,
        item: &View<'d>,
        method: &'d str,
        operation: &View<'d>,
        table: &mut Table<'d>,
    ) {
        let index = self.all.len();
        let parameters = item.list("parameters").chain(operation.list("parameters"));
        let parameters = parameters.filter_map(|it| ParameterView::new(it.followed()?));
        let query = parameters
            .filter(|it| matches!(it.location, ParameterIn::Query | ParameterIn::QueryString));
        let query: Vec<_> = query.map(|parameter| query_names(&parameter, table.api)).collect();
        let (path, fixed) = template.split_once('?').unwrap_or((template, ""));
        let fixed: Vec<&str> = fixed.split('&').filter(|pair| !pair.is_empty()).collect();
        let names = fixed.iter().filter_map(|pair| pair.split('=').next()).collect::<Vec<_>>();
        let body = operation.child("requestBody").and_then(View::followed);
        let request = self.message(
            body.as_ref()
                .map_or_else(|| operation.pointer.join("requestBody"), |it| it.pointer.clone()),
            body.as_ref(),
            table,
        );
        let responses = operation.responses().filter_map(|(key, view)| {
            let view = view.followed()?;
            Some((key, self.message(view.pointer.clone(), Some(&view), table)))
        });
        let responses = responses.collect();
        self.by_id.extend(operation.text("operationId").map(|id| (id, index)));
        self.by_template.entry((method, template)).or_insert(index);
        self.all.push(Operation {
            method,
            template,
            pointer: operation.pointer.clone(),
            segments: path.split('/').skip(1).collect(),
            has_any_query: query.contains(&None),
            query: query.into_iter().flatten().flatten().chain(names).collect(),
            fixed,
            request,
            responses,
            count: 0,
            statuses: BTreeMap::new(),
            names: BTreeMap::new(),
        });
    }

    /// Returns the number of the message at a place.
    fn message(
        &mut self,
        pointer: Pointer,
        view: Option<&View<'d>>,
        table: &mut Table<'d>,
    ) -> usize {
        let known = self.messages.iter().position(|message| message.pointer == pointer);
        known.unwrap_or_else(|| {
            let media = view.into_iter().flat_map(View::content).map(|(name, media)| {
                (name, media.schema().and_then(|schema| table.root(&schema.pointer)))
            });
            let headers = view.into_iter().flat_map(|view| view.map("headers"));
            self.messages.push(Message {
                pointer,
                is_declared: view.is_some(),
                media: media.collect(),
                headers: headers.map(|(name, _)| name.to_ascii_lowercase()).collect(),
                ..Message::default()
            });
            self.messages.len() - 1
        })
    }

    /// Returns the operation of a request.
    pub fn route<'u>(
        &self,
        id: Option<&str>,
        template: Option<&str>,
        method: &str,
        url: &'u str,
    ) -> Route<'u> {
        let named = id.and_then(|id| self.by_id.get(id));
        let named = named.or_else(|| template.and_then(|it| self.by_template.get(&(method, it))));
        let (host, path) = split(url);
        if let Some(operation) = named {
            return Route::Operation { operation: *operation, host };
        }
        let steps: Vec<&str> = path.split('/').skip(1).collect();
        let mut own = None;
        for base in self.bases.iter().filter(|base| base.has(host)) {
            let Some(rest) = base.rest(&steps) else { continue };
            let fitting =
                self.all.iter().enumerate().filter(|(_, operation)| operation.is_at(rest, url));
            let fitting: Vec<_> = fitting.collect();
            let called = fitting.iter().filter(|(_, it)| it.method.eq_ignore_ascii_case(method));
            if let Some((index, _)) = called.min_by_key(|(_, operation)| operation.rank()) {
                return Route::Operation { operation: *index, host };
            }
            let path = match fitting.first() {
                Some((_, operation)) => operation.template.to_owned(),
                None => rest.iter().flat_map(|step| ["/", without_values(step)]).collect(),
            };
            let is_own = base.host.as_ref().is_some_and(|host| !host.contains('{'));
            own = own.filter(|(_, was_own)| *was_own || !is_own).or(Some((path, is_own)));
        }
        own.map_or(Route::Elsewhere, |(path, is_own)| Route::Unknown { path, host, is_own })
    }

    /// Returns whether an operation declares a query parameter. The properties of objects are `name[property]`.
    pub fn has_query(&self, operation: usize, name: &str) -> bool {
        let operation = &self.all[operation];
        let declared = &operation.query;
        let outer = name.split(['[', '.']).next().unwrap_or(name);
        operation.has_any_query
            || [name, outer].iter().any(|name| {
                declared.contains(name)
                    || declared.contains(format!("{name}[]").as_str())
                    || self.credentials.contains(name)
            })
    }

    /// Returns the number of the response of a status; the number of an undeclared response is new.
    pub fn response(&mut self, operation: usize, status: u16) -> (usize, bool) {
        let digit = u8::try_from(status / 100).unwrap_or_default();
        let keys = [StatusKey::Code(status), StatusKey::Range(digit), StatusKey::Default];
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

impl Message<'_> {
    /// Returns what is declared of bodies of a media type.
    pub fn body(&self, media_type: &str) -> Body {
        let group = media_type.split('/').next().unwrap_or_default();
        let wanted = [media_type.to_owned(), format!("{group}/*"), "*/*".to_owned()];
        let found = wanted.iter().find_map(|wanted| {
            self.media.iter().find(|(name, _)| essence(name) == *wanted).map(|(_, place)| *place)
        });
        match found {
            Some(Some(place)) => Body::At(place),
            Some(None) => Body::Any,
            None => Body::Undeclared,
        }
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

/// Returns the names with which a parameter is in the query; `None` if it can have any. An exploded object of the style
/// `form` has the names of its properties (OpenAPI 3.1.1 §4.8.12.3), and so has a form that is the whole query.
fn query_names<'d>(parameter: &ParameterView<'d>, api: &'d Api) -> Option<Vec<&'d str>> {
    let own = || Some(vec![parameter.name]);
    let schema = if parameter.location == ParameterIn::QueryString {
        let form = parameter.content().find(|(name, _)| MediaKind::of(name) == MediaKind::Form);
        Some(form?.1.schema()?)
    } else {
        let is_form = parameter.text("style").unwrap_or("form") == "form";
        let explode = parameter.flag_if_written("explode").unwrap_or(true);
        parameter.schema().filter(|_| is_form && explode)
    };
    let Some(schema) = schema else { return own() };
    let Some(ty) = api.sites.roots.get(&schema.pointer) else { return own() };
    let mut names = Vec::new();
    exploded(api, ty, parameter.name, &mut names).then_some(names)
}

/// Adds the names of the properties of objects, and that of other values. Returns whether these are all.
fn exploded<'d>(api: &'d Api, ty: &'d Type, own: &'d str, names: &mut Vec<&'d str>) -> bool {
    let shape = match ty.not_null() {
        Type::Named(id) => &api.definition(*id).shape,
        Type::Map | Type::TypedObject | Type::Dictionary(_) => return false,
        _ => {
            names.push(own);
            return true;
        }
    };
    match shape {
        Shape::Struct(object) => {
            names.extend(object.fields.iter().filter_map(Field::property));
            let mut unions = object.fields.iter().filter(|field| field.property().is_none());
            object.additional.is_none() && unions.all(|it| exploded(api, &it.ty, own, names))
        }
        Shape::Union(union) => {
            names.extend(union.variants.iter().filter_map(|it| it.property.as_deref()));
            let mut values = union.variants.iter().filter(|it| it.property.is_none());
            values.all(|it| exploded(api, &it.ty, own, names))
        }
        Shape::Enum(_) | Shape::Reply(_) => {
            names.push(own);
            true
        }
    }
}

/// Returns the addresses of a server: one for each value of its variables that can be several steps of a path.
fn addresses(server: &View<'_>) -> Vec<String> {
    let mut urls: Vec<String> = server.text("url").map(str::to_owned).into_iter().collect();
    for (name, variable) in server.map("variables") {
        let listed = variable.list("enum").filter_map(|it| it.as_text().map(str::to_owned));
        let default = variable.text("default").map(str::to_owned);
        let values: Vec<String> = default.into_iter().chain(listed).collect();
        if values.iter().any(|value| value.contains('/')) {
            let braced = format!("{{{name}}}");
            let filled = |url: &String| {
                // The host is one of those that the variable can be.
                let any = url.starts_with(&braced);
                let value =
                    |value: &String| if any { split(value).1.to_owned() } else { value.clone() };
                values.iter().map(|it| url.replace(&braced, &value(it))).collect::<Vec<_>>()
            };
            urls = urls.iter().flat_map(filled).collect();
        }
    }
    urls
}

/// Returns a step of a path, unless it could be a value, such as an id.
fn without_values(step: &str) -> &str {
    let is_name = |byte: u8| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_' | b'.');
    let is_version = step.strip_prefix('v').is_some_and(|rest| rest.len() < 3);
    if step.len() <= 24 && (step.bytes().all(is_name) || is_version) { step } else { "{}" }
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
    let Some((before, rest)) = template.split_once('{') else {
        return template == step
            || step.contains('%') && percent_decode_str(step).decode_utf8_lossy() == template;
    };
    let Some((_, after)) = rest.split_once('}') else { return template == step };
    let Some(step) = step.strip_prefix(before).filter(|step| !step.is_empty()) else {
        return false;
    };
    if after.is_empty() {
        return true;
    }
    let ends = step.char_indices().skip(1).map(|(index, _)| index).chain([step.len()]);
    ends.into_iter().any(|end| fits(after, &step[end..]))
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
            ("a b", "a%20b", true),
        ] {
            assert_eq!(fits(template, step), expected, "{template} {step}");
        }
    }

    #[test]
    fn urls_have_a_host_and_a_path() {
        assert_eq!(split("https://a.b:1/c/d?e=/f#g"), ("a.b:1", "/c/d"));
        assert_eq!(split("https://a.b?c"), ("a.b", ""));
        assert_eq!(split("/v1"), ("", "/v1"));
    }
}
