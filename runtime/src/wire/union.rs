//! Objects that hold one of several members.

use super::table::{Member, Table};
use super::{Map, Value, Wire, unknown};

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
    /// Returns what the object holds, and the description of it.
    pub(super) fn held(&self) -> Held<'_> {
        match self.active() {
            Active::Known(table, index, payload) => match table.read().members.get(index) {
                Some(member) => Held::Known(member, payload),
                None => Held::Unknown(unknown::no_members()),
            },
            Active::Unknown(members) => Held::Unknown(members),
        }
    }

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
pub enum Active<'a> {
    /// The value of the member at this index of the table.
    Known(&'static Table, usize, &'a dyn Wire),
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

/// What a union holds, with its description.
pub(super) enum Held<'a> {
    /// The value of a known member.
    Known(&'static Member, &'a dyn Wire),
    /// None of the known members, or several.
    Unknown(&'a Map),
}

/// Implements the wire format of a union: `union! { Name { Variant(Payload) = "member", … } }`. The last variant,
/// `Unknown(UnknownUnion)`, goes without saying.
#[doc(hidden)]
#[macro_export]
macro_rules! __union {
    ($type:ident { $($variant:ident($payload:ty) = $name:literal $(as text $(# $text:tt)?)?),* $(,)? }) => {
        const _: () = {
            enum Place {
                $($variant),*
            }

            impl $crate::internal::Union for $type {
                #[inline]
                fn table(&self) -> &'static $crate::internal::Table {
                    static TABLE: $crate::internal::Table = $crate::internal::Table::new(concat!(
                        stringify!($type),
                        $("\u{1e}", stringify!($variant), "\u{1f}", $name, "\u{1f}", $($(# $text)? "t",)?)*
                    ));
                    &TABLE
                }

                #[inline]
                fn active(&self) -> $crate::internal::Active<'_> {
                    match self {
                        $(Self::$variant(payload) => {
                            $crate::internal::Active::Known(self.table(), Place::$variant as usize, payload)
                        })*
                        Self::Unknown(union) => $crate::internal::Active::Unknown(union.members()),
                    }
                }

                #[inline]
                fn active_mut(&mut self) -> $crate::internal::ActiveMut<'_> {
                    match self {
                        $(Self::$variant(payload) => $crate::internal::ActiveMut::Known(payload),)*
                        Self::Unknown(union) => {
                            $crate::internal::ActiveMut::Unknown($crate::internal::unknown_members(union))
                        }
                    }
                }

                #[inline]
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
            #[inline]
            fn default() -> Self {
                Self::Unknown(::core::default::Default::default())
            }
        }

        impl $crate::internal::Wire for $type {
            #[inline]
            fn target(&mut self) -> $crate::internal::Target<'_> {
                $crate::internal::Target::Union(self)
            }

            #[inline]
            fn view(&self) -> $crate::internal::View<'_> {
                $crate::internal::View::Union(self)
            }
        }

        $crate::__model!($type);
    };
}
