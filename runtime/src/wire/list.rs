//! Lists as setters take them.

/// A list that a setter takes: an array, a `Vec`, a slice, or an iterator, of items that convert to `T`.
///
/// `[]` needs no type annotation: an empty array is a list only of `T` itself. An empty array of another type, such as
/// `[&str; 0]` for a list of `String`, is therefore not accepted; write `[]`, or collect it into a `Vec`. The compiler
/// infers `By`, which keeps the implementations from overlapping.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of items that convert to `{T}`",
    note = "lists are arrays of up to 32 items, `Vec`, slices and iterators; collect other types into a `Vec`",
    note = "write an empty array of another type as `[]`; pass an option with `set_if_some(value, Type::setter)`"
)]
pub trait IntoList<T, By> {
    /// Returns the items, converted.
    fn into_list(self) -> Vec<T>;
}

/// Marks implementations for collections.
#[derive(Debug)]
pub struct ByCollection;

/// Marks implementations for iterators.
#[derive(Debug)]
pub struct ByIterator;

// The only implementation for arrays of length 0: it decides the type of the items of `[]`.
impl<T> IntoList<T, ByCollection> for [T; 0] {
    #[inline]
    fn into_list(self) -> Vec<T> {
        Vec::new()
    }
}

macro_rules! arrays {
    ($($length:literal)*) => {$(
        impl<T, U: Into<T>> IntoList<T, ByCollection> for [U; $length] {
            #[inline]
            fn into_list(self) -> Vec<T> {
                self.into_iter().map(Into::into).collect()
            }
        }
    )*};
}

arrays!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32);

impl<T, U: Into<T>> IntoList<T, ByCollection> for Vec<U> {
    #[inline]
    fn into_list(self) -> Vec<T> {
        self.into_iter().map(Into::into).collect()
    }
}

impl<'a, T, U> IntoList<T, ByCollection> for &'a [U]
where
    &'a U: Into<T>,
{
    #[inline]
    fn into_list(self) -> Vec<T> {
        self.iter().map(Into::into).collect()
    }
}

impl<'a, T, U> IntoList<T, ByCollection> for &'a Vec<U>
where
    &'a U: Into<T>,
{
    #[inline]
    fn into_list(self) -> Vec<T> {
        self.as_slice().into_list()
    }
}

impl<T, I: Iterator<Item: Into<T>>> IntoList<T, ByIterator> for I {
    #[inline]
    fn into_list(self) -> Vec<T> {
        self.map(Into::into).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::IntoList;

    fn list<By>(items: impl IntoList<String, By>) -> Vec<String> {
        items.into_list()
    }

    #[test]
    fn lists_of_all_kinds_are_taken() {
        let owned = vec!["a".to_owned(), "b".to_owned()];
        assert!(list([]).is_empty());
        assert_eq!(list(["a", "b"]), owned);
        assert_eq!(list([owned[0].clone(), owned[1].clone()]), owned);
        assert_eq!(list(vec!["a", "b"]), owned);
        assert_eq!(list(&owned), owned);
        assert_eq!(list(owned.as_slice()), owned);
        assert_eq!(list("a b".split(' ')), owned);
        assert_eq!(list(owned.clone()), owned);
    }
}
