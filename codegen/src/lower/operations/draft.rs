//! An operation before its name is decided.

use crate::document::{Operation, PathItem};
use crate::ir::HttpMethod;

/// An operation that is not named yet.
pub struct Draft<'d> {
    pub(super) path: &'d str,
    pub(super) item: &'d PathItem,
    pub(super) method: HttpMethod,
    pub(super) operation: &'d Operation,
    /// The `operationId`, or the one that is made up where there is none.
    pub(super) id: String,
    /// The first tag.
    pub(super) tag: &'d str,
}
