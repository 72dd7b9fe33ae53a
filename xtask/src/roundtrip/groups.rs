//! Members that exclude one another, as descriptions tell them: as a `oneOf` of objects with one required member each,
//! or in the words that tools for Protocol Buffers write.

use ::codegen::Node;

/// Members of an object of which at most one is present.
#[derive(Clone, Debug, PartialEq)]
pub struct Group<'d> {
    /// The names of the members, and their schemas.
    pub members: Vec<(&'d str, &'d Node)>,
    /// Whether one of them must be present.
    pub demanded: bool,
}

/// Returns the group that the `oneOf` of a schema makes.
pub fn standard(schema: &Node) -> Option<Group<'_>> {
    let branches = schema.get("oneOf")?.as_array()?;
    let members: Option<Vec<_>> = branches.iter().map(sole_member).collect();
    let members = members.filter(|members| !members.is_empty())?;
    Some(Group { members, demanded: true })
}

/// Returns the member of a schema that describes nothing but one required member.
fn sole_member(branch: &Node) -> Option<(&str, &Node)> {
    let [(name, member)] = branch.get("properties")?.as_object()? else {
        return None;
    };
    let [required] = branch.get("required")?.as_array()? else {
        return None;
    };
    let combines = ["$ref", "allOf", "oneOf", "anyOf"];
    (required.as_str() == Some(name)
        && !combines.iter().any(|keyword| branch.get(keyword).is_some()))
    .then_some((name.as_str(), member))
}

/// Returns the groups that the description of an object tells in words.
pub fn told(schema: &Node) -> Vec<Group<'_>> {
    const TELLS: &str = "contains a oneof named ";
    let Some((text, properties)) =
        schema.get("description").and_then(Node::as_str).zip(schema.get("properties"))
    else {
        return Vec::new();
    };
    let groups = text.split(TELLS).skip(1).filter_map(|told| {
        let (first, list) = told.split_once('\n')?;
        let is_told = first.contains("Only a single field of the following list may be set");
        let listed = list.lines().map_while(|line| line.trim_start().strip_prefix("- "));
        let members = listed.filter_map(|name| {
            let members = properties.as_object()?.iter();
            members.map(|(key, member)| (key.as_str(), member)).find(|(key, _)| *key == name.trim())
        });
        // A name with an underscore in front is what the tools make of an optional member.
        (is_told && !told.starts_with('_'))
            .then(|| Group { members: members.collect(), demanded: false })
    });
    groups.filter(|group| !group.members.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::roundtrip::testing::node;

    fn names(group: &Group<'_>) -> Vec<String> {
        group.members.iter().map(|(name, _)| (*name).to_owned()).collect()
    }

    #[test]
    fn one_required_member_per_branch_is_a_group() {
        let schema = node(
            "{oneOf: [{required: [a], properties: {a: {}}}, {required: [b], properties: {b: {}}}]}",
        );
        let group = standard(&schema).unwrap();
        assert_eq!(names(&group), ["a", "b"]);
        assert!(group.demanded);
        let other = node("{oneOf: [{required: [a], properties: {a: {}}}, {type: string}]}");
        assert_eq!(standard(&other), None);
    }

    #[test]
    fn words_tell_groups() {
        let schema = node(
            r#"{"description": "X.\nThis message contains a oneof named kind. Only a single field of the following list may be set at a time:\n  - a\n  - b\n\nThis message contains a oneof named _c. Only a single field of the following list may be set at a time:\n  - c\n", "properties": {"a": {}, "b": {}, "c": {}}}"#,
        );
        let [group] = told(&schema).try_into().unwrap();
        assert_eq!(names(&group), ["a", "b"]);
        assert!(!group.demanded);
    }
}
