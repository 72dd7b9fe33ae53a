//! The macros for the code that both kinds of unions share.

/// Writes the methods of a union for its variants, which the enum `__Place` has, too: `variants! { (Variant, …), Retained,
/// getter, function }`. The getter returns what `Unknown` retains, and the function returns it mutably.
#[doc(hidden)]
#[macro_export]
macro_rules! __variants {
    (($($variant:ident),*), $retained:ty, $get:ident, $get_mut:path) => {
        #[inline]
        fn active(&self) -> $crate::internal::Active<'_, $retained> {
            match self {
                $(Self::$variant(payload) => {
                    $crate::internal::Active::Known(__Place::$variant as usize, payload)
                })*
                Self::Unknown(unknown) => $crate::internal::Active::Unknown(unknown.$get()),
            }
        }

        #[inline]
        fn active_mut(&mut self) -> $crate::internal::ActiveMut<'_, $retained> {
            match self {
                $(Self::$variant(payload) => $crate::internal::ActiveMut::Known(payload),)*
                Self::Unknown(unknown) => $crate::internal::ActiveMut::Unknown($get_mut(unknown)),
            }
        }

        #[inline]
        fn choose(&mut self, index: ::core::option::Option<usize>) {
            *self = match index {
                $(::core::option::Option::Some(index) if index == __Place::$variant as usize => {
                    Self::$variant(::core::default::Default::default())
                })*
                _ => ::core::default::Default::default(),
            };
        }
    };
}

/// Implements the default of a union, its wire format and the common traits: `alternatives! { Name, Union }`.
#[doc(hidden)]
#[macro_export]
macro_rules! __alternatives {
    ($type:ident, $kind:ident) => {
        impl ::core::default::Default for $type {
            #[inline]
            fn default() -> Self {
                Self::Unknown(::core::default::Default::default())
            }
        }

        impl $crate::internal::Wire for $type {
            #[inline]
            fn target(&mut self) -> $crate::internal::Target<'_> {
                $crate::internal::Target::$kind(self)
            }

            #[inline]
            fn view(&self) -> $crate::internal::View<'_> {
                $crate::internal::View::$kind(self)
            }
        }

        $crate::__model!($type);
    };
}

/// Writes the accessors of a union: `accessors! { Name { Variant: as_variant, into_variant -> Type; … } }`.
#[doc(hidden)]
#[macro_export]
macro_rules! __accessors {
    ($type:ident {
        $($variant:ident: $(* $(# $boxed:tt)?)? $as:ident, $into:ident -> $payload:ty;)*
    }) => {
        impl $type {
            $(
                #[doc = concat!("Returns the value if it is [`", stringify!($variant), "`](Self::", stringify!($variant), ").")]
                #[inline]
                #[must_use]
                pub fn $as(&self) -> ::core::option::Option<&$payload> {
                    if let Self::$variant(value) = self {
                        ::core::option::Option::Some(value)
                    } else {
                        ::core::option::Option::None
                    }
                }

                #[doc = concat!("Returns the value if it is [`", stringify!($variant), "`](Self::", stringify!($variant), ").")]
                ///
                /// # Errors
                ///
                /// Returns the union if it is another variant.
                #[inline]
                pub fn $into(self) -> ::core::result::Result<$payload, Self> {
                    if let Self::$variant(value) = self {
                        ::core::result::Result::Ok($($(# $boxed)? *)? value)
                    } else {
                        ::core::result::Result::Err(self)
                    }
                }
            )*
        }
    };
}
