//! A union: its definition, and the table of its variants.

use std::fmt::Write as _;

use super::attributes;
use super::structs::form;
use super::usage::Usage;
use crate::emit::rust::attributes::Attributes;
use crate::emit::rust::docs::{Doc, Inline, text};
use crate::emit::rust::page::Page;
use crate::emit::rust::print;
use crate::emit::rust::types::plain;
use crate::ir::{TypeDef, TypeId, Union, UnionVariant};

const UNKNOWN: &str = "\
/// A property that this version of the crate does not know, none, or several at once; retained unchanged.
";

/// Writes a union.
pub fn items(
    id: TypeId,
    definition: &TypeDef,
    union: &Union,
    usage: &Usage<'_>,
    page: &mut Page<'_>,
) -> Vec<String> {
    let name = &definition.name;
    let mut variants = Vec::new();
    let mut table = format!("runtime::internal::union! {{\n    {name} {{\n");
    for variant in &union.variants {
        let payload = plain(&variant.ty, page);
        let payload = if variant.boxed { format!("Box<{payload}>") } else { payload };
        let name = &variant.name;
        let attributes = variant_attributes(variant).alias(&variant.property, name.as_str());
        variants.push(print::variant(&attributes, &format!("{name}({payload}),")));
        let _ = writeln!(
            table,
            "        {name}({payload}) = {:?}{},",
            variant.property,
            form(&variant.ty)
        );
    }
    table.push_str("    }\n}\n");
    let unknown = Attributes::default().text(UNKNOWN);
    variants.push(print::variant(&unknown, "Unknown(runtime::UnknownUnion),"));
    let attributes = attributes::of(id, definition, usage);
    let attributes = attributes.and("derive(Clone)").and("non_exhaustive");
    let mut items = vec![
        print::block(&attributes, &format!("pub enum {name}"), &variants),
        table,
        constructors(definition, union, page),
    ];
    items.extend(conversions(definition, union, page));
    items
}

fn variant_attributes(variant: &UnionVariant) -> Attributes {
    let documentation =
        Doc::of(&variant.docs, || text!("The property {}.", Inline::code(&variant.property)));
    documentation.attributes(4).deprecated(&variant.docs)
}

/// Writes the constructors of the variants without properties.
fn constructors(definition: &TypeDef, union: &Union, page: &Page<'_>) -> String {
    let functions = page.api.constructors(definition, union).map(|variant| {
        let attributes = variant_attributes(variant).and("inline").and("must_use");
        let (constructor, name) = (&variant.constructor, &variant.name);
        let signature = format!("pub fn {constructor}() -> Self");
        print::function(&attributes, &signature, &[&format!("Self::{name}(Default::default())")])
    });
    print::implementation(&format!("impl {}", definition.name), &functions.collect::<Vec<_>>())
}

/// Writes the conversions from types that only one variant has.
fn conversions(definition: &TypeDef, union: &Union, page: &mut Page<'_>) -> Vec<String> {
    let of = &definition.name;
    let conversions = page.api.conversions(definition, union).map(|(variant, ty)| {
        let payload = plain(ty, page);
        let name = &variant.name;
        let value = if variant.boxed { "Box::new(value)" } else { "value" };
        let from = print::function(
            &Attributes::default().and("inline"),
            &format!("fn from(value: {payload}) -> Self"),
            &[&format!("Self::{name}({value})")],
        );
        print::implementation(&format!("impl From<{payload}> for {of}"), &[from])
    });
    conversions.collect()
}
