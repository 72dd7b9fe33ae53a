//! Formats of texts in instances.

use serde_json::{Value, json};

use crate::compare::{Step, has_leap_second};
use crate::instance::Notes;
use crate::shape::{Shape, Shapes};

/// The values that a format does not have.
pub const UNFORMATTED: &str = "x drift!";

/// The formats that are checked, with a value where random ones do not have it.
pub const FORMATS: [(&str, &str); 7] = [
    ("date-time", "2026-11-29T00:00:00Z"),
    ("date", ""),
    ("uuid", ""),
    ("byte", ""),
    ("ipv4", "127.0.0.1"),
    ("ipv6", "::1"),
    ("email", "a@example.org"),
];

/// Returns whether texts are compared with a format.
pub fn is_checked_format(format: &str) -> bool {
    FORMATS.iter().any(|(name, _)| *name == format)
}

/// Gives texts the formats of their schemas.
pub fn set_formats(shapes: &Shapes<'_>, notes: &Notes, value: &mut Value) {
    for (path, id) in &notes.spots {
        let Shape::Scalar(kind, Some(format)) = shapes.shape(*id) else { continue };
        let valid = FORMATS.iter().find(|(name, _)| name == format).map_or("", |(_, valid)| valid);
        // Several formats can apply.
        let formats = shapes.places(*id);
        let formats = formats.iter().filter_map(|place| shapes.document.at(place));
        let mut formats = formats.filter_map(|it| shapes.document.value(it)["format"].as_str());
        let is_number = formats.any(|it| it.contains("int32") || it.contains("int64"));
        if let Some(value) = at(value, path).filter(|value| !value.is_null()) {
            match *kind {
                "string" if !valid.is_empty() => *value = valid.into(),
                "string" if is_number => *value = "1".into(),
                "string" if has_leap_second(value.as_str().unwrap_or_default()) => {
                    *value = "2026-11-29T00:00:00Z".into();
                }
                "integer" | "number" if is_number => *value = json!(1),
                _ => {}
            }
        }
    }
}

/// Returns the value at a path.
pub fn at<'v>(value: &'v mut Value, path: &[Step]) -> Option<&'v mut Value> {
    path.iter().try_fold(value, |value, step| match step {
        Step::Name(name) => value.get_mut(name),
        Step::Index(index) => value.get_mut(index),
    })
}
