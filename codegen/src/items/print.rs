//! The text form, `api.txt`: one public item to a line, members below their item, sorted by path.

use std::fmt::{self, Formatter};

use super::item::{Argument, Body, Definition, Item, ItemKind, MemberRef, Method, Receiver};
use super::wire::{Form, Property, Wire};
use super::{MemberKind, Path, PublicApi, Ty};
use crate::ir::{Encoding, EncodingRule, PartHeader, Serialization};

/// The word before a deprecated item or member.
pub(super) const DEPRECATED: &str = "deprecated ";

/// The text before the feature that an item or a member requires.
pub(super) const CONDITION: &str = " if feature ";

/// The words before the media type of an operation, or of a property of a form.
pub(super) const MEDIA: &str = " as ";

/// The words before the media types of the replies of an operation.
pub(super) const REPLIES: &str = " replies ";

/// The words before a property of a form, with its encoding.
pub(super) const ENCODING: &str = " encoding ";

/// The words before a header of a part of a form.
pub(super) const HEADER: &str = " header ";

/// The indentation of members.
pub(super) const INDENT: &str = "    ";

impl ItemKind {
    /// Returns the keyword.
    pub fn keyword(&self) -> &'static str {
        match self {
            Self::Enum => "enum",
            Self::Feature(_) => "feature",
            Self::Module => "mod",
            Self::Struct => "struct",
            Self::Alias(_) => "type",
            Self::Use(_) => "use",
        }
    }
}

impl fmt::Display for PublicApi {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "crate {}", self.library)?;
        let mut follows_block = true;
        for (path, item) in &self.items {
            let (traits, members): (Vec<_>, Vec<_>) =
                item.members(path).skip(1).partition(|member| member.kind == MemberKind::Trait);
            if follows_block || !members.is_empty() {
                writeln!(f)?;
            }
            follows_block = !members.is_empty();
            let traits: Vec<&str> = traits.iter().map(|member| member.name).collect();
            item.write(f, path, &traits)?;
            for member in members {
                write!(f, "\n{INDENT}{}", member.line())?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl Item {
    fn write(&self, f: &mut impl fmt::Write, path: &Path, traits: &[&str]) -> fmt::Result {
        let deprecated = if self.about.deprecated { DEPRECATED } else { "" };
        let name = path.feature().unwrap_or(path.as_str());
        write!(f, "{deprecated}{} {name}", self.kind.keyword())?;
        if let Some(schema) = &self.schema {
            write!(f, " from {schema:?}")?;
        }
        if !traits.is_empty() {
            write!(f, ": {}", traits.join(" + "))?;
        }
        match &self.kind {
            ItemKind::Feature(enabled) if !enabled.is_empty() => {
                write!(f, " = {}", enabled.join(", "))
            }
            ItemKind::Use(path) => write!(f, " = {path}"),
            ItemKind::Alias(ty) => write!(f, " = {ty}"),
            ItemKind::Feature(_) | ItemKind::Module | ItemKind::Struct | ItemKind::Enum => Ok(()),
        }?;
        for (index, feature) in self.features.iter().enumerate() {
            write!(f, "{}{feature:?}", if index == 0 { CONDITION } else { " or " })?;
        }
        Ok(())
    }
}

impl MemberRef<'_> {
    /// Returns the line of the member; that of an item is without its traits.
    pub fn line(self) -> String {
        let Some(definition) = self.definition else {
            let mut line = String::new();
            // Writing to a string cannot fail.
            let _ = self.item.write(&mut line, self.path, &[]);
            return line;
        };
        let deprecated = if self.about.deprecated { DEPRECATED } else { "" };
        format!("{deprecated}{}", Line { name: self.name, definition })
    }
}

/// The line of a member, without the word of a deprecated one.
struct Line<'a> {
    name: &'a str,
    definition: &'a Definition,
}

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let name = self.name;
        match self.definition {
            Definition::Rule(variant) => write!(f, "by {name} => {variant}"),
            Definition::Operation(operation) => {
                write!(f, "operation {} {} {:?}", operation.verb, operation.path, operation.id)?;
                if let Some(media) = &operation.media {
                    write!(f, "{MEDIA}{media:?}")?;
                }
                if let Some(replies) = &operation.replies {
                    write!(f, "{REPLIES}{replies:?}")?;
                }
                for (index, set) in operation.credentials.iter().enumerate() {
                    let set = if set.is_empty() { "nothing".to_owned() } else { set.join(" + ") };
                    write!(f, "{}{set}", if index == 0 { " with " } else { " or " })?;
                }
                for (index, server) in operation.servers.iter().enumerate() {
                    write!(f, "{}{server}", if index == 0 { " at " } else { " or " })?;
                }
                Ok(())
            }
            Definition::Body(Body::None) => f.write_str("body none"),
            Definition::Body(Body::EmptyObject) => f.write_str("body {}"),
            Definition::Body(Body::Value(ty)) => write!(f, "body {ty}"),
            Definition::Output(ty) => write!(f, "output {ty}"),
            Definition::Items(items) => {
                write!(f, "items {}", items.ty)?;
                if let Some(field) = &items.field {
                    write!(f, " as {field}")?;
                }
                items.next_token.as_ref().map_or(Ok(()), |token| write!(f, " by {token}"))
            }
            Definition::Field(ty, wire) => write!(f, "{name}: {ty}{wire}"),
            Definition::Variant(payload, wire) => {
                f.write_str(name)?;
                if let Some(ty) = payload {
                    write!(f, "({ty})")?;
                }
                write_wire(f, wire.as_ref())
            }
            Definition::Setting(_, value) => write!(f, "setting {name} = {value}"),
            Definition::Constant { ty, alias_of, value } => {
                write!(f, "const {name}: {ty}")?;
                if let Some(value) = value {
                    write!(f, " = {value:?}")?;
                }
                write_alias(f, alias_of.as_deref())
            }
            Definition::Method(method) => write_method(f, name, method),
            Definition::Trait(ty) => write!(f, "impl {ty}"),
        }
    }
}

fn write_method(f: &mut Formatter<'_>, name: &str, method: &Method) -> fmt::Result {
    let Method { signature, wire, feature, alias_of } = method;
    write!(f, "fn {name}(")?;
    let receiver = match signature.receiver {
        Some(Receiver::Value) => "self",
        Some(Receiver::Ref) => "&self",
        None => "",
    };
    f.write_str(receiver)?;
    for (index, argument) in signature.arguments.iter().enumerate() {
        let separator = if index == 0 && receiver.is_empty() { "" } else { ", " };
        write!(f, "{separator}{argument}")?;
    }
    write!(f, ") -> {}", signature.output)?;
    if alias_of.is_some() {
        return write_alias(f, alias_of.as_deref());
    }
    write_wire(f, wire.as_ref())?;
    match feature {
        Some(feature) => write!(f, "{CONDITION}{feature:?}"),
        None => Ok(()),
    }
}

fn write_wire(f: &mut Formatter<'_>, wire: Option<&Wire>) -> fmt::Result {
    wire.map_or(Ok(()), |wire| write!(f, "{wire}"))
}

fn write_alias(f: &mut Formatter<'_>, alias_of: Option<&str>) -> fmt::Result {
    alias_of.map_or(Ok(()), |name| write!(f, " as alias of {name}"))
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.ty)?;
        write_wire(f, self.wire.as_ref())
    }
}

impl fmt::Display for Wire {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Property(property) => write!(f, " as{property}"),
            Self::BodyProperty(property, encodings) => {
                write!(f, " as body{property}")?;
                write_encodings(f, property.name.as_deref(), encodings)
            }
            Self::Body(encodings) => {
                f.write_str(" as body")?;
                write_encodings(f, None, encodings)
            }
            Self::Additional(form) => write!(f, " as additional{form}"),
            Self::Value(value) => write!(f, " as {value:?}"),
            Self::Parameter { location, name, form, serialization } => {
                write!(f, " as {} {name:?}{form}", location.name())?;
                serialization.map_or(Ok(()), |serialization| write!(f, " in {serialization}"))
            }
        }
    }
}

impl fmt::Display for Serialization {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let explode = if self.explode { " exploded" } else { "" };
        let reserved = if self.allow_reserved { " reserved" } else { "" };
        write!(f, "{}{explode}{reserved}", self.style.name())
    }
}

/// Writes the encodings of the properties of a form, each with its name unless it is the property itself.
fn write_encodings(
    f: &mut Formatter<'_>,
    own: Option<&str>,
    encodings: &[Encoding],
) -> fmt::Result {
    for Encoding { property, rule, headers } in encodings {
        if own != Some(property) {
            write!(f, "{ENCODING}{property:?}")?;
        }
        match rule {
            EncodingRule::Type => {}
            EncodingRule::Content(media_types) => write!(f, "{MEDIA}{media_types:?}")?,
            EncodingRule::Style(serialization) => write!(f, " in {serialization}")?,
        }
        for PartHeader { name, value } in headers {
            write!(f, "{HEADER}{name:?}")?;
            if let Some(value) = value {
                write!(f, " = {value:?}")?;
            }
        }
    }
    Ok(())
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let required = if self.required { " required" } else { "" };
        let nullable = if self.nullable { " or null" } else { "" };
        match &self.name {
            Some(name) => write!(f, " {name:?}{}{required}{nullable}", self.form),
            None => write!(f, " oneof{required}"),
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Plain => "",
            Self::Text => " text",
        })
    }
}

/// The types without others in them, with their names.
pub(super) const SCALARS: [(&str, Ty); 20] = [
    ("()", Ty::Unit),
    ("bool", Ty::Bool),
    ("i32", Ty::Int32),
    ("i64", Ty::Int64),
    ("u32", Ty::UInt32),
    ("u64", Ty::UInt64),
    ("i128", Ty::Int128),
    ("f64", Ty::Float64),
    ("str", Ty::Str),
    ("String", Ty::String),
    ("Timestamp", Ty::Timestamp),
    ("Value", Ty::Value),
    ("Map", Ty::Map),
    ("TypedObject", Ty::TypedObject),
    ("Self", Ty::Itself),
    ("Self::Output", Ty::ItsOutput),
    ("impl runtime::Param", Ty::Param),
    ("impl runtime::Expanded", Ty::Expanded),
    ("impl runtime::Server", Ty::Server),
    ("impl runtime::TokenSource", Ty::TokenSource),
];

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Item(path) => write!(f, "{path}"),
            Self::Foreign(path, arguments) if arguments.is_empty() => write!(f, "{path}"),
            Self::Foreign(path, arguments) => write!(f, "{path}<{}>", Listed(arguments)),
            Self::List(item) => write!(f, "Vec<{item}>"),
            Self::Dictionary(value) => write!(f, "BTreeMap<String, {value}>"),
            Self::Secret(inner) => write!(f, "Secret<{inner}>"),
            Self::Option(inner) => write!(f, "Option<{inner}>"),
            Self::Boxed(inner) => write!(f, "Box<{inner}>"),
            Self::Ref(inner) => write!(f, "&{inner}"),
            Self::StaticRef(inner) => write!(f, "&'static {inner}"),
            Self::Slice(item) => write!(f, "[{item}]"),
            Self::Into(inner) => write!(f, "impl Into<{inner}>"),
            Self::IntoIterator(item) => write!(f, "impl IntoIterator<Item = {item}>"),
            Self::IntoList(item) => write!(f, "impl runtime::IntoList<{item}, By>"),
            Self::IntoInteger(inner) => write!(f, "impl runtime::IntoInteger<{inner}>"),
            Self::AsRef(inner) => write!(f, "impl AsRef<{inner}>"),
            Self::FnOnce(arguments, output) => {
                write!(f, "impl FnOnce({}) -> {output}", Listed(arguments))
            }
            scalar => {
                let name = SCALARS.iter().find(|(_, ty)| ty == scalar);
                f.write_str(name.map_or("", |(name, _)| name))
            }
        }
    }
}

/// Types, separated by commas.
struct Listed<'a>(&'a [Ty]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, ty) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(f, "{separator}{ty}")?;
        }
        Ok(())
    }
}
