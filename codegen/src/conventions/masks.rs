//! Update masks, and masks for related objects.

use heck::ToSnakeCase as _;

use super::settings::{Invalid, Masks};
use super::shape::{is_list_of_texts, single};
use crate::ir::{
    Access, Api, Body, Expansion, Field, Location, Mask, MaskPlace, Operation, Parameter, Shape,
    Struct, StructId, Type,
};

/// The default separator of the names in a mask: public clients send commas.
const SEPARATOR: &str = ",";

pub(super) fn find(api: &mut Api, settings: &Masks, invalid: &mut Vec<Invalid>) {
    for (id, object) in &settings.objects {
        let operation = api.operations().find(|operation| operation.id == *id);
        let fits = object.is_empty()
            || operation.is_some_and(|operation| mask(operation, settings, api).is_some());
        if operation.is_none() || !fits {
            let what =
                if operation.is_none() { "operation" } else { "update mask with this object" };
            invalid.push(Invalid {
                text: id.clone(),
                message: format!("the document has no such {what}"),
                help: "correct the operationId and the property of its body, or remove the line",
            });
        }
    }
    let found: Vec<_> = api
        .operations()
        .map(|operation| (mask(operation, settings, api), expansion(operation, api)))
        .collect();
    let edited: Vec<StructId> =
        found.iter().filter_map(|(mask, _)| Some(mask.as_ref()?.object_type)).collect();
    let operations = api.resources.iter_mut().flat_map(|resource| &mut resource.operations);
    for (operation, (mask, expansion)) in operations.zip(found) {
        operation.mask = mask;
        operation.expansion = expansion;
    }
    for id in edited {
        if let Shape::Struct(object) = &mut api.types[id.type_id().index()].shape {
            object.conventions.is_edited = true;
        }
    }
}

/// Returns the update mask of an operation: the only mask in its body and its query, with the object that the settings
/// name, or the only object next to it. The object of a mask in the query is the body.
fn mask(operation: &Operation, settings: &Masks, api: &Api) -> Option<Mask> {
    let pinned = settings.objects.get(&operation.id).map(String::as_str);
    if pinned == Some("") {
        return None;
    }
    let ((place, mask), separator) = place(operation, api)?;
    let (object, object_type) = match (is_in_body(place), pinned) {
        (true, _) => {
            let mut objects = objects(operation, mask, api);
            objects.retain(|(name, _)| pinned.is_none_or(|pinned| pinned == *name));
            let (name, id) = single(objects)?;
            (Some(name.to_owned()), id)
        }
        (false, None) => (None, body(operation, api)?.0),
        (false, Some(_)) => return None,
    };
    let separator = settings.separator.as_deref().or(separator).unwrap_or(SEPARATOR);
    Some(Mask {
        object,
        object_type,
        place,
        name: mask.to_owned(),
        separator: separator.to_owned(),
        nested: settings.nested,
    })
}

/// Returns the operations whose mask could apply to several objects, each with their names.
pub(super) fn unclear<'a>(
    api: &'a Api,
    settings: &'a Masks,
) -> impl Iterator<Item = (&'a Operation, Vec<&'a str>)> {
    let unknown = api.operations().filter(|it| !settings.objects.contains_key(&it.id));
    unknown.filter_map(|operation| {
        let ((_, mask), _) = place(operation, api).filter(|((place, _), _)| is_in_body(*place))?;
        let names: Vec<_> =
            objects(operation, mask, api).into_iter().map(|(name, _)| name).collect();
        (names.len() > 1).then_some((operation, names))
    })
}

/// Returns the place of the only mask in the body and the query of an operation, its name, and its separator.
fn place<'a>(
    operation: &'a Operation,
    api: &'a Api,
) -> Option<((MaskPlace, &'a str), Option<&'static str>)> {
    let fields = body(operation, api).map_or(&[][..], |(_, body)| &body.fields);
    let in_body = fields.iter().filter_map(|field| Some((place_in_body(field, api)?, None)));
    single(in_body.chain(operation.parameters.iter().filter_map(place_in_query)))
}

fn is_in_body(place: MaskPlace) -> bool {
    matches!(place, MaskPlace::BodyText | MaskPlace::BodyList | MaskPlace::BodyPaths)
}

/// Returns the objects next to a mask in the body, with the names of their properties.
fn objects<'a>(operation: &Operation, mask: &str, api: &'a Api) -> Vec<(&'a str, StructId)> {
    let fields = body(operation, api).map_or(&[][..], |(_, body)| &body.fields);
    let objects = fields.iter().filter(|field| is_sent(field)).filter_map(|field| {
        let (id, object) = api.as_struct(&field.ty)?;
        let name = field.property()?;
        (name != mask && !is_expand_mask(field, object)).then_some((name, id))
    });
    objects.collect()
}

/// Returns the mask for related objects of an operation, if no setter has the name of its own.
fn expansion(operation: &Operation, api: &Api) -> Option<Expansion> {
    let Body::Fields(id, members) = &operation.body else { return None };
    let parameters = operation.parameters.iter().map(|parameter| parameter.name.as_str());
    let mut names = parameters.chain(members.iter().map(|member| member.name.as_str()));
    if names.any(|name| name == "expand") {
        return None;
    }
    let (_, body) = api.as_struct(&Type::Named(id.type_id()))?;
    let masks = body.fields.iter().filter(|field| is_sent(field)).filter_map(|field| {
        let (mask, object) = api.as_struct(&field.ty)?;
        let paths = object.fields.first().filter(|_| is_expand_mask(field, object))?;
        let Type::List(path) = &paths.ty else { return None };
        Some(Expansion {
            field: field.name.clone(),
            required: field.required,
            mask,
            paths: paths.name.clone(),
            paths_required: paths.required,
            path: (**path).clone(),
            pointer: field.pointer.clone(),
        })
    });
    single(masks).filter(|mask| !mask.required)
}

fn body<'a>(operation: &Operation, api: &'a Api) -> Option<(StructId, &'a Struct)> {
    match &operation.body {
        Body::Fields(id, _) => api.as_struct(&Type::Named(id.type_id())),
        Body::Whole { .. } | Body::None | Body::EmptyObject => None,
    }
}

/// Returns whether a property or a parameter of this name can be an update mask.
fn is_mask_name(wire: &str) -> bool {
    let name = wire.to_snake_case();
    let is_one =
        |mask: &str| name.strip_suffix(mask).is_some_and(|it| it.is_empty() || it.ends_with('_'));
    is_one("update_mask") || is_one("field_mask")
}

/// Returns the place of the update mask that a field of the body is, and its name.
fn place_in_body<'a>(field: &'a Field, api: &Api) -> Option<(MaskPlace, &'a str)> {
    let name = field.property().filter(|name| is_sent(field) && is_mask_name(name))?;
    match &field.ty {
        Type::String => Some((MaskPlace::BodyText, name)),
        ty if is_list_of_texts(ty, api) => Some((MaskPlace::BodyList, name)),
        ty => {
            let paths = single(&api.as_struct(ty)?.1.fields)?;
            let is_mask = paths.property() == Some("paths") && is_list_of_texts(&paths.ty, api);
            is_mask.then_some((MaskPlace::BodyPaths, name))
        }
    }
}

/// Returns the place of the update mask that a parameter is, its name, and the separator of its names in a text.
fn place_in_query(parameter: &Parameter) -> Option<((MaskPlace, &str), Option<&'static str>)> {
    if parameter.location != Location::Query || !is_mask_name(&parameter.wire) {
        return None;
    }
    let separator = parameter.separator();
    let place = match &parameter.ty {
        Type::List(item) if **item != Type::String => return None,
        Type::List(_) if separator.is_none() => MaskPlace::QueryList,
        Type::List(_) | Type::String => MaskPlace::Query,
        _ => return None,
    };
    Some(((place, &parameter.wire), separator))
}

/// Returns whether a field is an object with nothing but a list of paths to expand.
fn is_expand_mask(field: &Field, object: &Struct) -> bool {
    let name = field.property().unwrap_or_default().to_snake_case();
    (name == "expand" || name.ends_with("expand_mask"))
        && object.additional.is_none()
        && single(&object.fields).is_some_and(|paths| matches!(paths.ty, Type::List(_)))
}

fn is_sent(field: &Field) -> bool {
    field.access != Access::Read
}
