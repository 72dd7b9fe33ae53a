//! Structs: the properties of an object, its own and the properties of `allOf`, and the unions next to them.

mod parts;
#[cfg(test)]
mod tests;
mod unions;

use super::{Schemas, Typed};
use std::borrow::Cow;

use crate::document::{Node, Pointer, Schema};
use crate::ir::{Field, FieldName, FieldWire, Null, Struct, StructConventions, Type};
use crate::lower::classify::{Content, Definition};
use crate::lower::{Annotations, Context, Owner};
use crate::names::{self, NameRequest, Priority};
use parts::{Additional, Member, OwnProperty, Parts};
use unions::{UnionMember, UnionType};

impl<'d> Schemas<'_, 'd> {
    pub fn struct_of(&mut self, schema: &Schema<'d>, owner: &Owner) -> Struct {
        let parts = Parts::collect(schema, owner, self.context);
        let mut names = field_names(&parts, owner, self.context).into_iter();
        let mut fields = Vec::with_capacity(parts.members.len());
        for (member, name) in parts.members.into_iter().zip(names.by_ref()) {
            fields.push(match member {
                Member::Property(property) => {
                    let is_required = parts.required.contains(property.name);
                    self.property_field(property, name, is_required)
                }
                Member::Union(union) => self.union_field(union, name),
            });
        }
        let additional = parts
            .additional
            .zip(names.next())
            .map(|(additional, name)| (name, self.additional_type(additional)));
        Struct { fields, additional, conventions: StructConventions::default() }
    }

    fn property_field(
        &mut self,
        property: OwnProperty<'d>,
        name: FieldName,
        is_required: bool,
    ) -> Field {
        let OwnProperty { name: wire, schema, all, owner, .. } = property;
        let annotations = Annotations::of_all(&all, &self.context.reading);
        let owner = owner.property(wire);
        let Typed { ty, nullable } = self.type_of_all(&all, &schema, &owner);
        // Any JSON includes null, which a required value holds itself.
        let is_any = ty == Type::Value || ty == Type::Secret(Box::new(Type::Value));
        let nullable = nullable || is_any && !is_required;
        if all.len() > 1 {
            let parts = all.iter().map(|part| part.pointer.clone()).collect();
            self.sites.parts.insert(schema.pointer.clone(), parts);
        }
        let is_secret = matches!(ty.innermost(), Type::Secret(_));
        let default = annotations.default.filter(|_| !is_secret);
        let (docs, limits) =
            annotations.with_values(annotations.docs_of(wire), wire, &ty, is_secret);
        Field {
            name,
            wire: FieldWire::Property(wire.to_owned()),
            ty,
            required: is_required && !nullable,
            null: match (nullable, is_required) {
                (false, _) => Null::Never,
                (true, false) => Null::Optional,
                (true, true) => Null::Always,
            },
            boxed: false,
            constant: None,
            tag: None,
            shown: None,
            default: default.and_then(Node::scalar),
            access: annotations.access(),
            docs,
            limits,
            pointer: schema.pointer.to_string(),
        }
    }

    fn union_field(&mut self, union: UnionMember<'d>, name: FieldName) -> Field {
        let mut docs = union.docs.clone();
        if let Definition::Union(_) = &union.definition {
            let text = "The variant of the object, with the properties that only this one has.";
            docs.text.get_or_insert_with(|| text.to_owned());
        }
        Field {
            name,
            wire: FieldWire::Flattened,
            required: union.is_mandatory(&self.context.reading),
            null: Null::Never,
            boxed: false,
            constant: None,
            tag: None,
            shown: None,
            default: None,
            access: union.access,
            docs,
            limits: 0..0,
            pointer: union.pointer.to_string(),
            ty: self.union_type(union),
        }
    }

    fn union_type(&mut self, union: UnionMember<'d>) -> Type {
        let owner = union.owner.property(&union.name);
        match union.ty {
            UnionType::Component(part) => self.type_of(&part, &owner).ty,
            UnionType::Inline(key, docs) => {
                let (id, is_new) = self.types.inline([key].into(), &owner);
                if is_new {
                    let shape = self.shape_of(union.definition, &union.schema, &owner);
                    self.types.place(id, &union.pointer, &owner, docs, shape);
                }
                Type::Named(id)
            }
        }
    }

    fn additional_type(&mut self, additional: Additional<'d>) -> Type {
        let Additional { values, of, owner } = additional;
        let values = Content::new(("patternProperties", values), &self.context.reading);
        self.content_type(&values, &of, &owner.value())
    }
}

const ADDITIONAL: &str = "additional_properties";

/// Names the members of an object, and after them the field of additional properties, if there is one.
fn field_names(parts: &Parts<'_>, owner: &Owner, context: &Context<'_>) -> Vec<FieldName> {
    let members = parts.members.iter().map(|member| match member {
        Member::Property(property) => {
            let schema = &property.schema;
            NameRequest::new(property.name, &schema.pointer).pinned(context.pin(schema))
        }
        Member::Union(union) => derived(&union.name, &union.pointer, "kind"),
    });
    let additional =
        parts.additional.iter().map(|rest| derived(ADDITIONAL, &rest.of.pointer, "value"));
    let what = |name: &FieldName| format!("the field `{}::{name}`", owner.name());
    context.assign(members.chain(additional), |_, text| names::field(text), what)
}

/// Returns the request for a name that is not in the document. After a collision, it is extended by a word.
fn derived<'a>(raw: &'a str, pointer: &'a Pointer, word: &str) -> NameRequest<'a> {
    NameRequest {
        priority: Priority::Derived,
        candidates: vec![Cow::from(raw), format!("{raw}_{word}").into()],
        ..NameRequest::new(raw, pointer)
    }
}
