//! Required properties whose value is known, which callers need not pass.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{
    Api, Constant, Decision, EnumKind, FieldWire, JsonKind, Rule, Rules, Shape, Type, TypeId,
};

/// Sets the values of the required fields that have only one, and the tags of the variants of unions.
pub fn set(api: &mut Api) {
    let mut constants: Vec<Option<String>> = vec![None; api.types.len()];
    let mut tags: BTreeMap<TypeId, BTreeMap<String, BTreeSet<Constant>>> = BTreeMap::new();
    let mut texts: BTreeSet<TypeId> = BTreeSet::new();
    for (index, (constant, definition)) in constants.iter_mut().zip(&api.types).enumerate() {
        let id = TypeId::new(index);
        match &definition.shape {
            Shape::Enum(values) => {
                *constant = values.constant().map(|only| only.value.clone());
                if values.kind == EnumKind::Text {
                    texts.insert(id);
                }
            }
            Shape::Union(union) => {
                let Decision::Rules(rules) = &union.decision else { continue };
                for (variant, name, value) in tagged(rules) {
                    if let Some(Type::Named(id)) = union.variants.get(variant).map(|it| &it.ty) {
                        let values = tags.entry(*id).or_default().entry(name.to_owned());
                        values.or_default().insert(value.clone());
                    }
                }
            }
            Shape::Struct(_) | Shape::Reply(_) => {}
        }
    }
    for (index, definition) in api.types.iter_mut().enumerate() {
        let Shape::Struct(object) = &mut definition.shape else { continue };
        let tags = tags.get(&TypeId::new(index));
        for field in object.fields.iter_mut().filter(|field| field.required) {
            if let Type::Named(id) = field.ty {
                field.constant.clone_from(&constants[id.index()]);
            }
            let FieldWire::Property(name) = &field.wire else { continue };
            let values: Vec<_> = tags.and_then(|it| it.get(name)).into_iter().flatten().collect();
            let is_text = match &field.ty {
                Type::Named(id) => texts.contains(id),
                ty => *ty == Type::String,
            };
            if let ([Constant::Text(value)], None, true) = (&*values, &field.constant, is_text) {
                field.tag = Some(value.clone());
            }
        }
    }
}

/// Returns the variants of a union that a value of its first property leads to, with the property and the value.
fn tagged(rules: &Rules) -> impl Iterator<Item = (usize, &str, &Constant)> {
    let objects = rules.kinds.iter().find(|(kinds, _)| kinds.contains(&JsonKind::Object));
    let tag = objects.and_then(|(_, id)| match rules.get(*id) {
        Rule::Tag(tag) => Some(tag),
        _ => None,
    });
    tag.into_iter().flat_map(|tag| {
        let values = tag.values.iter().filter_map(|(constants, id)| match rules.get(*id) {
            Rule::Variant(index) => Some((*index, constants)),
            _ => None,
        });
        values.flat_map(move |(index, constants)| {
            constants.iter().map(move |value| (index, tag.name.as_str(), value))
        })
    })
}
