//! Named types: their definitions.

use std::ops::Range;

use super::{
    Constant, Decision, FieldName, MethodName, ModuleName, ModulePath, OpenEnum, Type, TypeId,
    TypeName, VariantName, WaitEnd,
};

/// The documentation of an item.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Docs {
    /// The description, in CommonMark, as written.
    pub text: Option<String>,
    /// Whether the item is deprecated.
    pub deprecated: bool,
}

/// A named type.
#[derive(Clone, Debug)]
pub struct TypeDef {
    pub name: TypeName,
    /// The public module that exports the type.
    pub module: ModulePath,
    /// The file of the module that defines the type.
    pub file: ModuleName,
    /// The origin in the document.
    pub origin: Origin,
    /// The documentation of the type.
    pub docs: Docs,
    /// Whether a request can carry the type: it is reachable from a body or a parameter.
    pub in_requests: bool,
    /// Whether the type is emitted: an operation reaches it, or the settings keep it.
    pub is_emitted: bool,
    /// The paths of the derive macros that the settings add.
    pub derives: Vec<String>,
    /// The shape of the type.
    pub shape: Shape,
    /// The JSON pointer to the schema.
    pub pointer: String,
}

impl Shape {
    /// Returns the texts of the fields or variants.
    pub fn texts(&self) -> Vec<Option<&String>> {
        match self {
            Self::Struct(object) => object.fields.iter().map(|it| it.docs.text.as_ref()).collect(),
            Self::Enum(of) => of.variants.iter().map(|it| it.description.as_ref()).collect(),
            Self::Union(union) => union.variants.iter().map(|it| it.docs.text.as_ref()).collect(),
            Self::Reply(_) => Vec::new(),
        }
    }

    /// Returns the named types of the fields or variants.
    pub fn types(&self) -> Vec<TypeId> {
        match self {
            Self::Struct(object) => object.types().filter_map(Type::named).collect(),
            Self::Union(union) => {
                union.variants.iter().filter_map(|variant| variant.ty.named()).collect()
            }
            Self::Reply(reply) => {
                let contents = reply.variants.iter().filter_map(|it| it.content.as_ref());
                contents.filter_map(Content::named).collect()
            }
            Self::Enum(_) => Vec::new(),
        }
    }
}

/// Returns for each type, by its index, whether some types lead to it, given the types within one.
pub fn reached(
    from: impl IntoIterator<Item = TypeId>,
    types: &[TypeDef],
    inner: impl Fn(&TypeDef) -> Vec<TypeId>,
) -> Vec<bool> {
    let mut open: Vec<TypeId> = from.into_iter().collect();
    let mut is_reached = vec![false; types.len()];
    while let Some(id) = open.pop() {
        if !std::mem::replace(&mut is_reached[id.index()], true) {
            open.extend(inner(&types[id.index()]));
        }
    }
    is_reached
}

impl TypeDef {
    /// Returns the module and the file of the type.
    pub fn place(&self) -> (&ModulePath, &ModuleName) {
        (&self.module, &self.file)
    }

    /// Returns the path below the crate's root.
    pub fn path(&self) -> String {
        format!("{}::{}", self.module.path(), self.name)
    }

    /// Returns the key of the schema under `components/schemas`, for types that have one.
    pub fn component(&self) -> Option<&str> {
        match &self.origin {
            Origin::Component(key) => Some(key),
            _ => None,
        }
    }
}

/// The origin of a schema in the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The schema of this key under `components/schemas`.
    Component(String),
    /// The value of this property.
    Property(String),
    /// An element of a list, with the origin of the list.
    Element(Box<Origin>),
    /// A value of a map, with the origin of the map.
    Value(Box<Origin>),
    /// A parameter of this name.
    Parameter(String),
    /// The request body of this operation.
    RequestBody(String),
    /// The response body of this operation.
    ResponseBody(String),
    /// The properties that the schemas share that extend the schema of this key.
    Base(String),
    /// A variant of the union of this name.
    Variant(String),
    /// Another schema of this operation.
    Operation(String),
    /// The server variable of this name.
    ServerVariable(String),
    /// The bodies of errors of several operations.
    Failures,
}

/// The shape of a named type.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A struct with a field for each property.
    Struct(Struct),
    /// A string or an integer with known values, which can be extended.
    Enum(OpenEnum),
    /// An enum with data.
    Union(Union),
    /// An enum of the contents of replies.
    Reply(ReplyEnum),
}

#[derive(Clone, Debug, Default)]
pub struct Struct {
    /// The fields, in the order of the document.
    pub fields: Vec<Field>,
    /// The public field of other properties and the type of their values, if the schema allows them. Otherwise they are
    /// stored in the hidden field of unknown properties.
    pub additional: Option<(FieldName, Type)>,
    /// The additions by the conventions of the API.
    pub conventions: StructConventions,
}

impl Struct {
    /// Returns whether the schema has no properties and allows no others.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.additional.is_none()
    }

    /// Returns the field and the type of the values of an object that is only a map: it has no properties of its own.
    pub fn as_map(&self) -> Option<(&FieldName, &Type)> {
        let (name, values) = self.additional.as_ref().filter(|_| self.fields.is_empty())?;
        Some((name, values))
    }

    pub fn required(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| field.required)
    }

    /// Returns the arguments of the constructor.
    pub fn arguments(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| field.is_argument())
    }

    /// Returns the types of the fields and of the additional properties.
    pub fn types(&self) -> impl Iterator<Item = &Type> {
        let additional = self.additional.as_ref().map(|(_, ty)| ty);
        self.fields.iter().map(|field| &field.ty).chain(additional)
    }
}

/// A field that locates related objects in the response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelatedPath {
    pub field: FieldName,
    /// Whether that field is not an `Option`.
    pub required: bool,
    /// The method that returns the objects.
    pub method: MethodName,
    /// Whether the field can locate several.
    pub is_plural: bool,
    /// The name of the property on the wire.
    pub wire: String,
    /// The JSON pointer to the property.
    pub pointer: String,
}

/// The related objects of a response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expanded {
    /// The field with the objects.
    pub field: FieldName,
    /// Whether that field is not an `Option`.
    pub required: bool,
    /// The field whose paths lead to the objects, if it is the only one. Those of a list are for each of its elements.
    pub view: Option<ViewParameter>,
}

/// A field with paths to related objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewParameter {
    pub field: FieldName,
    /// Whether that field is not an `Option`.
    pub required: bool,
    /// Whether it is a list of views.
    pub is_list: bool,
    /// The type with the paths.
    pub ty: TypeId,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StructConventions {
    /// Whether update masks name its properties.
    pub is_edited: bool,
    /// The related objects of a response.
    pub expanded: Option<Expanded>,
    /// The fields that locate related objects.
    pub paths: Vec<RelatedPath>,
    /// Whether it is a reference, which consists of identifiers.
    pub is_key: bool,
    /// The models with the identifiers of the reference.
    pub models: Vec<TypeId>,
    /// The condition by which a reply shows that something has finished.
    pub end: Option<WaitEnd>,
}

/// A field of a struct.
#[derive(Clone, Debug)]
pub struct Field {
    /// The name of the field and of its setter.
    pub name: FieldName,
    pub wire: FieldWire,
    /// The type, without the `Option` of an optional field.
    pub ty: Type,
    /// Whether the property is required and not nullable.
    pub required: bool,
    /// Whether `None` is sent as null.
    pub null: Null,
    /// Whether the value is boxed, because the type would contain itself.
    pub boxed: bool,
    /// The messages that can contain the property.
    pub access: Access,
    /// The only value of the property, on the wire: a required field has it from the start.
    pub constant: Option<String>,
    /// The value by which unions recognize the struct: `new` sets it.
    pub tag: Option<Constant>,
    /// Whether `Debug` shows the value; `None` if its name decides.
    pub shown: Option<bool>,
    /// The default in the document, if it is a scalar.
    pub default: Option<String>,
    /// The documentation of the field.
    pub docs: Docs,
    /// The bytes of that text about limits and examples, which a field that no request carries loses.
    pub limits: Range<usize>,
    /// The JSON pointer to the schema of the property.
    pub pointer: String,
}

impl Field {
    /// Removes the text about limits and examples.
    pub(crate) fn remove_limits(&mut self) {
        let limits = std::mem::take(&mut self.limits);
        if let Some(text) = self.docs.text.as_mut().filter(|_| !limits.is_empty()) {
            text.replace_range(limits, "");
            text.truncate(text.trim_end().len());
            if text.is_empty() {
                self.docs.text = None;
            }
        }
    }

    /// Returns the property; `None` if the field is made of several.
    pub fn property(&self) -> Option<&str> {
        if let FieldWire::Property(name) = &self.wire { Some(name) } else { None }
    }

    /// Returns whether callers have to pass the value: it is required, has no value yet, and requests can send it.
    pub fn is_argument(&self) -> bool {
        let has_value = self.constant.is_some() || self.tag.is_some();
        self.required && !has_value && self.access != Access::Read
    }
}

/// Whether a field without a value is null on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Null {
    /// No: the property is not nullable.
    Never,
    /// No: the property is optional and nullable, and no request sends it in JSON.
    Received,
    /// If it was received or set as null: the property is optional and nullable, and a request sends it in JSON.
    Optional,
    /// Yes: the property is required and nullable.
    Always,
}

/// The messages that can contain a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Requests and responses.
    Both,
    /// Only responses (`readOnly`).
    Read,
    /// Only requests (`writeOnly`).
    Write,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldWire {
    /// The property of this name.
    Property(String),
    /// One of the properties of the field's union, next to the object's own properties.
    Flattened,
}

/// An enum with data.
#[derive(Clone, Debug)]
pub struct Union {
    /// How a value is recognized as one of the variants.
    pub decision: Decision,
    /// The variants, in the order of the document.
    pub variants: Vec<UnionVariant>,
    /// The type of the variant that all others extend.
    pub base: Option<TypeId>,
}

#[derive(Clone, Debug)]
pub struct UnionVariant {
    pub name: VariantName,
    pub snake_case: MethodName,
    /// The name of the property on the wire, if that is what distinguishes the variants.
    pub property: Option<String>,
    /// The type of the value.
    pub ty: Type,
    /// Whether the value is boxed, because the type would contain itself.
    pub boxed: bool,
    /// Whether `Debug` shows the value; `None` if the name of the property decides.
    pub shown: Option<bool>,
    /// The documentation of the variant.
    pub docs: Docs,
    /// The JSON pointer to the schema of the value.
    pub pointer: String,
}

/// The content of a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A JSON value.
    Json(Type),
    Text,
    Bytes,
    /// An error with bytes, or with JSON that the spec does not describe.
    Untyped,
}

impl Content {
    pub fn named(&self) -> Option<TypeId> {
        if let Self::Json(ty) = self { ty.named() } else { None }
    }

    /// Returns the content that is not null.
    #[must_use]
    pub fn without_null(&self) -> Self {
        if let Self::Json(ty) = self { Self::Json(ty.not_null().clone()) } else { self.clone() }
    }
}

/// An enum of contents.
#[derive(Clone, Debug)]
pub struct ReplyEnum {
    /// The contents.
    pub variants: Vec<ReplyVariant>,
    /// The replies, or the parts of a reply, that have them.
    pub part: ReplyPart,
}

/// What has the contents of a [`ReplyEnum`], and decides which it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyPart {
    /// A successful reply, by its status. The enum has a variant for other statuses.
    Success,
    /// The reply of an error, by its status.
    Failure,
    /// An event, by its name. The enum has a variant for other names.
    Event,
}

/// A variant of a [`ReplyEnum`].
#[derive(Clone, Debug)]
pub struct ReplyVariant {
    pub name: VariantName,
    /// The content, if there is any.
    pub content: Option<Content>,
    /// The name of the event that has it.
    pub event: Option<String>,
}
