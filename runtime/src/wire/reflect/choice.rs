//! The macro for unions of values.

/// Implements the wire format of a union: `choice! { Name { Variant, … } rules }`. The last variant,
/// `Unknown(UnknownVariant)`, is implied.
///
/// A variant is followed by `as text` for integers as text, by the properties that distinguish it and are written even
/// if its value has none (`writes { "object" = "card" }`), and by the names and the type of its accessors
/// (`: as_card, into_card -> Card`, with `*` before them if the value is boxed).
///
/// The rules lead from the kind of a value to a variant: `string => Text`, or to another rule:
///
/// - `tag "name" { … }`: the value of a property is `"text" => Variant` or `json "1" => Variant`, is another one
///   (`otherwise`), or `missing`;
/// - `required { … }`: the object has `"name" => Variant`, or `otherwise`;
/// - `property "name" { … }`: by the kind of a property's value, or the property is `missing`;
/// - `items { … }`: by the kind of the first item of a list that matches a rule, `otherwise` if none does, or the list is
///   `empty`;
/// - `fit { … }`: the candidate that fits best, each with its properties: `Variant { "required", "optional"? }`. What differs
///   between them follows: `null`, and the kinds (`"name": string | number`; a date-time is `time`), then their constants
///   (`"name" = "text" | json "1"`). Candidates that allow no other properties are `closed`.
///
/// Alternatives with the same answer are one arm (`string | number => Text`). A rule that several others lead to comes
/// first, as `rule 1 => …`, and they lead to `rule 1`.
#[doc(hidden)]
#[macro_export]
macro_rules! __choice {
    (
        $type:ident {
            $(
                $variant:ident $(as text $(# $text:tt)?)?
                $(writes { $($tag:tt)* })?
                $(: $(* $(# $boxed:tt)?)? $as:ident, $into:ident -> $payload:ty)?
            ),* $(,)?
        }
        $($rules:tt)*
    ) => {
        const _: () = {
            enum __Place {
                $($variant),*
            }

            impl $crate::internal::Choice for $type {
                #[inline]
                fn plan(&self) -> &'static $crate::internal::Plan {
                    static PLAN: $crate::internal::Plan = $crate::internal::Plan::new(
                        &[$(
                            stringify!($variant),
                            concat!($($(# $text)? "t")?),
                            stringify!($($($tag)*)?),
                        )*],
                        stringify!($($rules)*),
                    );
                    &PLAN
                }

                $crate::__variants!(($($variant),*), $crate::Value, json, $crate::internal::unknown_variant);
            }
        };

        $crate::__accessors!($type {
            $($($variant: $(* $(# $boxed)?)? $as, $into -> $payload;)?)*
        });

        $crate::__alternatives!($type, Choice);
    };
}
