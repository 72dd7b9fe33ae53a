//! Hashes and the order of models that are keys: objects with only texts.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use crate::wire::reflect::wire::{View, Wire};
use crate::wire::value::Value;

/// Hashes the texts of a key.
pub fn hash<H: Hasher>(key: &dyn Wire, state: &mut H) {
    key.with_fields(|_, fields, _| fields.iter().for_each(|field| text(*field).hash(state)));
}

/// Compares the texts of two keys of a type in the order of the fields, and then their undescribed properties.
pub fn compare(one: &dyn Wire, other: &dyn Wire) -> Ordering {
    let order = one.with_fields(|_, ones, unknown| {
        other.with_fields(|_, others, other_unknown| {
            let texts = ones.iter().map(|field| text(*field));
            let order = texts.cmp(others.iter().map(|field| text(*field)));
            if order.is_ne() || unknown == other_unknown {
                return order;
            }
            let entry = |(name, value): (&String, &Value)| (name.clone(), value.to_string());
            let one = unknown.properties().iter().map(entry);
            one.cmp(other_unknown.properties().iter().map(entry))
        })
    });
    order.flatten().unwrap_or(Ordering::Equal)
}

fn text(field: &dyn Wire) -> Option<&str> {
    match field.view() {
        View::Text(text) | View::Enum(text, _) => Some(text),
        _ => None,
    }
}

/// Allows a model as a key of maps and sets: `key!(UserRef)`. All its fields must be texts.
#[doc(hidden)]
#[macro_export]
macro_rules! __key {
    ($type:ident) => {
        impl ::core::cmp::Eq for $type {}

        impl ::core::hash::Hash for $type {
            #[inline]
            fn hash<H: ::core::hash::Hasher>(&self, state: &mut H) {
                $crate::internal::hash(self, state);
            }
        }

        impl ::core::cmp::Ord for $type {
            #[inline]
            fn cmp(&self, other: &Self) -> ::core::cmp::Ordering {
                $crate::internal::compare(self, other)
            }
        }

        impl ::core::cmp::PartialOrd for $type {
            #[inline]
            fn partial_cmp(&self, other: &Self) -> ::core::option::Option<::core::cmp::Ordering> {
                ::core::option::Option::Some(self.cmp(other))
            }
        }
    };
}
