//! The last steps: boxes, the order of operations, and the types that requests can carry.

mod constants;
mod recursion;

use std::collections::HashSet;

use crate::ir::{
    Access, Api, Body, Decision, Encoding, EncodingRule, Field, Format, Null, Operation, Shape,
    Style, Type, TypeDef, TypeId, Union, reached,
};

/// Completes an API. Types that no operation reaches are emitted only if schemas at these places lead to them; all, if
/// there are no places.
pub fn finish(api: &mut Api, kept: Option<&HashSet<String>>) {
    mark_emitted(api, kept);
    recursion::relax_required_cycles(&mut api.types);
    recursion::box_cycles(&mut api.types);
    constants::set(api);
    api.recursion_limit = recursion::limit(&api.types);
    for resource in &mut api.resources {
        resource.operations.sort_by(|left, right| left.method_name.cmp(&right.method_name));
    }
    mark_requests(api);
}

fn mark_emitted(api: &mut Api, kept: Option<&HashSet<String>>) {
    let all = (0..api.types.len()).map(TypeId::new);
    let is_kept =
        |id: &TypeId| kept.is_some_and(|kept| kept.contains(&api.definition(*id).pointer));
    api.kept = all.clone().filter(is_kept).collect();
    let unnamed = all.filter(|_| kept.is_none());
    let variables = api.servers.iter().flat_map(|server| &server.variables);
    let of_variables = variables.filter_map(|variable| variable.ty.named());
    let of_operations = api.operations().flat_map(Operation::types);
    let from = unnamed.chain(api.kept.iter().copied()).chain(of_variables).chain(of_operations);
    let is_emitted = reached(from, &api.types, |it| it.shape.types());
    for (definition, is_emitted) in api.types.iter_mut().zip(is_emitted) {
        definition.is_emitted = is_emitted;
    }
}

/// Marks the types that requests send. Only the types that a place in JSON sends have a place for null, and only what
/// requests carry has limits.
fn mark_requests(api: &mut Api) {
    let sent = api.operations().flat_map(Operation::sent_types);
    let is_sent = reached(sent, &api.types, carried);
    let in_json = api.operations().flat_map(|operation| json_types(operation, &api.types));
    let is_in_json = reached(in_json, &api.types, carried);
    let sent = is_sent.into_iter().zip(is_in_json);
    for (definition, (is_sent, is_in_json)) in api.types.iter_mut().zip(sent) {
        definition.in_requests = is_sent;
        if let Shape::Union(Union { decision: Decision::Rules(rules), .. }) = &mut definition.shape
            && !is_in_json
        {
            rules.ignore_nulls();
        }
        let Shape::Struct(object) = &mut definition.shape else { continue };
        for field in &mut object.fields {
            if field.null == Null::Optional && !is_in_json {
                field.null = Null::Received;
            }
            if field.access == Access::Read || !definition.in_requests {
                field.remove_limits();
            }
        }
    }
}

/// Returns the types that an operation sends in JSON: its body, the properties and parts of a form, and parameters.
fn json_types(operation: &Operation, types: &[TypeDef]) -> Vec<TypeId> {
    let parameters = operation.parameters.iter();
    let in_json = parameters.filter(|parameter| parameter.serialization.style == Style::Json);
    let mut found: Vec<_> = in_json.filter_map(|parameter| parameter.ty.named()).collect();
    let format = operation.media.as_ref().map(|media| &media.format);
    match (format, &operation.body, operation.body.named()) {
        (Some(Format::Json | Format::Lines), _, body) => found.extend(body),
        (Some(Format::Multipart(_)), Body::Whole { ty: Type::List(_), .. }, part) => {
            found.extend(part);
        }
        (Some(Format::Form(encodings) | Format::Multipart(encodings)), _, Some(form)) => {
            if let Shape::Struct(form) = &types[form.index()].shape {
                let fields = form.fields.iter().filter(|field| is_in_json(field, encodings));
                let additional = form.additional.as_ref().map(|(_, ty)| ty);
                let parts = fields.map(|field| &field.ty).chain(additional);
                found.extend(parts.filter_map(Type::named));
            }
        }
        _ => {}
    }
    found
}

/// Returns whether an object in a property of a form is written in JSON: the property has no style.
fn is_in_json(field: &Field, encodings: &[Encoding]) -> bool {
    let Some(name) = field.property() else { return false };
    let mut own = encodings.iter().filter(|encoding| encoding.property == name);
    field.access != Access::Read && !own.any(|it| matches!(it.rule, EncodingRule::Style(_)))
}

/// Returns the types within a value that is sent: none in read-only properties.
fn carried(definition: &TypeDef) -> Vec<TypeId> {
    let Shape::Struct(object) = &definition.shape else {
        return definition.shape.types();
    };
    let sent = object.fields.iter().filter(|field| field.access != Access::Read);
    let additional = object.additional.as_ref().and_then(|(_, ty)| ty.named());
    sent.filter_map(|field| field.ty.named()).chain(additional).collect()
}
