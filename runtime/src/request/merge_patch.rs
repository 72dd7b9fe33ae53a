//! The nulls of JSON merge patches, which remove properties (RFC 7396).

use crate::wire::Plain;

/// Returns a merge patch with nulls at these paths.
pub(super) fn with_nulls(mut patch: Plain, paths: &[Vec<String>]) -> Result<Plain, String> {
    for names in paths {
        write(&mut patch, names).ok_or_else(|| {
            let place = names.join("/");
            format!("the null at `{place}` cannot be sent: its parent is not an object")
        })?;
    }
    Ok(patch)
}

/// Writes a null at a path, with the objects that contain it. Fails at a value that is not an object.
fn write(patch: &mut Plain, names: &[String]) -> Option<()> {
    let (first, inner) = names.split_first()?;
    let first = patch.property(first)?;
    *inner.iter().try_fold(first, |value, name| value.property(name))? = Plain::Null;
    Some(())
}
