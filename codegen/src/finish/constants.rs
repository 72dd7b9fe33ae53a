//! Properties whose value is known, which callers need not pass.

use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};

use crate::ir::{
    Access, Api, Body, Constant, Decision, EnumKind, Field, JsonKind, OpenEnum, Shape, Type, TypeId,
};

type Values = BTreeMap<String, BTreeSet<Constant>>;

/// Sets the values of the required fields that have only one, and the tags of the variants of unions.
pub fn set(api: &mut Api) {
    let recognized = recognized(api);
    // The fields of such a body are what a request sets, and others stay as the server has them.
    let bodies = api.operations().filter_map(|operation| match &operation.body {
        Body::Fields(id, _) => Some(id.type_id()),
        _ => None,
    });
    let bodies: BTreeSet<TypeId> = bodies.collect();
    let known = api.types.iter().enumerate().map(|(index, definition)| {
        let Shape::Struct(object) = &definition.shape else { return Vec::new() };
        let id = TypeId::new(index);
        let values = recognized.get(&id);
        let known = object.fields.iter().map(|field| {
            let only = enum_of(field, api).and_then(OpenEnum::constant);
            let only = only.map(|only| only.value.as_str());
            let is_constant = field.required && only.is_some();
            let is_tag = !is_constant && (field.required || !bodies.contains(&id));
            let tag = values.filter(|_| is_tag).and_then(|it| tag(field, only, it, api));
            (only.filter(|_| is_constant).map(str::to_owned), tag)
        });
        known.collect()
    });
    let known: Vec<Vec<_>> = known.collect();
    for (definition, known) in api.types.iter_mut().zip(known) {
        let Shape::Struct(object) = &mut definition.shape else { continue };
        for (field, known) in object.fields.iter_mut().zip(known) {
            (field.constant, field.tag) = known;
        }
    }
}

/// Returns the values by which all unions recognize each type that is a variant, or a variant of a variant.
fn recognized(api: &Api) -> BTreeMap<TypeId, Values> {
    let mut all: BTreeMap<TypeId, Values> = BTreeMap::new();
    for definition in &api.types {
        let Shape::Union(union) = &definition.shape else { continue };
        let Decision::Rules(rules) = &union.decision else { continue };
        for (variant, values) in union.variants.iter().zip(&rules.recognized) {
            for id in variants(&variant.ty, api) {
                let all = all.entry(id).or_default();
                for (name, values) in values {
                    match all.entry(name.clone()) {
                        Entry::Vacant(entry) => drop(entry.insert(values.clone())),
                        Entry::Occupied(mut known) => {
                            known.get_mut().retain(|value| values.contains(value));
                        }
                    }
                }
            }
        }
    }
    all
}

fn variants(ty: &Type, api: &Api) -> BTreeSet<TypeId> {
    let mut found = BTreeSet::new();
    let mut open = vec![ty];
    while let Some(ty) = open.pop() {
        if let Type::Named(id) = ty
            && found.insert(*id)
            && let Shape::Union(union) = &api.definition(*id).shape
            && let Decision::Rules(_) = union.decision
        {
            open.extend(union.variants.iter().map(|variant| &variant.ty));
        }
    }
    found
}

/// Returns the value of a field by which unions recognize its object: the only one of them or of the field (`only`), or the
/// default of an optional field. Requests do not send a read-only one; if it is set, the union does not write it either.
fn tag(field: &Field, only: Option<&str>, values: &Values, api: &Api) -> Option<Constant> {
    let name = field.property()?;
    if !field.required && field.access == Access::Read {
        return None;
    }
    let values = values.get(name)?;
    let default = field.default.as_deref().filter(|_| !field.required);
    let mut preferred = only.into_iter().chain(default);
    let tag = match values.len() {
        1 => values.first(),
        _ => preferred.find_map(|text| values.iter().find(|value| value.text() == text)),
    };
    let fits = match tag?.kind() {
        JsonKind::String => api.is_text(&field.ty),
        JsonKind::Boolean => field.ty == Type::BOOL,
        _ => enum_of(field, api).is_some_and(|values| values.kind == EnumKind::Integer),
    };
    tag.filter(|_| fits).cloned()
}

/// Returns the enum that the type of a field is, if it is one.
fn enum_of<'a>(field: &Field, api: &'a Api) -> Option<&'a OpenEnum> {
    let Type::Named(id) = field.ty else { return None };
    match &api.definition(id).shape {
        Shape::Enum(values) => Some(values),
        Shape::Struct(_) | Shape::Union(_) | Shape::Reply(_) => None,
    }
}
