//! The nulls of JSON merge patches, which remove properties (RFC 7396).

use crate::wire::Plain;

/// The paths of the properties that a merge patch removes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nulls(Vec<Vec<String>>);

impl Nulls {
    pub(super) fn add(&mut self, path: Vec<String>) {
        self.0.push(path);
    }

    /// Returns whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes the nulls into a merge patch, and returns it.
    pub(super) fn write_to(&self, mut patch: Plain) -> Result<Plain, String> {
        for names in &self.0 {
            write(&mut patch, names).ok_or_else(|| {
                let place = names.join("/");
                format!("the null at `{place}` cannot be sent: its parent is not an object")
            })?;
        }
        Ok(patch)
    }
}

/// Writes a null at a path, with the objects that contain it. Fails at a value that is not an object.
fn write(patch: &mut Plain, names: &[String]) -> Option<()> {
    let (first, inner) = names.split_first()?;
    let first = patch.property(first)?;
    *inner.iter().try_fold(first, |value, name| value.property(name))? = Plain::Null;
    Some(())
}
