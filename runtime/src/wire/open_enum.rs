//! Texts of which some are known.

/// A text of which some values are known.
pub trait OpenEnum {
    /// Returns the text.
    fn text(&self) -> &str;

    /// Takes a text and tells whether it is a known one.
    fn read(&mut self, text: &str) -> bool;
}

/// Returns where `text` is among `names`.
pub fn position(names: &[&str], text: &str) -> Option<usize> {
    names.iter().position(|name| *name == text)
}

/// Implements the wire format of an enum: `open_enum! { Name { Variant = "VALUE", … } }`. The last variant,
/// `Unknown(UnknownValue)`, goes without saying.
#[doc(hidden)]
#[macro_export]
macro_rules! __open_enum {
    ($type:ident { $($variant:ident = $name:literal),* $(,)? }) => {
        impl $type {
            /// The values that this version of the crate knows, in the order of the description.
            pub const KNOWN: &'static [Self] = &[$(Self::$variant),*];

            /// Returns the text that stands for the value on the wire.
            #[inline]
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $name,)*
                    Self::Unknown(value) => value.as_str(),
                }
            }
        }

        impl ::core::default::Default for $type {
            #[inline]
            fn default() -> Self {
                Self::Unknown(::core::default::Default::default())
            }
        }

        impl ::core::convert::From<&str> for $type {
            #[inline]
            fn from(text: &str) -> Self {
                const NAMES: &[&str] = &[$($name),*];
                match $crate::internal::position(NAMES, text).and_then(|index| Self::KNOWN.get(index)) {
                    ::core::option::Option::Some(known) => known.clone(),
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

        impl ::core::fmt::Display for $type {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(self.as_str(), f)
            }
        }

        impl $crate::internal::OpenEnum for $type {
            #[inline]
            fn text(&self) -> &str {
                self.as_str()
            }

            #[inline]
            fn read(&mut self, text: &str) -> bool {
                *self = Self::from(text);
                !::core::matches!(self, Self::Unknown(_))
            }
        }

        impl $crate::internal::Wire for $type {
            #[inline]
            fn target(&mut self) -> $crate::internal::Target<'_> {
                $crate::internal::Target::Enum(self)
            }

            #[inline]
            fn view(&self) -> $crate::internal::View<'_> {
                $crate::internal::View::Text(self.as_str())
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
