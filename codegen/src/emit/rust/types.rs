//! Types.

use super::page::Page;
use crate::ir::{Field, Type};

/// Writes a type, and imports the models in it.
pub fn plain(ty: &Type, page: &mut Page<'_>) -> String {
    let name = match ty {
        Type::Bool => "bool",
        Type::Int32 => "i32",
        Type::Int64 | Type::Int64Text => "i64",
        Type::UInt32 => "u32",
        Type::UInt64 | Type::UInt64Text => "u64",
        Type::Float32 => "f32",
        Type::Float64 => "f64",
        Type::String => "String",
        Type::Timestamp => "runtime::Timestamp",
        Type::Value => "runtime::Value",
        Type::Map => "runtime::Map",
        Type::List(item) => return format!("Vec<{}>", plain(item, page)),
        Type::Dictionary(value) => {
            return format!("std::collections::BTreeMap<String, {}>", plain(value, page));
        }
        Type::Secret(inner) => return format!("runtime::Secret<{}>", plain(inner, page)),
        Type::Named(id) => return page.model(*id),
    };
    name.to_owned()
}

/// Writes the type of a field.
pub fn of_field(field: &Field, page: &mut Page<'_>) -> String {
    let ty = plain(&field.ty, page);
    let ty = if field.boxed { format!("Box<{ty}>") } else { ty };
    if field.required { ty } else { format!("Option<{ty}>") }
}
