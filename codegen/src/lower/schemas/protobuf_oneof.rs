//! Unions that a description only tells in words.
//!
//! Tools that turn Protocol Buffers into OpenAPI write a `oneof` as ordinary members, and say in the description of the
//! object which of them exclude one another:
//!
//! ```text
//! This message contains a oneof named duration. Only a single field of the following list may be set at a time:
//!   - durationUnset
//!   - durationGrant
//! ```

const NAMED: &str = "oneof named ";
const LIST_FOLLOWS: &str = "Only a single field of the following list may be set at a time";

/// Members that exclude one another.
#[derive(Debug, PartialEq, Eq)]
pub struct Group<'t> {
    /// The name of the `oneof`.
    pub name: &'t str,
    /// The members that it lists.
    pub members: Vec<&'t str>,
}

/// What a description says, taken apart.
#[derive(Debug, Default)]
pub struct Told<'t> {
    /// The groups. One whose name begins with `_` is an optional member, which is nothing special here.
    pub groups: Vec<Group<'t>>,
    /// The description without the words about groups.
    pub rest: String,
}

/// Takes a description apart.
pub fn read(description: &str) -> Told<'_> {
    let mut told = Told::default();
    let mut lines = description.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(name) = group_name(line) else {
            told.rest.push_str(line);
            told.rest.push('\n');
            continue;
        };
        let mut members = Vec::new();
        while let Some(member) = lines.peek().and_then(|line| line.trim().strip_prefix("- ")) {
            members.push(member.trim());
            lines.next();
        }
        if !name.starts_with('_') {
            told.groups.push(Group { name, members });
        }
    }
    told
}

fn group_name(line: &str) -> Option<&str> {
    let (before, after) = line.split_once(NAMED)?;
    let (name, rest) = after.split_once('.')?;
    (before.trim_end().ends_with("contains a") && rest.contains(LIST_FOLLOWS))
        .then_some(name.trim())
}

#[cfg(test)]
mod tests {
    use super::{Group, read};

    #[test]
    fn groups_are_found_and_taken_out() {
        let text = "A thing.\n\nThis message contains a oneof named kind. Only a single field of the following list may be set at a time:\n  - one\n  - two\n\nThis message contains a oneof named _seen. Only a single field of the following list may be set at a time:\n  - seen\nThe end.";
        let told = read(text);
        assert_eq!(told.groups, [Group { name: "kind", members: vec!["one", "two"] }]);
        assert_eq!(told.rest, "A thing.\n\n\nThe end.\n");
    }
}
