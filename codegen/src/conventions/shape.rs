//! Questions about types.

use crate::ir::{Api, Type};

pub(super) fn is_list_of_texts(ty: &Type, api: &Api) -> bool {
    matches!(ty, Type::List(item) if api.is_text(item))
}

/// Returns the only element.
pub(super) fn single<T>(elements: impl IntoIterator<Item = T>) -> Option<T> {
    let mut elements = elements.into_iter();
    let first = elements.next();
    first.filter(|_| elements.next().is_none())
}
