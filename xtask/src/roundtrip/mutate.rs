//! Makes an instance into something that a service of tomorrow, or a careless one, may send.

use std::rc::Rc;

use fastrand::Rng;
use serde_json::{Map, Value, json};

use super::compare::{element_forms, member_forms};
use super::coverage::Coverage;
use super::form::{Form, Kind, Rest};
use super::instance::{instance, json};
use super::samples;
use super::schema::{Reader, Schema};

/// What is done to an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mutation {
    UnknownMember,
    UnknownValue,
    NoUnionMember,
    UnknownUnionMember,
    SeveralUnionMembers,
    NullMember,
    NullElement,
    MemberRemoved,
    IntegerTextAsNumber,
    EmptyText,
}

/// All of them, and what they are called.
pub const MUTATIONS: [(Mutation, &str); 10] = [
    (Mutation::UnknownMember, "unknown members"),
    (Mutation::UnknownValue, "unknown enum values"),
    (Mutation::NoUnionMember, "unions without a member"),
    (Mutation::UnknownUnionMember, "unions of an unknown member"),
    (Mutation::SeveralUnionMembers, "unions of several members"),
    (Mutation::NullMember, "members made null"),
    (Mutation::NullElement, "elements made null"),
    (Mutation::MemberRemoved, "members removed"),
    (Mutation::IntegerTextAsNumber, "numbers for integers in strings"),
    (Mutation::EmptyText, "empty strings for integers and times"),
];

/// Applies a mutation at a random place, and tells whether there was one.
pub fn mutate(
    reader: &Reader<'_>,
    schema: &Schema,
    value: &mut Value,
    mutation: Mutation,
    random: &mut Rng,
) -> bool {
    let mut spots = Vec::new();
    let mut path = Vec::new();
    collect(reader, &reader.outcomes(schema), value, mutation, &mut path, &mut spots);
    let Some((path, forms)) = random.choice(spots) else {
        return false;
    };
    let target = path.iter().try_fold(value, |value, step| match step {
        Step::Name(name) => value.get_mut(name),
        Step::Index(index) => value.get_mut(index),
    });
    target.is_some_and(|target| apply(reader, &forms, target, mutation, random))
}

#[derive(Clone, Debug)]
enum Step {
    Name(String),
    Index(usize),
}

type Forms<'d> = Vec<Rc<Form<'d>>>;

/// Finds the places where a mutation can be applied.
fn collect<'d>(
    reader: &Reader<'d>,
    forms: &[Rc<Form<'d>>],
    value: &Value,
    mutation: Mutation,
    path: &mut Vec<Step>,
    spots: &mut Vec<(Vec<Step>, Forms<'d>)>,
) {
    if is_apt(reader, forms, value, mutation) {
        spots.push((path.clone(), forms.to_vec()));
    }
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                path.push(Step::Name(name.clone()));
                let inner = member_forms(reader, forms, name);
                collect(reader, &inner, value, mutation, path, spots);
                path.pop();
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                path.push(Step::Index(index));
                let inner = element_forms(reader, forms, index);
                collect(reader, &inner, item, mutation, path, spots);
                path.pop();
            }
        }
        _ => {}
    }
}

/// Tells whether a mutation can be applied to a value.
fn is_apt(reader: &Reader<'_>, forms: &[Rc<Form<'_>>], value: &Value, mutation: Mutation) -> bool {
    let all =
        |test: &dyn Fn(&Form<'_>) -> bool| !forms.is_empty() && forms.iter().all(|form| test(form));
    let has_format = |formats: &[&str]| {
        let is_one = |form: &Form<'_>| form.format.is_some_and(|format| formats.contains(&format));
        value.is_string() && all(&|form| form.kinds == [Kind::String] && is_one(form))
    };
    match mutation {
        Mutation::UnknownMember => {
            value.is_object() && !forms.iter().any(|form| matches!(form.rest, Rest::Schema(_)))
        }
        Mutation::UnknownValue => {
            let is_text = |place| reader.description.node(place).as_str().is_some();
            let lists_texts = |form: &Form<'_>| {
                let values = form.values.as_ref();
                values.is_some_and(|values| values.iter().copied().all(is_text))
            };
            value.is_string() && all(&lists_texts)
        }
        Mutation::NoUnionMember | Mutation::UnknownUnionMember | Mutation::SeveralUnionMembers => {
            value.is_object() && all(&|form| !form.groups.is_empty())
        }
        Mutation::NullMember | Mutation::MemberRemoved => {
            value.as_object().is_some_and(|members| !members.is_empty())
        }
        Mutation::NullElement => value.as_array().is_some_and(|items| !items.is_empty()),
        Mutation::IntegerTextAsNumber => has_format(&["int64", "uint64"]),
        Mutation::EmptyText => has_format(&["int64", "uint64", "date-time"]),
    }
}

fn apply(
    reader: &Reader<'_>,
    forms: &[Rc<Form<'_>>],
    value: &mut Value,
    mutation: Mutation,
    random: &mut Rng,
) -> bool {
    match (mutation, value) {
        (Mutation::UnknownMember, Value::Object(members)) => {
            for _ in 0..random.usize(1..=3) {
                add_unknown(forms, members, random);
            }
            true
        }
        (Mutation::UnknownValue, value) => {
            let known = forms.iter().find_map(|form| form.values.as_ref()?.first().copied());
            let known = known.map(|place| json(reader.description.node(place)));
            let known = known.as_ref().and_then(Value::as_str).unwrap_or_default();
            let unknown = [
                "UNKNOWN_VALUE".to_owned(),
                String::new(),
                known.to_lowercase(),
                format!("{known} "),
                samples::text(random),
            ];
            *value = json!(unknown[random.usize(..unknown.len())]);
            true
        }
        (Mutation::NoUnionMember, Value::Object(members)) => {
            remove_grouped(forms, members);
            true
        }
        (Mutation::UnknownUnionMember, Value::Object(members)) => {
            if forms.iter().any(|form| matches!(form.rest, Rest::Schema(_))) {
                return false;
            }
            remove_grouped(forms, members);
            add_unknown(forms, members, random);
            true
        }
        (Mutation::SeveralUnionMembers, Value::Object(members)) => {
            add_grouped(reader, forms, members, random)
        }
        (Mutation::NullMember, Value::Object(members)) => {
            let count = members.len().max(1);
            if let Some(value) = members.values_mut().nth(random.usize(..count)) {
                *value = Value::Null;
            }
            true
        }
        (Mutation::MemberRemoved, Value::Object(members)) => {
            let name = members.keys().nth(random.usize(..members.len().max(1)));
            if let Some(name) = name.cloned() {
                members.remove(&name);
            }
            true
        }
        (Mutation::NullElement, Value::Array(items)) => {
            let index = random.usize(..items.len().max(1));
            if random.bool() {
                items.insert(index, Value::Null);
            } else if let Some(item) = items.get_mut(index) {
                *item = Value::Null;
            }
            true
        }
        (Mutation::IntegerTextAsNumber, value) => {
            let text = value.as_str().unwrap_or_default();
            let signed = text.parse::<i64>().map(Value::from);
            let number = signed.or_else(|_| text.parse::<u64>().map(Value::from));
            number.is_ok_and(|number| {
                *value = number;
                true
            })
        }
        (Mutation::EmptyText, value) => {
            *value = json!("");
            true
        }
        _ => false,
    }
}

/// Adds a member that is not described.
fn add_unknown(forms: &[Rc<Form<'_>>], members: &mut Map<String, Value>, random: &mut Rng) {
    let like_another = |name: &String| name.to_uppercase();
    let name = match random.u8(..5) {
        0 => "unknown".to_owned(),
        1 => "$ref".to_owned(),
        2 => "additional_properties".to_owned(),
        3 => members.keys().next().map_or_else(String::new, like_another),
        _ => samples::text(random),
    };
    let is_described = forms.iter().any(|form| form.member(&name).is_some());
    if !is_described && let Some(value) = random.choice(samples::free()) {
        members.insert(name, value);
    }
}

fn remove_grouped(forms: &[Rc<Form<'_>>], members: &mut Map<String, Value>) {
    members.retain(|name, _| {
        !forms.iter().any(|form| form.member(name).is_some_and(|member| member.group.is_some()))
    });
}

/// Adds another member of a group.
fn add_grouped(
    reader: &Reader<'_>,
    forms: &[Rc<Form<'_>>],
    members: &mut Map<String, Value>,
    random: &mut Rng,
) -> bool {
    let grouped = forms
        .iter()
        .flat_map(|form| &form.members)
        .filter(|member| member.group.is_some() && !members.contains_key(member.name));
    let grouped: Vec<_> = grouped.collect();
    let Some(member) = random.choice(grouped) else {
        return false;
    };
    let made = instance(reader, &member.schema, &[], &Coverage::default(), random);
    made.is_some_and(|made| {
        members.insert(member.name.to_owned(), made.value);
        true
    })
}
