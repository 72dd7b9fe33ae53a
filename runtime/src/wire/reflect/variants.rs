//! The macro for the code that both kinds of unions share.

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
