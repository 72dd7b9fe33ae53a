//! The items of streams: the `itemSchema` of OpenAPI 3.2, and what older documents have instead.

use crate::diagnostics::{Code, Place};
use crate::document::{Pointer, Schema, View};
use crate::facts::{Facts, Known};
use crate::ir::{Constant, JsonKind, StreamKind};
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
    context: &Context<'d>,
) -> Contents<'d> {
    let known = &*context.reading;
    let one = |content| vec![(String::new(), content)];
    if kind != StreamKind::Events {
        return one(Some(described.clone()));
    }
    let facts = known.facts(described);
    let has = |name| facts.properties.contains_key(name);
    if !has("data") {
        return one(json(described, known));
    }
    let alternatives = EventReader { known, open: Vec::new() }.alternatives(described, &Facts::ANY);
    let has_others = |event: &&Facts<'_>| event.properties.keys().any(|it| !FIELDS.contains(it));
    let others = alternatives.iter().filter(has_others).count();
    // Without the other fields, an object with data can be the data itself.
    let has_fields = (has("event") || has("retry")) && 2 * others < alternatives.len();
    if !media.has("itemSchema") && !has_fields {
        return one(json(described, known));
    }
    let mut contents = Vec::new();
    for event in alternatives {
        let is_last =
            |data: &Schema<'d>| known.values(data).constant().as_deref() == Some(sentinel);
        let place = event.properties.get("data").map(|data| data.place.clone());
        let data = place.and_then(|place| context.document.at(place)).map(Schema::from);
        let Some(data) = data.filter(|data| !is_last(data)) else { continue };
        let names = event.constants("event").filter(|names| !names.is_empty());
        let unnamed = names.is_none().then_some(MESSAGE);
        let names = names.into_iter().flatten().map(Constant::text).chain(unnamed);
        contents.extend(names.map(|name| (name.to_owned(), json(&data, known))));
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

/// Maximum number of alternatives of a schema: parts with several each could multiply them.
const MAX_ALTERNATIVES: usize = 1_000;

/// Reads the alternatives of a schema of events.
struct EventReader<'k, 'd> {
    known: &'k Known<'d>,
    /// The targets of the references that are being followed.
    open: Vec<Pointer>,
}

impl<'d> EventReader<'_, 'd> {
    /// Returns the facts about each alternative of a schema of events, which has the fields that `outer` describes, too.
    fn alternatives(&mut self, schema: &Schema<'d>, outer: &Facts<'d>) -> Vec<Facts<'d>> {
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
        let own = self.known.own_facts(schema);
        // What says of the data at most that it is text, which all data is, replaces nothing.
        let says_little = |(name, data): (&str, Schema<'d>)| {
            let values = self.known.values(&data);
            let is_text = values.is_any() || values.only_kind() == Some(JsonKind::String);
            name == "data" && is_text && values.constants().is_none() && !data.has("contentSchema")
        };
        let says_little = schema.properties().any(says_little);
        for event in &mut events {
            let mut own = own.clone();
            if says_little && event.properties.contains_key("data") {
                own.properties.remove("data");
            }
            *event = event.clone().meet(own);
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
    fn each(&mut self, events: &[Facts<'d>], choice: &[Schema<'d>]) -> Vec<Facts<'d>> {
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
