//! The differences between traffic and a document, each with its place and the change of the document that ends it.

use std::collections::BTreeMap;
use std::iter::successors;

use super::check::{Check, Counts};
use super::overlay::{Action, Writer, overlay};
use super::seen::{Origin, Tally, is_whole};
use super::table::{Shape, Slot};
use codegen::document::Pointer;
use codegen::quoted;
use serde_json::Value as Json;

/// What was found in traffic.
#[derive(Debug)]
pub struct Findings {
    /// The differences.
    pub all: Vec<Finding>,
    /// What was never seen.
    pub coverage: Coverage,
    /// The numbers of exchanges.
    pub counts: Counts,
    title: String,
}

/// A difference between traffic and the document.
#[derive(Debug)]
pub struct Finding {
    /// Its class, such as `unknown-property`.
    pub code: &'static str,
    /// The JSON pointer of the place in the document.
    pub pointer: String,
    /// The difference, in one sentence.
    pub message: String,
    /// How often it was seen.
    pub count: u64,
    /// The times of the first and of the last message with it.
    pub times: Option<[String; 2]>,
    /// The first message with it, such as `response 200 of GET /pets`.
    pub origin: String,
    /// The first value: numbers, and the form of texts.
    pub example: Option<String>,
    /// Whether [`Findings::overlay`] has a change that ends it.
    pub is_closed: bool,
    pub(super) actions: Vec<Action>,
}

/// What the document describes and the traffic does not have.
#[derive(Debug, Default)]
pub struct Coverage {
    /// The number of operations of the document.
    pub operations: usize,
    /// The operations that were never called, such as `GET /pets`.
    pub uncalled: Vec<String>,
    /// The properties that no object had, of schemas with objects.
    pub properties: Vec<String>,
    /// The listed values that were never seen, of schemas with values.
    pub values: Vec<String>,
}

impl Findings {
    /// Returns the overlay that makes the document true, in YAML. Returns `None` if it would change nothing.
    pub fn overlay(&self) -> Option<String> {
        let actions = self.all.iter().flat_map(|finding| {
            let description = format!("{}: {}.", finding.message, finding.frequency());
            finding.actions.iter().map(move |action| (description.clone(), action))
        });
        overlay(&self.title, actions.collect())
    }
}

impl Finding {
    /// Makes it the finding of a new name, which the overlay has if it was seen often enough, and as it was received.
    fn of_name(mut self, name: &str, min: u64) -> Self {
        if self.count < min || !is_whole(name) {
            self.actions.clear();
            self.is_closed = false;
        }
        self
    }

    /// Returns how often it was seen, and when.
    pub fn frequency(&self) -> String {
        let times = match &self.times {
            Some([first, last]) if first == last => format!(" at {first}"),
            Some([first, last]) => format!(" from {first} to {last}"),
            None => String::new(),
        };
        match self.count {
            1 => format!("seen once{times}"),
            count => format!("seen {count} times{times}"),
        }
    }
}

impl Check<'_> {
    /// Returns what was found. A new name is only added by the overlay if it was seen at least `min` times.
    pub fn findings(&mut self, min: u64) -> Findings {
        let mut all = Vec::new();
        for index in 0..self.table.parts.len() {
            self.of_part(index, min, &mut all);
        }
        self.of_messages(min, &mut all);
        let mut counts = Counts { beyond: self.table.beyond, ..self.counts };
        let mut routes: BTreeMap<&str, Tally> = BTreeMap::new();
        for ((host, route), tally) in &self.routes {
            if self.hosts.contains(host.as_str()) {
                routes.entry(route).or_default().join(tally);
            } else {
                counts.elsewhere += tally.count;
            }
        }
        for (route, tally) in &routes {
            let message = format!("`{route}` is not an operation");
            let paths = Pointer::root().join("paths");
            all.push(self.finding("unknown-route", &paths, message, tally, Vec::new()));
        }
        let info = self.table.document.root().child("info");
        let title = info.and_then(|info| info.title()).unwrap_or("the API").to_owned();
        Findings { all, coverage: self.coverage(), counts, title }
    }

    fn of_part(&self, index: usize, min: u64, all: &mut Vec<Finding>) {
        let part = &self.table.parts[index];
        let (at, name) = (&part.schema.pointer, self.name(&part.schema.pointer));
        let writer = Writer { check: self };
        for (property, (tally, place)) in &part.seen.names {
            let message = format!("`{property}` is not a property of {name}");
            let actions = writer.property(part, property, *place);
            let found = self.finding("unknown-property", at, message, tally, actions);
            all.push(found.of_name(property, min));
        }
        for (value, tally) in &part.seen.values {
            let message = format!("{value} is not a value of {name}");
            let actions = writer.value(part, value);
            let found = self.finding("unknown-value", at, message, tally, actions);
            all.push(Finding { example: None, ..found });
        }
        for (property, tally) in &part.seen.missing {
            let message = format!("{name} requires `{property}`, which is missing");
            let actions = writer.optional(part, property);
            all.push(self.finding("missing-property", at, message, tally, actions));
        }
        if part.seen.unformatted.count > 0 {
            let (message, actions) = match part.schema.format() {
                Some(format) => (
                    format!("{name} does not have the format `{format}`"),
                    writer.without_format(part),
                ),
                None => {
                    (format!("{name} is an integer that a float of 64 bits changes"), Vec::new())
                }
            };
            all.push(self.finding("format", at, message, &part.seen.unformatted, actions));
        }
        // One change for all kinds: they are one list.
        let mut actions = writer.kinds(part);
        let is_closed = !actions.is_empty();
        for (kind, tally) in &part.seen.kinds {
            let (code, message) = match kind.name() {
                "null" => ("null", format!("{name} is null, which is not allowed")),
                kind => ("other-kind", format!("{name} is of the type `{kind}`")),
            };
            let found = self.finding(code, at, message, tally, std::mem::take(&mut actions));
            all.push(Finding { is_closed, ..found });
        }
        for (variant, (tally, place)) in &part.seen.variants {
            let message = format!("{} is none of the variants of {name}", Json::from(&**variant));
            let actions = writer.variant(part, variant, *place);
            let found = self.finding("unknown-variant", at, message, tally, actions);
            all.push(found.of_name(variant, min));
        }
    }

    fn of_messages(&self, min: u64, all: &mut Vec<Finding>) {
        let writer = Writer { check: self };
        for ((pointer, (code, fault)), tally) in &self.table.faults {
            let text = format!("{} {fault}", self.name(pointer));
            let mut actions = writer.not_required(pointer);
            actions.retain(|_| code.starts_with("missing"));
            all.push(self.finding(code, pointer, text, tally, actions));
        }
        for operation in &self.operations.all {
            let called = format!("`{} {}`", operation.method, operation.template);
            for (status, (tally, message)) in &operation.statuses {
                let text = format!("{called} does not declare the status {status}");
                // A key of `responses` has one of the first digits 1 to 5.
                let mut actions = writer.response(operation, *status, *message);
                actions.retain(|_| *status < 600);
                all.push(self.finding("unknown-status", &operation.pointer, text, tally, actions));
            }
            for (name, (tally, place)) in &operation.names {
                let text = format!("{called} does not declare the query parameter `{name}`");
                let actions = writer.query(operation, name, *place);
                let found = self.finding("unknown-query", &operation.pointer, text, tally, actions);
                all.push(found.of_name(name, min));
            }
        }
        for message in &self.operations.messages {
            let name = self.name(&message.pointer);
            let is_request = message.pointer.last() == Some("requestBody");
            if !message.is_declared && !is_request {
                continue;
            }
            for (media_type, (tally, place)) in &message.types {
                let text = format!("{name} does not declare the media type `{media_type}`");
                let actions = writer.media_type(message, media_type, *place);
                let found =
                    self.finding("unknown-media-type", &message.pointer, text, tally, actions);
                all.push(Finding { example: None, ..found.of_name(media_type, 1) });
            }
            for (header, (tally, place)) in &message.names {
                let text = format!("{name} does not declare the header `{header}`");
                let actions = writer.header(message, header, *place);
                let found = self.finding("unknown-header", &message.pointer, text, tally, actions);
                all.push(found.of_name(header, min));
            }
        }
    }

    fn finding(
        &self,
        code: &'static str,
        pointer: &Pointer,
        message: String,
        tally: &Tally,
        actions: Vec<Action>,
    ) -> Finding {
        let times = tally.first.zip(tally.last);
        Finding {
            code,
            pointer: pointer.to_string(),
            message,
            count: tally.count,
            times: times.map(|(first, last)| [first, last].map(|it| format!("{it:.0}"))),
            origin: self.origin(tally.origin),
            example: Some(tally.example.clone()).filter(|it| !it.is_empty()),
            is_closed: !actions.is_empty(),
            actions,
        }
    }

    fn origin(&self, origin: Origin) -> String {
        let Some(operation) = self.operations.all.get(origin.operation) else {
            return String::new();
        };
        let called = format!("`{} {}`", operation.method, operation.template);
        let item = match origin.item {
            0 => String::new(),
            item => format!("item {item} of the "),
        };
        match origin.status {
            Some(status) => format!("{item}response {status} of {called}"),
            None => format!("request of {called}"),
        }
    }

    fn name(&self, pointer: &Pointer) -> String {
        let outer = successors(Some(pointer), |place| place.parent());
        let parameter =
            outer.filter(|it| it.parent().and_then(Pointer::last) == Some("parameters"));
        let mut names = parameter.filter_map(|it| self.table.document.at(it.clone())?.text("name"));
        name(pointer, names.next().unwrap_or_default())
    }

    fn coverage(&self) -> Coverage {
        let all = &self.operations.all;
        let uncalled = all.iter().filter(|operation| operation.count == 0);
        let uncalled = uncalled.map(|it| format!("{} {}", it.method, it.template));
        let mut coverage =
            Coverage { operations: all.len(), uncalled: uncalled.collect(), ..Coverage::default() };
        for (id, shape) in &self.table.shapes {
            let is_seen = self.table.counts.contains_key(id);
            let of = self.name(&self.table.pointer(*id));
            match &**shape {
                Shape::Object(object) if is_seen => {
                    let unseen = object.properties.iter().filter(|(_, place)| {
                        matches!(self.table.places.get(**place), Some(Slot::Declared(it)) if it.count == 0)
                    });
                    coverage
                        .properties
                        .extend(unseen.map(|(property, _)| format!("{of}.{property}")));
                }
                Shape::Enum(_, values, _) if is_seen => {
                    let seen = self.table.listed.get(id);
                    let unseen = values
                        .iter()
                        .filter(|value| seen.is_none_or(|seen| !seen.contains(*value)));
                    coverage.values.extend(unseen.map(|value| format!("{of}: {}", quoted(value))));
                }
                _ => {}
            }
        }
        coverage.properties.sort();
        coverage.values.sort();
        coverage.properties.dedup();
        coverage.values.dedup();
        coverage
    }
}

/// Returns a readable name of a place: `Pet.tags[]`, or `GET /pets 200` for a response. The name of a parameter is not a
/// part of its place.
fn name(pointer: &Pointer, parameter: &str) -> String {
    let segments = pointer.segments();
    let mut rest = segments.as_slice();
    let mut name = String::new();
    while let [first, others @ ..] = rest {
        let (next, skipped) = match (*first, others) {
            ("paths", [path, "parameters", ..]) => (format!("`{path}`"), 1),
            ("paths", [path, method, ..]) => (format!("`{} {path}`", method.to_uppercase()), 2),
            ("components", [_, component, ..]) => (format!("`{component}`"), 2),
            ("parameters", [_, ..]) => (format!("the parameter `{parameter}` of {name}"), 1),
            ("headers", [header, ..]) => (format!("the header `{header}` of {name}"), 1),
            ("properties", [property, ..]) => {
                // The name of a property is part of that of its owner.
                let owner = name.strip_suffix('`').filter(|owner| !owner.contains(' '));
                let of_owner = owner.map(|owner| format!("{owner}.{property}`"));
                (of_owner.unwrap_or_else(|| format!("`{property}` of {name}")), 1)
            }
            ("itemSchema", _) => (format!("an item of {name}"), 0),
            ("items", _) => (format!("an element of {name}"), 0),
            ("additionalProperties", _) => (format!("a property of {name}"), 0),
            ("patternProperties", [_, ..]) => (format!("a property of {name}"), 1),
            ("responses", [status, ..]) => (format!("the response {status} of {name}"), 1),
            ("requestBody", _) => (format!("the request of {name}"), 0),
            ("content", [_, ..]) => (name, 1),
            _ => (name, 0),
        };
        (name, rest) = (next, &others[skipped..]);
    }
    name
}
