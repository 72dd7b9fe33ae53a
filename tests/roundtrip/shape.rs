//! The JSON that the schemas of a document allow, read from the document alone, independently of the generator.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::coverage::{BRANCH, Item};
use crate::document::{Document, Place};
use crate::samples::ANY;
use crate::schema::{Schema, Tag, oneof, oneofs_in_comment};

/// The number of a [`Shape`].
pub type Id = usize;

/// The values that all schemas of one place allow together.
#[derive(Debug)]
pub enum Shape<'d> {
    /// The values that one of these allows; none if there is none.
    OneOf(Vec<(Item, Id)>),
    /// These values, and the places where they are listed.
    Values(Vec<(Place, &'d Value)>),
    /// A value that is neither an array nor an object: its kind, one of the [`KINDS`] or [`ANY`], and its format.
    Scalar(&'static str, Option<&'d str>),
    /// The first elements, and the others.
    Array(Vec<Id>, Option<Id>),
    Object(Object<'d>),
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
    /// The chosen branch of a union, if the property names it.
    pub tag: Option<Tag<'d>>,
}

/// Properties of an object that are not described one by one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rest {
    /// They are not described.
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
    ids: HashMap<Schema<'d>, Id>,
    schemas: Vec<Schema<'d>>,
    read: Vec<Shape<'d>>,
    /// The levels of the smallest instance of each shape that has one. It has none where schemas apply that contradict
    /// each other, and where an object requires another of its kind without an end.
    heights: Vec<Option<usize>>,
}

impl<'d> Shapes<'d> {
    /// Reads the schemas at some places, in the other parts of an `allOf` around them, and all that they refer to.
    pub fn new(document: &'d Document<'d>, roots: impl IntoIterator<Item = Place>) -> Self {
        let ids = HashMap::new();
        let schemas = Vec::new();
        let mut shapes = Self { document, ids, schemas, read: Vec::new(), heights: Vec::new() };
        for root in roots {
            shapes.id(Schema::in_parts(document, root));
        }
        while let Some(schema) = shapes.schemas.get(shapes.read.len()).cloned() {
            let shape = shapes.shape_of(&schema);
            shapes.read.push(shape);
        }
        loop {
            let heights: Vec<_> = shapes.read.iter().map(|shape| shapes.measured(shape)).collect();
            if heights == shapes.heights {
                return shapes;
            }
            shapes.heights = heights;
        }
    }

    /// Returns the shape of a schema that [`new`](Self::new) was given the place of.
    pub fn at(&self, place: Place) -> Option<Id> {
        self.ids.get(&Schema::in_parts(self.document, place)).copied()
    }

    pub fn shape(&self, id: Id) -> &Shape<'d> {
        self.read.get(id).unwrap_or(&Shape::Scalar(ANY, None))
    }

    /// Returns whether values of a shape are listed.
    pub fn is_listed(&self, id: Id) -> bool {
        match self.shape(id) {
            Shape::Values(_) => true,
            Shape::OneOf(branches) => branches.iter().any(|(_, id)| self.is_listed(*id)),
            _ => false,
        }
    }

    /// Returns whether several branches of a shape allow a value.
    pub fn is_of_several(&self, id: Id, value: &Value) -> bool {
        let Shape::OneOf(branches) = self.shape(id) else { return false };
        branches.iter().filter(|(_, id)| self.allows(*id, value)).count() > 1
    }

    /// Returns whether a shape allows a value, by the kinds of its parts.
    pub fn allows(&self, id: Id, value: &Value) -> bool {
        let all_allowed = |ids: Option<Id>, values: &[&Value]| {
            ids.is_none_or(|id| values.iter().all(|value| self.allows(id, value)))
        };
        match (self.shape(id), value) {
            (Shape::OneOf(branches), _) => branches.iter().any(|(_, id)| self.allows(*id, value)),
            (Shape::Values(values), _) => values.iter().any(|(_, listed)| *listed == value),
            (Shape::Scalar(kind, _), _) => {
                *kind == ANY
                    || allows(&[*kind], kind_of(value))
                    || *kind == "integer" && value.is_f64()
            }
            (Shape::Array(first, items), Value::Array(values)) => {
                let (head, tail) = values.split_at(first.len().min(values.len()));
                let tail: Vec<&Value> = tail.iter().collect();
                first.iter().zip(head).all(|(id, value)| self.allows(*id, value))
                    && all_allowed(*items, &tail)
            }
            (Shape::Object(object), Value::Object(values)) => {
                let is_complete = |property: &Property<'_>| {
                    property.oneof.is_some()
                        || !property.required
                        || values.contains_key(property.name)
                };
                let is_allowed = |(name, value): (&String, &Value)| match object.property(name) {
                    Some(property) => self.allows(property.id, value),
                    None => match object.rest {
                        Rest::Of(id) => self.allows(id, value),
                        rest => rest != Rest::None,
                    },
                };
                object.properties.iter().all(is_complete) && values.iter().all(is_allowed)
            }
            _ => false,
        }
    }

    /// Returns whether an object requires a property that it does not describe.
    pub fn is_undescribed(&self, id: Id, name: &str) -> bool {
        match self.shape(id) {
            Shape::Object(object) => object.property(name).is_some_and(|it| self.is_name(it.place)),
            _ => false,
        }
    }

    /// Returns whether the place of a property is a name in `required`, because nothing describes the property.
    pub fn is_name(&self, place: Place) -> bool {
        self.document.value(place).is_string()
    }

    /// Returns the places of a shape.
    pub fn place(&self, id: Id) -> Place {
        self.schemas.get(id).map(Schema::place).unwrap_or_default()
    }

    /// Returns the pointers to all schemas of a shape.
    pub fn places(&self, id: Id) -> Vec<String> {
        let closed = self.schemas.get(id).map(|schema| schema.closed(self.document));
        let places = closed.iter().flat_map(|schema| &schema.places);
        places.map(|place| self.document.pointer(*place).to_owned()).collect()
    }

    /// Returns the levels of the smallest instance; `None` if there is none.
    pub fn height(&self, id: Id) -> Option<usize> {
        *self.heights.get(id)?
    }

    /// Returns the first of several shapes with an instance of as few levels as any of them has.
    pub fn shallowest(&self, ids: &[Id]) -> Option<usize> {
        (0..ids.len()).min_by_key(|index| self.height(ids[*index]))
    }

    /// Returns the places of schemas without a valid value, other than incompatible branches and references.
    pub fn impossible(&self) -> Vec<&str> {
        let schemas = self.schemas.iter().zip(&self.heights).filter(|(_, height)| height.is_none());
        let places = schemas.map(|(schema, _)| (schema, schema.place()));
        let is_reference = |place| self.document.value(place).get("$ref").is_some();
        let places = places
            .filter(|(schema, place)| **schema == Schema::at(*place) && !is_reference(*place));
        places.map(|(_, place)| self.document.pointer(place)).collect()
    }

    fn id(&mut self, schema: Schema<'d>) -> Id {
        *self.ids.entry(schema).or_insert_with_key(|schema| {
            self.schemas.push(schema.clone());
            self.schemas.len() - 1
        })
    }

    fn measured(&self, shape: &Shape<'d>) -> Option<usize> {
        let highest =
            |ids: &[Id]| ids.iter().try_fold(0, |most, id| Some(self.height(*id)?.max(most)));
        match shape {
            Shape::OneOf(branches) => branches.iter().filter_map(|(_, id)| self.height(*id)).min(),
            Shape::Values(values) => (!values.is_empty()).then_some(1),
            Shape::Scalar(..) => Some(1),
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

    fn shape_of(&mut self, schema: &Schema<'d>) -> Shape<'d> {
        let document = self.document;
        let closed = schema.closed(document);
        if let Some((list, branches)) = closed.branches(document) {
            let branches = branches.into_iter().enumerate();
            let item = |(index, branch)| (Item::new(list, BRANCH, index), self.id(branch));
            return Shape::OneOf(branches.map(item).collect());
        }
        let place = schema.place();
        let all: Vec<&Value> = closed.places.iter().map(|place| document.value(*place)).collect();
        let nullable = is_nullable(&all);
        let parts = all.into_iter().filter(|value| !document.is_reference_alone(value));
        let parts: Vec<&Value> = parts.collect();
        let types =
            parts.iter().filter_map(|value| types(value)).reduce(|one, other| both(&one, &other));
        if let Some(mut values) = listed(&parts) {
            let is_typed = |value| types.as_ref().is_none_or(|types| allows(types, kind_of(value)));
            values.retain(|value| (value.is_null() && nullable) || is_typed(value));
            let mut values: Vec<_> =
                values.into_iter().map(|value| (document.place(value), value)).collect();
            if nullable && !values.iter().any(|(_, value)| value.is_null()) {
                values.push((place, &Value::Null));
            }
            return Shape::Values(values);
        }
        let is_object = |value: &&Value| {
            let properties = value.get("properties").and_then(Value::as_object);
            properties.is_some_and(|properties| !properties.is_empty())
                || additional(value).is_some()
                || oneof(value).is_some()
        };
        let is_array = |value: &&Value| {
            value.get("items").is_some_and(Value::is_object) || value.get("prefixItems").is_some()
        };
        let mut kinds = match (types, schema.kind) {
            (Some(types), _) => types,
            (None, _) if parts.iter().any(is_object) => vec!["object"],
            (None, _) if parts.iter().any(is_array) => vec!["array"],
            (None, Some(kind)) => vec![kind],
            (None, None) if parts.iter().any(|value| value.get("contentMediaType").is_some()) => {
                vec!["string"]
            }
            (None, None) => return Shape::Scalar(ANY, None),
        };
        if nullable && !kinds.contains(&"null") {
            kinds.push("null");
        }
        match (schema.kind, kinds.as_slice()) {
            (Some(kind), _) | (None, &[kind]) => self.of_kind(kind, &closed, &parts),
            (None, kinds) => {
                let one = |&kind: &&'static str| {
                    let number = KINDS.iter().position(|other| *other == kind).unwrap_or_default();
                    (Item::new(place, BRANCH, number), self.id(schema.of_kind(kind)))
                };
                Shape::OneOf(kinds.iter().map(one).collect())
            }
        }
    }

    fn of_kind(
        &mut self,
        kind: &'static str,
        schema: &Schema<'d>,
        parts: &[&'d Value],
    ) -> Shape<'d> {
        let document = self.document;
        let all = |keyword| parts.iter().filter_map(move |value| value.get(keyword));
        match kind {
            "object" => Shape::Object(self.object(&schema.tags, parts)),
            "array" => {
                let items = all("items").filter(|items| items.is_object());
                let items = Schema::together(items.map(|items| document.place(items)));
                let first = all("prefixItems").filter_map(Value::as_array).next_back();
                let first =
                    first.into_iter().flatten().map(|item| Schema::at(document.place(item)));
                let first = first.map(|item| self.id(item)).collect();
                Shape::Array(first, items.map(|items| self.id(items)))
            }
            kind => {
                let format = all("format").find_map(Value::as_str);
                let is_whole = matches!(format, Some("int32" | "int64" | "uint32" | "uint64"));
                Shape::Scalar(if kind == "number" && is_whole { "integer" } else { kind }, format)
            }
        }
    }

    fn object(&mut self, tags: &[Tag<'d>], parts: &[&'d Value]) -> Object<'d> {
        let document = self.document;
        let mut members: Vec<(&str, Vec<Place>, Option<usize>)> = Vec::new();
        let mut add = |name: &'d str, value: &'d Value, oneof: Option<usize>| {
            let place = document.place(value);
            match members.iter_mut().find(|(known, ..)| *known == name) {
                Some((_, places, of)) => {
                    places.push(place);
                    *of = of.or(oneof);
                }
                None => members.push((name, vec![place], oneof)),
            }
        };
        let mut required = Vec::new();
        let mut oneofs = Vec::new();
        let mut rest = Rest::Unsaid;
        let mut values = Vec::new();
        for value in parts {
            let properties = value.get("properties").and_then(Value::as_object);
            properties.into_iter().flatten().for_each(|(name, value)| add(name, value, None));
            let commented = oneofs_in_comment(value).into_iter().map(|oneof| (oneof, false));
            for (oneof, is_required) in
                oneof(value).map(|oneof| (oneof, true)).into_iter().chain(commented)
            {
                for (name, value) in oneof {
                    add(name, value, Some(oneofs.len()));
                }
                oneofs.push(is_required);
            }
            required.extend(value.get("required").and_then(Value::as_array).into_iter().flatten());
            // Without additional properties, the patterns describe all: one of them is enough for an instance.
            let patterns = value.get("patternProperties").and_then(Value::as_object);
            let pattern = patterns.and_then(|patterns| patterns.values().next());
            match additional(value) {
                None | Some(Value::Bool(false)) if pattern.is_some_and(Value::is_object) => {
                    values.extend(pattern.map(|pattern| document.place(pattern)));
                }
                None => {}
                Some(Value::Bool(false)) => rest = Rest::None,
                Some(more) if more.as_object().is_some_and(|more| !more.is_empty()) => {
                    values.push(document.place(more));
                }
                Some(_) => rest = Rest::Any,
            }
        }
        let mut property = |(name, places, oneof): (&'d str, Vec<Place>, Option<usize>)| {
            let place = *places.first()?;
            let id = self.id(Schema::together(places)?);
            let required = oneof.is_none() && required.iter().any(|other| *other == name);
            let tag = tags.iter().find(|tag| tag.name == name).cloned();
            Some(Property { name, id, place, required, oneof, tag })
        };
        let mut known: HashSet<&str> = members.iter().map(|(name, ..)| *name).collect();
        let mut properties: Vec<_> = members.into_iter().filter_map(&mut property).collect();
        let rest = Schema::together(values).map_or(rest, |values| Rest::Of(self.id(values)));
        // What is required is a property, even if it is not described.
        for value in required {
            let Some(name) = value.as_str().filter(|name| known.insert(name)) else { continue };
            let place = document.place(value);
            let id = match rest {
                Rest::Of(id) => id,
                _ => self.id(Schema::at(place)),
            };
            properties.push(Property { name, id, place, required: true, oneof: None, tag: None });
        }
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

/// Returns the keyword about the properties of a schema that are not described by name.
fn additional(value: &Value) -> Option<&Value> {
    value.get("additionalProperties").or_else(|| value.get("unevaluatedProperties"))
}

/// Returns the kinds that the `type` of a schema allows. Kubernetes describes ports and quantities in these ways.
fn types(value: &Value) -> Option<Vec<&'static str>> {
    if value["x-kubernetes-int-or-string"] == true || value["format"] == "int-or-string" {
        return Some(vec!["integer", "string"]);
    }
    let is_of_digits = value["pattern"].as_str().is_some_and(|it| it.starts_with("^-?(?:0|[1-9]"));
    let mut names: Vec<&str> = match value.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(names) => names.as_array()?.iter().filter_map(Value::as_str).collect(),
        None if is_of_digits && value.get("format").is_some() => vec!["integer"],
        None => return None,
    };
    // A server may read numbers from strings, but writes numbers.
    if is_of_digits && names.iter().any(|name| ["integer", "number"].contains(name)) {
        names.retain(|name| *name != "string");
    }
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
fn listed<'d>(parts: &[&'d Value]) -> Option<Vec<&'d Value>> {
    let lists = parts.iter().filter_map(|value| match value.get("const") {
        Some(constant) => Some(vec![constant]),
        None => Some(value.get("enum")?.as_array()?.iter().collect()),
    });
    lists.reduce(|known, list: Vec<&Value>| {
        known.into_iter().filter(|value| list.contains(value)).collect()
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

/// Returns whether `nullable` adds null to the values of schemas that all apply: a type without it excludes null.
fn is_nullable(all: &[&Value]) -> bool {
    let is_said = |value: &&Value| value.get("nullable") == Some(&Value::Bool(true));
    // A schema that only wraps another one speaks for it.
    let is_wrapper = |value: &Value| {
        let lists = ["allOf", "anyOf", "oneOf"].iter().filter_map(|it| value.get(it)?.as_array());
        lists.map(Vec::len).sum::<usize>() == 1 && value.get("properties").is_none()
    };
    let (typed, untyped): (Vec<&Value>, Vec<&Value>) =
        all.iter().copied().partition(|value| value.get("type").is_some() && !is_wrapper(value));
    untyped.iter().any(is_said) || !typed.is_empty() && typed.iter().all(is_said)
}
