//! Structs: the members of an object, its own and those that `allOf` brings, and the unions that stand beside them.

use std::collections::HashMap;

use super::DEEPEST;
use super::protobuf_oneof as prose;
use crate::diagnostics::Place;
use crate::document::{AdditionalProperties, Pointer, Schema};
use crate::ir::{Access, Docs, Field, FieldName, FieldWire, Rest, Shape, Struct, Type};
use crate::lower::classify as nature;
use crate::lower::names::{self, Scope};
use crate::lower::{Lowering, Owner, Typed, docs};

/// A struct in the making.
#[derive(Default)]
struct Parts<'d> {
    fields: Vec<Field>,
    names: Scope<FieldName>,
    required: Vec<String>,
    rest: Option<(Type, Pointer)>,
    /// The unions that stand beside the members.
    groups: Vec<&'d Schema>,
    /// The schemas that are being taken apart, to notice one that contains itself through `allOf`.
    open: Vec<Pointer>,
}

impl<'d> Lowering<'d> {
    /// Lowers an object.
    pub(crate) fn struct_of(&mut self, schema: &'d Schema, owner: &Owner) -> Struct {
        let mut parts = Parts::default();
        self.collect(schema, owner, &mut parts);
        self.no_shared_members(&parts);
        let Parts { mut fields, names: mut scope, required, rest, .. } = parts;
        for field in &mut fields {
            if let FieldWire::Member(member) = &field.wire {
                let required = required.contains(member);
                field.required &= required;
                field.null &= required;
            }
        }
        let rest = match rest {
            Some((ty, pointer)) => {
                let name = names::field("additional_properties");
                let what = format!("the field `{}::{name}`", owner.name);
                scope.take(name.clone(), &pointer, &what, self.diagnostics);
                Rest::Additional(name, ty)
            }
            None => Rest::Unknown,
        };
        Struct { fields, rest }
    }

    fn collect(&mut self, schema: &'d Schema, owner: &Owner, parts: &mut Parts<'d>) {
        if parts.open.contains(&schema.pointer) {
            self.diagnostics
                .error(
                    "cyclic-ref",
                    Place::value(&schema.pointer),
                    "this schema is a part of itself by way of `allOf`",
                )
                .help("take one of the references that lead from `allOf` to `allOf` away");
            return;
        }
        if parts.open.len() == DEEPEST {
            self.too_deep(schema);
            return;
        }
        parts.open.push(schema.pointer.clone());
        for part in &schema.all_of {
            self.collect_part(part, owner, parts);
        }
        parts.required.extend(schema.required.iter().cloned());
        let told = schema.description.as_deref().map(prose::read).unwrap_or_default();
        for (member, property) in &schema.properties {
            match told.groups.iter().find(|group| group.members.contains(&member.as_str())) {
                Some(group) => self.collect_told_group(group, schema, owner, parts),
                None => self.collect_member(member, property, owner, parts),
            }
        }
        if nature::is_member_union(&schema.one_of) {
            self.collect_group(schema, None, owner, parts);
        } else if !schema.one_of.is_empty() {
            self.untyped(schema, "`oneOf` beside `properties`");
        }
        match &schema.additional_properties {
            Some(AdditionalProperties::Any(true)) => {
                parts.rest = Some((Type::Value, schema.pointer.clone()));
            }
            Some(AdditionalProperties::Schema(values)) => {
                let typed = self.type_of(values, &owner.child("Value"));
                parts.rest = Some((typed.ty, schema.pointer.clone()));
            }
            Some(AdditionalProperties::Any(false)) | None => {}
        }
        parts.open.pop();
    }

    fn collect_part(&mut self, part: &'d Schema, owner: &Owner, parts: &mut Parts<'d>) {
        let Some((schema, key)) = self.followed(part) else {
            return;
        };
        let component = key
            .as_deref()
            .and_then(|key| self.components.get(key))
            .map(|component| component.owner.clone());
        if nature::is_member_union(&schema.one_of)
            && schema.properties.is_empty()
            && schema.all_of.is_empty()
        {
            self.collect_group(part, component.as_ref(), owner, parts);
        } else if nature::is_object(schema) || !schema.all_of.is_empty() {
            self.collect(schema, component.as_ref().unwrap_or(owner), parts);
        } else if schema.required.is_empty() {
            self.untyped(part, "a part of `allOf` that describes no object");
        } else {
            parts.required.extend(schema.required.iter().cloned());
        }
    }

    fn collect_member(
        &mut self,
        member: &str,
        property: &'d Schema,
        owner: &Owner,
        parts: &mut Parts<'d>,
    ) {
        let wire = FieldWire::Member(member.to_owned());
        let name = names::field(property.rust_name.as_deref().unwrap_or(member));
        if let Some(earlier) = parts.fields.iter().position(|field| field.wire == wire) {
            parts.fields.remove(earlier);
        } else {
            let what = format!("the field `{}::{name}`", owner.name);
            if !parts.names.take(name.clone(), &property.pointer, &what, self.diagnostics) {
                return;
            }
        }
        let typed = self.type_of(property, &owner.child(member));
        parts.fields.push(Field {
            name,
            wire,
            ty: typed.ty,
            required: !typed.nullable,
            null: typed.nullable,
            boxed: false,
            access: access(property),
            docs: docs(property.description.as_ref(), property.title.as_ref(), property.deprecated),
            pointer: property.pointer.to_string(),
        });
    }

    /// Takes up a union whose members stand beside those of the object. Its field is called what the union's name adds
    /// to the object's (`StepKind` in `Step` is `kind`).
    fn collect_group(
        &mut self,
        part: &'d Schema,
        component: Option<&Owner>,
        owner: &Owner,
        parts: &mut Parts<'d>,
    ) {
        let (raw, typed) = if let Some(union) = component {
            let own = union
                .name
                .strip_prefix(&owner.name)
                .filter(|own| own.starts_with(char::is_uppercase));
            (own.unwrap_or(&union.name).to_owned(), self.type_of(part, owner))
        } else {
            let raw = group_name(part, owner);
            let typed = self.group_type(part, &owner.child(&raw));
            (raw, typed)
        };
        let name = names::field(&raw);
        let what = format!("the field `{}::{name}`", owner.name);
        if !parts.names.take(name.clone(), &part.pointer, &what, self.diagnostics) {
            return;
        }
        parts.groups.push(part);
        parts.fields.push(Field {
            name,
            wire: FieldWire::Group,
            ty: typed.ty,
            required: false,
            null: false,
            boxed: false,
            access: access(part),
            docs: if stands_alone(part) {
                docs(part.description.as_ref(), None, part.deprecated)
            } else {
                Docs::default()
            },
            pointer: part.pointer.to_string(),
        });
    }

    /// Takes up a union that the description of the object tells in words, once for all of its members.
    fn collect_told_group(
        &mut self,
        group: &prose::Group<'_>,
        schema: &'d Schema,
        owner: &Owner,
        parts: &mut Parts<'d>,
    ) {
        let pointer = schema.pointer.join("properties").join(group.name);
        let name = names::field(group.name);
        let is_taken_up = |field: &Field| field.name == name && field.wire == FieldWire::Group;
        if parts.fields.iter().any(is_taken_up) {
            return;
        }
        let what = format!("the field `{}::{name}`", owner.name);
        if !parts.names.take(
            name.clone(),
            &schema.pointer.join("description"),
            &what,
            self.diagnostics,
        ) {
            return;
        }
        let union = owner.child(group.name);
        let id = if let Some(&id) = self.inline.get(&pointer) {
            id
        } else {
            let id = self.reserve();
            self.inline.insert(pointer, id);
            let shape = Shape::Union(self.told_union(group, schema, &union));
            let documentation = format!("Which one of the members of `{}` is present.", owner.name);
            self.place(
                id,
                &schema.pointer,
                &union,
                None,
                docs(Some(&documentation), None, false),
                shape,
            );
            id
        };
        parts.fields.push(Field {
            name,
            wire: FieldWire::Group,
            ty: Type::Named(id),
            required: false,
            null: false,
            boxed: false,
            access: Access::Both,
            docs: docs(None, None, false),
            pointer: schema.pointer.to_string(),
        });
    }

    /// Makes a type of the union that stands in place beside the members of an object.
    fn group_type(&mut self, part: &'d Schema, owner: &Owner) -> Typed {
        let pointer = part.pointer.join("oneOf");
        let id = if let Some(&id) = self.inline.get(&pointer) {
            id
        } else {
            let id = self.reserve();
            self.inline.insert(pointer, id);
            let union = self.union_of(&part.one_of, owner);
            let own = docs(part.description.as_ref(), part.title.as_ref(), part.deprecated);
            let documentation = if stands_alone(part) { own } else { Docs::default() };
            self.place(id, &part.pointer, owner, None, documentation, Shape::Union(union));
            id
        };
        Typed::new(Type::Named(id))
    }

    /// Reports members of a union that the object, or another union beside it, describes as its own as well.
    fn no_shared_members(&mut self, parts: &Parts<'d>) {
        let mut met: HashMap<&str, &Pointer> = HashMap::new();
        for field in &parts.fields {
            if let (FieldWire::Member(member), Some(origin)) =
                (&field.wire, parts.names.origin(&field.name))
            {
                met.insert(member, origin);
            }
        }
        for &part in &parts.groups {
            let Some((union, _)) = self.followed(part) else {
                continue;
            };
            for (member, schema) in union.one_of.iter().flat_map(|branch| &branch.properties) {
                let Some(first) = met.insert(member, &schema.pointer) else {
                    continue;
                };
                let message = format!(
                    "`{member}` would be a member of the object twice, as it is one of a union beside the others"
                );
                self.diagnostics
                    .error("name-collision", Place::key(&schema.pointer), message)
                    .related(Place::key(first), "it is here as well")
                    .help("describe the member in one of the two places only");
            }
        }
    }
}

/// Tells whether a union is written apart from the object beside whose members it stands, so that what is said of it is not
/// said of the object.
fn stands_alone(part: &Schema) -> bool {
    part.properties.is_empty() && part.all_of.is_empty()
}

/// Returns what a union that is written in place is called: its title, unless that is the object's.
fn group_name(part: &Schema, owner: &Owner) -> String {
    let rust_name = part.rust_name.as_ref().filter(|_| stands_alone(part));
    let title = part.title.as_ref().filter(|title| names::camel(title) != owner.name);
    rust_name.or(title).cloned().unwrap_or_else(|| "kind".to_owned())
}

fn access(schema: &Schema) -> Access {
    match (schema.read_only, schema.write_only) {
        (true, false) => Access::Read,
        (false, true) => Access::Write,
        _ => Access::Both,
    }
}
