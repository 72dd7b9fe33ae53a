//! The places of values: their types in the crate, and the schemas that these are made of.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use codegen::document::{Document, Node, Pointer, Schema, SchemaType};
use codegen::ir::{
    Access, Api, Decision, EnumKind, Field, FieldWire, Null, Shape as TypeShape, Type, TypeId,
};

use super::seen::{Learned, Moment, Seen, Tally};
use super::unions::Union;
use super::value::{Kinds, Value};

/// The number of a [`Slot`].
pub type Id = usize;

/// The number of a [`Part`].
pub type PartId = usize;

/// A code, and what it says of a place.
pub type Fault = (&'static str, &'static str);

/// Maximum number of places that no schema describes.
const MAX_LEARNED: usize = 50_000;

/// The places of values, and what was seen there.
pub struct Table<'d> {
    pub document: &'d Document,
    pub api: &'d Api,
    pub places: Vec<Slot<'d>>,
    /// The schemas with findings.
    pub parts: Vec<Part<'d>>,
    pub shapes: HashMap<TypeId, Rc<Shape<'d>>>,
    /// How often objects and values of named types were seen.
    pub counts: HashMap<TypeId, u64>,
    /// The listed values that were seen.
    pub listed: HashMap<TypeId, HashSet<&'d str>>,
    /// Messages and parts of them with a fault, by their places.
    pub faults: HashMap<(Pointer, Fault), Tally>,
    /// The number of values that the crate reports as drift, or refuses.
    pub drifts: u64,
    /// The number of names and values that are left out.
    pub beyond: u64,
    /// The secrets of the exchange, which no finding shows.
    pub secrets: Vec<String>,
    /// What the search for these costs.
    pub cost: usize,
    /// The names of secrets in requests that the document or a setting declares, in lower case.
    pub hidden: HashSet<String>,
    /// Whether names are those of secrets, as far as this was asked.
    pub known: RefCell<HashMap<Box<str>, bool>>,
    /// The places of the properties that a setting makes secret.
    hidden_at: &'d HashSet<Pointer>,
    /// The number of places that no schema describes.
    learned: usize,
    part_ids: HashMap<Pointer, PartId>,
}

/// What is known of the values at a place.
pub enum Slot<'d> {
    /// What the document describes.
    Declared(Place<'d>),
    /// What only the traffic shows.
    Learned(Box<Learned>),
}

/// Values of a type.
#[derive(Clone)]
pub struct Place<'d> {
    /// The schema at the place, which can be a reference.
    pub pointer: Pointer,
    /// The type of the values other than null.
    pub ty: &'d Type,
    pub is_nullable: bool,
    pub is_secret: bool,
    /// The format of a text that has no type of its own.
    pub format: Option<&'d str>,
    /// The place of the elements of a list, or of the values of a map.
    content: Option<Id>,
    pub count: u64,
}

/// A schema, and what was seen of its values.
pub struct Part<'d> {
    pub schema: Schema<'d>,
    /// The kinds that it allows; empty if it does not restrict them.
    pub kinds: Kinds,
    /// Whether null is among its values, if it lists any.
    pub lists_null: bool,
    pub seen: Seen<'d>,
}

/// What the values of a named type consist of.
pub enum Shape<'d> {
    Object(Object<'d>),
    Union(Union<'d>),
    /// Texts or integers: the listed ones, and whether there can be others.
    Enum(EnumKind, HashSet<&'d str>, bool),
}

/// The properties of an object.
#[derive(Default)]
pub struct Object<'d> {
    pub properties: HashMap<&'d str, Id>,
    pub required: Vec<Required<'d>>,
    /// The properties of which an object has one, for each union of properties.
    pub oneofs: Vec<(TypeId, Vec<&'d str>)>,
    /// Whether it has no others: it is a union of properties.
    pub is_oneof: bool,
    /// The unions of values whose properties are next to these.
    pub unions: Vec<TypeId>,
    pub additional: Option<Id>,
}

pub struct Required<'d> {
    pub name: &'d str,
    /// Whether it is required in requests and in responses.
    is_sent: [bool; 2],
}

impl<'d> Table<'d> {
    pub fn new(document: &'d Document, api: &'d Api, hidden_at: &'d HashSet<Pointer>) -> Self {
        Self {
            document,
            api,
            places: Vec::new(),
            parts: Vec::new(),
            shapes: HashMap::new(),
            counts: HashMap::new(),
            listed: HashMap::new(),
            faults: HashMap::new(),
            drifts: 0,
            beyond: 0,
            secrets: Vec::new(),
            cost: 0,
            hidden: HashSet::new(),
            known: RefCell::default(),
            hidden_at,
            learned: 0,
            part_ids: HashMap::new(),
        }
    }

    /// Returns a new place of values that a body or a parameter with this schema has; `None` if the crate has no type for
    /// them.
    pub fn root(&mut self, schema: &Pointer) -> Option<Id> {
        let ty = self.api.sites.roots.get(schema)?;
        Some(self.place(ty, schema.clone()))
    }

    /// Returns a new place of values of a type.
    pub fn place(&mut self, ty: &'d Type, pointer: Pointer) -> Id {
        let is_nullable = matches!(ty, Type::Nullable(_) | Type::Value);
        let (ty, is_secret) = match ty.not_null() {
            Type::Secret(inner) => (&**inner, true),
            ty => (ty, false),
        };
        let format = matches!(ty, Type::String | Type::Binary).then(|| {
            let mut schemas = self.closed(&pointer).into_iter();
            schemas.find_map(|schema| schema.format())
        });
        self.places.push(Slot::Declared(Place {
            is_secret: is_secret || self.hidden_at.contains(&pointer),
            pointer,
            ty,
            is_nullable: is_nullable || *ty == Type::Value,
            format: format.flatten(),
            content: None,
            count: 0,
        }));
        self.places.len() - 1
    }

    /// Returns the type of the values other than null at a place.
    pub fn ty(&self, id: Id) -> Option<&'d Type> {
        if let Slot::Declared(place) = self.places.get(id)? { Some(place.ty) } else { None }
    }

    /// Counts a fault of a message or a part of it.
    pub fn fault(&mut self, fault: Fault, at: &Pointer, value: &Value<'_>, moment: Moment) {
        self.faults.entry((at.clone(), fault)).or_default().add(moment, value);
    }

    /// Returns a place that no schema describes. Values at places over the limit are ignored.
    pub fn undescribed(&mut self) -> Id {
        if self.learned == MAX_LEARNED {
            return Id::MAX;
        }
        self.learned += 1;
        self.places.push(Slot::Learned(Box::default()));
        self.places.len() - 1
    }

    /// Returns the place of the elements of a list, or of the values of a map.
    pub fn content(&mut self, id: Id) -> Option<Id> {
        let Some(Slot::Declared(place)) = self.places.get(id) else { return None };
        let (Type::List(inner) | Type::Dictionary(inner)) = place.ty else { return None };
        if place.content.is_some() {
            return place.content;
        }
        let schema = self.document.at(place.pointer.clone()).map(Schema::from);
        let items = schema.and_then(|schema| Some(schema.items()?.pointer.clone()));
        let known = self.api.sites.contents.get(&place.pointer).cloned();
        let pointer = known.or(items).unwrap_or_else(|| place.pointer.clone());
        let content = Some(self.place(inner, pointer));
        if let Some(Slot::Declared(place)) = self.places.get_mut(id) {
            place.content = content;
        }
        content
    }

    /// Returns what the values of a named type consist of.
    pub fn shape(&mut self, id: TypeId) -> Rc<Shape<'d>> {
        if let Some(shape) = self.shapes.get(&id) {
            return Rc::clone(shape);
        }
        let shape = Rc::new(self.read(id));
        self.shapes.insert(id, Rc::clone(&shape));
        shape
    }

    fn read(&mut self, id: TypeId) -> Shape<'d> {
        let definition = self.api.definition(id);
        match &definition.shape {
            TypeShape::Struct(structure) => {
                let pointer = self.pointer(id);
                let mut object = Object::default();
                for field in &structure.fields {
                    match (&field.wire, &field.ty) {
                        (FieldWire::Property(name), _) => self.property(name, field, &mut object),
                        (FieldWire::Flattened, Type::Named(id)) => {
                            self.union_beside(*id, &mut object);
                        }
                        (FieldWire::Flattened, _) => {}
                    }
                }
                object.additional = structure.additional.as_ref().map(|(_, ty)| {
                    let content = self.api.sites.contents.get(&pointer).unwrap_or(&pointer);
                    self.place(ty, content.clone())
                });
                Shape::Object(object)
            }
            TypeShape::Union(union) => match &union.decision {
                Decision::Rules(rules) => {
                    let variants = union.variants.iter();
                    let variants = variants.map(|it| self.place(&it.ty, at(&it.pointer))).collect();
                    Shape::Union(Union::new(union, rules, variants))
                }
                Decision::Property => {
                    let mut object = Object { is_oneof: true, ..Object::default() };
                    self.union_beside(id, &mut object);
                    Shape::Object(object)
                }
            },
            TypeShape::Enum(values) => {
                let listed = values.variants.iter().map(|variant| variant.value.as_str());
                Shape::Enum(values.kind, listed.collect(), values.takes_any)
            }
            TypeShape::Reply(_) => Shape::Object(Object::default()),
        }
    }

    fn property(&mut self, name: &'d str, field: &'d Field, object: &mut Object<'d>) {
        let id = self.place(&field.ty, at(&field.pointer));
        if let Some(Slot::Declared(place)) = self.places.get_mut(id) {
            place.is_nullable |= field.null != Null::Never;
        }
        object.properties.insert(name, id);
        if field.required || field.null == Null::Always {
            let is_sent = [field.access != Access::Read, field.access != Access::Write];
            object.required.push(Required { name, is_sent });
        }
    }

    /// Adds a union next to the properties of an object. Null is the same as none of its properties.
    fn union_beside(&mut self, id: TypeId, object: &mut Object<'d>) {
        let TypeShape::Union(union) = &self.api.definition(id).shape else { return };
        if let Decision::Rules(_) = union.decision {
            return object.unions.push(id);
        }
        let mut names = Vec::new();
        for (variant, name) in
            union.variants.iter().filter_map(|it| Some((it, it.property.as_deref()?)))
        {
            let place = self.place(&variant.ty, at(&variant.pointer));
            if let Some(Slot::Declared(place)) = self.places.get_mut(place) {
                place.is_nullable = true;
            }
            object.properties.entry(name).or_insert(place);
            names.push(name);
        }
        object.oneofs.push((id, names));
    }

    pub fn pointer(&self, id: TypeId) -> Pointer {
        at(&self.api.definition(id).pointer)
    }

    /// Returns the schema at a pointer as a part.
    pub fn part(&mut self, pointer: &Pointer) -> Option<PartId> {
        if let Some(part) = self.part_ids.get(pointer) {
            return Some(*part);
        }
        let schema = Schema::from(self.document.at(pointer.clone())?);
        self.parts.push(Part::new(schema));
        self.part_ids.insert(pointer.clone(), self.parts.len() - 1);
        Some(self.parts.len() - 1)
    }

    /// Returns the first part of the schema at a pointer that has something, or else the schema itself.
    pub fn part_with(
        &mut self,
        pointer: &Pointer,
        has: impl Fn(&Schema<'d>) -> bool,
    ) -> Option<PartId> {
        let found = self.closed(pointer).into_iter().find(|schema| has(schema));
        let pointer = found.map_or_else(|| pointer.clone(), |schema| schema.pointer.clone());
        self.part(&pointer)
    }

    /// Returns the schema that a new property of an object belongs to: the last one with properties, or the first that can
    /// have some.
    pub fn owner(&mut self, pointer: &Pointer) -> Option<PartId> {
        let schemas = self.closed(pointer);
        let mut objects = schemas.iter().filter(|schema| schema.reference().is_none());
        let with_properties = schemas.iter().rfind(|schema| schema.has_properties());
        let owner = with_properties.or_else(|| objects.find(|schema| !schema.is_false()))?;
        self.part(&owner.pointer.clone())
    }

    /// Returns the places of the schemas that apply to the values of the schema at a pointer.
    pub fn uses(&self, pointer: &Pointer) -> Vec<Pointer> {
        let parts = self.api.sites.parts.get(pointer);
        parts.cloned().unwrap_or_else(|| vec![pointer.clone()])
    }

    /// Returns the schema at a pointer with the schemas that it refers to, the parts of their `allOf`, and an alternative next
    /// to null alone, each once.
    pub fn closed(&self, pointer: &Pointer) -> Vec<Schema<'d>> {
        let mut found: Vec<Schema<'d>> = Vec::new();
        let mut references = HashSet::new();
        let all = self.uses(pointer);
        let mut waiting: Vec<Schema<'d>> =
            all.into_iter().rev().filter_map(|it| self.document.at(it).map(Schema::from)).collect();
        while let Some(schema) = waiting.pop() {
            if let Some(reference) = schema.reference()
                && references.insert(reference)
            {
                waiting.extend(schema.target());
            }
            // Next to properties, only the `$ref` of a schema that was found is read.
            if found.iter().all(|other| other.pointer != schema.pointer) {
                let mut others = schema.alternatives();
                others.retain(|other| !other.has_only(SchemaType::Null));
                waiting.extend(others.pop().filter(|_| others.is_empty()));
                waiting.extend(schema.all_of().into_iter().rev());
                found.push(schema);
            }
        }
        found
    }
}

/// Returns the place at a pointer of the IR.
pub fn at(pointer: &str) -> Pointer {
    Pointer::from_escaped(pointer)
}

impl Required<'_> {
    /// Returns whether objects of a message must have the property. A merge patch requires none.
    pub fn is_of(&self, moment: Moment) -> bool {
        !moment.is_patch && self.is_sent[usize::from(moment.origin.status.is_some())]
    }
}

impl<'d> Part<'d> {
    fn new(schema: Schema<'d>) -> Self {
        let mut kinds: Kinds = schema.types().collect();
        let listed: Vec<&Node> =
            schema.listed().map(|(_, node)| node).chain(schema.constant()).collect();
        let is_open = schema.reference().is_some() || !schema.alternatives().is_empty();
        if kinds.is_empty() && listed.is_empty() && !is_open {
            if schema.has_properties() || schema.additional_properties().is_some() {
                kinds.insert(SchemaType::Object);
            } else if schema.items().is_some() || schema.is_tuple() {
                kinds.insert(SchemaType::Array);
            }
        }
        Self {
            lists_null: listed.is_empty() || listed.iter().any(|node| node.is_null()),
            schema,
            kinds,
            seen: Seen::default(),
        }
    }

    /// Returns whether a number is only excluded by the format.
    pub fn holds(&self, value: &Value<'_>) -> bool {
        let is_number = value.kind() == SchemaType::Number;
        is_number && self.schema.format().is_some() && self.kinds.contains(&SchemaType::Number)
    }
}
