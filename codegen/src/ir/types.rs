//! Types: named definitions, and the types of fields and parameters that refer to them.

use super::{FieldName, MethodName, ModuleName, ModulePath, TypeName, VariantName};

/// The place of a named type in [`Api::types`](super::Api::types).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(usize);

impl TypeId {
    pub(crate) fn new(index: usize) -> Self {
        Self(index)
    }

    /// Returns the index into [`Api::types`](super::Api::types).
    pub fn index(self) -> usize {
        self.0
    }
}

/// The place of a struct in [`Api::types`](super::Api::types).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StructId(TypeId);

impl StructId {
    /// Takes the id of a type that is known to be a struct.
    pub(crate) fn new(id: TypeId) -> Self {
        Self(id)
    }

    /// Returns the id among all types.
    pub fn type_id(self) -> TypeId {
        self.0
    }
}

/// What an item tells about itself.
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
    /// The name.
    pub name: TypeName,
    /// The old names, deprecated.
    pub aliases: Vec<TypeName>,
    /// The public module that offers the type.
    pub module: ModulePath,
    /// The file of that module in which the type is defined, together with those that belong to it.
    pub file: ModuleName,
    /// What the schema is in the document.
    pub origin: Origin,
    /// What the type tells about itself.
    pub docs: Docs,
    /// Whether a request can carry the type: it is reachable from a body or a parameter.
    pub in_requests: bool,
    /// What the type is.
    pub shape: Shape,
    /// Where the schema is written.
    pub pointer: String,
}

impl Shape {
    /// Returns the named types that a value of the type can hold.
    pub fn types(&self) -> Vec<TypeId> {
        match self {
            Self::Struct(object) => object.types().filter_map(Type::named).collect(),
            Self::Union(union) => {
                union.variants.iter().filter_map(|variant| variant.ty.named()).collect()
            }
            Self::Enum(_) => Vec::new(),
        }
    }
}

impl TypeDef {
    /// Returns the key of the schema under `components/schemas`, for types that have one.
    pub fn component(&self) -> Option<&str> {
        match &self.origin {
            Origin::Component(key) => Some(key),
            _ => None,
        }
    }
}

/// What a schema is in the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The schema of this key under `components/schemas`.
    Component(String),
    /// The value of this property.
    Property(String),
    /// An element of a list that is something itself.
    Element(Box<Origin>),
    /// A value of a map that is something itself.
    Value(Box<Origin>),
    /// A parameter of this name.
    Parameter(String),
    /// The body that this operation takes.
    RequestBody(String),
    /// The body that this operation returns.
    ResponseBody(String),
    /// Something else within this operation.
    Operation(String),
}

/// What a named type is.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A struct with a field for each described member.
    Struct(Struct),
    /// A string out of a list that may grow.
    Enum(OpenEnum),
    /// An object that holds exactly one of several members.
    Union(Union),
}

/// A struct.
#[derive(Clone, Debug)]
pub struct Struct {
    /// The fields, in the order of the description.
    pub fields: Vec<Field>,
    /// Where members go that no field describes.
    pub rest: Rest,
}

impl Struct {
    /// Tells whether the description names no member and allows none beside.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty() && matches!(self.rest, Rest::Unknown)
    }

    /// Returns the fields that the description requires.
    pub fn required(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|field| field.required)
    }

    /// Returns the fields that a caller must give: those that are required and can be sent.
    pub fn arguments(&self) -> impl Iterator<Item = &Field> {
        self.required().filter(|field| field.access != Access::Read)
    }

    /// Returns the types of the fields and of the additional properties.
    pub fn types(&self) -> impl Iterator<Item = &Type> {
        let additional = match &self.rest {
            Rest::Additional(_, ty) => Some(ty),
            Rest::Unknown => None,
        };
        self.fields.iter().map(|field| &field.ty).chain(additional)
    }
}

/// Where the members of an object go that no field describes.
#[derive(Clone, Debug)]
pub enum Rest {
    /// They are kept out of the reader's way.
    Unknown,
    /// The description allows them: they are in a public field, as values of this type.
    Additional(FieldName, Type),
}

/// A field of a struct.
#[derive(Clone, Debug)]
pub struct Field {
    /// The name of the field and of its setter.
    pub name: FieldName,
    /// How the field is found on the wire.
    pub wire: FieldWire,
    /// The type, without the `Option` that an optional field has.
    pub ty: Type,
    /// Whether the description requires the member and does not allow null for it.
    pub required: bool,
    /// Whether `None` is written as null, because the description requires the member and allows null for it.
    pub null: bool,
    /// Whether the value is boxed, because the type would contain itself.
    pub boxed: bool,
    /// Which messages have the member.
    pub access: Access,
    /// What the field tells about itself.
    pub docs: Docs,
    /// Where the member's schema is written.
    pub pointer: String,
}

/// Which messages have a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Requests and responses.
    Both,
    /// Only responses (`readOnly`).
    Read,
    /// Only requests (`writeOnly`).
    Write,
}

/// How a field is found on the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldWire {
    /// As the member of this name.
    Member(String),
    /// As one of the members of the field's union, beside the object's own members.
    Flattened,
}

/// The type of a field, a parameter, an element or a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// `bool`.
    Bool,
    /// `i32`.
    Int32,
    /// `i64`.
    Int64,
    /// `u32`.
    UInt32,
    /// `u64`.
    UInt64,
    /// `f32`.
    Float32,
    /// `f64`.
    Float64,
    /// `i64`, carried as a JSON string.
    Int64Text,
    /// `u64`, carried as a JSON string.
    UInt64Text,
    /// `String`.
    String,
    /// An instant, carried as text (RFC 3339).
    Timestamp,
    /// Any JSON value.
    Value,
    /// A free-form JSON object.
    Map,
    /// A list.
    List(Box<Type>),
    /// An object whose members all have this type.
    Dictionary(Box<Type>),
    /// A named type.
    Named(TypeId),
    /// A value that no log may show.
    Secret(Box<Type>),
}

impl Type {
    /// Returns the named type that this one is, or is a container of.
    pub fn named(&self) -> Option<TypeId> {
        match self {
            Self::Named(id) => Some(*id),
            Self::List(inner) | Self::Dictionary(inner) | Self::Secret(inner) => inner.named(),
            _ => None,
        }
    }
}

/// An enum of strings with a catch-all for values that came later.
#[derive(Clone, Debug)]
pub struct OpenEnum {
    /// The known values, in the order of the description.
    pub variants: Vec<EnumVariant>,
}

/// A known value of an [`OpenEnum`].
#[derive(Clone, Debug)]
pub struct EnumVariant {
    /// The name of the variant.
    pub name: VariantName,
    /// The value on the wire.
    pub value: String,
    /// Where the value is written.
    pub pointer: String,
}

/// An enum with data: which one of several members an object holds.
#[derive(Clone, Debug)]
pub struct Union {
    /// The members, in the order of the description.
    pub variants: Vec<UnionVariant>,
}

/// A member of a [`Union`].
#[derive(Clone, Debug)]
pub struct UnionVariant {
    /// The name of the variant.
    pub name: VariantName,
    /// The name of the function that returns the variant, if its value has no properties.
    pub constructor: MethodName,
    /// The name of the member on the wire.
    pub member: String,
    /// The type of the member's value.
    pub ty: Type,
    /// Whether the value is boxed, because the type would contain itself.
    pub boxed: bool,
    /// What the variant tells about itself.
    pub docs: Docs,
    /// Where the member's schema is written.
    pub pointer: String,
}
