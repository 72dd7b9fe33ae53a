//! Whether what came back is what was sent, but for the documented exceptions.
//!
//! The order of members, white space and escapes are gone once JSON is parsed, and so are members that come twice. What
//! is left of the exceptions is that an optional member may be absent instead of null.

use std::rc::Rc;

use serde_json::{Number, Value};

use super::form::{Form, Kind, Rest};
use super::schema::{Reader, Schema};

/// The first difference between what was sent and what came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Where, from the outermost value to the innermost.
    pub path: Vec<String>,
    /// What differs, without the values.
    pub what: &'static str,
}

/// Compares what was sent, of a schema, with what came back.
pub fn compare(
    reader: &Reader<'_>,
    schema: &Schema,
    sent: &Value,
    back: &Value,
) -> Result<(), Difference> {
    let mut path = Vec::new();
    same(reader, &reader.outcomes(schema), sent, back, &mut path).map_err(|what| {
        path.reverse();
        Difference { path, what }
    })
}

fn same<'d>(
    reader: &Reader<'d>,
    forms: &[Rc<Form<'d>>],
    sent: &Value,
    back: &Value,
    path: &mut Vec<String>,
) -> Result<(), &'static str> {
    match (sent, back) {
        (Value::Object(sent), Value::Object(back)) => {
            for (name, value) in sent {
                let Some(back) = back.get(name) else {
                    if value.is_null() && forms.iter().any(|form| is_optional(form, name)) {
                        continue;
                    }
                    path.push(name.clone());
                    let described = forms.iter().find_map(|form| form.member(name));
                    return Err(match described {
                        _ if !value.is_null() => "a member was left out",
                        None => "a null was left out that is not described",
                        Some(member) if allows_null(reader, &member.schema) => {
                            "a null was left out that is required, and allowed"
                        }
                        Some(_) => "a null was left out that is required",
                    });
                };
                let inner = member_forms(reader, forms, name);
                same(reader, &inner, value, back, path).inspect_err(|_| path.push(name.clone()))?;
            }
            if let Some(name) = back.keys().find(|name| !sent.contains_key(*name)) {
                path.push(name.clone());
                return Err("a member was added");
            }
            Ok(())
        }
        (Value::Array(sent), Value::Array(back)) => {
            for (index, (one, other)) in sent.iter().zip(back).enumerate() {
                let inner = element_forms(reader, forms, index);
                same(reader, &inner, one, other, path)
                    .inspect_err(|_| path.push(index.to_string()))?;
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

fn allows_null(reader: &Reader<'_>, schema: &Schema) -> bool {
    reader.outcomes(schema).iter().any(|form| form.null)
}

fn is_optional(form: &Form<'_>, name: &str) -> bool {
    form.member(name).is_some_and(|member| !member.required)
}

/// Returns what is said of the member of this name.
pub fn member_forms<'d>(
    reader: &Reader<'d>,
    forms: &[Rc<Form<'d>>],
    name: &str,
) -> Vec<Rc<Form<'d>>> {
    let objects = forms.iter().filter(|form| form.allows(Kind::Object));
    let schemas = objects.filter_map(|form| match (form.member(name), &form.rest) {
        (Some(member), _) => Some(&member.schema),
        (None, Rest::Schema(values)) => Some(values),
        (None, _) => None,
    });
    all_outcomes(reader, schemas)
}

/// Returns what is said of the element at this index.
pub fn element_forms<'d>(
    reader: &Reader<'d>,
    forms: &[Rc<Form<'d>>],
    index: usize,
) -> Vec<Rc<Form<'d>>> {
    let arrays = forms.iter().filter(|form| form.allows(Kind::Array));
    let schemas = arrays.filter_map(|form| form.first_items.get(index).or(form.items.as_ref()));
    all_outcomes(reader, schemas)
}

fn all_outcomes<'s, 'd>(
    reader: &Reader<'d>,
    schemas: impl Iterator<Item = &'s Schema>,
) -> Vec<Rc<Form<'d>>> {
    let mut seen: Vec<&Schema> = Vec::new();
    let mut forms = Vec::new();
    for schema in schemas {
        if !seen.contains(&schema) {
            seen.push(schema);
            forms.extend(reader.outcomes(schema).iter().cloned());
        }
    }
    forms
}

/// Tells whether two numbers have the same value, exactly: an integer is not rounded to be compared with a fraction.
fn equal(one: &Number, other: &Number) -> bool {
    match (integer(one), integer(other)) {
        (Some(one), Some(other)) => one == other,
        (None, None) => one.as_f64() == other.as_f64(),
        _ => false,
    }
}

/// Returns the value of a number that is whole and within the range of `i128`.
#[expect(clippy::cast_possible_truncation, reason = "only whole numbers within bounds are cast")]
fn integer(number: &Number) -> Option<i128> {
    if let Some(value) = number.as_i64() {
        return Some(value.into());
    }
    if let Some(value) = number.as_u64() {
        return Some(value.into());
    }
    let value = number.as_f64()?;
    (value.fract() == 0.0 && value.abs() < 1e38).then_some(value as i128)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::roundtrip::description::Description;
    use crate::roundtrip::testing::node;

    const SCHEMA: &str = "{type: object, required: [id], properties: {\
         id: {type: [string, 'null']}, name: {type: string}, list: {type: array, items: {type: string}}, \
         free: {}, map: {type: object, additionalProperties: {type: integer}}}}";

    fn difference(sent: &Value, back: &Value) -> Option<(String, &'static str)> {
        let root = node(SCHEMA);
        let description = Description::of(&root);
        let reader = Reader::of(&description);
        let schema = Schema::at(description.at("").unwrap());
        let difference = compare(&reader, &schema, sent, back).err()?;
        Some((difference.path.join("."), difference.what))
    }

    #[test]
    fn only_optional_nulls_may_vanish() {
        assert_eq!(difference(&json!({"name": null}), &json!({})), None);
        for (sent, back, path) in [
            (json!({"id": null}), json!({}), "id"),
            (json!({"more": null}), json!({}), "more"),
            (json!({"free": {"a": null}}), json!({"free": {}}), "free.a"),
            (json!({"map": {"a": null}}), json!({"map": {}}), "map.a"),
            (json!({"list": ["a", null]}), json!({"list": ["a"]}), "list"),
            (json!({"name": ""}), json!({}), "name"),
            (json!({}), json!({"name": null}), "name"),
        ] {
            let found = difference(&sent, &back).map(|(path, _)| path);
            assert_eq!(found.as_deref(), Some(path), "{sent} {back}");
        }
    }

    #[test]
    fn numbers_compare_by_value() {
        assert_eq!(difference(&json!({"free": 1}), &json!({"free": 1.0})), None);
        assert_eq!(difference(&json!({"free": 0.1}), &json!({"free": 0.1})), None);
        for (sent, back) in [
            (json!(9_007_199_254_740_993_u64), json!(9_007_199_254_740_992_u64)),
            (json!(i64::MAX), json!(9.223_372_036_854_776e18)),
            (json!(1), json!("1")),
            (json!(0.1), json!(0.100_000_000_000_000_02)),
        ] {
            let found = difference(&json!({"free": sent}), &json!({"free": back}));
            assert!(found.is_some(), "{sent} {back}");
        }
    }
}
