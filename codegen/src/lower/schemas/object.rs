//! Structs: the properties of an object, its own and those of `allOf`, and the unions beside them.

use std::borrow::Cow;
use std::collections::HashSet;

use super::DEEPEST;
use super::protobuf_oneof::{self, Oneof};
use crate::diagnostics::Place;
use crate::document::{AdditionalProperties, Pointer, Schema};
use crate::ir::{Access, Docs, Field, FieldName, FieldWire, Shape, Struct, Type};
use crate::lower::classify::{
    Branch, Definition, Layer, Object, SchemaKind, classify, has_alternatives, is_object,
    is_silent, member_union, remarks,
};
use crate::lower::names::{self, Claim, Standing};
use crate::lower::{Lowering, Owner, Typed, docs};

/// The name of the field of additional properties.
const ADDITIONAL: &str = "additional_properties";

/// How many schemas are searched for what a property refines.
const MOST_REFINED: usize = 64;

/// The parts of an object, not named and typed yet.
#[derive(Default)]
struct Parts<'d> {
    fields: Vec<Part<'d>>,
    required: HashSet<&'d str>,
    rest: Option<Additional<'d>>,
    /// The schemas that were merged: each counts once.
    merged: HashSet<Pointer>,
    /// The schemas that are being merged: meeting one again is a cycle.
    open: Vec<Pointer>,
}

/// A part that becomes a field.
enum Part<'d> {
    Property {
        name: &'d str,
        schema: Schema<'d>,
        /// The schemas of the same property in earlier parts of the `allOf`.
        refined: Vec<Layer<'d>>,
        owner: Owner,
    },
    Union(UnionPart<'d>),
}

/// A union whose properties are beside those of the object.
struct UnionPart<'d> {
    /// The name of its field.
    name: String,
    branches: Vec<Branch<'d>>,
    ty: UnionType<'d>,
    access: Access,
    docs: Docs,
    pointer: Pointer,
    owner: Owner,
}

enum UnionType<'d> {
    /// The type of a schema.
    Schema(Schema<'d>),
    /// A type defined within the object, identified by the pointer.
    Inline(Pointer, Docs),
}

/// The additional properties of an object.
struct Additional<'d> {
    /// Their schema; `None` for any value.
    values: Option<Schema<'d>>,
    pointer: Pointer,
    owner: Owner,
}

impl<'d> Lowering<'d> {
    /// Lowers an object.
    pub fn struct_of(&mut self, object: &Object<'d>, owner: &Owner) -> Struct {
        let mut parts = Parts::default();
        for (index, Layer { schema, owner, scope }) in object.refined.iter().enumerate() {
            let earlier = &object.refined[index - scope..index];
            self.merge_part(schema, owner, earlier, &mut parts);
        }
        self.merge(&object.schema, object.union.clone(), owner, &object.refined, &mut parts);
        self.drop_overlapping_unions(&mut parts);
        let names = self.field_names(&parts, owner);
        let Parts { fields, required, rest, .. } = parts;
        let mut names = names.into_iter();
        let mut done = Vec::with_capacity(fields.len());
        for (part, name) in fields.into_iter().zip(names.by_ref()) {
            done.push(match part {
                Part::Property { name: wire, schema, refined, owner } => {
                    let owner = owner.property(wire);
                    let Typed { ty, nullable } = self.refined_type(&schema, refined, &owner);
                    let is_required = required.contains(wire);
                    Field {
                        name,
                        wire: FieldWire::Property(wire.to_owned()),
                        ty,
                        required: is_required && !nullable,
                        null: is_required && nullable,
                        boxed: false,
                        access: access(&schema),
                        docs: remarked(&schema),
                        pointer: schema.pointer.to_string(),
                    }
                }
                Part::Union(union) => Field {
                    name,
                    wire: FieldWire::Flattened,
                    required: false,
                    null: false,
                    boxed: false,
                    access: union.access,
                    docs: union.docs.clone(),
                    pointer: union.pointer.to_string(),
                    ty: self.union_type(union),
                },
            });
        }
        let additional = rest.zip(names.next()).map(|(additional, name)| {
            let values =
                additional.values.map(|values| self.type_of(&values, &additional.owner.value()));
            (name, values.map_or(Type::Value, |typed| typed.ty))
        });
        Struct { fields: done, additional }
    }

    /// Adds the parts of a schema, after those of its `allOf`. `earlier` are the schemas before it that apply to the same
    /// object.
    fn merge(
        &mut self,
        schema: &Schema<'d>,
        union: Option<Vec<Branch<'d>>>,
        owner: &Owner,
        earlier: &[Layer<'d>],
        parts: &mut Parts<'d>,
    ) {
        if parts.open.contains(&schema.pointer) {
            let (place, message) =
                (Place::value(&schema.pointer), "this schema contains itself through `allOf`");
            self.diagnostics
                .error("cyclic-ref", place, message)
                .help("remove one of the references in `allOf`");
            return;
        }
        if !parts.merged.insert(schema.pointer.clone()) {
            return;
        }
        if parts.open.len() == DEEPEST {
            self.too_deep(schema);
            return;
        }
        parts.open.push(schema.pointer.clone());
        let mut earlier = earlier.to_vec();
        for schema in schema.all_of() {
            self.merge_part(&schema, owner, &earlier, parts);
            earlier.push(Layer { schema, owner: owner.clone(), scope: earlier.len() });
        }
        parts.open.pop();
        parts.required.extend(schema.required());
        let comments = schema.description().map(protobuf_oneof::parse).unwrap_or_default();
        for (name, property) in schema.properties() {
            let is_listed = |oneof: &&Oneof<'d>| oneof.properties.contains(&name);
            let Some(oneof) = comments.oneofs.iter().find(is_listed) else {
                let is_same = |part: &Part<'_>| matches!(part, Part::Property { name: earlier, .. } if *earlier == name);
                parts.fields.retain(|part| !is_same(part));
                let refined = match classify(&property, false).kind {
                    SchemaKind::Named(Definition::Struct(_)) => self.refined(name, &earlier),
                    _ => Vec::new(),
                };
                let owner = owner.clone();
                parts.fields.push(Part::Property { name, schema: property, refined, owner });
                continue;
            };
            let key = schema.pointer.join("description").join(oneof.name);
            let is_same = |part: &Part<'_>| matches!(part, Part::Union(UnionPart { ty: UnionType::Inline(earlier, _), .. }) if *earlier == key);
            if !parts.fields.iter().any(is_same) {
                let union = self.union_of_comment(oneof, key, schema, owner);
                parts.fields.push(Part::Union(union));
            }
        }
        match union {
            Some(branches) => {
                let union = self.inline_union(schema, branches, owner);
                parts.fields.push(Part::Union(union));
            }
            None if has_alternatives(&schema.one_of(), schema) => {
                self.untyped(&schema.pointer, "`oneOf` beside `properties`");
            }
            None => {}
        }
        if has_alternatives(&schema.any_of(), schema) {
            self.untyped(&schema.pointer, "`anyOf` beside `properties`");
        }
        let values = match schema.additional_properties() {
            Some(AdditionalProperties::Any(true)) => None,
            Some(AdditionalProperties::Schema(values)) => Some(values),
            Some(AdditionalProperties::Any(false)) | None => return,
        };
        let pointer = schema.pointer.clone();
        parts.rest = Some(Additional { values, pointer, owner: owner.clone() });
    }

    fn merge_part(
        &mut self,
        part: &Schema<'d>,
        owner: &Owner,
        earlier: &[Layer<'d>],
        parts: &mut Parts<'d>,
    ) {
        let Some((schema, component)) = self.followed(part) else { return };
        let union = member_union(&schema);
        match union {
            Some(branches) if !schema.has_properties() && !schema.has_all_of() => {
                if !parts.merged.insert(schema.pointer.clone()) {
                    return;
                }
                let union = match component {
                    Some(component) => component_union(part, branches, &component, owner),
                    None => self.inline_union(part, branches, owner),
                };
                parts.fields.push(Part::Union(union));
            }
            union if is_object(&schema) || schema.has_all_of() => {
                // A component is the same type wherever it stands.
                match component {
                    Some(component) => self.merge(&schema, union, &component, &[], parts),
                    None => self.merge(&schema, union, owner, earlier, parts),
                }
            }
            _ if is_silent(&schema) => {}
            _ if schema.required().next().is_none() => {
                self.untyped(&part.pointer, "a part of `allOf` that is not an object");
            }
            _ => parts.required.extend(schema.required()),
        }
    }

    /// Returns the schemas of a property in `earlier` schemas that describe objects.
    fn refined(&mut self, name: &str, earlier: &[Layer<'d>]) -> Vec<Layer<'d>> {
        let (mut refined, mut starts) = (Vec::new(), Vec::with_capacity(earlier.len()));
        let mut budget = MOST_REFINED;
        for (index, layer) in earlier.iter().enumerate() {
            starts.push(refined.len());
            let start = starts[index - layer.scope];
            self.collect(name, &layer.schema, &layer.owner, start, &mut budget, &mut refined);
        }
        refined
    }

    /// Adds the schemas of a property in a schema and in its `allOf`; those since `start` apply to the same object.
    fn collect(
        &mut self,
        name: &str,
        schema: &Schema<'d>,
        owner: &Owner,
        start: usize,
        budget: &mut usize,
        refined: &mut Vec<Layer<'d>>,
    ) {
        let Some(rest) = budget.checked_sub(1) else { return };
        *budget = rest;
        let Some((schema, component)) = self.followed(schema) else { return };
        let (owner, start) = match &component {
            Some(component) => (component, refined.len()),
            None => (owner, start),
        };
        for part in schema.all_of() {
            self.collect(name, &part, owner, start, budget, refined);
        }
        if let Some((_, schema)) = schema.properties().find(|(other, _)| *other == name)
            && let Some((target, _)) = self.followed(&schema)
            && is_object(&target)
        {
            let (owner, scope) = (owner.property(name), refined.len() - start);
            refined.push(Layer { schema, owner, scope });
        }
    }

    /// Returns the type of a property: an inline object has the properties of the schemas that it refines as well.
    fn refined_type(
        &mut self,
        schema: &Schema<'d>,
        refined: Vec<Layer<'d>>,
        owner: &Owner,
    ) -> Typed {
        let mut classified = classify(schema, false);
        if let SchemaKind::Named(Definition::Struct(object)) = &mut classified.kind {
            object.refined = refined;
        }
        self.type_of_classified(classified, schema, owner)
    }

    /// Returns an inline union. Its title names the field, unless it is the name of the object.
    fn inline_union(
        &self,
        part: &Schema<'d>,
        branches: Vec<Branch<'d>>,
        owner: &Owner,
    ) -> UnionPart<'d> {
        let is_alone = !part.has_properties() && !part.has_all_of();
        let pin = self.pin(part).filter(|_| is_alone);
        let title = part.title().filter(|title| names::camel(title) != owner.name());
        let own = docs(part.description(), part.title(), part.deprecated());
        let of_field = docs(part.description(), None, part.deprecated());
        let of_union = |docs: Docs| if is_alone { docs } else { Docs::default() };
        UnionPart {
            name: pin.or(title.map(str::to_owned)).unwrap_or_else(|| "kind".to_owned()),
            branches,
            ty: UnionType::Inline(part.pointer.join("oneOf"), of_union(own)),
            access: access(part),
            docs: of_union(of_field),
            pointer: part.pointer.clone(),
            owner: owner.clone(),
        }
    }

    /// Returns the union of a `oneof` comment, which lists properties of the object.
    fn union_of_comment(
        &mut self,
        oneof: &Oneof<'d>,
        key: Pointer,
        schema: &Schema<'d>,
        owner: &Owner,
    ) -> UnionPart<'d> {
        let mut branches = Vec::with_capacity(oneof.properties.len());
        for &listed in &oneof.properties {
            if let Some((property, value)) = schema.properties().find(|(name, _)| *name == listed) {
                branches.push(Branch { schema: value.clone(), property, value });
                continue;
            }
            let place = Place::Value(schema.pointer.join("description"));
            let message = format!("`{listed}` is not a property of the object");
            self.diagnostics
                .warning("unknown-property", place, message)
                .help("correct the list of the `oneof` comment");
        }
        let text = format!("Which one of the properties of `{}` is present.", owner.name());
        UnionPart {
            name: oneof.name.to_owned(),
            branches,
            ty: UnionType::Inline(key, docs(Some(&text), None, false)),
            access: Access::Both,
            docs: Docs::default(),
            pointer: schema.pointer.clone(),
            owner: owner.clone(),
        }
    }

    fn union_type(&mut self, union: UnionPart<'d>) -> Type {
        let owner = union.owner.property(&union.name);
        match union.ty {
            UnionType::Schema(part) => self.type_of(&part, &owner).ty,
            UnionType::Inline(key, docs) => {
                if let Some(&id) = self.inline.get(&key) {
                    return Type::Named(id);
                }
                let id = self.reserve_inline(&key);
                let shape = Shape::Union(self.union_of(&union.branches, &owner));
                self.place(id, &union.pointer, &owner, docs, shape);
                Type::Named(id)
            }
        }
    }

    fn field_names(&mut self, parts: &Parts<'d>, owner: &Owner) -> Vec<FieldName> {
        let made_up = |raw, pointer, what| Claim {
            standing: Standing::MadeUp,
            wordings: vec![Cow::from(raw), format!("{raw}_{what}").into()],
            ..Claim::new(raw, pointer)
        };
        let fields = parts.fields.iter().map(|part| match part {
            Part::Property { name, schema, .. } => {
                Claim::new(*name, &schema.pointer).pinned(self.pin(schema))
            }
            Part::Union(union) => made_up(union.name.as_str(), &union.pointer, "kind"),
        });
        let rest = parts.rest.iter().map(|rest| made_up(ADDITIONAL, &rest.pointer, "value"));
        let claims: Vec<_> = fields.chain(rest).collect();
        let what = |name: &FieldName| format!("the field `{}::{name}`", owner.name());
        names::assign(claims, |_, text| names::field(text), what, self.diagnostics)
    }

    /// Removes unions whose properties the object, or another union, has as well: those do not exclude one another.
    fn drop_overlapping_unions(&mut self, parts: &mut Parts<'d>) {
        let properties = parts.fields.iter().filter_map(|part| match part {
            Part::Property { name, .. } => Some(*name),
            Part::Union(_) => None,
        });
        let mut met: HashSet<&str> = properties.collect();
        parts.fields.retain(|part| {
            let Part::Union(union) = part else { return true };
            let overlaps = union.branches.iter().any(|branch| met.contains(branch.property));
            if overlaps {
                self.untyped(&union.pointer, "`oneOf` over properties that the object also has");
            } else {
                met.extend(union.branches.iter().map(|branch| branch.property));
            }
            !overlaps
        });
    }
}

/// Returns a union that is a component. Its field is named after what its name adds to that of the object (`StepKind` in
/// `Step` is `kind`).
fn component_union<'d>(
    part: &Schema<'d>,
    branches: Vec<Branch<'d>>,
    component: &Owner,
    owner: &Owner,
) -> UnionPart<'d> {
    let component = component.name();
    let own =
        names::camel(&component).strip_prefix(&names::camel(&owner.name())).map(str::to_owned);
    let own = own.filter(|own| own.starts_with(char::is_uppercase));
    UnionPart {
        name: own.unwrap_or(component),
        branches,
        ty: UnionType::Schema(part.clone()),
        access: access(part),
        docs: docs(part.description(), None, part.deprecated()),
        pointer: part.pointer.clone(),
        owner: owner.clone(),
    }
}

/// Returns the documentation of a property.
fn remarked(schema: &Schema<'_>) -> Docs {
    let remarks = remarks(schema);
    docs(
        remarks.iter().find_map(|remark| remark.description()),
        remarks.iter().find_map(|remark| remark.title()),
        remarks.iter().any(|remark| remark.deprecated()),
    )
}

fn access(schema: &Schema<'_>) -> Access {
    let remarks = remarks(schema);
    let is_read = remarks.iter().any(|remark| remark.flag("readOnly"));
    let is_written = remarks.iter().any(|remark| remark.flag("writeOnly"));
    match (is_read, is_written) {
        (true, false) => Access::Read,
        (false, true) => Access::Write,
        _ => Access::Both,
    }
}
