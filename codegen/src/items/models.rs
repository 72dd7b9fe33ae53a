//! The functions of models.

use std::collections::HashSet;

use super::about::About;
use super::input::{field_argument, field_setter};
use super::item::{Definition, Item, Method, Receiver, Signature};
use super::wire::{Wire, WireProperty};
use super::{Conversion, Input, Target, Ty, conventions};
use crate::ir::{
    Access, Api, Decision, Field, FieldName, Null, Struct, Type, TypeDef, Union, UnionVariant,
};

/// The cargo feature of test helpers.
pub const TEST_UTIL: &str = "test-util";

/// A setter that sends null, of a model or of a request.
#[derive(Debug)]
pub struct NullSetter<'a> {
    /// The name of the setter.
    pub name: String,
    /// The name of the setter of a value.
    pub value: &'a FieldName,
    /// The field of the property.
    pub field: &'a Field,
}

impl<'a> NullSetter<'a> {
    /// Returns the setter of a property, if the property can be null and has no value otherwise.
    pub(super) fn new(value: &'a FieldName, field: &'a Field) -> Option<Self> {
        let name = format!("set_{}_null", value.bare().trim_end_matches('_'));
        let is_sent = field.null == Null::Optional && field.access != Access::Read;
        is_sent.then_some(Self { name, value, field })
    }

    /// Adds setters to the items of a model or a request.
    pub(super) fn add_all(setters: impl IntoIterator<Item = Self>, item: &mut Item) {
        for Self { name, field, .. } in setters {
            let signature =
                Signature { receiver: Some(Receiver::Value), ..Signature::getter(Ty::Itself) };
            let wire = Wire::BodyProperty(WireProperty::of_field(field), Vec::new());
            let method = Method { wire: Some(wire), ..Method::new(signature) };
            item.add(&name, Definition::Method(method), About::new(&field.docs, &field.pointer));
        }
    }
}

/// Returns the setters of a model that set a property to null.
pub fn nulls(object: &Struct) -> impl Iterator<Item = NullSetter<'_>> {
    object.fields.iter().filter_map(|field| NullSetter::new(&field.name, field))
}

/// Returns the access to a field of a model, if it makes a difference: requests can carry the model, or its absence in
/// responses would be drift.
pub fn access(definition: &TypeDef, field: &Field) -> Access {
    match field.access {
        Access::Read if !definition.in_requests => Access::Both,
        Access::Write if !field.required && field.null != Null::Always => Access::Both,
        access => access,
    }
}

/// Returns the cargo feature that the constructor and the setters of a model require: only tests build a model that no
/// request carries.
pub fn feature(definition: &TypeDef) -> Option<&'static str> {
    (!definition.in_requests).then_some(TEST_UTIL)
}

/// Returns the arguments of a model's `new`: the required fields that requests can send. That of a model which only tests
/// build has none, so that a new required property does not break them.
pub fn constructor<'a>(definition: &TypeDef, object: &'a Struct, api: &Api) -> Vec<Input<'a>> {
    let arguments = object.arguments().filter(|_| definition.in_requests).map(|field| {
        Input::new(field.name.as_str(), field_argument(field, api), Target::Field(field))
    });
    arguments.collect()
}

/// Returns the setters of a model; in a model of requests only the setters of fields that they can send.
pub fn setters<'a>(definition: &TypeDef, object: &'a Struct, api: &'a Api) -> Vec<Input<'a>> {
    let related = conventions::related(definition, object, api);
    let fields = object.fields.iter().filter(|field| {
        if definition.in_requests {
            return field.access != Access::Read;
        }
        related.iter().all(|it| it.path.method.bare() != field.name.bare())
    });
    let fields = fields.map(|field| {
        Input::new(field.name.as_str(), field_setter(field, api), Target::Field(field))
    });
    let additional = object.additional.iter().map(|(name, ty)| {
        let map = Ty::Into(Box::new(Ty::additional(ty, api)));
        Input::new(name.as_str(), (map, Conversion::Into), Target::Additional(ty))
    });
    fields.chain(additional).collect()
}

/// Returns the field and the type of the map that an object without properties of its own is converted from. Types that no
/// request can carry have no conversion.
pub fn map_conversion<'a>(
    definition: &TypeDef,
    object: &'a Struct,
    api: &Api,
) -> Option<(&'a FieldName, Ty)> {
    let (name, values) = object.as_map().filter(|_| definition.in_requests)?;
    Some((name, Ty::additional(values, api)))
}

/// Returns the variants of a union that have a `From` conversion: those whose type no other variant has, and which is a
/// struct if the variants are properties. Types that requests cannot carry have none.
pub fn conversions<'a>(
    definition: &TypeDef,
    union: &'a Union,
    api: &'a Api,
) -> impl Iterator<Item = &'a UnionVariant> {
    let variants = if definition.in_requests { &*union.variants } else { &[] };
    let path = definition.path();
    let is_only = |ty: &Type| {
        let ty = Ty::new(ty, api);
        variants.iter().filter(|variant| Ty::new(&variant.ty, api) == ty).count() == 1
    };
    variants.iter().filter(move |variant| {
        let is_type = match union.decision {
            Decision::Property => api.as_struct(&variant.ty).is_some(),
            Decision::Rules(_) => true,
        };
        // Every type converts from itself.
        let is_own = matches!(variant.ty, Type::Named(id) if api.definition(id).path() == path);
        is_type && !is_own && is_only(&variant.ty)
    })
}

/// Returns the variant that texts are converted to: the only one with a conversion whose values are texts.
pub fn text_variant<'a>(
    definition: &TypeDef,
    union: &'a Union,
    api: &'a Api,
) -> Option<&'a UnionVariant> {
    let mut texts = conversions(definition, union, api).filter(|variant| api.is_text(&variant.ty));
    texts.next().filter(|_| texts.next().is_none())
}

/// A variant, the type of its value, and the names and signatures of the methods that return the value.
pub type Accessors<'a> = (&'a UnionVariant, Ty, [(String, Signature); 2]);

/// Returns the methods of a union that return the values of its variants.
pub fn accessors<'a>(union: &'a Union, api: &Api) -> Vec<Accessors<'a>> {
    let mut names = HashSet::new();
    let variants = union.variants.iter().filter(|variant| names.insert(&variant.snake_case));
    let accessors = variants.map(|variant| {
        let ty = Ty::new(&variant.ty, api);
        let name = variant.snake_case.bare();
        let reference = Ty::Option(Box::new(Ty::Ref(Box::new(ty.clone()))));
        let borrowed = (format!("as_{name}"), Signature::getter(reference));
        let value = Ty::foreign("Result", [ty.clone(), Ty::Itself]);
        let owned = Signature { receiver: Some(Receiver::Value), ..Signature::getter(value) };
        (variant, ty, [borrowed, (format!("into_{name}"), owned)])
    });
    accessors.collect()
}
