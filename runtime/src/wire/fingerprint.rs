//! Whether a list or dictionary that had nulls has changed.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::wire::reflect::wire::View;

/// Returns a hash of the scalars in a list or dictionary, without those in objects: deeply nested objects would be
/// visited once per level.
pub(super) fn of(view: &View<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    add(view, &mut hasher);
    hasher.finish()
}

/// Returns whether a list or dictionary had nulls, and is unchanged since.
pub(super) fn matches(fingerprint: Option<u64>, view: &View<'_>) -> bool {
    fingerprint.is_some_and(|fingerprint| fingerprint == of(view))
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
            array.elements().for_each(|element| add(&element.view(), hasher));
        }
        View::Dictionary(entries) => {
            entries.len().hash(hasher);
            entries.each(&mut |name, value| {
                name.hash(hasher);
                add(&value.view(), hasher);
            });
        }
        View::Absent | View::Object | View::Union(_) | View::Value(_) => {}
    }
}
