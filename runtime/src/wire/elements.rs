//! Decodes lists and dictionaries.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess};

use super::container::{Array, Dictionary};
use super::encode::fingerprint;
use super::form::Form;
use super::kept::{Step, Was};
use super::notes::Notes;
use super::seed::{Outcome, Seed};
use super::view::View;

/// Decodes into a list.
pub(super) fn array<'de, A: SeqAccess<'de>>(
    array: &mut dyn Array,
    form: Form,
    notes: &mut Notes,
    mut seq: A,
) -> Result<(), A::Error> {
    array.clear();
    let mut nulls = Vec::new();
    let mut index = 0;
    loop {
        let mark = notes.mark();
        match seq.next_element_seed(Element { array, form, notes }) {
            Ok(Some(Outcome::Value)) => {
                if notes.mark() != mark {
                    notes.step(mark, &Step::Index(index - nulls.len()));
                }
            }
            Ok(Some(Outcome::Null)) => {
                array.pop();
                nulls.push(Step::Index(index));
            }
            Ok(None) => break,
            Err(error) => {
                notes.trail.push(Step::Index(index));
                return Err(error);
            }
        }
        index += 1;
    }
    if !nulls.is_empty() {
        notes.spelled(Was::Nulls { among: fingerprint(&View::Array(array)), at: nulls });
    }
    Ok(())
}

/// An element that is added to its list once it is certain to come.
struct Element<'a> {
    array: &'a mut dyn Array,
    form: Form,
    notes: &'a mut Notes,
}

impl<'de> DeserializeSeed<'de> for Element<'_> {
    type Value = Outcome;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Outcome, D::Error> {
        Seed { wire: self.array.push(), form: self.form, notes: self.notes }
            .deserialize(deserializer)
    }
}

/// Decodes into an object whose members all have one type.
pub(super) fn dictionary<'de, A: MapAccess<'de>>(
    entries: &mut dyn Dictionary,
    form: Form,
    notes: &mut Notes,
    mut map: A,
) -> Result<(), A::Error> {
    entries.clear();
    let start = notes.mark();
    let mut nulls = BTreeSet::new();
    while let Some(name) = map.next_key::<String>()? {
        if entries.contains(&name) {
            let step = Step::Name(Cow::Owned(name.clone()));
            notes.forget(start, &step);
        }
        let mark = notes.mark();
        let outcome = map.next_value_seed(Seed { wire: entries.insert(name.clone()), form, notes });
        let step = Step::Name(Cow::Owned(name));
        match outcome {
            Ok(Outcome::Value) => {
                nulls.remove(&step);
                if notes.mark() != mark {
                    notes.step(mark, &step);
                }
            }
            Ok(Outcome::Null) => {
                if let Step::Name(name) = &step {
                    entries.remove(name);
                }
                nulls.insert(step);
            }
            Err(error) => {
                notes.trail.push(step);
                return Err(error);
            }
        }
    }
    if !nulls.is_empty() {
        notes.spelled(Was::Nulls {
            among: fingerprint(&View::Dictionary(entries)),
            at: nulls.into_iter().collect(),
        });
    }
    Ok(())
}
