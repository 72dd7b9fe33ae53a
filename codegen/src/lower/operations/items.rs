//! The items of streams: the `itemSchema` of OpenAPI 3.2, and what older documents have instead.

use crate::diagnostics::{Code, Diagnostics, Place};
use crate::document::{Schema, View};
use crate::facts::{Facts, Read, Values};
use crate::ir::{JsonKind, StreamKind};

/// The fields of an event (WHATWG HTML, section 9.2.6).
const FIELDS: [&str; 4] = ["data", "event", "id", "retry"];

/// Returns the schema of the items of a stream: `itemSchema`, or that of the items of a list, as which the `schema` of a
/// stream describes it (OpenAPI 3.2, "Sequential Media Types").
pub fn of<'d>(media: &View<'d>) -> Option<Schema<'d>> {
    media.item_schema().or_else(|| {
        let values = Values::of(&media.schema()?);
        values.items().filter(|_| values.only_kind() == Some(JsonKind::Array)).cloned()
    })
}

/// Returns the schema of the JSON in each event or line. `None` if the data of events is of several types.
pub fn json<'d>(media: &View<'d>, kind: StreamKind, described: Schema<'d>) -> Option<Schema<'d>> {
    if kind != StreamKind::Events {
        return Some(described);
    }
    let facts = Facts::of(&described);
    let has = |name| facts.properties.contains_key(name);
    // Without the other fields, an object with data can be the data itself.
    let is_event = has("data")
        && (media.has("itemSchema")
            || (has("event") || has("retry"))
                && facts.properties.keys().all(|name| FIELDS.contains(name)));
    if is_event { data(&described) } else { Some(described) }
}

/// Returns the schema of the data of events: the content of a text, or JSON. `None` if there are several.
fn data<'d>(event: &Schema<'d>) -> Option<Schema<'d>> {
    let mut found = Vec::new();
    add_data(event, &mut found, MAX_DEPTH);
    let mut found = found.into_iter().map(|data| data.content().unwrap_or(data));
    let first = found.next()?;
    found.all(|other| other.is_same(&first)).then_some(first)
}

/// Maximum number of references and alternatives around the data of an event.
const MAX_DEPTH: usize = 5;

fn add_data<'d>(event: &Schema<'d>, found: &mut Vec<Schema<'d>>, depth: usize) {
    let Some(depth) = depth.checked_sub(1) else { return };
    if let Some(target) = event.target() {
        return add_data(&target, found, depth);
    }
    found.extend(event.properties().find(|(name, _)| *name == "data").map(|(_, data)| data));
    for part in [event.all_of(), event.any_of(), event.one_of()].iter().flatten() {
        add_data(part, found, depth);
    }
}

/// Warns of the items of a media type that is not read in parts.
pub fn warn(media: &View<'_>, diagnostics: &mut Diagnostics) {
    if let Some(items) = media.child("itemSchema") {
        let message =
            "`itemSchema` is ignored: it is read in events, lines of JSON, and parts of requests";
        diagnostics
            .warning(Code::Unread, Place::key(&items.pointer), message.to_owned())
            .help("the body is sent and received as a whole");
    }
}
