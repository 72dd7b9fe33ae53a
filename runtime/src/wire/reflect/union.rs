//! The macro for unions.

/// Implements the wire format of a union: `union! { Name { Variant = "name", … } }`. The last variant,
/// `Unknown(UnknownUnion)`, is implied.
#[doc(hidden)]
#[macro_export]
macro_rules! __union {
    ($type:ident { $($variant:ident = $name:literal $(as text $(# $text:tt)?)?),* $(,)? }) => {
        const _: () = {
            enum Place {
                $($variant),*
            }

            impl $crate::internal::Union for $type {
                #[inline]
                fn table(&self) -> &'static $crate::internal::Table {
                    static TABLE: $crate::internal::Table = $crate::internal::Table::new(stringify!($type), &[
                        $(stringify!($variant), $name, concat!($($(# $text)? "t")?),)*
                    ]);
                    &TABLE
                }

                #[inline]
                fn active(&self) -> $crate::internal::Active<'_> {
                    match self {
                        $(Self::$variant(payload) => {
                            $crate::internal::Active::Known(Place::$variant as usize, payload)
                        })*
                        Self::Unknown(union) => $crate::internal::Active::Unknown(union.properties()),
                    }
                }

                #[inline]
                fn active_mut(&mut self) -> $crate::internal::ActiveMut<'_> {
                    match self {
                        $(Self::$variant(payload) => $crate::internal::ActiveMut::Known(payload),)*
                        Self::Unknown(union) => {
                            $crate::internal::ActiveMut::Unknown($crate::internal::unknown_properties(union))
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
