//! The macro for open enums of integers.

/// Implements the wire format of an enum: `integer_enum! { Name { Variant = 1, … } any }`. The last variant,
/// `Unknown(UnknownInteger)`, is implied. With `any`, values that the spec does not list are not drift.
#[doc(hidden)]
#[macro_export]
macro_rules! __integer_enum {
    ($type:ident { $($variant:ident = $value:literal),* $(,)? } $($any:ident)?) => {
        impl $type {
            /// The known values, in the order of the spec.
            pub const KNOWN: &'static [Self] = &[$(Self::$variant),*];

            /// Returns the value as it is on the wire.
            #[inline]
            pub fn as_i64(self) -> i64 {
                match self {
                    $(Self::$variant => $value,)*
                    Self::Unknown(value) => value.get(),
                }
            }

            /// Returns whether the spec does not list the value.
            #[inline]
            pub fn is_unknown(self) -> bool {
                ::core::matches!(self, Self::Unknown(_))
            }

            /// Converts a known value. `From` accepts any integer.
            ///
            /// # Errors
            ///
            /// Fails if the spec does not list the value.
            #[inline]
            pub fn try_from_i64(value: i64) -> ::core::result::Result<Self, $crate::UnknownInteger> {
                match Self::from(value) {
                    Self::Unknown(value) => ::core::result::Result::Err(value),
                    known => ::core::result::Result::Ok(known),
                }
            }
        }

        $crate::__ordered!($type, as_i64);

        /// The only value that the spec allows, else 0.
        impl ::core::default::Default for $type {
            #[inline]
            fn default() -> Self {
                match Self::KNOWN {
                    [only] if ::core::stringify!($($any)?).is_empty() => *only,
                    _ => Self::from(0),
                }
            }
        }

        impl ::core::convert::From<i64> for $type {
            #[inline]
            fn from(value: i64) -> Self {
                match value {
                    $($value => Self::$variant,)*
                    value => Self::Unknown($crate::internal::unknown_integer(value)),
                }
            }
        }

        impl ::core::str::FromStr for $type {
            type Err = ::core::num::ParseIntError;

            #[inline]
            fn from_str(text: &str) -> ::core::result::Result<Self, ::core::num::ParseIntError> {
                text.parse::<i64>().map(Self::from)
            }
        }

        impl $crate::internal::Integer for $type {
            #[inline]
            fn set(&mut self, value: i128) -> bool {
                let value = i64::try_from(value).map(Self::from);
                value.map(|value| *self = value).is_ok()
            }

            #[inline]
            fn expected(&self) -> &'static str {
                "a 64-bit integer"
            }

            #[inline]
            fn is_described(&self) -> bool {
                !self.is_unknown() || !::core::stringify!($($any)?).is_empty()
            }
        }

        impl $crate::internal::Wire for $type {
            #[inline]
            fn target(&mut self) -> $crate::internal::Target<'_> {
                $crate::internal::Target::Integer(self)
            }

            #[inline]
            fn view(&self) -> $crate::internal::View<'_> {
                $crate::internal::View::Integer(self.as_i64().into())
            }

            #[inline]
            fn clear(&mut self) {
                *self = Self::from(0);
            }
        }

        impl $crate::internal::Param for $type {
            #[inline]
            fn to_param(&self) -> ::std::borrow::Cow<'_, str> {
                ::std::borrow::Cow::Owned(::std::string::ToString::to_string(self))
            }
        }

        $crate::__serde!($type);
    };
}
