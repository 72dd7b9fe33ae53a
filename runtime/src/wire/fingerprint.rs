//! Whether a list or dictionary still holds the elements that nulls were among.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::wire::reflect::wire::View;

/// Returns a number that changes with the scalars of a list or dictionary. What objects hold does not count, so that
/// those around many levels of nesting are not visited once for each level.
pub(super) fn of(view: &View<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    add(view, &mut hasher);
    hasher.finish()
}

fn add(view: &View<'_>, hasher: &mut DefaultHasher) {
    match *view {
        View::Bool(value) => value.hash(hasher),
        View::Signed(value) => value.hash(hasher),
        View::Unsigned(value) => value.hash(hasher),
        View::F32(value) => value.to_bits().hash(hasher),
        View::F64(value) => value.to_bits().hash(hasher),
        View::Text(text) => text.hash(hasher),
        View::Timestamp(value) => value.hash(hasher),
        View::Secret(inner) => add(&inner.view(), hasher),
        View::Array(array) => {
            array.len().hash(hasher);
            for element in (0..array.len()).filter_map(|index| array.get(index)) {
                add(&element.view(), hasher);
            }
        }
        View::Dictionary(entries) => {
            entries.len().hash(hasher);
            entries.each(&mut |name, value| {
                name.hash(hasher);
                add(&value.view(), hasher);
            });
        }
        View::Absent | View::Object | View::Union(_) | View::Value(_) | View::Map(_) => {}
    }
}
