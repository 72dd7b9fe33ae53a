//! Annotations of a property: its documentation, and the messages that can contain it.

use crate::document::Schema;
use crate::ir::{Access, Docs};
use crate::lower::classify::remarks;
use crate::lower::docs;

/// Returns the documentation of a property.
pub fn property_docs(schema: &Schema<'_>) -> Docs {
    let remarks = remarks(schema);
    docs(
        remarks.iter().find_map(|remark| remark.description()),
        remarks.iter().find_map(|remark| remark.title()),
        remarks.iter().any(|remark| remark.deprecated()),
    )
}

/// Returns the messages that can contain a property.
pub fn access(schema: &Schema<'_>) -> Access {
    let remarks = remarks(schema);
    let is_read = remarks.iter().any(|remark| remark.flag("readOnly"));
    let is_written = remarks.iter().any(|remark| remark.flag("writeOnly"));
    match (is_read, is_written) {
        (true, false) => Access::Read,
        (false, true) => Access::Write,
        _ => Access::Both,
    }
}
