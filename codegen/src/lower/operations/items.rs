//! The items of streams: the `itemSchema` of OpenAPI 3.2.

use crate::diagnostics::{Diagnostics, Place};
use crate::document::{Schema, View};

/// Returns the schema of the JSON in the data of events, which `contentSchema` describes; the schema of the items
/// themselves, if they have no data. `None` if the data is text, or of several types.
pub fn data<'d>(event: &Schema<'d>) -> Option<Schema<'d>> {
    let mut found = Vec::new();
    add_data(event, &mut found, MAX_DEPTH);
    match found.as_slice() {
        [] => Some(event.clone()),
        [first, others @ ..] => {
            let first = first.content()?;
            let is_first =
                |other: &Schema<'d>| other.content().is_some_and(|it| it.is_same(&first));
            others.iter().all(is_first).then_some(first)
        }
    }
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
            .warning("unread", Place::key(&items.pointer), message.to_owned())
            .help("the body is sent and received as a whole");
    }
}
