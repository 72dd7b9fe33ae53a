//! A struct: its definition, its wire table, its constructor and setters.

use std::fmt::Write as _;

use super::usage::Usage;
use super::{attributes, fields};
use crate::emit::rust::arguments::Argument;
use crate::emit::rust::attributes::Attributes;
use crate::emit::rust::docs::{Doc, text};
use crate::emit::rust::page::Page;
use crate::emit::rust::print;
use crate::emit::rust::types::{of_field, plain};
use crate::ir::{Access, Field, FieldName, FieldWire, Struct, Type, TypeDef, TypeId};

/// The longest struct expression that `prettyplease` prints on one line.
const LONGEST_STRUCT: usize = 35;

/// Writes a struct. Types that only responses carry have neither constructor nor setters.
pub fn items(
    id: TypeId,
    definition: &TypeDef,
    object: &Struct,
    usage: &Usage<'_>,
    page: &mut Page<'_>,
) -> Vec<String> {
    let documentation = object.fields.iter().map(|field| {
        let documentation = fields::documentation(field, definition.in_requests);
        documentation.attributes(4).deprecated(&field.docs)
    });
    let documentation: Vec<Attributes> = documentation.collect();
    let documented = || object.fields.iter().zip(&documentation);
    let mut items = vec![
        definition_of(id, definition, object, documented(), usage, page),
        table(definition, object),
    ];
    if definition.in_requests {
        let mut methods = vec![constructor(definition, object, page)];
        let sent = documented().filter(|(field, _)| field.access != Access::Read);
        methods.extend(sent.map(|(field, documentation)| setter(field, documentation, page)));
        methods.extend(additional_setter(object, page));
        items.push(print::implementation(&format!("impl {}", definition.name), &methods));
    }
    items
}

fn definition_of<'o>(
    id: TypeId,
    definition: &TypeDef,
    object: &Struct,
    documented: impl Iterator<Item = (&'o Field, &'o Attributes)>,
    usage: &Usage<'_>,
    page: &mut Page<'_>,
) -> String {
    let mut members: Vec<String> = documented
        .map(|(field, documentation)| {
            let name = &field.name;
            let attributes = fields::aliased(documentation.clone(), field, name);
            print::field(&attributes, &format!("pub {name}: {},", of_field(field, page)))
        })
        .collect();
    members.extend(additional(object, page).map(|(name, ty)| {
        print::field(&additional_documentation(), &format!("pub {name}: {ty},"))
    }));
    let none = Attributes::default();
    members.push(print::field(&none, "pub(crate) unknown: runtime::UnknownProperties,"));
    let attributes = attributes::of(id, definition, usage);
    let attributes = attributes.and("derive(Clone, Default)").and("non_exhaustive");
    print::block(&attributes, &format!("pub struct {}", definition.name), &members)
}

/// Returns the field of the additional properties and its type.
fn additional<'o>(object: &'o Struct, page: &mut Page<'_>) -> Option<(&'o FieldName, String)> {
    let (name, ty) = object.additional.as_ref()?;
    let ty = match ty {
        Type::Value => plain(&Type::Map, page),
        ty => plain(&Type::Dictionary(Box::new(ty.clone())), page),
    };
    Some((name, ty))
}

fn additional_documentation() -> Attributes {
    Doc::from(text!("The properties that the spec allows beside those it names.")).attributes(4)
}

fn constructor(definition: &TypeDef, object: &Struct, page: &mut Page<'_>) -> String {
    let (mut arguments, mut values) = (Vec::new(), Vec::new());
    for field in object.arguments() {
        let name = &field.name;
        let Argument { ty, value, is_generic } = Argument::of(&field.ty, name, page);
        arguments.push(format!("{name}: {ty}"));
        values.push(match (field.boxed, is_generic) {
            (true, _) => format!("{name}: Box::new({value}),"),
            (false, true) => format!("{name}: {value},"),
            (false, false) => format!("{name},"),
        });
    }
    let name = &definition.name;
    let documentation = match values.len() {
        0 => text!("Creates a [`{}`] without any property.", name),
        _ => text!("Creates a [`{}`] with the properties that the spec requires.", name),
    };
    let short = format!("Self {{ {} ..Self::default() }}", values.join(" "));
    let body = if values.is_empty() {
        "Self::default()".to_owned()
    } else if short.len() <= LONGEST_STRUCT {
        short
    } else {
        format!("Self {{\n    {}\n    ..Self::default()\n}}", values.join("\n    "))
    };
    let attributes = Doc::from(documentation).attributes(4).and("inline").and("must_use");
    let arguments = arguments.join(", ");
    print::function(&attributes, &format!("pub fn new({arguments}) -> Self"), &[&body])
}

fn setter(field: &Field, documentation: &Attributes, page: &mut Page<'_>) -> String {
    let attributes = documentation.clone().and("must_use");
    let name = field.name.as_str();
    fields::setter(field, name, name, &fields::taken(&field.ty, page), attributes)
}

fn additional_setter(object: &Struct, page: &mut Page<'_>) -> Option<String> {
    let (name, ty) = additional(object, page)?;
    let attributes = additional_documentation().and("must_use");
    let signature = format!("pub fn {name}(mut self, value: impl Into<{ty}>) -> Self");
    let body = [&format!("self.{name} = value.into();"), "self"];
    Some(print::function(&attributes, &signature, &body))
}

/// Writes the wire table.
fn table(definition: &TypeDef, object: &Struct) -> String {
    let mut out = format!("runtime::internal::object! {{\n    {} {{\n", definition.name);
    for field in &object.fields {
        let required = if field.required || field.null { "!" } else { "" };
        let (wire, form) = match &field.wire {
            FieldWire::Property(name) => (format!("{name:?}"), form(&field.ty)),
            FieldWire::Flattened => ("..".to_owned(), ""),
        };
        let is_left_out = definition.in_requests && field.access == Access::Read;
        let readonly = if is_left_out { " readonly" } else { "" };
        let _ = writeln!(out, "        {}{required}: {wire}{form}{readonly},", field.name);
    }
    out.push_str("    }\n");
    match &object.additional {
        None => out.push_str("    unknown\n"),
        Some((name, ty)) => {
            let _ = writeln!(out, "    additional: {name}{}", form(ty));
        }
    }
    out.push_str("}\n");
    out
}

/// Returns the form of a type on the wire, if it differs from that of its Rust type.
pub fn form(ty: &Type) -> &'static str {
    match ty {
        Type::Int64Text | Type::UInt64Text => " as text",
        Type::List(inner) | Type::Dictionary(inner) | Type::Secret(inner) => form(inner),
        _ => "",
    }
}
