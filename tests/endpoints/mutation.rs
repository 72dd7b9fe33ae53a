//! Systematic changes of JSON: what a server may send that is more than, less than or other than what is described.
//!
//! They know nothing of what is described. That makes them complete: every member of every object has its turn.

use access_governance::models::{TaskActionType, TaskOrigin, TaskProcessing};
use access_governance::Value;
use serde_json::json;

/// A value in a body.
#[derive(Clone, Debug)]
pub struct Place {
    /// Where it is, as a JSON pointer (RFC 6901).
    pub pointer: String,
    /// Where it is, as errors have it: `automation.automationSteps[3].webhook`.
    pub path: String,
}

/// A body that is changed in one place.
pub struct Mutation {
    /// What was done to it.
    pub what: &'static str,
    pub place: Place,
    pub body: Value,
}

/// Visits the body with each change that a client has to put up with.
pub fn each(body: &Value, mut visit: impl FnMut(Mutation)) {
    for place in places(body) {
        let mut change = |what, change: &dyn Fn(&mut Value)| {
            let mut body = body.clone();
            change(body.pointer_mut(&place.pointer).unwrap());
            visit(Mutation { what, place: place.clone(), body });
        };
        match body.pointer(&place.pointer).unwrap() {
            Value::Object(members) => {
                change("has an unknown member", &|value| value["memberThatCameLater"] = json!({ "deep": [1, null, "x"] }));
                change("has an unknown null member", &|value| value["memberThatCameLater"] = Value::Null);
                for name in members.keys() {
                    change("has one member less", &|value| drop(value.as_object_mut().unwrap().remove(name)));
                    change("has a member of another name", &|value| {
                        let renamed = value.as_object_mut().unwrap().remove(name).unwrap();
                        value["memberThatCameLater"] = renamed;
                    });
                }
            }
            Value::Array(elements) => {
                change("is empty", &|value| *value = json!([]));
                for (index, pair) in elements.windows(2).enumerate() {
                    change("has an element with the members of two", &|value| unite(&mut value[index], &pair[1]));
                    change("has an element with null members of another", &|value| {
                        unite(&mut value[index], &without_values(&pair[1]));
                    });
                }
            }
            Value::String(text) if is_enum_value(text) => {
                change("is an unknown enum value", &|value| *value = json!("TASK_VALUE_THAT_CAME_LATER"));
                change("is an empty enum value", &|value| *value = json!(""));
                change("is an enum value in another case", &|value| *value = json!(text.to_ascii_lowercase()));
            }
            _ => {}
        }
        if !place.pointer.is_empty() {
            change("is null", &|value| *value = Value::Null);
        }
    }
}

/// Visits the body with each value replaced by values of other types.
pub fn each_of_another_type(body: &Value, mut visit: impl FnMut(Mutation)) {
    for place in places(body) {
        let value = body.pointer(&place.pointer).unwrap();
        for other in [json!(true), json!(-7), json!(0.5), json!("surprise"), json!(["surprise"]), json!({ "surprise": 1 })] {
            if std::mem::discriminant(value) != std::mem::discriminant(&other) {
                let mut body = body.clone();
                *body.pointer_mut(&place.pointer).unwrap() = other;
                visit(Mutation { what: "has another type", place: place.clone(), body });
            }
        }
    }
}

/// Adds the members that only the other value has, in depth.
pub fn unite(value: &mut Value, other: &Value) {
    if let (Value::Object(members), Value::Object(others)) = (value, other) {
        for (name, other) in others {
            match members.get_mut(name) {
                Some(member) => unite(member, other),
                None => drop(members.insert(name.clone(), other.clone())),
            }
        }
    }
}

/// Returns all values of a body, the body included.
fn places(body: &Value) -> Vec<Place> {
    let mut places = Vec::new();
    collect(body, Place { pointer: String::new(), path: String::new() }, &mut places);
    places
}

fn collect(value: &Value, place: Place, places: &mut Vec<Place>) {
    let Place { pointer, path } = &place;
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                let pointer = format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"));
                let dot = if path.is_empty() { "" } else { "." };
                collect(value, Place { pointer, path: format!("{path}{dot}{name}") }, places);
            }
        }
        Value::Array(elements) => {
            for (index, value) in elements.iter().enumerate() {
                let place = Place { pointer: format!("{pointer}/{index}"), path: format!("{path}[{index}]") };
                collect(value, place, places);
            }
        }
        _ => {}
    }
    places.push(place);
}

/// Returns a value whose members are null.
fn without_values(value: &Value) -> Value {
    let nulls = value.as_object().into_iter().flatten().map(|(name, _)| (name.clone(), Value::Null));
    Value::Object(nulls.collect())
}

fn is_enum_value(text: &str) -> bool {
    TaskActionType::KNOWN.iter().any(|known| known.as_str() == text)
        || TaskOrigin::KNOWN.iter().any(|known| known.as_str() == text)
        || TaskProcessing::KNOWN.iter().any(|known| known.as_str() == text)
}
