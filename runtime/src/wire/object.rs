//! Objects whose members are described.

use super::table::Table;
use super::{UnknownMembers, Wire};

/// Takes the description of an object's members, its fields, and what it keeps beside them.
pub struct Fields<'v, 'a>(&'v mut Visit<'v, 'a>);

type Visit<'v, 'a> = dyn FnMut(&'static Table, &[&'a dyn Wire], &'a UnknownMembers) + 'v;

/// Takes the fields of an object, and what it keeps beside them, for writing.
pub struct FieldsMut<'v>(&'v mut dyn FnMut(&mut [&mut dyn Wire], &mut UnknownMembers));

impl<'a> Fields<'_, 'a> {
    /// Takes them. The fields are those of the members, in the order of the table, and then the one for the members that
    /// are not described.
    pub fn take(self, table: &'static Table, fields: &[&'a dyn Wire], unknown: &'a UnknownMembers) {
        (self.0)(table, fields, unknown);
    }
}

impl<'v> FieldsMut<'v> {
    /// Returns what calls `visit`.
    pub(super) fn new(visit: &'v mut dyn FnMut(&mut [&mut dyn Wire], &mut UnknownMembers)) -> Self {
        Self(visit)
    }

    /// Takes them, in the same order.
    pub fn take(self, fields: &mut [&mut dyn Wire], unknown: &mut UnknownMembers) {
        (self.0)(fields, unknown);
    }
}

impl dyn Wire + '_ {
    /// Calls `visit` with the table, the fields and what is kept, if this is an object whose members are described.
    pub(super) fn with_fields<'a>(
        &'a self,
        mut visit: impl FnMut(&'static Table, &[&'a dyn Wire], &'a UnknownMembers),
    ) {
        self.fields(Fields(&mut visit));
    }

    /// Returns what is kept beside the fields, if this is an object whose members are described.
    pub(super) fn unknown(&self) -> Option<&UnknownMembers> {
        let mut kept = None;
        self.with_fields(|_, _, unknown| kept = Some(unknown));
        kept
    }

    /// Calls `visit` with the fields and what is kept, if this is an object whose members are described.
    pub(super) fn with_fields_mut(
        &mut self,
        mut visit: impl FnMut(&mut [&mut dyn Wire], &mut UnknownMembers),
    ) {
        self.fields_mut(FieldsMut::new(&mut visit));
    }
}

/// Puts the defaults back.
pub(super) fn clear(fields: &mut [&mut dyn Wire], unknown: &mut UnknownMembers) {
    for field in fields {
        field.clear();
    }
    unknown.clear();
}

/// Implements the wire format of a struct: `object! { Name { field: "member", … } unknown }`.
///
/// - `field: "member"` is an optional member, `field!: "member"` one that is always written;
/// - `field: "member" as text` has integers that are spelled as strings;
/// - `field: ..` is a union whose members stand beside those of the object;
/// - `unknown` at the end is the field for undescribed members; `additional: field` instead gives them to a field of
///   their own, and the field `unknown` takes what remains.
#[doc(hidden)]
#[macro_export]
macro_rules! __object {
    (
        $type:ident {
            $(
                $field:ident $(! $(# $required:tt)?)? : $($name:literal)? $(.. $(# $group:tt)?)? $(as text $(# $text:tt)?)?
            ),* $(,)?
        }
        $(unknown $(# $closed:tt)?)?
        $(additional: $additional:ident $(as text $(# $additional_text:tt)?)?)?
    ) => {
        impl $crate::internal::Wire for $type {
            #[inline]
            fn fields<'a>(&'a self, fields: $crate::internal::Fields<'_, 'a>) {
                static TABLE: $crate::internal::Table = $crate::internal::Table::new(concat!(
                    stringify!($type),
                    $(
                        "\u{1e}", stringify!($field), "\u{1f}", $($name,)? "\u{1f}",
                        $($(# $required)? "!",)? $($(# $group)? ".",)? $($(# $text)? "t",)?
                    )*
                    $("\u{1e}", stringify!($additional), "\u{1f}\u{1f}*", $($(# $additional_text)? "t")?)?
                ));
                fields.take(&TABLE, &[$(&self.$field,)* $(&self.$additional)?], &self.unknown)
            }

            #[inline]
            fn fields_mut(&mut self, fields: $crate::internal::FieldsMut<'_>) {
                fields.take(&mut [$(&mut self.$field,)* $(&mut self.$additional)?], &mut self.unknown)
            }
        }

        $crate::__model!($type);
    };
}

/// Implements what objects and unions have in common by way of [`Wire`].
#[doc(hidden)]
#[macro_export]
macro_rules! __model {
    ($type:ident) => {
        impl ::core::fmt::Debug for $type {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $crate::internal::debug(self, f)
            }
        }

        impl ::core::cmp::PartialEq for $type {
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                $crate::internal::equal(self, other)
            }
        }

        $crate::__serde!($type);
    };
}

/// Implements serde's traits by way of [`Wire`].
#[doc(hidden)]
#[macro_export]
macro_rules! __serde {
    ($type:ident) => {
        impl $crate::internal::Serialize for $type {
            #[inline]
            fn serialize<S: $crate::internal::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                $crate::internal::serialize(self, serializer)
            }
        }

        impl<'de> $crate::internal::Deserialize<'de> for $type {
            #[inline]
            fn deserialize<D: $crate::internal::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                $crate::internal::deserialize(deserializer)
            }
        }
    };
}
