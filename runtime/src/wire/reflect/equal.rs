//! Equality of models.

use crate::wire::encode::fields::invalid;
use crate::wire::reflect::wire::{Active, Array, Dictionary, View, Wire};

/// Returns whether two values of the same type are equal.
#[expect(clippy::float_cmp, reason = "models are equal as their numbers are: exactly")]
pub fn equal(one: &dyn Wire, other: &dyn Wire) -> bool {
    match (one.view(), other.view()) {
        (View::Absent, View::Absent) => true,
        (View::Bool(one), View::Bool(other)) => one == other,
        (View::Integer(one), View::Integer(other)) => one == other,
        (View::F64(one), View::F64(other)) => one == other,
        (View::Text(one), View::Text(other))
        | (View::Enum(one, _), View::Enum(other, _))
        | (View::Exact(one), View::Exact(other)) => one == other,
        (View::Scalar(one), View::Scalar(other)) => one.to_string() == other.to_string(),
        (View::Own(one), View::Own(other)) => one.written() == other.written(),
        (View::Upload(one), View::Upload(other)) => one == other,
        (View::Secret(one), View::Secret(other)) => equal(one, other),
        (View::Object, View::Object) => objects(one, other),
        (View::Union(one), View::Union(other)) => variants(one.active(), other.active()),
        (View::Choice(one), View::Choice(other)) => variants(one.active(), other.active()),
        (View::Array(one), View::Array(other)) => arrays(one, other),
        (View::Dictionary(one), View::Dictionary(other)) => dictionaries(one, other),
        (View::Value(one), View::Value(other)) => one == other,
        _ => false,
    }
}

fn objects(one: &dyn Wire, other: &dyn Wire) -> bool {
    let same = one.with_fields(|table, ones, unknown| {
        other.with_fields(|_, others, other_unknown| {
            unknown == other_unknown
                && invalid(table, ones, unknown) == invalid(table, others, other_unknown)
                && ones.iter().zip(others).all(|(one, other)| equal(*one, *other))
        })
    });
    same.flatten().unwrap_or_default()
}

fn variants<U: PartialEq>(one: Active<'_, U>, other: Active<'_, U>) -> bool {
    match (one, other) {
        (Active::Known(index, one), Active::Known(same, other)) => {
            index == same && equal(one, other)
        }
        (Active::Unknown(one), Active::Unknown(other)) => one == other,
        _ => false,
    }
}

fn arrays(one: &dyn Array, other: &dyn Array) -> bool {
    one.len() == other.len()
        && one.elements().zip(other.elements()).all(|(one, other)| equal(one, other))
}

fn dictionaries(one: &dyn Dictionary, other: &dyn Dictionary) -> bool {
    let mut same = one.len() == other.len();
    one.each(&mut |name, value| {
        same = same && other.get(name).is_some_and(|other| equal(value, other));
    });
    same
}
