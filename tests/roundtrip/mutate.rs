//! Makes an instance into something that a later version of a service, or a careless one, may send.

use std::rc::Rc;

use serde_json::{Map, Value, json};

use crate::compare::{Step, of_element, of_property, shown};
use crate::coverage::Coverage;
use crate::form::{Form, Kind, Rest};
use crate::instance::instance;
use crate::samples;
use crate::schema::Schema;
use crate::schemas::Schemas;
use crate::tape::Tape;

/// What is done to an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutation {
    UnknownProperty,
    UnknownValue,
    NoMember,
    UnknownMember,
    SeveralMembers,
    NullProperty,
    NullElement,
    PropertyRemoved,
    NumberForText,
    EmptyText,
    OtherType,
}

/// All of them, and what they are called.
pub const MUTATIONS: [(Mutation, &str); 11] = [
    (Mutation::UnknownProperty, "unknown properties"),
    (Mutation::UnknownValue, "unknown enum values"),
    (Mutation::NoMember, "unions without a member"),
    (Mutation::UnknownMember, "unions of an unknown member"),
    (Mutation::SeveralMembers, "unions of several members"),
    (Mutation::NullProperty, "properties made null"),
    (Mutation::NullElement, "elements made null"),
    (Mutation::PropertyRemoved, "properties removed"),
    (Mutation::NumberForText, "numbers for integers in strings"),
    (Mutation::EmptyText, "empty strings for integers and times"),
    (Mutation::OtherType, "values of another type"),
];

type Forms<'d> = Vec<Rc<Form<'d>>>;

/// Applies a mutation at one of the places where it can be, and returns the path of that.
pub fn mutate(
    schemas: &Schemas<'_>,
    schema: &Schema,
    value: &mut Value,
    mutation: Mutation,
    tape: &mut Tape<'_>,
) -> Option<String> {
    let (mut path, mut spots) = (Vec::new(), Vec::new());
    collect(schemas, &schemas.outcomes(schema), value, mutation, &mut path, &mut spots);
    let (path, forms) = tape.choose(&spots)?;
    let target = path.iter().try_fold(value, |value, step| match step {
        Step::Name(name) => value.get_mut(name),
        Step::Index(index) => value.get_mut(index),
    })?;
    apply(schemas, &forms, target, mutation, tape).then(|| shown(&path))
}

/// Finds the places where a mutation can be applied.
fn collect<'d>(
    schemas: &Schemas<'d>,
    forms: &[Rc<Form<'d>>],
    value: &Value,
    mutation: Mutation,
    path: &mut Vec<Step>,
    spots: &mut Vec<(Vec<Step>, Forms<'d>)>,
) {
    if is_apt(schemas, forms, value, mutation) {
        spots.push((path.clone(), forms.to_vec()));
    }
    let names = value.as_object().into_iter().flatten();
    let properties = names.map(|(name, value)| (Step::Name(name.clone()), value));
    let elements = value.as_array().into_iter().flatten().enumerate();
    for (step, value) in properties.chain(elements.map(|(at, value)| (Step::Index(at), value))) {
        let inner = match &step {
            Step::Name(name) => of_property(schemas, forms, name),
            Step::Index(index) => of_element(schemas, forms, *index),
        };
        path.push(step);
        collect(schemas, &inner, value, mutation, path, spots);
        path.pop();
    }
}

/// Returns whether a mutation can be applied to a value.
fn is_apt(
    schemas: &Schemas<'_>,
    forms: &[Rc<Form<'_>>],
    value: &Value,
    mutation: Mutation,
) -> bool {
    let all =
        |test: &dyn Fn(&Form<'_>) -> bool| !forms.is_empty() && forms.iter().all(|form| test(form));
    let has_format = |formats: &[&str]| {
        let is_one = |form: &Form<'_>| form.format.is_some_and(|format| formats.contains(&format));
        value.is_string() && all(&|form| form.kinds == [Kind::String] && is_one(form))
    };
    match mutation {
        Mutation::UnknownProperty => {
            value.is_object() && !forms.iter().any(|form| matches!(form.rest, Rest::Schema(_)))
        }
        Mutation::UnknownValue => {
            let is_text = |place: &_| schemas.document.value(*place).is_string();
            let lists_texts =
                |form: &Form<'_>| form.values.as_ref().is_some_and(|all| all.iter().all(is_text));
            value.is_string() && all(&lists_texts)
        }
        Mutation::NoMember | Mutation::UnknownMember | Mutation::SeveralMembers => {
            value.is_object() && all(&|form| !form.oneofs.is_empty())
        }
        Mutation::NullProperty | Mutation::PropertyRemoved => {
            value.as_object().is_some_and(|object| !object.is_empty())
        }
        Mutation::NullElement => value.as_array().is_some_and(|items| !items.is_empty()),
        Mutation::NumberForText => has_format(&["int64", "uint64"]),
        Mutation::EmptyText => has_format(&["int64", "uint64", "date-time"]),
        Mutation::OtherType => !value.is_null(),
    }
}

fn apply(
    schemas: &Schemas<'_>,
    forms: &[Rc<Form<'_>>],
    value: &mut Value,
    mutation: Mutation,
    tape: &mut Tape<'_>,
) -> bool {
    match (mutation, value) {
        (Mutation::UnknownProperty, Value::Object(object)) => {
            (0..=tape.below(3)).for_each(|_| add_unknown(forms, object, tape));
        }
        (Mutation::UnknownValue, value) => {
            let known = forms.iter().find_map(|form| form.values.as_ref()?.first().copied());
            let known = known.and_then(|place| schemas.document.value(place).as_str());
            let known = known.unwrap_or_default();
            let lower = known.to_lowercase();
            let unknown = [
                "UNKNOWN_VALUE".to_owned(),
                String::new(),
                lower,
                format!("{known} "),
                tape.text(),
            ];
            *value = json!(tape.choose(&unknown));
        }
        (Mutation::NoMember, Value::Object(object)) => remove_members(forms, object),
        (Mutation::UnknownMember, Value::Object(object)) => {
            if forms.iter().any(|form| matches!(form.rest, Rest::Schema(_))) {
                return false;
            }
            remove_members(forms, object);
            add_unknown(forms, object, tape);
        }
        (Mutation::SeveralMembers, Value::Object(object)) => {
            return add_member(schemas, forms, object, tape).is_some();
        }
        (Mutation::NullProperty, Value::Object(object)) => {
            let index = tape.below(object.len());
            object.values_mut().nth(index).into_iter().for_each(|value| *value = Value::Null);
        }
        (Mutation::PropertyRemoved, Value::Object(object)) => {
            let name = object.keys().nth(tape.below(object.len())).cloned();
            if let Some(name) = name {
                object.remove(&name);
            }
        }
        (Mutation::NullElement, Value::Array(items)) => {
            let index = tape.below(items.len());
            if tape.one_in(2) {
                items.insert(index, Value::Null);
            } else {
                items.get_mut(index).into_iter().for_each(|item| *item = Value::Null);
            }
        }
        (Mutation::NumberForText, value) => {
            let text = value.as_str().unwrap_or_default();
            let signed = text.parse::<i64>().map(Value::from);
            let Ok(number) = signed.or_else(|_| text.parse::<u64>().map(Value::from)) else {
                return false;
            };
            *value = number;
        }
        (Mutation::EmptyText, value) => *value = json!(""),
        (Mutation::OtherType, value) => {
            let mut others = vec![json!(-7), json!("surprise"), json!({"surprise": 1}), json!([])];
            others.retain(|other| std::mem::discriminant(value) != std::mem::discriminant(other));
            *value = json!(tape.choose(&others));
        }
        _ => return false,
    }
    true
}

/// Adds a property that is not described.
fn add_unknown(forms: &[Rc<Form<'_>>], object: &mut Map<String, Value>, tape: &mut Tape<'_>) {
    let like_another = object.keys().next().map_or_else(String::new, |name| name.to_uppercase());
    let names = ["unknown", "$ref", "additional_properties", &like_another, &tape.text()];
    let name = tape.choose(&names).unwrap_or_default();
    let is_described = forms.iter().any(|form| form.property(name).is_some());
    if !is_described && let Some(value) = tape.choose(&samples::free()) {
        object.insert(name.to_owned(), value);
    }
}

fn remove_members(forms: &[Rc<Form<'_>>], object: &mut Map<String, Value>) {
    let is_member = |form: &Rc<Form<'_>>, name: &str| {
        form.property(name).is_some_and(|property| property.oneof.is_some())
    };
    object.retain(|name, _| !forms.iter().any(|form| is_member(form, name)));
}

/// Adds another member of a oneof, sometimes as null.
fn add_member(
    schemas: &Schemas<'_>,
    forms: &[Rc<Form<'_>>],
    object: &mut Map<String, Value>,
    tape: &mut Tape<'_>,
) -> Option<()> {
    let properties = forms.iter().flat_map(|form| &form.properties);
    let members: Vec<_> = properties
        .filter(|property| property.oneof.is_some() && !object.contains_key(property.name))
        .collect();
    let member = tape.choose(&members)?;
    let value = if tape.one_in(4) {
        Value::Null
    } else {
        instance(schemas, (0, &member.schema), &[], tape, &mut Coverage::default())?.value
    };
    object.insert(member.name.to_owned(), value);
    Some(())
}
