//! The text form, `api.txt`: one public item to a line, members below their item, sorted by path. The members that all
//! items of a kind have stand once, below `every`.

use std::collections::BTreeSet;
use std::fmt::{self, Formatter, Write as _};

use super::item::{Argument, Body, Definition, Item, ItemKind, MemberRef, Method, Receiver};
use super::template::Template;
use super::wire::{Wire, WireForm, WireProperty};
use super::{MemberKind, Path, PublicApi, Ty};
use crate::ir::{Encoding, EncodingRule, PartHeader, Serialization};
use crate::visible::visible;

/// The end of the first line of a list in this format. Another version of the generator compares its lines with this one's.
pub(crate) const FORMAT: &str = " in format 3";

/// The indentation of members.
pub(crate) const INDENT: &str = "    ";

/// The word before a deprecated item or member.
pub(crate) const DEPRECATED: &str = "deprecated ";

/// The text before the feature that an item or a member requires.
const CONDITION: &str = " if feature ";

/// Returns a text as a literal, on one line.
pub(super) fn quoted(text: &str) -> String {
    format!("{text:?}")
}

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
        writeln!(f, "crate {}{FORMAT}", self.library)?;
        let templates: BTreeSet<Template> =
            self.items.values().filter_map(|item| item.template).collect();
        for template in templates {
            let members = template.item();
            let path = Path::new(template.name());
            let (traits, members) = own_members(&members, &path, None);
            write!(f, "\nevery {path}: {}", traits.join(" + "))?;
            write_members(f, &members)?;
        }
        let mut follows_block = true;
        for (path, item) in &self.items {
            let (traits, members) = own_members(item, path, item.template);
            if follows_block || !members.is_empty() {
                writeln!(f)?;
            }
            follows_block = !members.is_empty();
            f.write_str(&item.line(path, &traits))?;
            write_members(f, &members)?;
        }
        Ok(())
    }
}

/// Returns the traits and the other members of an item that do not come from its template, which is the first trait.
fn own_members<'a>(
    item: &'a Item,
    path: &'a Path,
    template: Option<Template>,
) -> (Vec<&'a str>, Vec<MemberRef<'a>>) {
    let common = template.map(Template::item);
    let own = item.members(path).skip(1).filter(|member| {
        let key = (member.kind, member.name.to_owned());
        let same = common.as_ref().and_then(|common| common.members.get(&key));
        same.is_none_or(|same| Some(&same.definition) != member.definition)
    });
    let (traits, members): (Vec<_>, Vec<_>) =
        own.partition(|member| member.kind == MemberKind::Trait);
    let traits = template.map(Template::name).into_iter().chain(traits.iter().map(|it| it.name));
    (traits.collect(), members)
}

fn write_members(f: &mut Formatter<'_>, members: &[MemberRef<'_>]) -> fmt::Result {
    for member in members {
        write!(f, "\n{INDENT}{}", member.line())?;
    }
    writeln!(f)
}

impl Item {
    fn line(&self, path: &Path, traits: &[&str]) -> String {
        let mut line = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut line, path, traits);
        visible(&line).into_owned()
    }

    fn write(&self, f: &mut String, path: &Path, traits: &[&str]) -> fmt::Result {
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
    /// Returns the line of the member; the line of an item is without its traits.
    pub fn line(self) -> String {
        let Some(definition) = self.definition else {
            return self.item.line(self.path, &[]);
        };
        let deprecated = if self.about.deprecated { DEPRECATED } else { "" };
        let line = Line { name: self.name, definition };
        visible(&format!("{deprecated}{line}")).into_owned()
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
                    write!(f, " as {media:?}")?;
                }
                if let Some(replies) = &operation.replies {
                    write!(f, " replies {replies:?}")?;
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
            Definition::Failure(ty, _) => write!(f, "error {ty}"),
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
            Self::Body(form, encodings) => {
                write!(f, " as body{form}")?;
                write_encodings(f, None, encodings)
            }
            Self::Additional(form) => write!(f, " as additional{form}"),
            Self::Value(value) => write!(f, " as {value:?}"),
            Self::Parameter { location, name, form, serialization, constant } => {
                write!(f, " as {} {name:?}{form}", location.name())?;
                serialization.map_or(Ok(()), |serialization| write!(f, " in {serialization}"))?;
                constant.iter().try_for_each(|value| write!(f, " = {value:?}"))
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
            write!(f, " encoding {property:?}")?;
        }
        match rule {
            EncodingRule::Type => {}
            EncodingRule::Content(media_types) => write!(f, " as {media_types:?}")?,
            EncodingRule::Style(serialization) => write!(f, " in {serialization}")?,
        }
        for PartHeader { name, value } in headers {
            write!(f, " header {name:?}")?;
            if let Some(value) = value {
                write!(f, " = {value:?}")?;
            }
        }
    }
    Ok(())
}

impl fmt::Display for WireProperty {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let required = if self.required { " required" } else { "" };
        let nullable = if self.nullable { " or null" } else { "" };
        let access = self.access.mark();
        match &self.name {
            Some(name) => write!(f, " {name:?}{}{required}{nullable}{access}", self.form),
            None => write!(f, " oneof{required}{access}"),
        }
    }
}

impl fmt::Display for WireForm {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Plain => "",
            Self::Text => " text",
        })
    }
}

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
            Self::Unit => f.write_str("()"),
            Self::Scalar(scalar) => f.write_str(scalar.name()),
            Self::Own(path) => f.write_str(path),
            Self::Str => f.write_str("str"),
            Self::String => f.write_str("String"),
            Self::Value => f.write_str("Value"),
            Self::Map => f.write_str("Map"),
            Self::TypedObject => f.write_str("TypedObject"),
            Self::Itself => f.write_str("Self"),
            Self::ItsOutput => f.write_str("Self::Output"),
            Self::Param => f.write_str("impl runtime::Param"),
            Self::Expanded => f.write_str("impl runtime::Expanded"),
            Self::Server => f.write_str("impl runtime::Server"),
            Self::TokenSource => f.write_str("impl runtime::TokenSource"),
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
