//! The attributes of fields and of setters.

use crate::emit::rust::attributes::Attributes;
use crate::emit::rust::docs::{Doc, Inline, text};
use crate::ir::{Access, Api, Field, FieldWire, Mask, Parameter, Type};
use crate::items::models::NullSetter;
use crate::items::{Input, Target};

/// Returns the attributes of a field, with a note if it is read-only or write-only.
pub fn attributes(field: &Field, in_requests: bool, api: &Api) -> Attributes {
    of_field(field, in_requests, api).attributes(4).deprecated(&field.docs)
}

fn of_field(field: &Field, in_requests: bool, api: &Api) -> Doc {
    let doc = Doc::new(&field.docs, || match &field.wire {
        FieldWire::Property(_) => of_type(&field.ty, api),
        FieldWire::Flattened => Some(text!("Which of the properties of its type is present.")),
    });
    let value = match (&field.constant, &field.tag) {
        (Some(value), _) => Some(text!("It is {} from the start.", Inline::code(value))),
        (_, Some(tag)) => Some(text!("`new` sets it to {}.", Inline::code(tag.text()))),
        _ => None,
    };
    let access = match field.access {
        Access::Read if in_requests => Some(text!("Read-only: requests do not send it.")),
        Access::Write => Some(text!("Write-only: responses do not have it.")),
        _ => None,
    };
    doc.paragraphs(value.filter(|_| in_requests)).paragraphs(access)
}

/// Returns the first sentence of the documentation of a named type, for a value of that type that has none of its own. An
/// item of a list, such as one about a value of an enum, is not about all values.
fn of_type(ty: &Type, api: &Api) -> Option<Inline> {
    let (Type::Named(id) | Type::AnyText(id)) = ty else { return None };
    let text = api.definition(*id).docs.text.as_deref()?.trim_start();
    let doc = Doc::of_spec(text).filter(|_| !text.starts_with("* ") && !text.starts_with("- "))?;
    Some(doc.summary()).filter(|summary| !summary.is_empty())
}

/// Returns the attributes of the field of the additional properties.
pub fn additional() -> Attributes {
    Doc::from(text!("Additional properties, which the spec allows.")).attributes(4)
}

/// Returns the attributes of a setter. That of an update mask names the methods that write its format.
pub fn of_setter(input: &Input<'_>, mask: Option<&Mask>, api: &Api) -> Attributes {
    let doc = match input.target {
        Target::Field(field) => of_field(field, true, api),
        Target::Additional(_) => return additional(),
        Target::Parameter(parameter) => Doc::new(&parameter.docs, || of_type(&parameter.ty, api)),
        Target::Expansion(expansion) => {
            let mask = &expansion.field;
            Doc::from(text!(
                "Requests these related objects, in place of those that [`{}`](Self::{}) has requested.",
                mask,
                mask
            ))
        }
        Target::Body(_) => Doc::from(text!("Sends this body.")),
        Target::WholeBody => Doc::from(text!(
            "Sends this body, replacing all earlier arguments and setters of its properties."
        )),
    };
    let edit = mask.filter(|mask| wire(input) == Some(&mask.name)).map(|_| {
        text!(
            "[`set_mask`](Self::set_mask) writes it from constants, and [`send_edit`](Self::send_edit) from the changes of an \
             [`Edit`](crate::Edit)."
        )
    });
    let attributes = doc.paragraphs(edit).attributes(4);
    match input.target {
        Target::Field(Field { docs, .. }) | Target::Parameter(Parameter { docs, .. }) => {
            attributes.deprecated(docs)
        }
        _ => attributes,
    }
}

/// Returns the attributes of a setter that sends null.
pub fn of_null_setter(setter: &NullSetter<'_>) -> Attributes {
    let doc = text!("Sets [`{}`](Self::{}) to null.", setter.value, setter.value);
    Doc::from(doc).attributes(4).deprecated(&setter.field.docs)
}

/// Returns the wire name of the target of a setter, if it has one.
pub fn wire<'a>(input: &Input<'a>) -> Option<&'a str> {
    match input.target {
        Target::Field(field) => field.property(),
        Target::Parameter(parameter) => Some(&parameter.wire),
        Target::Additional(_) | Target::Expansion(_) | Target::Body(_) | Target::WholeBody => None,
    }
}
