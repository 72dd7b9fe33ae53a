//! An open enum: its definition and its wire table.

use std::fmt::Write as _;

use super::attributes;
use super::usage::Usage;
use crate::emit::rust::attributes::Attributes;
use crate::emit::rust::docs::{Doc, Inline, text};
use crate::emit::rust::page::Page;
use crate::emit::rust::print;
use crate::ir::{OpenEnum, TypeDef, TypeId};

/// Writes an open enum.
pub fn items(
    id: TypeId,
    definition: &TypeDef,
    values: &OpenEnum,
    usage: &Usage<'_>,
    page: &Page<'_>,
) -> Vec<String> {
    vec![
        definition_of(id, definition, values, usage),
        table(definition, values),
        old_names(definition, values, page),
    ]
}

/// Writes the old names of variants: constants, which work in expressions and in patterns.
fn old_names(definition: &TypeDef, values: &OpenEnum, page: &Page<'_>) -> String {
    let owner = definition.path();
    let mut constants = Vec::new();
    for variant in &values.variants {
        let name = &variant.name;
        for old in page.api.old_names(&owner, name.as_str()) {
            let documentation = Doc::from(text!("The old name of [`Self::{}`].", name));
            let attributes = documentation.attributes(4).renamed(name.as_str());
            let code = format!("pub const {old}: Self = Self::{name};");
            constants.push(print::associated(&attributes, &code));
        }
    }
    let reason = "#[allow(non_upper_case_globals, reason = \"named as the variants were\")]";
    print::implementation(&format!("{reason}\nimpl {}", definition.name), &constants)
}

fn definition_of(id: TypeId, definition: &TypeDef, values: &OpenEnum, usage: &Usage<'_>) -> String {
    let known = values.variants.iter().map(|variant| {
        let name = &variant.name;
        let description = variant.description.as_deref().and_then(Doc::of_spec);
        let documentation = description.unwrap_or_else(|| Inline::code(&variant.value).into());
        let attributes = documentation.attributes(4).alias(&variant.value, name.as_str());
        print::variant(&attributes, &format!("{name},"))
    });
    let unknown =
        Attributes::default().text("/// A value that this version of the crate does not know.\n");
    let unknown = print::variant(&unknown, "Unknown(runtime::UnknownValue),");
    let variants: Vec<String> = known.chain([unknown]).collect();
    let attributes = attributes::of(id, definition, usage);
    let attributes = attributes.and("derive(Clone, Debug, PartialEq, Eq, Hash)");
    let head = format!("pub enum {}", definition.name);
    print::block(&attributes.and("non_exhaustive"), &head, &variants)
}

fn table(definition: &TypeDef, values: &OpenEnum) -> String {
    let mut out = format!("runtime::internal::open_enum! {{\n    {} {{\n", definition.name);
    for variant in &values.variants {
        let _ = writeln!(out, "        {} = {:?},", variant.name, variant.value);
    }
    out.push_str(if values.takes_any { "    }\n    any\n}\n" } else { "    }\n}\n" });
    out
}
