//! The macro for unions.

/// Implements the wire format of a union: `union! { Name { Variant = "name", … } }`. The last variant,
/// `Unknown(UnknownUnion)`, is implied. A variant is followed by `as text` for integers as text, by `secret` or `shown` as in
/// `object!`, and by its accessors, as in `choice!`.
#[doc(hidden)]
#[macro_export]
macro_rules! __union {
    ($type:ident { $(
        $variant:ident = $name:literal $(as text $(# $text:tt)?)? $(secret $(# $secret:tt)?)? $(shown $(# $shown:tt)?)?
        $(: $(* $(# $boxed:tt)?)? $as:ident, $into:ident -> $payload:ty)?
    ),* $(,)? }) => {
        const _: () = {
            enum __Place {
                $($variant),*
            }

            impl $crate::internal::Union for $type {
                #[inline]
                fn table(&self) -> &'static $crate::internal::Table {
                    static TABLE: $crate::internal::Table = $crate::internal::Table::new(stringify!($type), &[
                        $(stringify!($variant), $name, $($(# $text)? "#text",)? $($(# $secret)? "#secret",)? $($(# $shown)? "#shown",)?)*
                    ]);
                    &TABLE
                }

                $crate::__variants!(($($variant),*), $crate::Map, properties, $crate::internal::unknown_properties);
            }
        };

        $crate::__accessors!($type {
            $($($variant: $(* $(# $boxed)?)? $as, $into -> $payload;)?)*
        });

        $crate::__alternatives!($type, Union);
    };
}
