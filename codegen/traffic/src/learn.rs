//! Values that no schema describes: the names that objects have, and the join of their values.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::secrets::repeats;
use super::seen::{MAX_NAMES, Moment, Tally};
use super::table::{Id, Slot, Table};
use super::value::{Value, is_placeholder};

impl Table<'_> {
    /// Adds a name that no schema describes, with its value.
    pub fn add_name(
        &mut self,
        names: &mut BTreeMap<Box<str>, (Tally, Id)>,
        name: &str,
        value: Option<&Value<'_>>,
        moment: Moment,
    ) {
        let has_room = |name: &Cow<'_, str>| names.len() < MAX_NAMES || names.contains_key(&**name);
        let Some(name) = self.shown(name).filter(has_room) else {
            self.beyond += 1;
            return;
        };
        if !names.contains_key(&*name) {
            names.insert((&*name).into(), (Tally::default(), self.undescribed()));
        }
        let Some((tally, place)) = names.get_mut(&*name) else { return };
        let is_repeated = value.is_some_and(|value| repeats(&self.secrets, value));
        let moment = Moment { is_secret: moment.is_secret || is_repeated, ..moment };
        let moment = self.of(&name, moment);
        tally.add(moment, value.unwrap_or(&Value::Null));
        if let Some(value) = value {
            self.learn(*place, value, moment);
        }
    }

    pub fn learn(&mut self, id: Id, value: &Value<'_>, moment: Moment) {
        // A recorder writes placeholders for secrets of all kinds in requests.
        let is_sent = moment.origin.status.is_none();
        if is_sent && matches!(value, Value::Text(text) if is_placeholder(text)) {
            return;
        }
        let Some(Slot::Learned(learned)) = self.places.get_mut(id) else { return };
        learned.add(value);
        // What is learned of the places in it is joined with what was learned of others.
        let mut learned = std::mem::take(learned);
        match value {
            Value::List(items) => {
                let place = *learned.items.get_or_insert_with(|| self.undescribed());
                for item in items {
                    self.learn(place, item, moment);
                }
            }
            Value::Object(members) => {
                for (name, member) in members {
                    let is_new = !learned.properties.contains_key(&**name);
                    let is_full = learned.properties.len() == MAX_NAMES;
                    let is_shown = self.shown(name).is_some_and(|shown| shown == *name);
                    if is_new && is_full || !is_shown || moment.is_secret {
                        learned.is_map = true;
                        continue;
                    }
                    if is_new {
                        learned.properties.insert((&**name).into(), (0, self.undescribed()));
                    }
                    if let Some((count, place)) = learned.properties.get_mut(&**name) {
                        *count += 1;
                        self.learn(*place, member, self.of(name, moment));
                    }
                }
            }
            _ => {}
        }
        if let Some(place) = self.places.get_mut(id) {
            *place = Slot::Learned(learned);
        }
    }
}
