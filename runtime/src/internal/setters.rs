//! The macro for the constructor and the setters of models that only tests build.

/// Implements `new` and a setter for each field: `setters! { Name { field: into(String), … } }`. A setter takes:
///
/// - `value(T)` or `boxed(T)`: the value, which the field may box;
/// - `into(T)` or `into_boxed(T)`: what converts into the value;
/// - `items(T)`: the items of a list;
/// - `options(T)`: what converts into the items of a list, or nulls;
/// - `list(T)`: what converts into the items of a list;
/// - `integer(T = "name")`, or `required_integer` in a required field: any integer, for the property with this name.
#[doc(hidden)]
#[macro_export]
macro_rules! __setters {
    ($type:ident {
        $(
            $(#[$attribute:meta])*
            $field:ident:
            $(value($value:ty))?
            $(boxed($boxed:ty))?
            $(into($into:ty))?
            $(into_boxed($into_boxed:ty))?
            $(items($item:ty))?
            $(options($option:ty))?
            $(list($converted:ty))?
            $(integer($integer:ty = $name:literal))?
            $(required_integer($required:ty = $required_name:literal))?
        ),* $(,)?
    }) => {
        impl $type {
            /// Creates an empty value, for tests.
            #[inline]
            #[must_use]
            pub fn new() -> Self {
                ::core::default::Default::default()
            }

            $(
                /// Sets the field of this name.
                $(#[$attribute])*
                #[allow(deprecated)]
                #[must_use]
                $(pub fn $field(mut self, value: $value) -> Self {
                    self.$field = ::core::convert::From::from(value);
                    self
                })?
                $(pub fn $field(mut self, value: $boxed) -> Self {
                    self.$field = ::core::convert::From::from(::std::boxed::Box::new(value));
                    self
                })?
                $(pub fn $field(mut self, value: impl ::core::convert::Into<$into>) -> Self {
                    let value: $into = value.into();
                    self.$field = ::core::convert::From::from(value);
                    self
                })?
                $(pub fn $field(mut self, value: impl ::core::convert::Into<$into_boxed>) -> Self {
                    let value: $into_boxed = value.into();
                    self.$field = ::core::convert::From::from(::std::boxed::Box::new(value));
                    self
                })?
                $(pub fn $field(
                    mut self,
                    value: impl ::core::iter::IntoIterator<Item = $item>,
                ) -> Self {
                    let value = ::core::iter::IntoIterator::into_iter(value);
                    let value: ::std::vec::Vec<$item> = ::core::iter::Iterator::collect(value);
                    self.$field = ::core::convert::From::from(value);
                    self
                })?
                $(pub fn $field(
                    mut self,
                    value: impl ::core::iter::IntoIterator<
                        Item = ::core::option::Option<impl ::core::convert::Into<$option>>,
                    >,
                ) -> Self {
                    let value = ::core::iter::IntoIterator::into_iter(value);
                    let value: ::std::vec::Vec<::core::option::Option<$option>> =
                        ::core::iter::Iterator::collect(::core::iter::Iterator::map(
                            value,
                            |value| ::core::option::Option::map(value, ::core::convert::Into::into),
                        ));
                    self.$field = ::core::convert::From::from(value);
                    self
                })?
                $(pub fn $field<By>(
                    mut self,
                    value: impl $crate::IntoList<$converted, By>,
                ) -> Self {
                    let value: ::std::vec::Vec<$converted> = $crate::IntoList::into_list(value);
                    self.$field = ::core::convert::From::from(value);
                    self
                })?
                $(pub fn $field(mut self, value: impl $crate::IntoInteger<$integer>) -> Self {
                    self.$field = self.unknown.integer($name, value);
                    self
                })?
                $(pub fn $field(mut self, value: impl $crate::IntoInteger<$required>) -> Self {
                    self.$field = self.unknown.integer($required_name, value).unwrap_or_default();
                    self
                })?
            )*
        }
    };
}
