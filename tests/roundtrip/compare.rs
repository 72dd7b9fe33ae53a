//! Whether the JSON that came back is the JSON that was sent. The only exception: an optional property may be absent
//! instead of null.

use serde_json::Value;

use crate::shape::{Id, Rest, Shape, Shapes};

/// One step from a value to a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Name(String),
    Index(usize),
}

/// Returns a path as errors of decoding have it: `steps[3].webhook`.
pub fn shown(path: &[Step]) -> String {
    let is_plain = |name: &str| {
        let is_word = |char: char| char.is_alphanumeric() || "_-$@".contains(char);
        !name.is_empty() && name.chars().all(is_word)
    };
    path.iter().fold(String::new(), |path, step| match step {
        Step::Name(name) if !is_plain(name) => format!("{path}[\"{}\"]", name.escape_debug()),
        Step::Name(name) if path.is_empty() => name.clone(),
        Step::Name(name) => format!("{path}.{name}"),
        Step::Index(index) => format!("{path}[{index}]"),
    })
}

/// Compares what was sent, of a shape, with what came back. The error says what differs, without the values, and `path`
/// leads there.
pub fn compare(
    shapes: &Shapes<'_>,
    id: Id,
    sent: &Value,
    back: &Value,
    path: &mut Vec<Step>,
) -> Result<(), &'static str> {
    match (sent, back) {
        (Value::Object(sent), Value::Object(back)) => {
            for (name, value) in sent {
                path.push(Step::Name(name.clone()));
                match back.get(name) {
                    Some(back) => compare(shapes, id, value, back, path)?,
                    None if value.is_null() => null_left_out(shapes, id, path)?,
                    None => return Err("a property was left out"),
                }
                path.pop();
            }
            let is_new = |name: &String| !sent.contains_key(name);
            if back.keys().any(is_new) { Err("a property was added") } else { Ok(()) }
        }
        (Value::Array(sent), Value::Array(back)) => {
            for (index, (one, other)) in sent.iter().zip(back).enumerate() {
                path.push(Step::Index(index));
                compare(shapes, id, one, other, path)?;
                path.pop();
            }
            if sent.len() == back.len() { Ok(()) } else { Err("an array has another length") }
        }
        (sent, back) if sent == back => Ok(()),
        // `1` and `1.0` are different, too.
        (Value::Number(_), Value::Number(_)) => Err("a number is written in another way"),
        (Value::String(_), Value::String(_)) => Err("a string has another value"),
        _ => Err("a value is of another kind"),
    }
}

/// Returns whether the last step of a path is an optional property in one of the shapes that the rest may lead to.
fn null_left_out(shapes: &Shapes<'_>, root: Id, path: &[Step]) -> Result<(), &'static str> {
    let mut ids = flat(shapes, vec![root]);
    for step in &path[..path.len() - 1] {
        let inner = ids.iter().filter_map(|&id| match (shapes.shape(id), step) {
            (Shape::Object(object), Step::Name(name)) => match (object.property(name), object.rest)
            {
                (Some(property), _) => Some(property.id),
                (None, Rest::Of(values)) => Some(values),
                (None, _) => None,
            },
            (Shape::Array(first, items), Step::Index(index)) => {
                first.get(*index).copied().or(*items)
            }
            _ => None,
        });
        ids = flat(shapes, inner.collect());
    }
    let properties = ids.iter().filter_map(|&id| match (shapes.shape(id), path.last()) {
        (Shape::Object(object), Some(Step::Name(name))) => object.property(name),
        _ => None,
    });
    match properties.map(|property| property.required).reduce(|one, other| one && other) {
        None => Err("a null was left out that is not described"),
        Some(true) => Err("a null was left out that is required"),
        Some(false) => Ok(()),
    }
}

/// Returns the shapes behind all branches.
fn flat(shapes: &Shapes<'_>, mut ids: Vec<Id>) -> Vec<Id> {
    let mut next = 0;
    while let Some(&id) = ids.get(next) {
        if let Shape::OneOf(branches) = shapes.shape(id) {
            for &(_, branch) in branches {
                if !ids.contains(&branch) {
                    ids.push(branch);
                }
            }
        }
        next += 1;
    }
    ids
}
