//! Objects that hold one of several members.

use super::object::{Member, Table};
use super::{Map, Value, Wire};

/// An object that holds one of several members.
pub trait Union {
    /// Returns the description of the members.
    fn table(&self) -> &'static Table;

    /// Returns what the object holds.
    fn active(&self) -> Active<'_>;

    /// Returns what the object holds, for writing.
    fn active_mut(&mut self) -> ActiveMut<'_>;

    /// Makes the object hold the default of the member at this index of the table, or no known member.
    fn choose(&mut self, index: Option<usize>);
}

impl dyn Union + '_ {
    /// Makes the object hold no known member, but this one as it came.
    pub(super) fn hold(&mut self, name: String, value: Value) {
        self.hold_all(std::iter::once((name, value)));
    }

    /// Makes the object hold no known member, but these as they came.
    pub(super) fn hold_all(&mut self, members: impl IntoIterator<Item = (String, Value)>) {
        if let ActiveMut::Known(_) = self.active_mut() {
            self.choose(None);
        }
        if let ActiveMut::Unknown(map) = self.active_mut() {
            map.extend(members);
        }
    }

    /// Tells whether the object holds nothing.
    pub(super) fn is_empty(&self) -> bool {
        matches!(self.active(), Active::Unknown(members) if members.is_empty())
    }
}

/// What a union holds.
#[derive(Clone, Copy)]
pub enum Active<'a> {
    /// A known member, the table that describes it, and its value.
    Known(&'static Table, &'static Member, &'a dyn Wire),
    /// None of the known members, or several.
    Unknown(&'a Map),
}

/// What a union holds, for writing.
pub enum ActiveMut<'a> {
    /// The value of a known member.
    Known(&'a mut dyn Wire),
    /// None of the known members, or several.
    Unknown(&'a mut Map),
}

/// Implements the wire format of a union: `union! { Name { Variant(Payload) = "member", … } }`. The last variant,
/// `Unknown(UnknownUnion)`, goes without saying.
#[doc(hidden)]
#[macro_export]
macro_rules! __union {
    ($type:ident { $($variant:ident($payload:ty) = $name:literal $(as $spelling:path)?),* $(,)? }) => {
        const _: () = {
            enum Place {
                $($variant),*
            }

            static TABLE: $crate::internal::Table = $crate::internal::Table {
                name: stringify!($type),
                members: &[$(
                    $crate::internal::Member {
                        field: stringify!($variant),
                        name: $name,
                        lead: concat!(",\"", $name, "\":"),
                        form: $crate::internal::Form::Natural
                            $(.spelled(<$spelling as $crate::internal::Spelling>::FORM))?,
                        required: false,
                        group: false,
                    },
                )*],
                groups: false,
                required: false,
                additional: &[],
                index: $crate::internal::Index::new(),
            };

            impl $crate::internal::Union for $type {
                fn table(&self) -> &'static $crate::internal::Table {
                    &TABLE
                }

                fn active(&self) -> $crate::internal::Active<'_> {
                    match self {
                        $(Self::$variant(payload) => {
                            $crate::internal::Active::Known(&TABLE, &TABLE.members[Place::$variant as usize], payload)
                        })*
                        Self::Unknown(union) => $crate::internal::Active::Unknown(union.members()),
                    }
                }

                fn active_mut(&mut self) -> $crate::internal::ActiveMut<'_> {
                    match self {
                        $(Self::$variant(payload) => $crate::internal::ActiveMut::Known(payload),)*
                        Self::Unknown(union) => {
                            $crate::internal::ActiveMut::Unknown($crate::internal::unknown_members(union))
                        }
                    }
                }

                fn choose(&mut self, index: ::core::option::Option<usize>) {
                    *self = match index {
                        $(::core::option::Option::Some(index) if index == Place::$variant as usize => {
                            Self::$variant(::core::default::Default::default())
                        })*
                        _ => ::core::default::Default::default(),
                    };
                }
            }
        };

        impl ::core::default::Default for $type {
            fn default() -> Self {
                Self::Unknown(::core::default::Default::default())
            }
        }

        $crate::__model!($type, Union);
    };
}
