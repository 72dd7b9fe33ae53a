//! Values of parameters that are one value or several.

/// One value or several, for a parameter that takes both: `"a"`, `["a", "b"]`, or a `Vec`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OneOrMany<T>(Vec<T>);

impl<T> IntoIterator for OneOrMany<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<T> FromIterator<T> for OneOrMany<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Self(Vec::from_iter(values))
    }
}

impl<T> From<T> for OneOrMany<T> {
    fn from(value: T) -> Self {
        Self(vec![value])
    }
}

impl<T> From<Vec<T>> for OneOrMany<T> {
    fn from(values: Vec<T>) -> Self {
        Self(values)
    }
}

impl<T, const N: usize> From<[T; N]> for OneOrMany<T> {
    fn from(values: [T; N]) -> Self {
        Self(values.into())
    }
}

impl<T: Clone> From<&[T]> for OneOrMany<T> {
    fn from(values: &[T]) -> Self {
        Self(values.into())
    }
}

impl From<&str> for OneOrMany<String> {
    fn from(value: &str) -> Self {
        Self(vec![value.to_owned()])
    }
}

impl From<Vec<&str>> for OneOrMany<String> {
    fn from(values: Vec<&str>) -> Self {
        Self::from(values.as_slice())
    }
}

impl<const N: usize> From<[&str; N]> for OneOrMany<String> {
    fn from(values: [&str; N]) -> Self {
        Self::from(values.as_slice())
    }
}

impl From<&[&str]> for OneOrMany<String> {
    fn from(values: &[&str]) -> Self {
        values.iter().copied().map(str::to_owned).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::OneOrMany;

    #[test]
    fn one_value_and_several_convert() {
        let one = OneOrMany::from_iter(["a".to_owned()]);
        let two = OneOrMany::from_iter(["a".to_owned(), "b".to_owned()]);
        assert_eq!(OneOrMany::from("a"), one);
        assert_eq!(OneOrMany::from("a".to_owned()), one);
        assert_eq!(OneOrMany::from(["a", "b"]), two);
        assert_eq!(OneOrMany::from(vec!["a", "b"]), two);
        assert_eq!(OneOrMany::from(["a".to_owned(), "b".to_owned()].as_slice()), two);
        assert_eq!(OneOrMany::from(&["a", "b"][..]), two);
        assert_eq!(OneOrMany::<i64>::from(5).into_iter().collect::<Vec<_>>(), [5]);
        assert_eq!(OneOrMany::<i64>::from([5, 6]), OneOrMany::<i64>::from(vec![5, 6]));
    }
}
