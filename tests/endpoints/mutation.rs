//! Systematic changes of JSON: what a server may send that is more than, less than or other than what is described.
//!
//! They know nothing of what is described. That makes them complete: every member of every object has its turn.

use access_governance::Value;
use access_governance::models::{TaskActionType, TaskOrigin, TaskProcessing};
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
    /// The body with members absent that the change made null, which means the same.
    pub without_nulls: Option<Value>,
}

/// Visits the body with each change at a place, or below it, that a client has to put up with.
pub fn each(body: &Value, pointer: &str, mut visit: impl FnMut(Mutation)) {
    for place in places(body, pointer) {
        let changed = |what, change: &dyn Fn(&mut Value)| {
            let mut body = body.clone();
            change(body.pointer_mut(&place.pointer).unwrap());
            Mutation { what, place: place.clone(), body, without_nulls: None }
        };
        match body.pointer(&place.pointer).unwrap() {
            Value::Object(members) => {
                // Another member of a dictionary of booleans is a boolean.
                let is_dictionary = !members.is_empty() && members.values().all(Value::is_boolean);
                let new =
                    if is_dictionary { json!(true) } else { json!({ "deep": [1, null, "x"] }) };
                visit(changed("has an unknown member", &|value| {
                    value["memberThatCameLater"] = new.clone();
                }));
                visit(changed("has an unknown null member", &|value| {
                    value["memberThatCameLater"] = Value::Null;
                }));
                for name in members.keys() {
                    let without =
                        changed("has one member less", &|value| drop(remove(value, name)));
                    let null = changed("has a null member", &|value| value[name] = Value::Null);
                    visit(Mutation { without_nulls: Some(without.body.clone()), ..null });
                    visit(without);
                    visit(changed("has a member of another name", &|value| {
                        value["memberThatCameLater"] = remove(value, name);
                    }));
                }
            }
            Value::Array(elements) => {
                visit(changed("is empty", &|value| *value = json!([])));
                for (index, pair) in elements.windows(2).enumerate() {
                    visit(changed("has a null element", &|value| {
                        value[index] = Value::Null;
                    }));
                    visit(changed("has an element with the members of two", &|value| {
                        unite(&mut value[index], &pair[1])
                    }));
                    let nulls =
                        changed("has an element with the members of another, null", &|value| {
                            unite(&mut value[index], &without_values(&pair[1]));
                        });
                    visit(Mutation { without_nulls: Some(body.clone()), ..nulls });
                }
            }
            Value::String(text) if is_enum_value(text) => {
                visit(changed("is an unknown enum value", &|value| {
                    *value = json!("TASK_VALUE_THAT_CAME_LATER");
                }));
                visit(changed("is an empty enum value", &|value| {
                    *value = json!("");
                }));
                visit(changed("is an enum value in another case", &|value| {
                    *value = json!(text.to_ascii_lowercase());
                }));
            }
            _ => {}
        }
    }
}

/// Visits the body with each value at a place, or below it, replaced by values of other types.
pub fn each_of_another_type(body: &Value, pointer: &str, mut visit: impl FnMut(Mutation)) {
    for place in places(body, pointer) {
        let value = body.pointer(&place.pointer).unwrap();
        for other in [json!(-7), json!("surprise"), json!({ "surprise": 1 })] {
            if std::mem::discriminant(value) != std::mem::discriminant(&other) {
                let mut body = body.clone();
                *body.pointer_mut(&place.pointer).unwrap() = other;
                visit(Mutation {
                    what: "has another type",
                    place: place.clone(),
                    body,
                    without_nulls: None,
                });
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

/// Returns all values of a body that are at a place or below it.
fn places(body: &Value, pointer: &str) -> Vec<Place> {
    let mut places = Vec::new();
    collect(body, Place { pointer: String::new(), path: String::new() }, &mut places);
    places.retain(|place| place.pointer.starts_with(pointer));
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
                let place = Place {
                    pointer: format!("{pointer}/{index}"),
                    path: format!("{path}[{index}]"),
                };
                collect(value, place, places);
            }
        }
        _ => {}
    }
    places.push(place);
}

/// Returns a value whose members are null.
fn without_values(value: &Value) -> Value {
    let nulls =
        value.as_object().into_iter().flatten().map(|(name, _)| (name.clone(), Value::Null));
    Value::Object(nulls.collect())
}

fn remove(object: &mut Value, name: &str) -> Value {
    object.as_object_mut().and_then(|members| members.remove(name)).unwrap()
}

fn is_enum_value(text: &str) -> bool {
    TaskActionType::KNOWN.iter().any(|known| known.as_str() == text)
        || TaskOrigin::KNOWN.iter().any(|known| known.as_str() == text)
        || TaskProcessing::KNOWN.iter().any(|known| known.as_str() == text)
}
