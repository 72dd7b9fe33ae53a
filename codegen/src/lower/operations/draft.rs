//! An operation without its name.

use crate::document::{Operation, PathItem};

/// An operation that is not named yet.
pub struct Draft<'d> {
    pub(super) path: &'d str,
    pub(super) item: PathItem<'d>,
    pub(super) method: &'static str,
    pub(super) operation: Operation<'d>,
    /// The `operationId`, made up if the document has none.
    pub(super) id: String,
    /// The first tag.
    pub(super) tag: &'d str,
}
