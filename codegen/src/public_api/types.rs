//! How types read in the model: in fields, and as arguments.

use crate::ir::{Api, Field, Type};

/// Returns a type.
pub fn plain(ty: &Type, api: &Api) -> String {
    match ty {
        Type::Bool => "bool".to_owned(),
        Type::Int32 => "i32".to_owned(),
        Type::Int64 | Type::Int64Text => "i64".to_owned(),
        Type::UInt32 => "u32".to_owned(),
        Type::UInt64 | Type::UInt64Text => "u64".to_owned(),
        Type::Float32 => "f32".to_owned(),
        Type::Float64 => "f64".to_owned(),
        Type::String => "String".to_owned(),
        Type::Timestamp => "Timestamp".to_owned(),
        Type::Value => "Value".to_owned(),
        Type::Map => "Map".to_owned(),
        Type::List(item) => format!("Vec<{}>", plain(item, api)),
        Type::Dictionary(value) => format!("BTreeMap<String, {}>", plain(value, api)),
        Type::Secret(inner) => format!("Secret<{}>", plain(inner, api)),
        Type::Named(id) => api.definition(*id).path(),
    }
}

/// Returns the type of a value that may be boxed.
pub fn boxed(ty: &Type, is_boxed: bool, api: &Api) -> String {
    let ty = plain(ty, api);
    if is_boxed { format!("Box<{ty}>") } else { ty }
}

/// Returns the type of a field.
pub fn of_field(field: &Field, api: &Api) -> String {
    let ty = boxed(&field.ty, field.boxed, api);
    if field.required { ty } else { format!("Option<{ty}>") }
}

/// Returns the type by which an argument takes a value.
pub fn argument(ty: &Type, api: &Api) -> String {
    match ty {
        Type::List(item) if api.is_converted(item) => {
            format!("impl IntoIterator<Item = impl Into<{}>>", plain(item, api))
        }
        Type::List(item) => format!("impl IntoIterator<Item = {}>", plain(item, api)),
        ty if api.is_converted(ty) => format!("impl Into<{}>", plain(ty, api)),
        ty => plain(ty, api),
    }
}

/// Returns the type by which a setter takes a value.
pub fn setter(ty: &Type, api: &Api) -> String {
    match ty {
        Type::List(item) if api.is_converted(item) => {
            format!("impl runtime::IntoList<{}, By>", plain(item, api))
        }
        ty => argument(ty, api),
    }
}

/// Returns the type by which an argument takes the value of a parameter.
pub fn parameter(ty: &Type, api: &Api) -> String {
    match ty {
        Type::String => "impl runtime::Param".to_owned(),
        Type::List(item) => format!("impl IntoIterator<Item = {}>", parameter(item, api)),
        ty => argument(ty, api),
    }
}

/// Names the form of a type on the wire, where it is not the natural one of its Rust type.
pub fn spelling(ty: &Type) -> &'static str {
    match ty {
        Type::Int64Text | Type::UInt64Text => " text",
        Type::List(inner) | Type::Dictionary(inner) | Type::Secret(inner) => spelling(inner),
        _ => "",
    }
}
