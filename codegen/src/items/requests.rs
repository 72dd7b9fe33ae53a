//! The functions of operations and of their requests.

use super::input::{argument, field_argument, field_setter, setter};
use super::models::NullSetter;
use super::{Conversion, Input, Path, Target, Ty};
use crate::ir::{
    Api, Body, BodyField, Content, Encoding, Failures, Field, FieldName, FieldWire, Media,
    Operation, Output, Resource, StreamKind, StreamReply, StructId, Type,
};

/// The items of an operation, found once for all that is written about them.
#[derive(Debug)]
pub struct RequestItems<'a> {
    /// The operation.
    pub operation: &'a Operation,
    /// The arguments of the method that begins a request.
    pub arguments: Vec<Input<'a>>,
    /// The setters of the request.
    pub setters: Vec<Input<'a>>,
    /// The setters of the request that send null.
    pub nulls: Vec<NullSetter<'a>>,
    /// The type of the body; `None` without a body, or if it is always `{}`.
    pub body: Option<Ty>,
    /// The type that the request returns.
    pub output: Ty,
    /// The type of the declared bodies of its errors.
    pub failure: Option<Ty>,
}

impl<'a> RequestItems<'a> {
    /// Finds the items of an operation.
    pub fn new(operation: &'a Operation, api: &'a Api) -> Self {
        Self {
            operation,
            arguments: arguments(operation, api),
            setters: inputs(operation, false, api),
            nulls: nulls(operation, api),
            body: body(operation, api),
            output: output(&operation.successes.output, api),
            failure: failure(operation, api),
        }
    }

    /// Returns whether the body of a request can be a stream.
    pub fn takes_uploads(&self) -> bool {
        self.arguments.iter().chain(&self.setters).any(|input| match input.target {
            Target::Field(field) => field.ty.is_upload(),
            Target::Body(ty) => ty.is_upload(),
            _ => false,
        })
    }
}

/// Returns the path of the type with the methods of a resource below the crate's root: its handle, or the client.
pub fn owner(resource: &Resource) -> Path {
    match &resource.handle {
        Some(handle) => in_resource(resource, handle.name.as_str()),
        None => Path::new(Path::CLIENT),
    }
}

/// Returns the path of the request of an operation below the crate's root.
pub fn request(resource: &Resource, operation: &Operation) -> Path {
    in_resource(resource, operation.builder.as_str())
}

fn in_resource(resource: &Resource, name: &str) -> Path {
    Path::new(format!("resources::{}::{name}", resource.module))
}

/// Returns the arguments of the method that begins a request, or the setters of the request: for the required or the optional
/// parameters and properties of the body, and for the body as a whole.
fn inputs<'a>(operation: &'a Operation, are_required: bool, api: &'a Api) -> Vec<Input<'a>> {
    let (of_field, of_body, whole): (fn(_, _) -> _, fn(_, _) -> _, _) = if are_required {
        (field_argument, argument, BODY)
    } else {
        (field_setter, setter, WITH_BODY)
    };
    let parameters = operation.parameters.iter().filter(|it| it.required == are_required);
    let mut inputs: Vec<_> = parameters.map(|parameter| Input::parameter(parameter, api)).collect();
    match &operation.body {
        Body::Fields(id, members) => {
            let fields = fields(*id, members, api);
            let fields = fields.filter(|(_, field)| field.is_argument() == are_required);
            inputs.extend(fields.map(|(name, field)| {
                Input::new(name.as_str(), of_field(field, api), Target::Field(field))
            }));
            if !are_required {
                inputs.extend(operation.expansion.as_ref().map(|expansion| {
                    let paths = Type::List(Box::new(expansion.path.clone()));
                    Input::new("expand", setter(&paths, api), Target::Expansion(expansion))
                }));
                let model = Ty::Item(Path::new(api.definition(id.type_id()).path()));
                inputs.push(Input::new(whole, (model, Conversion::None), Target::WholeBody));
            }
        }
        Body::Whole { ty, required } if *required == are_required => {
            inputs.push(Input::new(whole, of_body(ty, api), Target::Body(ty)));
        }
        Body::None | Body::EmptyObject | Body::Whole { .. } => {}
    }
    inputs
}

/// Returns the arguments of the method that begins a request.
pub fn arguments<'a>(operation: &'a Operation, api: &'a Api) -> Vec<Input<'a>> {
    inputs(operation, true, api)
}

/// Returns the setters of a request that send null: for the properties of a body in JSON that can be null.
fn nulls<'a>(operation: &'a Operation, api: &'a Api) -> Vec<NullSetter<'a>> {
    match &operation.body {
        Body::Fields(id, members) if operation.media.as_ref().is_some_and(Media::is_json) => {
            fields(*id, members, api).filter_map(|(name, it)| NullSetter::new(name, it)).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the encodings of the properties of a form that an input sets. Encodings of properties without a field can
/// belong to a flattened union.
pub fn encodings(input: &Input<'_>, operation: &Operation, api: &Api) -> Vec<Encoding> {
    let all = operation.media.as_ref().map_or(&[][..], |media| media.encodings());
    let set = all.iter().filter(|encoding| match (&input.target, &operation.body) {
        (Target::Body(_), _) => true,
        (Target::Field(field), Body::Fields(id, members)) => match &field.wire {
            FieldWire::Property(name) => *name == encoding.property,
            FieldWire::Flattened => {
                let own = FieldWire::Property(encoding.property.clone());
                fields(*id, members, api).all(|(_, field)| field.wire != own)
            }
        },
        _ => false,
    });
    set.cloned().collect()
}

/// Returns the fields of a body that callers can set, with the names of their arguments or setters.
pub fn fields<'a>(
    id: StructId,
    members: &'a [BodyField],
    api: &'a Api,
) -> impl Iterator<Item = (&'a FieldName, &'a Field)> {
    let object = api.as_struct(&Type::Named(id.type_id()));
    let all = object.map_or(&[][..], |(_, object)| &object.fields);
    members.iter().filter_map(|member| Some((&member.name, all.get(member.index)?)))
}

/// Returns the type of a request's body; `None` if it has none or always sends `{}`.
fn body(operation: &Operation, api: &Api) -> Option<Ty> {
    match &operation.body {
        Body::None | Body::EmptyObject => None,
        Body::Fields(id, _) => Some(Ty::Item(Path::new(api.definition(id.type_id()).path()))),
        Body::Whole { ty, .. } => Some(Ty::new(ty, api)),
    }
}

/// Returns the type that a request returns, or that the parts of its reply have.
fn output(output: &Output, api: &Api) -> Ty {
    match output {
        Output::Nothing => Ty::Unit,
        Output::One(content) => Ty::content(content, api),
        Output::Optional(content) => {
            Ty::Option(Box::new(Ty::content(&content.without_null(), api)))
        }
        Output::Several(id) => Ty::Item(Path::new(api.definition(*id).path())),
    }
}

/// Returns the type of a reply that is read while it is received.
pub fn stream(stream: &StreamReply, api: &Api) -> Ty {
    let parts = [output(&stream.output, api)];
    match stream.kind {
        StreamKind::Bytes => Ty::foreign("runtime::Opening", []),
        StreamKind::Events => Ty::foreign("runtime::Events", parts),
        StreamKind::Lines => Ty::foreign("runtime::Lines", parts),
        StreamKind::Whole => Ty::foreign("runtime::Sending", parts),
    }
}

/// Returns the type of the constant of a header with values of a type.
pub fn header(ty: &Type, api: &Api) -> Ty {
    Ty::foreign("runtime::ReplyHeader", [Ty::new(ty, api)])
}

/// Returns the type of the bodies of errors: their own, or an enum.
fn failure(operation: &Operation, api: &Api) -> Option<Ty> {
    let Failures { union, cases } = operation.failures.as_ref()?;
    if let Some(id) = union {
        return Some(Ty::Item(Path::new(api.definition(*id).path())));
    }
    let typed = cases.iter().filter_map(|case| case.content.as_ref());
    let mut typed = typed.filter(|content| **content != Content::Untyped);
    typed.next().map(|content| Ty::content(content, api))
}

/// The name of the argument of the body as a whole.
const BODY: &str = "body";

/// The name of the setter of the body as a whole. A property can be called `body`.
const WITH_BODY: &str = "with_body";
