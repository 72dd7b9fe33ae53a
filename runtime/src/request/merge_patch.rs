//! The nulls of JSON merge patches, which remove properties (RFC 7396).

use crate::wire::{Map, Value};

/// The paths of the properties that a merge patch removes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nulls(Vec<Vec<String>>);

impl Nulls {
    /// Adds a path.
    pub(super) fn add(&mut self, path: Vec<String>) {
        self.0.push(path);
    }

    /// Returns whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes the nulls into a merge patch.
    pub(super) fn write_to(&self, patch: &mut Value) -> Result<(), String> {
        self.0.iter().try_for_each(|names| {
            write(patch, names).ok_or_else(|| {
                let place = names.join("/");
                format!("the null at `{place}` cannot be sent: what contains it is no object")
            })
        })
    }
}

/// Writes a null at a path, with the objects that contain it. Fails at a value that is not an object.
fn write(patch: &mut Value, names: &[String]) -> Option<()> {
    let (last, outer) = names.split_last()?;
    let mut object = patch.as_object_mut()?;
    for name in outer {
        let inner = object.entry(name).or_insert_with(|| Value::Object(Map::new()));
        object = inner.as_object_mut()?;
    }
    object.insert(last.clone(), Value::Null);
    Some(())
}
