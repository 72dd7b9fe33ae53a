//! Operations whose response shows that something has finished.

use std::collections::BTreeMap;

use super::settings::{Invalid, Wait};
use crate::ir::{Api, Operation, Scalar, Shape, Type, TypeId, WaitEnd};

/// Adds the waits of the settings.
pub(super) fn find(api: &mut Api, waits: &[Wait], invalid: &mut Vec<Invalid>) {
    for wait in waits {
        if let Err(fault) = check(wait, api) {
            invalid.push(fault);
            continue;
        }
        let end = WaitEnd {
            property: wait.property.split('.').map(str::to_owned).collect(),
            values: wait.values.clone(),
        };
        let mut operations = api.resources.iter_mut().flat_map(|resource| &mut resource.operations);
        if let Some(operation) = operations.find(|operation| operation.id == wait.operation) {
            operation.wait = Some(end);
        }
    }
    for (id, end) in ends(api) {
        if let Shape::Struct(object) = &mut api.types[id.index()].shape {
            object.conventions.end = Some(end);
        }
    }
}

/// Checks that an operation returns the property of a wait, and that it can have the values.
fn check(wait: &Wait, api: &Api) -> Result<(), Invalid> {
    let Wait { operation: id, property: path, values } = wait;
    let invalid = |text: &str, message, help| Invalid { text: text.to_owned(), message, help };
    let operation = api.operations().find(|operation| operation.id == *id).ok_or_else(|| {
        let help = "correct the operationId, or remove the wait";
        invalid(id, "the document has no such operation".to_owned(), help)
    })?;
    let ty = property(operation, path, api).map_err(|missing| {
        let help = "write the path from the response to the property that ends the wait";
        invalid(path, format!("the response of `{id}` has no `{missing}`"), help)
    })?;
    match values.iter().find(|value| !can_be(ty, value, api)) {
        None => Ok(()),
        Some(value) => {
            let help = "write values that the document describes, or none to wait until the property is present";
            Err(invalid(value, format!("`{path}` is never `{value}`"), help))
        }
    }
}

/// The method of a reply that ends a wait.
const IS_FINISHED: &str = "is_finished";

/// Returns the models of replies that end waits, with their conditions: models whose waits all have the same condition,
/// unless a property has the name of the method.
fn ends(api: &Api) -> BTreeMap<TypeId, WaitEnd> {
    let mut ends: BTreeMap<TypeId, Vec<&WaitEnd>> = BTreeMap::new();
    for operation in api.operations() {
        if let (Some(end), Some(ty)) = (&operation.wait, operation.successes.output.json())
            && let Some((id, object)) = api.as_struct(ty)
            && object.fields.iter().all(|field| field.name.bare() != IS_FINISHED)
        {
            ends.entry(id.type_id()).or_default().push(end);
        }
    }
    let single = ends.into_iter().filter_map(|(id, mut ends)| {
        ends.dedup();
        <[&WaitEnd; 1]>::try_from(ends).ok().map(|[end]| (id, end.clone()))
    });
    single.collect()
}

/// Returns the type of a property of a response, or the name that is missing.
fn property<'a, 'w>(
    operation: &'a Operation,
    property: &'w str,
    api: &'a Api,
) -> Result<&'a Type, &'w str> {
    let mut ty = operation.successes.output.json();
    for name in property.split('.') {
        let object = ty.and_then(|ty: &Type| api.as_struct(ty));
        let mut fields = object.into_iter().flat_map(|(_, object)| &object.fields);
        let field = fields.find(|field| field.property() == Some(name));
        ty = Some(&field.ok_or(name)?.ty);
    }
    ty.ok_or(property)
}

/// Returns whether a wait can end by a value of this type.
fn can_be(ty: &Type, value: &str, api: &Api) -> bool {
    match ty {
        Type::Scalar(Scalar::Bool) => matches!(value, "true" | "false"),
        Type::Scalar(Scalar::Int128) => value.parse::<i128>().is_ok(),
        Type::Scalar(scalar) if scalar.is_unsigned() => value.parse::<u64>().is_ok(),
        Type::Scalar(scalar) if scalar.is_integer() => value.parse::<i64>().is_ok(),
        Type::String | Type::AnyText(_) => true,
        Type::Named(id) => match &api.definition(*id).shape {
            Shape::Enum(known) => {
                known.takes_any || known.variants.iter().any(|variant| variant.value == value)
            }
            Shape::Struct(_) | Shape::Union(_) | Shape::Reply(_) => false,
        },
        _ => false,
    }
}
