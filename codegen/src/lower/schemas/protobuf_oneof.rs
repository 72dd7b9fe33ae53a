//! `oneof` comments of Protocol Buffers.
//!
//! Tools that turn Protocol Buffers into OpenAPI write a `oneof` as ordinary properties, and list in the description of
//! the object which of them exclude one another:
//!
//! ```text
//! This message contains a oneof named duration. Only a single field of the following list may be set at a time:
//!   - durationUnset
//!   - durationGrant
//! ```

const NAMED: &str = "oneof named ";
const LIST_FOLLOWS: &str = "Only a single field of the following list may be set at a time";

/// Mutually exclusive properties.
#[derive(Debug, PartialEq, Eq)]
pub struct Oneof<'t> {
    pub name: &'t str,
    pub properties: Vec<&'t str>,
}

#[derive(Debug, Default)]
pub struct OneofComment<'t> {
    /// The `oneof`s. Those whose name begins with `_` are omitted: they are optional properties.
    pub oneofs: Vec<Oneof<'t>>,
    /// The description without the lists.
    pub rest: String,
}

pub fn parse(description: &str) -> OneofComment<'_> {
    let mut comment = OneofComment::default();
    let mut lines = description.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(name) = oneof_name(line) else {
            comment.rest.push_str(line);
            comment.rest.push('\n');
            continue;
        };
        let mut properties = Vec::new();
        while let Some(property) = lines.peek().and_then(|line| line.trim().strip_prefix("- ")) {
            properties.push(property.trim());
            lines.next();
        }
        if !name.starts_with('_') {
            comment.oneofs.push(Oneof { name, properties });
        }
    }
    comment
}

fn oneof_name(line: &str) -> Option<&str> {
    let (before, after) = line.split_once(NAMED)?;
    let (name, rest) = after.split_once('.')?;
    (before.trim_end().ends_with("contains a") && rest.contains(LIST_FOLLOWS))
        .then_some(name.trim())
}

#[cfg(test)]
mod tests {
    use super::{Oneof, parse};

    #[test]
    fn oneofs_are_found_and_removed_from_the_description() {
        let text = "A thing.\n\nThis message contains a oneof named kind. Only a single field of the following list may be set at a time:\n  - one\n  - two\n\nThis message contains a oneof named _seen. Only a single field of the following list may be set at a time:\n  - seen\nThe end.";
        let comment = parse(text);
        assert_eq!(comment.oneofs, [Oneof { name: "kind", properties: vec!["one", "two"] }]);
        assert_eq!(comment.rest, "A thing.\n\n\nThe end.\n");
    }
}
