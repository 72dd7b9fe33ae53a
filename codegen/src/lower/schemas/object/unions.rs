//! Unions next to the properties of an object.

use std::collections::HashMap;

use crate::diagnostics::{Code, Diagnostics, Place};
use crate::document::{Pointer, Schema};
use crate::facts::composition::has_only_alternatives;
use crate::facts::{Branch, Facts};
use crate::ir::{Access, Docs};
use crate::lower::schemas::protobuf_oneof::Oneof;
use crate::lower::{Alternative, Annotations, Context, Owner, docs};
use crate::names;

/// A union whose properties are next to the object's.
pub struct UnionMember<'d> {
    /// The name of its field.
    pub name: String,
    pub variants: Variants<'d>,
    pub ty: UnionType<'d>,
    pub access: Access,
    pub docs: Docs,
    pub pointer: Pointer,
    pub owner: Owner,
}

/// The variants of a union.
pub enum Variants<'d> {
    /// Exactly one of these properties.
    Properties(Vec<Branch<'d>>),
    /// The properties of one of these objects.
    Objects {
        /// The schema that has them.
        schema: Schema<'d>,
        branches: Vec<Alternative<'d>>,
    },
}

/// The type of a union.
pub enum UnionType<'d> {
    /// A component, by the schema that refers to it.
    Component(Schema<'d>),
    /// A type defined within the object, identified by the pointer.
    Inline(Pointer, Docs),
}

impl Variants<'_> {
    /// Returns whether each variant requires a property: an object without any has none of them.
    pub fn is_mandatory(&self) -> bool {
        let Self::Objects { branches, .. } = self else { return false };
        branches.iter().all(|branch| !Facts::of(branch.schema()).required.is_empty())
    }
}

impl<'d> UnionMember<'d> {
    /// Returns an inline union. Its title names the field, unless it is the name of the object.
    pub fn inline(
        part: &Schema<'d>,
        keyword: &str,
        variants: Variants<'d>,
        owner: &Owner,
        context: &Context<'_>,
    ) -> Self {
        let is_alone = has_only_alternatives(part);
        let pin = context.pin(part).filter(|_| is_alone);
        let title = part.title().filter(|title| names::camel(title) != owner.name());
        let own = docs(part.description(), part.title(), part.deprecated());
        let of_field = docs(part.description(), None, part.deprecated());
        let of_union = |docs: Docs| if is_alone { docs } else { Docs::default() };
        Self {
            name: pin.or(title.map(str::to_owned)).unwrap_or_else(|| "kind".to_owned()),
            variants,
            ty: UnionType::Inline(part.pointer.join(keyword), of_union(own)),
            access: Annotations::of(part).access(),
            docs: of_union(of_field),
            pointer: part.pointer.clone(),
            owner: owner.clone(),
        }
    }

    /// Returns a union that is a component. Its field is named after the part of its name that follows the name of the
    /// object (`StepKind` in `Step` is `kind`).
    pub fn component(
        part: &Schema<'d>,
        variants: Variants<'d>,
        component: &Owner,
        owner: &Owner,
    ) -> Self {
        let component = component.name();
        let object = names::camel(&owner.name());
        let own = names::camel(&component)
            .strip_prefix(&object)
            .filter(|own| own.starts_with(char::is_uppercase))
            .map(str::to_owned);
        Self {
            name: own.unwrap_or(component),
            variants,
            ty: UnionType::Component(part.clone()),
            access: Annotations::of(part).access(),
            docs: docs(part.description(), None, part.deprecated()),
            pointer: part.pointer.clone(),
            owner: owner.clone(),
        }
    }

    /// Returns the union of a `oneof` comment, which lists properties of the object. `key` is the place of the comment.
    pub fn of_comment(
        oneof: &Oneof<'d>,
        key: Pointer,
        schema: &Schema<'d>,
        owner: &Owner,
        diagnostics: &mut Diagnostics,
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
            diagnostics
                .warning(Code::UnknownProperty, place, message)
                .help("correct the list of the `oneof` comment");
        }
        let text = format!("Which one of the properties of `{}` is present.", owner.name());
        Self {
            name: oneof.name.to_owned(),
            variants: Variants::Properties(branches),
            ty: UnionType::Inline(key, docs(Some(&text), None, false)),
            access: Access::Both,
            docs: Docs::default(),
            pointer: schema.pointer.clone(),
            owner: owner.clone(),
        }
    }
}
