//! Annotations of a GitHub workflow.

/// Returns the line that annotates a file and a line of it.
pub fn annotation(level: &str, place: Option<(&str, usize)>, title: &str, message: &str) -> String {
    let place = place.map(|(file, line)| format!("file={},line={line},", escaped(file)));
    let message = message.replace('%', "%25").replace('\n', "%0A");
    format!("::{level} {}title={}::{message}\n", place.unwrap_or_default(), escaped(title))
}

/// Escapes a property of an annotation.
fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace(':', "%3A").replace(',', "%2C").replace('\n', "%0A")
}
