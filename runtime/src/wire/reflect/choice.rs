//! The macro for unions of values.

/// Implements the wire format of a union: `choice! { Name { Variant, … } rules }`. The last variant,
/// `Unknown(UnknownVariant)`, is implied.
///
/// A rule is a kind of JSON with the variant of its values (`string => Text`), or with the rule that follows:
///
/// - `tag "name"`: the value of a property `is "text" => Variant` or `equals "json" => Variant`, is another one
///   (`otherwise`), or `missing`;
/// - `required`: the object `has "name" => Variant`, or `otherwise`;
/// - `property "name"` and `items`: by the kind of a property's value, or of the first item; or the property is `missing`;
/// - `fit`: each `candidate => Variant` with the properties that it `requires` and `declares`, the
///   `kinds` of their values where these differ, those that it `fixes` to
///   constants (`is` or `equals`), and whether it is `closed`.
///
/// `end` ends each of them.
#[doc(hidden)]
#[macro_export]
macro_rules! __choice {
    (
        $type:ident { $($variant:ident $(as text $(# $text:tt)?)?),* $(,)? }
        $($rule:ident $($word:literal)? $(=> $target:ident)?),* $(,)?
    ) => {
        const _: () = {
            enum __Place {
                $($variant),*
            }

            impl $crate::internal::Choice for $type {
                #[inline]
                fn plan(&self) -> &'static $crate::internal::Plan {
                    static PLAN: $crate::internal::Plan = $crate::internal::Plan::new(
                        &[$(stringify!($variant), concat!($($(# $text)? "t")?),)*],
                        &[$(stringify!($rule), concat!($($word)?), stringify!($($target)?),)*],
                    );
                    &PLAN
                }

                $crate::__variants!(($($variant),*), $crate::Value, json, $crate::internal::unknown_variant);
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
                $crate::internal::Target::Choice(self)
            }

            #[inline]
            fn view(&self) -> $crate::internal::View<'_> {
                $crate::internal::View::Choice(self)
            }
        }

        $crate::__model!($type);
    };
}
