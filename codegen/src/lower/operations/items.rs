//! The items of streams: the `itemSchema` of OpenAPI 3.2, and what older documents have instead.

use crate::diagnostics::{Code, Place};
use crate::document::{Pointer, Schema, View};
use crate::facts::Known;
use crate::ir::{JsonKind, StreamKind};
use crate::lower::Context;
use crate::media_type::MediaKind;

/// The fields of an event (WHATWG HTML, section 9.2.6).
const FIELDS: [&str; 4] = ["data", "event", "id", "retry"];

/// The name of an event without one.
const MESSAGE: &str = "message";

/// Returns the schema of the items of a stream: `itemSchema`, or, if the `schema` of the stream is a list, the schema of
/// its items (OpenAPI 3.2, "Sequential Media Types").
pub fn of<'d>(media: &View<'d>, known: &Known<'d>) -> Option<Schema<'d>> {
    media.item_schema().or_else(|| {
        let values = known.values(&media.schema()?);
        values.items().filter(|_| values.only_kind() == Some(JsonKind::Array)).cloned()
    })
}

/// The contents of a stream by the names of events: JSON, or else text.
pub type Contents<'d> = Vec<(String, Option<Schema<'d>>)>;

/// Returns the contents that the schema of the items, or else of the stream, describes: the only one, or those of events.
/// There are none if names do not decide which type the data has.
pub fn contents<'d>(
    media: &View<'d>,
    kind: StreamKind,
    described: &Schema<'d>,
    sentinel: &str,
    known: &Known<'d>,
) -> Contents<'d> {
    let one = |content| vec![(String::new(), content)];
    if kind != StreamKind::Events {
        return one(Some(described.clone()));
    }
    let facts = known.facts(described);
    let has = |name| facts.properties.contains_key(name);
    if !has("data") {
        return one(json(described, known));
    }
    let alternatives =
        EventReader { known, open: Vec::new() }.alternatives(described, &Event::default());
    let others = alternatives.iter().filter(|event| event.has_others).count();
    // Without the other fields, an object with data can be the data itself.
    let has_fields = (has("event") || has("retry")) && 2 * others < alternatives.len();
    if !media.has("itemSchema") && !has_fields {
        return one(json(described, known));
    }
    let mut contents = Vec::new();
    for event in alternatives {
        let is_last =
            |data: &Schema<'d>| known.values(data).constant().as_deref() == Some(sentinel);
        let Some(data) = event.data.filter(|data| !is_last(data)) else { continue };
        let unnamed = event.names.is_empty().then(|| MESSAGE.to_owned());
        let names = event.names.into_iter().chain(unnamed);
        contents.extend(names.map(|name| (name, json(&data, known))));
    }
    distinguished(contents)
}

/// Retains one of equal contents, and none if an event has several.
fn distinguished(mut all: Contents<'_>) -> Contents<'_> {
    let is_same = |one: &Option<Schema<'_>>, other: &Option<Schema<'_>>| match (one, other) {
        (Some(one), Some(other)) => one.is_same(other),
        _ => one.is_none() && other.is_none(),
    };
    if all.iter().all(|(_, content)| is_same(content, &all[0].1)) {
        all.truncate(1);
    }
    all.sort_by(|(one, _), (other, _)| one.cmp(other));
    all.dedup_by(|(one, of), (other, same)| one == other && is_same(of, same));
    if all.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        all.clear();
    }
    all
}

/// Returns the schema of the JSON in the data of an event: the content of a text, or JSON itself. None for plain text.
fn json<'d>(data: &Schema<'d>, known: &Known<'d>) -> Option<Schema<'d>> {
    let is_json = |name| MediaKind::of(name) == MediaKind::Json;
    let has_json = data.text("contentMediaType").is_none_or(is_json);
    let content = data.at_keyword("contentSchema").filter(|_| has_json);
    content.or_else(|| {
        (known.values(data).only_kind() != Some(JsonKind::String)).then(|| data.clone())
    })
}

/// An event as one of the alternatives of a schema describes it.
#[derive(Clone, Default)]
struct Event<'d> {
    /// The names that it can have. Empty if it can have any.
    names: Vec<String>,
    data: Option<Schema<'d>>,
    /// Whether it has properties that no event has.
    has_others: bool,
}

/// Maximum number of alternatives of a schema: parts with several each could multiply them.
const MAX_ALTERNATIVES: usize = 1_000;

impl<'d> Event<'d> {
    /// Adds the properties of a schema. A schema of the data replaces one that describes less (`says`).
    fn add(&mut self, schema: &Schema<'d>, known: &Known<'d>) {
        for (name, property) in schema.properties() {
            match name {
                "data" => {
                    let says = |data: &Schema<'d>| says(data, known);
                    let more = self.data.take().filter(|data| says(data) > says(&property));
                    self.data = Some(more.unwrap_or(property));
                }
                "event" => {
                    if let Some(names) = known.values(&property).constants() {
                        self.names = names.iter().map(|name| name.text().to_owned()).collect();
                    }
                }
                _ => self.has_others |= !FIELDS.contains(&name),
            }
        }
    }
}

/// Returns whether a schema of the data describes anything, and whether that is more than a text, which all data is.
fn says<'d>(data: &Schema<'d>, known: &Known<'d>) -> (bool, bool) {
    let values = known.values(data);
    let is_text = values.only_kind() == Some(JsonKind::String);
    let is_content = data.get("contentSchema").is_some() || values.constants().is_some();
    (is_content || !values.is_any(), is_content || !is_text && !values.is_any())
}

/// Reads the alternatives of a schema of events.
struct EventReader<'k, 'd> {
    known: &'k Known<'d>,
    /// The targets of the references that are being followed.
    open: Vec<Pointer>,
}

impl<'d> EventReader<'_, 'd> {
    /// Returns the alternatives of a schema of events. Each has the fields that `outer` describes, too.
    fn alternatives(&mut self, schema: &Schema<'d>, outer: &Event<'d>) -> Vec<Event<'d>> {
        if let Some(target) = schema.target() {
            if self.open.contains(&target.pointer) {
                return vec![outer.clone()];
            }
            self.open.push(target.pointer.clone());
            let found = self.alternatives(&target, outer);
            self.open.pop();
            return found;
        }
        let parts = schema.all_of().into_iter();
        let mut events =
            parts.fold(vec![outer.clone()], |events, part| self.each(&events, &[part]));
        for event in &mut events {
            event.add(schema, self.known);
        }
        for choice in [schema.any_of(), schema.one_of()] {
            // A branch that extends its base is no alternative of it.
            let mut targets = choice.iter().filter_map(Schema::target);
            if !choice.is_empty() && !targets.any(|target| self.open.contains(&target.pointer)) {
                events = self.each(&events, &choice);
            }
        }
        events
    }

    /// Returns the alternatives of a choice within each of some events.
    fn each(&mut self, events: &[Event<'d>], choice: &[Schema<'d>]) -> Vec<Event<'d>> {
        let mut found = Vec::new();
        for event in events {
            for part in choice {
                if found.len() < MAX_ALTERNATIVES {
                    found.extend(self.alternatives(part, event));
                }
            }
        }
        found.truncate(MAX_ALTERNATIVES);
        found
    }
}

/// Warns of the items of a media type that is not read in parts.
pub fn warn(media: &View<'_>, context: &Context<'_>) {
    if let Some(items) = media.child("itemSchema") {
        let message =
            "`itemSchema` is ignored: it is read in events, lines of JSON, and parts of requests";
        let help = "the body is sent and received as a whole";
        context.report(Code::Unread, Place::key(&items.pointer), message.to_owned()).help(help);
    }
}
