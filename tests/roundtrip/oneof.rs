//! Properties that exclude one another, as documents have them: a `oneOf` of objects with one required property each,
//! or the comment that tools for Protocol Buffers write.

use serde_json::Value;

/// Properties of an object of which at most one is present.
#[derive(Clone, Debug, PartialEq)]
pub struct Oneof<'d> {
    /// The names of the properties, and their schemas.
    pub properties: Vec<(&'d str, &'d Value)>,
    /// Whether one of them must be present.
    pub required: bool,
}

/// Returns the group that the `oneOf` of a schema makes.
pub fn standard(schema: &Value) -> Option<Oneof<'_>> {
    let branches = schema.get("oneOf")?.as_array()?;
    let properties: Option<Vec<_>> = branches.iter().map(sole_property).collect();
    let properties = properties.filter(|properties| !properties.is_empty())?;
    Some(Oneof { properties, required: true })
}

/// Returns the property of a schema that describes nothing but one required property.
fn sole_property(branch: &Value) -> Option<(&str, &Value)> {
    let mut properties = branch.get("properties")?.as_object()?.iter();
    let (Some((name, property)), None) = (properties.next(), properties.next()) else {
        return None;
    };
    let [required] = branch.get("required")?.as_array()?.as_slice() else {
        return None;
    };
    let combines = ["$ref", "allOf", "oneOf", "anyOf"];
    let is_alone = !combines.iter().any(|keyword| branch.get(keyword).is_some());
    (required.as_str() == Some(name) && is_alone).then_some((name.as_str(), property))
}

/// Returns the groups that the description of an object lists in a comment.
pub fn in_comment(schema: &Value) -> Vec<Oneof<'_>> {
    let text = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let properties = schema.get("properties").and_then(Value::as_object);
    let groups = text.split("contains a oneof named ").skip(1).filter_map(|comment| {
        let (first, list) = comment.split_once('\n')?;
        // A name with an underscore in front is what the tools make of an optional property.
        let is_group = !comment.starts_with('_')
            && first.contains("Only a single field of the following list may be set");
        let names = list.lines().map_while(|line| line.trim_start().strip_prefix("- "));
        let properties: Vec<_> = names
            .filter_map(|name| properties?.get_key_value(name.trim()))
            .map(|(name, property)| (name.as_str(), property))
            .collect();
        (is_group && !properties.is_empty()).then_some(Oneof { properties, required: false })
    });
    groups.collect()
}
