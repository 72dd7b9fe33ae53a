//! What JSON the schemas of a document allow, read from the document alone: nothing here knows what the generator makes
//! of it.

use std::collections::HashMap;

use serde_json::Value;

use crate::coverage::{BRANCH, Item};
use crate::document::{Document, Place};
use crate::oneof;
use crate::schema::{Part, Schema};

/// The number of a [`Shape`].
pub type Id = usize;

/// What schemas that apply to one value allow together.
#[derive(Debug)]
pub enum Shape<'d> {
    /// What one of these allows; nothing without any.
    OneOf(Vec<(Item, Id)>),
    /// Anything.
    Any,
    /// These values, and where they are listed.
    Values(Vec<(Place, &'d Value)>),
    Scalar(Scalar<'d>),
    /// The first elements, and the others.
    Array(Vec<Id>, Option<Id>),
    Object(Object<'d>),
}

/// Values that are neither an array nor an object.
#[derive(Debug)]
pub struct Scalar<'d> {
    /// One of the [`KINDS`].
    pub kind: &'static str,
    pub format: Option<&'d str>,
    /// The least and the greatest number.
    pub bounds: [Option<f64>; 2],
}

#[derive(Debug, Default)]
pub struct Object<'d> {
    pub properties: Vec<Property<'d>>,
    /// For each oneof: whether one of its properties must be present.
    pub oneofs: Vec<bool>,
    pub rest: Rest,
}

/// A described property of an object.
#[derive(Debug)]
pub struct Property<'d> {
    pub name: &'d str,
    pub id: Id,
    pub place: Place,
    pub required: bool,
    /// The oneof that it belongs to.
    pub oneof: Option<usize>,
    /// The value that names the chosen branch of a union.
    pub tag: Option<String>,
}

/// Properties of an object that are not described one by one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rest {
    /// Nothing is said about them.
    #[default]
    Unsaid,
    None,
    Any,
    Of(Id),
}

/// The kinds of JSON values; an integer is a number.
const KINDS: [&str; 7] = ["boolean", "number", "string", "array", "object", "integer", "null"];

/// The shapes of the schemas of a document.
#[derive(Debug)]
pub struct Shapes<'d> {
    pub document: &'d Document<'d>,
    ids: HashMap<Key, Id>,
    keys: Vec<Key>,
    read: Vec<Shape<'d>>,
    /// The levels of the smallest instance of each shape that has one. It has none where schemas apply that contradict
    /// each other, and where an object requires another of its kind without an end.
    heights: Vec<Option<usize>>,
}

/// What a shape is read from: schemas, and one of the kinds that they allow.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    schema: Schema,
    kind: Option<&'static str>,
}

impl<'d> Shapes<'d> {
    /// Reads the schemas at some places, and all that they refer to.
    pub fn of(document: &'d Document<'d>, roots: impl IntoIterator<Item = Place>) -> Self {
        let (ids, keys) = (HashMap::new(), Vec::new());
        let mut shapes = Self { document, ids, keys, read: Vec::new(), heights: Vec::new() };
        for root in roots {
            shapes.id(Schema::at(root), None);
        }
        while let Some(key) = shapes.keys.get(shapes.read.len()).cloned() {
            let shape = shapes.shape_of(&key);
            shapes.read.push(shape);
        }
        shapes.heights = vec![None; shapes.read.len()];
        loop {
            let heights: Vec<_> = shapes.read.iter().map(|shape| shapes.measured(shape)).collect();
            if heights == shapes.heights {
                return shapes;
            }
            shapes.heights = heights;
        }
    }

    /// Returns the shape of a schema that [`of`](Self::of) was given the place of.
    pub fn at(&self, place: Place) -> Option<Id> {
        self.ids.get(&Key { schema: Schema::at(place), kind: None }).copied()
    }

    pub fn shape(&self, id: Id) -> &Shape<'d> {
        self.read.get(id).unwrap_or(&Shape::Any)
    }

    /// Returns where a shape is written.
    pub fn place(&self, id: Id) -> Place {
        self.keys.get(id).map(|key| key.schema.place()).unwrap_or_default()
    }

    /// Returns the levels of the smallest instance, or nothing if there is none.
    pub fn height(&self, id: Id) -> Option<usize> {
        self.heights.get(id).copied().flatten()
    }

    /// Returns the places of schemas that no value can meet; branches that do not go together and references are none.
    pub fn impossible(&self) -> Vec<&str> {
        let keys = self.keys.iter().zip(&self.heights).filter(|(_, height)| height.is_none());
        let places = keys.filter_map(|(key, _)| {
            let place = key.schema.place();
            let is_reference = self.document.value(place).get("$ref").is_some();
            let is_whole = key.kind.is_none() && key.schema == Schema::at(place);
            (is_whole && !is_reference).then_some(place)
        });
        places.map(|place| self.document.pointer(place)).collect()
    }

    fn id(&mut self, schema: Schema, kind: Option<&'static str>) -> Id {
        let key = Key { schema, kind };
        *self.ids.entry(key).or_insert_with_key(|key| {
            self.keys.push(key.clone());
            self.keys.len() - 1
        })
    }

    fn measured(&self, shape: &Shape<'d>) -> Option<usize> {
        let highest =
            |ids: &[Id]| ids.iter().try_fold(0, |most, id| Some(self.height(*id)?.max(most)));
        match shape {
            Shape::OneOf(branches) => branches.iter().filter_map(|(_, id)| self.height(*id)).min(),
            Shape::Values(values) => (!values.is_empty()).then_some(1),
            Shape::Any | Shape::Scalar(_) => Some(1),
            Shape::Array(first, _) => Some(1 + highest(first)?),
            Shape::Object(object) => {
                let required = object.properties.iter().filter(|property| property.required);
                let most = highest(&required.map(|property| property.id).collect::<Vec<_>>())?;
                let oneofs = (0..object.oneofs.len()).filter(|oneof| object.oneofs[*oneof]);
                oneofs.into_iter().try_fold(1 + most, |most, oneof| {
                    let members = object.members(oneof);
                    let least = members.filter_map(|member| self.height(member.id)).min()?;
                    Some(most.max(1 + least))
                })
            }
        }
    }

    fn shape_of(&mut self, key: &Key) -> Shape<'d> {
        let document = self.document;
        let schema = key.schema.closed(document);
        if let Some((list, branches)) = schema.branches(document) {
            let branches = branches.into_iter().enumerate();
            return Shape::OneOf(
                branches
                    .map(|(index, branch)| (Item::new(list, BRANCH, index), self.id(branch, None)))
                    .collect(),
            );
        }
        let values = schema.0.iter().map(|part| document.value(part.place));
        let nullable =
            values.clone().any(|value| value.get("nullable") == Some(&Value::Bool(true)));
        let parts: Vec<(Part, &'d Value)> = schema.0.iter().copied().zip(values).collect();
        let parts: Vec<_> =
            parts.into_iter().filter(|(_, value)| !document.is_reference_alone(value)).collect();
        let types = parts
            .iter()
            .filter_map(|(_, value)| types(value))
            .reduce(|one, other| both(&one, &other));
        if let Some(mut listed) = listed(&parts) {
            listed.retain(|value| match &types {
                _ if value.is_null() && nullable => true,
                Some(types) => allows(types, kind_of(value)),
                None => true,
            });
            let mut values: Vec<_> =
                listed.iter().map(|value| (document.place(value), *value)).collect();
            if nullable && !listed.iter().any(|value| value.is_null()) {
                values.push((schema.place(), &Value::Null));
            }
            return Shape::Values(values);
        }
        let has = |test: &dyn Fn(&Part, &Value) -> bool| {
            parts.iter().any(|(part, value)| test(part, value))
        };
        let is_object = |part: &Part, value: &Value| {
            let properties = value.get("properties").and_then(Value::as_object);
            properties.is_some_and(|properties| !properties.is_empty())
                || value.get("additionalProperties").is_some()
                || part.chosen[0].is_none() && oneof::standard(value).is_some()
        };
        let is_array = |_: &Part, value: &Value| {
            value.get("items").is_some_and(Value::is_object) || value.get("prefixItems").is_some()
        };
        let mut kinds = match types {
            Some(types) => types,
            None if has(&is_object) => vec!["object"],
            None if has(&is_array) => vec!["array"],
            None => return Shape::Any,
        };
        if nullable && !kinds.contains(&"null") {
            kinds.push("null");
        }
        match (key.kind, kinds.as_slice()) {
            (Some(kind), _) | (None, &[kind]) => self.of_kind(kind, &parts),
            (None, kinds) => {
                let place = schema.place();
                let one = |&kind: &&'static str| {
                    let number = KINDS.iter().position(|other| *other == kind).unwrap_or_default();
                    let item = Item::new(place, BRANCH, number);
                    (item, self.id(key.schema.clone(), Some(kind)))
                };
                Shape::OneOf(kinds.iter().map(one).collect())
            }
        }
    }

    fn of_kind(&mut self, kind: &'static str, parts: &[(Part, &'d Value)]) -> Shape<'d> {
        let document = self.document;
        let all = |keyword| parts.iter().filter_map(move |(_, value)| value.get(keyword));
        let at = |value: &Value| Schema::at(document.place(value));
        if kind == "object" {
            return Shape::Object(self.object(parts));
        }
        if kind == "array" {
            let items = all("items").filter(|items| items.is_object()).map(at);
            let items = items.reduce(|mut known, items| {
                known.and(&items);
                known
            });
            let first = all("prefixItems").filter_map(Value::as_array).next_back();
            let first: Vec<_> =
                first.into_iter().flatten().map(|item| self.id(at(item), None)).collect();
            return Shape::Array(first, items.map(|items| self.id(items, None)));
        }
        let number = |keywords: [&'static str; 2]| {
            keywords.into_iter().find_map(|keyword| all(keyword).find_map(Value::as_f64))
        };
        let bounds = [["minimum", "exclusiveMinimum"], ["maximum", "exclusiveMaximum"]].map(number);
        Shape::Scalar(Scalar { kind, format: all("format").find_map(Value::as_str), bounds })
    }

    fn object(&mut self, parts: &[(Part, &'d Value)]) -> Object<'d> {
        let document = self.document;
        let mut members: Vec<(&str, Schema, Option<usize>)> = Vec::new();
        let mut add = |name: &'d str, value: &'d Value, oneof: Option<usize>| {
            let schema = Schema::at(document.place(value));
            match members.iter_mut().find(|(known, ..)| *known == name) {
                Some((_, known, of)) => {
                    known.and(&schema);
                    *of = of.or(oneof);
                }
                None => members.push((name, schema, oneof)),
            }
        };
        let (mut required, mut tags) = (Vec::new(), Vec::new());
        let (mut oneofs, mut rest, mut values) = (Vec::new(), Rest::Unsaid, None::<Schema>);
        for (part, value) in parts {
            let properties = value.get("properties").and_then(Value::as_object);
            properties.into_iter().flatten().for_each(|(name, value)| add(name, value, None));
            let standard = oneof::standard(value).filter(|_| part.chosen[0].is_none());
            for oneof in standard.into_iter().chain(oneof::in_comment(value)) {
                for (name, property) in oneof.properties {
                    add(name, property, Some(oneofs.len()));
                }
                oneofs.push(oneof.required);
            }
            required.extend(value.get("required").and_then(Value::as_array).into_iter().flatten());
            tags.extend(part.tag(document));
            match value.get("additionalProperties") {
                None => {}
                Some(Value::Bool(false)) => rest = Rest::None,
                Some(more) if more.as_object().is_some_and(|more| !more.is_empty()) => {
                    let schema = Schema::at(document.place(more));
                    values.get_or_insert_with(|| schema.clone()).and(&schema);
                }
                Some(_) => rest = Rest::Any,
            }
        }
        let property = |(name, schema, oneof): (&'d str, Schema, Option<usize>)| Property {
            name,
            place: schema.place(),
            id: self.id(schema, None),
            required: oneof.is_none() && required.iter().any(|other| *other == name),
            oneof,
            tag: tags.iter().find(|(of, _)| *of == name).map(|(_, tag)| tag.clone()),
        };
        let properties = members.into_iter().map(property).collect();
        let rest = values.map_or(rest, |values| Rest::Of(self.id(values, None)));
        Object { properties, oneofs, rest }
    }
}

impl<'d> Object<'d> {
    /// Returns the described property of this name.
    pub fn property(&self, name: &str) -> Option<&Property<'d>> {
        self.properties.iter().find(|property| property.name == name)
    }

    /// Returns the properties of a oneof.
    pub fn members(&self, oneof: usize) -> impl Iterator<Item = &Property<'d>> + Clone {
        self.properties.iter().filter(move |property| property.oneof == Some(oneof))
    }
}

/// Returns the kinds that the `type` of a schema allows.
fn types(value: &Value) -> Option<Vec<&'static str>> {
    let names: Vec<&str> = match value.get("type")? {
        Value::String(name) => vec![name],
        names => names.as_array()?.iter().filter_map(Value::as_str).collect(),
    };
    Some(KINDS.into_iter().filter(|kind| names.contains(kind)).collect())
}

/// Returns the kinds that two types allow.
fn both(one: &[&'static str], other: &[&'static str]) -> Vec<&'static str> {
    let kinds = KINDS.into_iter();
    kinds
        .filter(|kind| allows(one, kind) && allows(other, kind))
        .filter(|kind| one.contains(kind) || other.contains(kind))
        .collect()
}

fn allows(types: &[&str], kind: &str) -> bool {
    types.contains(&kind) || (kind == "integer" && types.contains(&"number"))
}

/// Returns the values that all lists have.
fn listed<'d>(parts: &[(Part, &'d Value)]) -> Option<Vec<&'d Value>> {
    let lists =
        parts.iter().filter_map(|(_, value)| match (value.get("const"), value.get("enum")) {
            (Some(constant), _) => Some(vec![constant]),
            (None, values) => values?.as_array().map(|values| values.iter().collect()),
        });
    lists.reduce(|mut known, list: Vec<&Value>| {
        known.retain(|value| list.contains(value));
        known
    })
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
