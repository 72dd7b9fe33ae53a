//! Examples, whose values are only documentation.

use super::validator::Validator;
use crate::document::view::{Version, View};

/// Pairs of mutually exclusive fields of an example (OpenAPI 3.2, Example Object).
const EXCLUSIVE: [(&str, &str); 4] = [
    ("value", "externalValue"),
    ("value", "dataValue"),
    ("value", "serializedValue"),
    ("serializedValue", "externalValue"),
];

/// Reports fields of examples that exclude each other, in documents of OpenAPI 3.2. Others have examples in many forms.
pub(super) fn check_examples(view: &View<'_>, validator: &mut Validator<'_>) {
    if !validator.is_version(Version::V3_2) {
        return;
    }
    for (_, example) in view.map("examples") {
        for (one, other) in EXCLUSIVE {
            validator.report_exclusive(&example, one, other);
        }
    }
}
