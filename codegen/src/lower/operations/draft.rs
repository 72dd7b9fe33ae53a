//! An operation without its name.

use crate::document::View;

/// An operation that is not named yet.
pub struct Draft<'d> {
    pub(super) path: &'d str,
    pub(super) item: View<'d>,
    pub(super) method: &'static str,
    pub(super) operation: View<'d>,
    /// The `operationId`, made up if the document has none.
    pub(super) id: String,
    /// The first tag.
    pub(super) tag: &'d str,
}
