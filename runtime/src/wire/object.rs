//! Objects whose members are described.

use super::form::Form;
use super::lookup::Index;
use super::{UnknownMembers, Wire};

/// What is called with the description of an object's members, with its fields, and with what it keeps beside them. The
/// fields are those of the members in order, and then the one for additional properties.
pub type VisitSlots<'v> = &'v mut dyn FnMut(&'static Table, &[&dyn Wire], &UnknownMembers);

/// What is called with the same for writing.
pub type VisitSlotsMut<'v> =
    &'v mut dyn FnMut(&'static Table, &mut [&mut dyn Wire], &mut UnknownMembers);

/// An object whose members are described.
pub trait Object {
    /// Shows the fields.
    fn slots(&self, visit: VisitSlots<'_>);

    /// Gives the fields out for writing.
    fn slots_mut(&mut self, visit: VisitSlotsMut<'_>);

    /// Returns what the object keeps beside its fields.
    fn unknown(&self) -> &UnknownMembers;
}

/// The description of a type's members.
pub struct Table {
    /// The name of the type.
    pub name: &'static str,
    /// The members, in the order of the fields.
    pub members: &'static [Member],
    /// Whether a member is a group.
    pub groups: bool,
    /// Whether a member is required.
    pub required: bool,
    /// The last field, if it is no member but takes the members that are not described.
    pub additional: &'static [Additional],
    /// Finds members by name.
    pub index: Index,
}

/// The field that takes the members that are not described.
pub struct Additional {
    /// The name of the field.
    pub field: &'static str,
    /// How the values are spelled.
    pub form: Form,
}

/// The description of a member.
pub struct Member {
    /// The name of the field or variant.
    pub field: &'static str,
    /// The name on the wire; empty for a group.
    pub name: &'static str,
    /// The name as it stands in JSON, with all that is around it, if nothing in it must be escaped.
    pub lead: &'static str,
    /// How the value is spelled.
    pub form: Form,
    /// Whether the member is always written, absent or not.
    pub required: bool,
    /// Whether the field is a union whose members stand beside those of the object.
    pub group: bool,
}

/// Implements the wire format of a struct: `object! { Name { field: "member", … } unknown }`.
///
/// - `field: "member"` is an optional member, `field!: "member"` one that is always written;
/// - `field: "member" as Int64Text` names a [`Spelling`](crate::internal::Spelling);
/// - `field: ..` is a union whose members stand beside those of the object;
/// - `unknown` at the end is the field for undescribed members; `additional: field` instead gives them to a field of
///   their own, and the field `unknown` takes what remains.
#[doc(hidden)]
#[macro_export]
macro_rules! __object {
    (
        $type:ident {
            $(
                $field:ident $(! $(# $required:tt)?)? : $($name:literal)? $(.. $(# $group:tt)?)? $(as $spelling:path)?
            ),* $(,)?
        }
        $(unknown $(# $closed:tt)?)?
        $(additional: $additional:ident $(as $additional_spelling:path)?)?
    ) => {
        const _: () = {
            static TABLE: $crate::internal::Table = $crate::internal::Table {
                name: stringify!($type),
                members: &[$(
                    $crate::internal::Member {
                        field: stringify!($field),
                        name: concat!($($name)?),
                        lead: concat!(",\"", $($name,)? "\":"),
                        form: $crate::internal::Form::Natural
                            $(.spelled(<$spelling as $crate::internal::Spelling>::FORM))?,
                        required: false $($(# $required)? || true)?,
                        group: false $($(# $group)? || true)?,
                    },
                )*],
                groups: false $($($(# $group)? || true)?)*,
                required: false $($($(# $required)? || true)?)*,
                additional: &[$($crate::internal::Additional {
                    field: stringify!($additional),
                    form: $crate::internal::Form::Natural$(.spelled(<$additional_spelling as $crate::internal::Spelling>::FORM))?,
                })?],
                index: $crate::internal::Index::new(),
            };

            impl $crate::internal::Object for $type {
                fn slots(&self, visit: $crate::internal::VisitSlots<'_>) {
                    visit(&TABLE, &[$(&self.$field,)* $(&self.$additional)?], &self.unknown);
                }

                fn slots_mut(&mut self, visit: $crate::internal::VisitSlotsMut<'_>) {
                    visit(&TABLE, &mut [$(&mut self.$field,)* $(&mut self.$additional)?], &mut self.unknown);
                }

                fn unknown(&self) -> &$crate::internal::UnknownMembers {
                    &self.unknown
                }
            }
        };

        $crate::__model!($type, Object);
    };
}

/// Implements what objects and unions have in common, over the trait that tells them apart.
#[doc(hidden)]
#[macro_export]
macro_rules! __model {
    ($type:ident, $kind:ident) => {
        impl $crate::internal::Wire for $type {
            fn target(&mut self) -> $crate::internal::Target<'_> {
                $crate::internal::Target::$kind(self)
            }

            fn view(&self) -> $crate::internal::View<'_> {
                $crate::internal::View::$kind(self)
            }
        }

        impl $crate::internal::Model for $type {}

        impl ::core::fmt::Debug for $type {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $crate::internal::debug(self, f)
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
            fn serialize<S: $crate::internal::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                $crate::internal::serialize(self, serializer)
            }
        }

        impl<'de> $crate::internal::Deserialize<'de> for $type {
            fn deserialize<D: $crate::internal::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                $crate::internal::deserialize(deserializer)
            }
        }
    };
}
