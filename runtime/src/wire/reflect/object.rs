//! The macro for objects with described properties.

/// Implements the wire format of a struct: `object! { Name { field: "name", … } unknown }`.
///
/// - `field: "name"` is an optional property, `field!: "name"` a property that is always written;
/// - `field: "name" as text` is an integer that is written as a string, or an enum whose unlisted values are not drift
///   there;
/// - `field: ..` is a flattened union, whose properties are next to the object's;
/// - `nullable` after an optional property describes null, which is the same as none there; `null` keeps it, and it is written
///   again;
/// - `readonly` after either marks fields that request bodies omit;
/// - `writeonly` after a required property marks one that replies omit;
/// - `secret` at the end of a property marks one that is withheld whatever its name is, `shown` one that is shown although
///   its name is that of a secret;
/// - `unknown` at the end is the field for undescribed properties; with `additional: field` they go to that field, and
///   `unknown` has the other retained content.
#[doc(hidden)]
#[macro_export]
macro_rules! __object {
    (
        $type:ident {
            $(
                $field:ident $(! $(# $required:tt)?)? : $($name:literal)? $(.. $(# $flattened:tt)?)? $(as text $(# $text:tt)?)? $(null $(# $null:tt)?)? $(nullable $(# $nullable:tt)?)? $(readonly $(# $readonly:tt)?)? $(writeonly $(# $writeonly:tt)?)? $(secret $(# $secret:tt)?)? $(shown $(# $shown:tt)?)?
            ),* $(,)?
        }
        $(unknown $(# $closed:tt)?)?
        $(additional: $additional:ident $(as text $(# $additional_text:tt)?)?)?
    ) => {
        impl $crate::internal::Wire for $type {
            #[inline]
            fn fields<'a>(&'a self, visit: $crate::internal::Fields<'_, 'a>) {
                static TABLE: $crate::internal::Table = $crate::internal::Table::new(stringify!($type), &[
                    $(
                        $($(# $flattened)? "..",)? stringify!($field), $($name,)?
                        $($(# $required)? "!",)? $($(# $text)? "#text",)? $($(# $null)? "#null",)? $($(# $nullable)? "#nullable",)? $($(# $readonly)? "#readonly",)? $($(# $writeonly)? "#writeonly",)? $($(# $secret)? "#secret",)? $($(# $shown)? "#shown",)?
                    )*
                    $("*", stringify!($additional), $($(# $additional_text)? "#text",)?)?
                ]);
                visit(&TABLE, &[$(&self.$field,)* $(&self.$additional)?], &self.unknown)
            }

            #[inline]
            fn fields_mut(&mut self, visit: $crate::internal::FieldsMut<'_>) {
                visit(&mut [$(&mut self.$field,)* $(&mut self.$additional)?], &mut self.unknown)
            }
        }

        $crate::__model!($type);
    };
}

/// Implements the common traits of objects and unions through [`Wire`].
#[doc(hidden)]
#[macro_export]
macro_rules! __model {
    ($type:ident) => {
        impl ::core::fmt::Debug for $type {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                $crate::internal::debug(self, f)
            }
        }

        impl ::core::cmp::PartialEq for $type {
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                $crate::internal::equal(self, other)
            }
        }

        $crate::__serde!($type);
    };
}

/// Implements serde's traits through [`Wire`].
#[doc(hidden)]
#[macro_export]
macro_rules! __serde {
    ($type:ident $(<$of:ident> where $($bound:tt)+)?) => {
        impl $(<$of>)? $crate::internal::Serialize for $type $(<$of> where $($bound)+)? {
            #[inline]
            fn serialize<S: $crate::internal::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                $crate::internal::serialize(self, serializer)
            }
        }

        impl<'de $(, $of)?> $crate::internal::Deserialize<'de> for $type $(<$of> where $($bound)+)? {
            #[inline]
            fn deserialize<D: $crate::internal::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                $crate::internal::deserialize(deserializer)
            }
        }
    };
}
