//! Unions next to the properties of an object.

use std::collections::HashMap;

use crate::diagnostics::{Code, Place};
use crate::document::{Pointer, Schema};
use crate::facts::composition::has_only_alternatives;
use crate::facts::{Branch, Known};
use crate::ir::{Access, Docs};
use crate::lower::classify::Definition;
use crate::lower::schemas::protobuf_oneof::Oneof;
use crate::lower::{Annotations, Context, Owner, docs};
use crate::names;

/// A union whose properties are next to the object's.
pub struct UnionMember<'d> {
    pub name: String,
    /// The schema that has the variants, and their definition.
    pub schema: Schema<'d>,
    pub definition: Definition<'d>,
    pub ty: UnionType<'d>,
    pub access: Access,
    pub docs: Docs,
    pub pointer: Pointer,
    pub owner: Owner,
}

/// A part of an object that is a union, or has one next to its properties.
#[derive(Clone, Copy)]
pub struct Part<'a, 'd> {
    /// The part itself, which can be a reference, and its target.
    pub written: &'a Schema<'d>,
    pub schema: &'a Schema<'d>,
    /// The owner of the target, if that is a component.
    pub component: Option<&'a Owner>,
    pub owner: &'a Owner,
}

pub enum UnionType<'d> {
    /// A component, by the schema that refers to it.
    Component(Schema<'d>),
    /// A type defined within the object, identified by the pointer.
    Inline(Pointer, Docs),
}

impl<'d> UnionMember<'d> {
    /// Returns whether each variant requires a property, so that an object without any is of no variant.
    pub fn is_mandatory(&self, known: &Known<'d>) -> bool {
        let Definition::Union(branches) = &self.definition else { return false };
        branches.iter().all(|branch| !known.facts(branch.schema()).required.is_empty())
    }

    /// Returns the union of a keyword of a part. The field of a component is named after the part of its name that follows the
    /// name of the object (`StepKind` in `Step` is `kind`). The title of a part of `allOf` names the field, unless it is the
    /// name of the object; the title of the object itself does not describe the union.
    pub fn new(
        Part { written, schema, component, owner }: Part<'_, 'd>,
        keyword: &str,
        definition: Definition<'d>,
        context: &Context<'d>,
    ) -> Self {
        let object = names::camel(&owner.name());
        let is_alone = has_only_alternatives(schema);
        let (name, described, ty) = if let Some(component) = component {
            let component = component.name();
            let own = names::camel(&component);
            let own = own.strip_prefix(&object).filter(|it| it.starts_with(char::is_uppercase));
            let name = own.map_or(component, str::to_owned);
            (name, written, UnionType::Component(written.clone()))
        } else {
            let pin = context.pin(schema).filter(|_| is_alone);
            let is_part = schema.pointer.parent().is_some_and(|it| it.last() == Some("allOf"));
            let title = schema.title().filter(|title| is_part && names::camel(title) != object);
            let name = pin.or(title.map(str::to_owned)).unwrap_or_else(|| "kind".to_owned());
            let own = docs(schema.description(), schema.title(), schema.flag("deprecated"));
            let own = if is_alone { own } else { Docs::default() };
            (name, schema, UnionType::Inline(schema.pointer.join(keyword), own))
        };
        let is_described = is_alone || component.is_some();
        let of_field = docs(described.description(), None, described.flag("deprecated"));
        Self {
            name,
            schema: schema.clone(),
            definition,
            ty,
            access: Annotations::of(described, &context.reading).access(),
            docs: if is_described { of_field } else { Docs::default() },
            pointer: described.pointer.clone(),
            owner: owner.clone(),
        }
    }

    /// Returns the union of a `oneof` comment, which lists properties of the object. `key` is the place of the comment.
    pub fn of_comment(
        oneof: &Oneof<'d>,
        key: Pointer,
        schema: &Schema<'d>,
        owner: &Owner,
        context: &Context<'d>,
    ) -> Self {
        let properties: HashMap<&'d str, Schema<'d>> = schema.properties().collect();
        let mut branches = Vec::with_capacity(oneof.properties.len());
        for &listed in &oneof.properties {
            if let Some((&property, value)) = properties.get_key_value(listed) {
                let value = value.clone();
                branches.push(Branch { schema: value.clone(), property, value });
                continue;
            }
            let place = Place::Value(schema.pointer.join("description"));
            let message = format!("`{listed}` is not a property of the object");
            let help = "correct the list of the `oneof` comment";
            context.report(Code::UnknownProperty, place, message).help(help);
        }
        let text = format!("Which one of the properties of `{}` is present.", owner.name());
        Self {
            name: oneof.name.to_owned(),
            schema: schema.clone(),
            definition: Definition::Properties(branches),
            ty: UnionType::Inline(key, docs(Some(&text), None, false)),
            access: Access::Both,
            docs: Docs::default(),
            pointer: schema.pointer.clone(),
            owner: owner.clone(),
        }
    }
}
