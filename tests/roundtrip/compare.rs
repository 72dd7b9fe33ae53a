//! Whether the JSON that came back is the JSON that was sent. The only exception: an optional property may be absent
//! instead of null.

use std::rc::Rc;

use serde_json::{Number, Value};

use crate::form::{Form, Kind, Rest};
use crate::schema::Schema;
use crate::schemas::Schemas;

/// The first difference between what was sent and what came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Where, as errors of decoding have it: `steps[3].webhook`.
    pub path: String,
    /// What differs, without the values.
    pub what: &'static str,
}

/// Compares what was sent, of a schema, with what came back.
pub fn compare(
    schemas: &Schemas<'_>,
    schema: &Schema,
    sent: &Value,
    back: &Value,
) -> Result<(), Difference> {
    let mut path = Vec::new();
    same(schemas, &schemas.outcomes(schema), sent, back, &mut path)
        .map_err(|what| Difference { path: shown(&path), what })
}

/// One step from a value to a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Name(String),
    Index(usize),
}

/// Returns a path as errors of decoding have it.
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

fn same<'d>(
    schemas: &Schemas<'d>,
    forms: &[Rc<Form<'d>>],
    sent: &Value,
    back: &Value,
    path: &mut Vec<Step>,
) -> Result<(), &'static str> {
    match (sent, back) {
        (Value::Object(sent), Value::Object(back)) => {
            for (name, value) in sent {
                path.push(Step::Name(name.clone()));
                match back.get(name) {
                    Some(back) => {
                        same(schemas, &of_property(schemas, forms, name), value, back, path)?;
                    }
                    None if value.is_null() => null_left_out(schemas, forms, name)?,
                    None => return Err("a property was left out"),
                }
                path.pop();
            }
            match back.keys().find(|name| !sent.contains_key(*name)) {
                None => Ok(()),
                Some(name) => {
                    path.push(Step::Name(name.clone()));
                    Err("a property was added")
                }
            }
        }
        (Value::Array(sent), Value::Array(back)) => {
            for (index, (one, other)) in sent.iter().zip(back).enumerate() {
                path.push(Step::Index(index));
                same(schemas, &of_element(schemas, forms, index), one, other, path)?;
                path.pop();
            }
            if sent.len() == back.len() { Ok(()) } else { Err("an array has another length") }
        }
        (Value::Number(sent), Value::Number(back)) if equal(sent, back) => Ok(()),
        (Value::Number(_), Value::Number(_)) => Err("a number has another value"),
        (Value::String(sent), Value::String(back)) if sent != back => {
            Err("a string has another value")
        }
        (sent, back) if sent == back => Ok(()),
        _ => Err("a value is of another kind"),
    }
}

fn null_left_out(
    schemas: &Schemas<'_>,
    forms: &[Rc<Form<'_>>],
    name: &str,
) -> Result<(), &'static str> {
    let properties = || forms.iter().filter_map(|form| form.property(name));
    match properties().next() {
        _ if properties().any(|property| !property.required) => Ok(()),
        None => Err("a null was left out that is not described"),
        Some(property) if schemas.outcomes(&property.schema).iter().any(|form| form.null) => {
            Err("a null was left out that is required, and allowed")
        }
        Some(_) => Err("a null was left out that is required"),
    }
}

/// Returns what is said of the property of this name.
pub fn of_property<'d>(
    schemas: &Schemas<'d>,
    forms: &[Rc<Form<'d>>],
    name: &str,
) -> Vec<Rc<Form<'d>>> {
    let objects = forms.iter().filter(|form| form.allows(Kind::Object));
    let inner = objects.filter_map(|form| match (form.property(name), &form.rest) {
        (Some(property), _) => Some(&property.schema),
        (None, Rest::Schema(values)) => Some(values),
        (None, _) => None,
    });
    all_outcomes(schemas, inner)
}

/// Returns what is said of the element at this index.
pub fn of_element<'d>(
    schemas: &Schemas<'d>,
    forms: &[Rc<Form<'d>>],
    index: usize,
) -> Vec<Rc<Form<'d>>> {
    let arrays = forms.iter().filter(|form| form.allows(Kind::Array));
    let inner = arrays.filter_map(|form| form.first_items.get(index).or(form.items.as_ref()));
    all_outcomes(schemas, inner)
}

fn all_outcomes<'s, 'd>(
    schemas: &Schemas<'d>,
    inner: impl Iterator<Item = &'s Schema>,
) -> Vec<Rc<Form<'d>>> {
    let mut seen: Vec<&Schema> = Vec::new();
    for schema in inner {
        if !seen.contains(&schema) {
            seen.push(schema);
        }
    }
    seen.into_iter().flat_map(|schema| schemas.outcomes(schema).to_vec()).collect()
}

/// Returns whether two numbers have the same value, exactly: an integer is not rounded to be compared with a fraction.
fn equal(one: &Number, other: &Number) -> bool {
    match (integer(one), integer(other)) {
        (None, None) => one.as_f64() == other.as_f64(),
        (one, other) => one == other,
    }
}

/// Returns the value of a number that is whole and within the range of `i128`.
#[expect(clippy::cast_possible_truncation, reason = "only whole numbers within bounds are cast")]
fn integer(number: &Number) -> Option<i128> {
    let whole = number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from));
    whole.or_else(|| {
        let value = number.as_f64()?;
        (value.fract() == 0.0 && value.abs() < 1e38).then_some(value as i128)
    })
}
