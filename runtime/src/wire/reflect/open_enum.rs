//! The macro for open enums: strings with known values, and the one for the order of all open enums.

/// Returns the value among `known` that is written as `text`.
pub fn known<T: AsRef<str> + Clone>(known: &[T], text: &str) -> Option<T> {
    known.iter().find(|value| value.as_ref() == text).cloned()
}

/// Implements the order and the display of an enum by its value on the wire: `ordered! { Name, as_str }`.
#[doc(hidden)]
#[macro_export]
macro_rules! __ordered {
    ($type:ident, $value:ident) => {
        /// By the value on the wire, so that the order is the same when values become known.
        impl ::core::cmp::Ord for $type {
            #[inline]
            fn cmp(&self, other: &Self) -> ::core::cmp::Ordering {
                self.$value().cmp(&other.$value())
            }
        }

        impl ::core::cmp::PartialOrd for $type {
            #[inline]
            fn partial_cmp(&self, other: &Self) -> ::core::option::Option<::core::cmp::Ordering> {
                ::core::option::Option::Some(self.cmp(other))
            }
        }

        impl ::core::fmt::Display for $type {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(&self.$value(), f)
            }
        }
    };
}

/// Implements the wire format of an enum: `open_enum! { Name { Variant = "VALUE", … } any }`. The last variant,
/// `Unknown(UnknownValue)`, is implied. With `any`, values that the spec does not list are not drift.
#[doc(hidden)]
#[macro_export]
macro_rules! __open_enum {
    ($type:ident { $($variant:ident = $name:literal),* $(,)? } $($any:ident)?) => {
        impl $type {
            /// The known values, in the order of the spec.
            pub const KNOWN: &'static [Self] = &[$(Self::$variant),*];

            /// Returns the value as it is on the wire.
            #[inline]
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $name,)*
                    Self::Unknown(value) => value.as_str(),
                }
            }

            /// Returns whether the spec does not list the value.
            #[inline]
            pub fn is_unknown(&self) -> bool {
                ::core::matches!(self, Self::Unknown(_))
            }

            /// Parses a known value. `From` and `FromStr` accept any text.
            ///
            /// # Errors
            ///
            /// Fails if the spec does not list the value.
            #[inline]
            pub fn try_parse(text: &str) -> ::core::result::Result<Self, $crate::UnknownValue> {
                match Self::from(text) {
                    Self::Unknown(value) => ::core::result::Result::Err(value),
                    known => ::core::result::Result::Ok(known),
                }
            }
        }

        $crate::__ordered!($type, as_str);

        /// The only value that the spec allows, else an empty text.
        impl ::core::default::Default for $type {
            #[inline]
            fn default() -> Self {
                match Self::KNOWN {
                    [only] if ::core::stringify!($($any)?).is_empty() => only.clone(),
                    _ => Self::Unknown(::core::default::Default::default()),
                }
            }
        }

        impl ::core::convert::From<&str> for $type {
            #[inline]
            fn from(text: &str) -> Self {
                match $crate::internal::known(Self::KNOWN, text) {
                    ::core::option::Option::Some(known) => known,
                    ::core::option::Option::None => Self::Unknown($crate::internal::unknown_value(text)),
                }
            }
        }

        impl ::core::convert::From<::std::string::String> for $type {
            #[inline]
            fn from(text: ::std::string::String) -> Self {
                Self::from(text.as_str())
            }
        }

        impl ::core::str::FromStr for $type {
            type Err = ::core::convert::Infallible;

            #[inline]
            fn from_str(text: &str) -> ::core::result::Result<Self, ::core::convert::Infallible> {
                ::core::result::Result::Ok(Self::from(text))
            }
        }

        impl ::core::convert::AsRef<str> for $type {
            #[inline]
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        impl $crate::internal::OpenEnum for $type {
            #[inline]
            fn read(&mut self, text: &str) -> bool {
                *self = Self::from(text);
                !self.is_unknown() || !::core::stringify!($($any)?).is_empty()
            }
        }

        impl $crate::internal::Wire for $type {
            #[inline]
            fn target(&mut self) -> $crate::internal::Target<'_> {
                $crate::internal::Target::Enum(self)
            }

            #[inline]
            fn view(&self) -> $crate::internal::View<'_> {
                $crate::internal::View::Enum(self.as_str(), !self.is_unknown())
            }
        }

        impl $crate::internal::Param for $type {
            #[inline]
            fn to_param(&self) -> ::std::borrow::Cow<'_, str> {
                ::std::borrow::Cow::Borrowed(self.as_str())
            }
        }

        $crate::__serde!($type);
    };
}
