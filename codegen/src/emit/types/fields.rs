//! The documentation and the setter of a field, for structs and requests.

use crate::emit::rust::arguments::Argument;
use crate::emit::rust::attributes::Attributes;
use crate::emit::rust::docs::{Doc, Inline, text};
use crate::emit::rust::page::Page;
use crate::emit::rust::print;
use crate::emit::rust::types::plain;
use crate::ir::{Access, Field, FieldName, FieldWire, Type};

/// Returns the documentation of a field, with a note if it is read-only or write-only.
pub fn documentation(field: &Field, in_requests: bool) -> Doc {
    let doc = Doc::of(&field.docs, || match &field.wire {
        FieldWire::Property(name) => text!("The property {}.", Inline::code(name)),
        FieldWire::Flattened => text!("Which of the properties of its type is present."),
    });
    match field.access {
        Access::Read if in_requests => doc.paragraph(text!("Read-only: requests do not send it.")),
        Access::Write => doc.paragraph(text!("Write-only: responses do not have it.")),
        _ => doc,
    }
}

/// Adds the `#[doc(alias)]` of a field, or of its setter, of this name.
pub fn aliased(attributes: Attributes, field: &Field, name: &FieldName) -> Attributes {
    match &field.wire {
        FieldWire::Property(wire) => attributes.alias(wire, name.bare()),
        FieldWire::Flattened => attributes,
    }
}

/// Writes a setter of a field, in the place `target` below the request or model.
pub fn setter(
    field: &Field,
    name: &str,
    target: &str,
    taken: &Taken,
    attributes: Attributes,
) -> String {
    let value = &taken.argument.value;
    let value = if field.boxed { format!("Box::new({value})") } else { value.clone() };
    let value = if field.required { value } else { format!("Some({value})") };
    setter_of(name, taken, attributes, &format!("self.{target} = {value};"))
}

/// Writes a setter, which takes and returns `self`.
pub fn setter_of(
    name: &str,
    Taken { generics, argument }: &Taken,
    attributes: Attributes,
    statement: &str,
) -> String {
    let attributes = if argument.is_generic { attributes } else { attributes.and("inline") };
    let ty = &argument.ty;
    let signature = format!("pub fn {name}{generics}(mut self, value: {ty}) -> Self");
    print::function(&attributes, &signature, &[statement, "self"])
}

/// The argument of a setter.
pub struct Taken {
    /// The generics of the setter.
    generics: &'static str,
    /// The argument `value`.
    pub argument: Argument,
}

/// Returns the argument of a setter: as for any function, except that `IntoList` infers the items of an empty list.
pub fn taken(ty: &Type, page: &mut Page<'_>) -> Taken {
    match ty {
        Type::List(item) if page.api.is_converted(item) => {
            let item = plain(item, page);
            let argument = Argument {
                ty: format!("impl runtime::IntoList<{item}, By>"),
                value: "value.into_list()".to_owned(),
                is_generic: true,
            };
            Taken { generics: "<By>", argument }
        }
        ty => Taken { generics: "", argument: Argument::of(ty, "value", page) },
    }
}
