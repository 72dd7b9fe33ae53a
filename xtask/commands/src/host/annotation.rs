//! Annotations of a GitHub workflow.

use ::codegen::visible;

/// Returns the line that annotates a file and a line of it.
pub fn annotation(level: &str, place: Option<(&str, usize)>, title: &str, message: &str) -> String {
    let property = |text: &str| escaped(text).replace(':', "%3A").replace(',', "%2C");
    let place = place.map(|(file, line)| format!("file={},line={line},", property(file)));
    let [title, message] = [property(title), escaped(message)];
    format!("::{level} {}title={title}::{message}\n", place.unwrap_or_default())
}

/// Returns a text as the message of an annotation.
fn escaped(text: &str) -> String {
    visible(text).replace('%', "%25")
}
