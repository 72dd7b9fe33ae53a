//! Inputs: the arguments of functions and the values of setters.

use super::Ty;
use crate::ir::{Api, Expansion, Field, Parameter, ParameterKind, Shape, Type};

/// A value passed by callers: an argument of a function, or the value of a setter.
#[derive(Debug)]
pub struct Input<'a> {
    /// The name of the argument, or of the setter.
    pub name: &'a str,
    /// The type of the argument.
    pub ty: Ty,
    /// The conversion of the argument into the value.
    pub conversion: Conversion,
    /// The destination of the value.
    pub target: Target<'a>,
}

/// The conversion of an argument into the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conversion {
    /// The argument is the value, or a list whose elements are the values.
    None,
    /// `value.into()`; in a list of a parameter, for each element.
    Into,
    /// `value.into_iter().collect()`.
    Collect,
    /// `value.into_iter().map(Into::into).collect()`.
    CollectInto,
    /// `value.into_iter().map(|value| value.map(Into::into)).collect()`.
    CollectOptions,
    /// `value.into_list()`, in a function with the type parameter `By`.
    IntoList,
    /// Checked where it is stored or sent, because the value can be out of range; in a list of a parameter, each element.
    Integer,
}

/// The destination of the value of an input.
#[derive(Clone, Copy, Debug)]
pub enum Target<'a> {
    /// A field of a model: of the model with the function, or of the body of the request.
    Field(&'a Field),
    /// The field of the additional properties, whose values have this type.
    Additional(&'a Type),
    /// A parameter.
    Parameter(&'a Parameter),
    /// The mask for related objects.
    Expansion(&'a Expansion),
    /// The whole body, of this type.
    Body(&'a Type),
    /// The whole body, replacing all properties set so far.
    WholeBody,
}

/// The type of an argument, with its conversion into the value.
type Taken = (Ty, Conversion);

/// Returns the type of an argument for a value: `impl Into` if other types convert to it, `impl IntoIterator` for
/// lists, and otherwise the type itself, because generic arguments hinder inference and take time to compile.
pub(super) fn argument(ty: &Type, api: &Api) -> Taken {
    let plain = |ty| Ty::new(ty, api);
    match ty {
        Type::List(item) => {
            let into = |item| Ty::Into(Box::new(plain(item)));
            let (item, conversion) = match &**item {
                Type::Nullable(item) if is_converted(item, api) => {
                    (Ty::Option(Box::new(into(item))), Conversion::CollectOptions)
                }
                item if is_converted(item, api) => (into(item), Conversion::CollectInto),
                item => (plain(item), Conversion::Collect),
            };
            (Ty::IntoIterator(Box::new(item)), conversion)
        }
        ty if is_converted(ty, api) => (Ty::Into(Box::new(plain(ty))), Conversion::Into),
        ty => (plain(ty), Conversion::None),
    }
}

/// Returns the type of a setter for a value: the type of an argument, but `IntoList` infers the items of an empty list.
pub(super) fn setter(ty: &Type, api: &Api) -> Taken {
    match ty {
        Type::List(item) if is_converted(item, api) => {
            (Ty::IntoList(Box::new(Ty::new(item, api))), Conversion::IntoList)
        }
        ty => argument(ty, api),
    }
}

/// Returns the type of an argument for a field.
pub(super) fn field_argument(field: &Field, api: &Api) -> Taken {
    integer(&field.ty, api).unwrap_or_else(|| argument(&field.ty, api))
}

/// Returns the type of a setter for a field.
pub(super) fn field_setter(field: &Field, api: &Api) -> Taken {
    integer(&field.ty, api).unwrap_or_else(|| setter(&field.ty, api))
}

/// Returns the type of an argument for an integer: any primitive integer, if there is a place for an integer that is
/// out of range. Fields and parameters have one; elements of lists and whole bodies do not.
fn integer(ty: &Type, api: &Api) -> Option<Taken> {
    ty.is_integer().then(|| (Ty::IntoInteger(Box::new(Ty::new(ty, api))), Conversion::Integer))
}

/// Returns the type of an argument or a setter for a parameter.
fn parameter(ty: &Type, kind: ParameterKind, api: &Api) -> Taken {
    match (kind, ty) {
        (ParameterKind::Scalar, Type::String | Type::Binary) => (Ty::Param, Conversion::None),
        (ParameterKind::List, Type::List(item)) => {
            let (item, conversion) = parameter(item, ParameterKind::Scalar, api);
            (Ty::IntoIterator(Box::new(item)), conversion)
        }
        (_, ty) => integer(ty, api).unwrap_or_else(|| argument(ty, api)),
    }
}

impl<'a> Input<'a> {
    /// Returns the input of a parameter.
    pub(super) fn parameter(parameter: &'a Parameter, api: &Api) -> Self {
        let taken = self::parameter(&parameter.ty, parameter.kind, api);
        Self::new(parameter.name.as_str(), taken, Target::Parameter(parameter))
    }

    pub(super) fn new(name: &'a str, (ty, conversion): Taken, target: Target<'a>) -> Self {
        Self { name, ty, conversion, target }
    }
}

/// Returns whether arguments of this type accept types that convert into it.
fn is_converted(ty: &Type, api: &Api) -> bool {
    match ty {
        Type::Scalar(scalar) => scalar.is_integer(),
        Type::Map | Type::TypedObject | Type::List(_) | Type::Nullable(_) => false,
        Type::Named(id) => !matches!(api.definition(*id).shape, Shape::Struct(_)),
        _ => true,
    }
}
