//! Reading `api.txt`: the inverse of [`super::print`].

use super::item::{
    About, Argument, Body, Definition, Item, ItemKind, Items, Member, Method, Operation, Receiver,
    Signature,
};
use super::literal::unescaped;
use super::print::{CONDITION, DEPRECATED, ENCODING, HEADER, INDENT, MEDIA, REPLIES, SCALARS};
use super::wire::{Form, Property, Wire};
use super::{Path, PublicApi, Setting, Ty};
use crate::ir::{Encoding, EncodingRule, Location, PartHeader, Serialization, Style};

/// An invalid line of an `api.txt`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The number of the line, from 1.
    pub line: usize,
}

impl PublicApi {
    /// Reads the text form.
    ///
    /// # Errors
    ///
    /// Fails at the first invalid line.
    pub fn parse(text: &str) -> Result<Self, SyntaxError> {
        let mut api = Self::default();
        let mut current: Option<Path> = None;
        for (index, line) in text.lines().enumerate() {
            let error = SyntaxError { line: index + 1 };
            if line.is_empty() || line.starts_with('#') {
            } else if let Some(library) = line.strip_prefix("crate ") {
                library.clone_into(&mut api.library);
            } else if let Some(line) = line.strip_prefix(INDENT) {
                let owner = current.as_ref().and_then(|path| api.items.get_mut(path));
                let (name, member) = Cursor(line).member().ok_or_else(|| error.clone())?;
                let key = (member.definition.kind(), name);
                owner.ok_or(error)?.members.insert(key, member);
            } else {
                let (path, item) = Cursor(line).item().ok_or(error)?;
                current = Some(path.clone());
                api.items.insert(path, item);
            }
        }
        if api.library.is_empty() { Err(SyntaxError { line: 1 }) } else { Ok(api) }
    }
}

/// The text before a form on the wire.
const WIRE: &str = " as";

/// The text before the new name of an alias.
const ALIAS: &str = " as alias of ";

/// The rest of a line.
struct Cursor<'t>(&'t str);

impl<'t> Cursor<'t> {
    /// Reads a text, if it is next.
    fn eat(&mut self, text: &str) -> bool {
        let rest = self.0.strip_prefix(text);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn expect(&mut self, text: &str) -> Option<()> {
        self.eat(text).then_some(())
    }

    fn end<T>(&self, value: T) -> Option<T> {
        self.0.is_empty().then_some(value)
    }

    fn take_while(&mut self, is_taken: impl Fn(char) -> bool) -> Option<&'t str> {
        let end = self.0.find(|char| !is_taken(char)).unwrap_or(self.0.len());
        let (taken, rest) = self.0.split_at(end);
        self.0 = rest;
        (!taken.is_empty()).then_some(taken)
    }

    fn name(&mut self) -> Option<&'t str> {
        self.take_while(|char| char.is_alphanumeric() || "_#".contains(char))
    }

    fn path(&mut self) -> Option<&'t str> {
        let start = self.0;
        self.name()?;
        while self.eat("::") {
            self.name()?;
        }
        start.strip_suffix(self.0)
    }

    /// Reads a string literal.
    fn quoted(&mut self) -> Option<String> {
        let inner = self.0.strip_prefix('"')?;
        let mut is_escaped = false;
        let end = inner.find(|char| {
            let is_end = char == '"' && !is_escaped;
            is_escaped = char == '\\' && !is_escaped;
            is_end
        })?;
        let (literal, rest) = self.0.split_at(end + 2);
        self.0 = rest;
        if inner[..end].contains('\\') { unescaped(literal) } else { Some(inner[..end].to_owned()) }
    }

    /// Reads elements up to a text, separated by another.
    fn list<T>(
        &mut self,
        separator: &str,
        end: &str,
        element: impl Fn(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        let mut elements = Vec::new();
        while !self.eat(end) {
            if !elements.is_empty() {
                self.expect(separator)?;
            }
            elements.push(element(self)?);
        }
        Some(elements)
    }

    fn item(mut self) -> Option<(Path, Item)> {
        let deprecated = self.eat(DEPRECATED);
        let keyword = self.name()?;
        self.expect(" ")?;
        let path = if keyword == "feature" {
            Path::of_feature(self.take_while(|char| char != ' ')?)
        } else {
            Path::new(self.path()?)
        };
        let schema = if self.eat(" from ") { Some(self.quoted()?) } else { None };
        let mut traits = Vec::new();
        let mut separator = ": ";
        while self.eat(separator) {
            traits.push(self.ty()?);
            separator = " + ";
        }
        let has_target = self.eat(" = ");
        let kind = match (keyword, has_target) {
            ("feature", false) => ItemKind::Feature(Vec::new()),
            ("feature", true) => {
                let enabled = std::mem::take(&mut self.0);
                ItemKind::Feature(enabled.split(", ").map(str::to_owned).collect())
            }
            ("use", true) => ItemKind::Use(Path::new(self.path()?)),
            ("type", true) => ItemKind::Alias(self.ty()?),
            ("mod", false) => ItemKind::Module,
            ("struct", false) => ItemKind::Struct,
            ("enum", false) => ItemKind::Enum,
            _ => return None,
        };
        let mut features = Vec::new();
        let mut separator = CONDITION;
        while self.eat(separator) {
            features.push(self.quoted()?);
            separator = " or ";
        }
        let about = About { deprecated, ..About::default() };
        let mut item = Item { schema, features, ..Item::new(kind, about) };
        for implemented in traits {
            item.add(&implemented.to_string(), Definition::Trait(implemented), About::default());
        }
        self.end((path, item))
    }

    /// Reads a member, without its indentation.
    fn member(mut self) -> Option<(String, Member)> {
        let about = About { deprecated: self.eat(DEPRECATED), ..About::default() };
        let (name, definition) = self.definition()?;
        self.end((name.to_owned(), Member { about, definition }))
    }

    /// Reads the credentials of an operation.
    fn credentials(&mut self) -> Option<Vec<Vec<String>>> {
        let mut sets = Vec::new();
        let mut separator = " with ";
        while self.eat(separator) {
            let mut set = Vec::new();
            if !self.eat("nothing") {
                set.push(self.name()?.to_owned());
                while self.eat(" + ") {
                    set.push(self.name()?.to_owned());
                }
            }
            sets.push(set);
            separator = " or ";
        }
        Some(sets)
    }

    /// Reads the servers of an operation.
    fn servers(&mut self) -> Option<Vec<String>> {
        let mut servers = Vec::new();
        let mut separator = " at ";
        while self.eat(separator) {
            servers.push(self.name()?.to_owned());
            separator = " or ";
        }
        Some(servers)
    }

    fn definition(&mut self) -> Option<(&'t str, Definition)> {
        if self.eat("operation ") {
            let (verb, rest) = self.0.split_once(' ')?;
            let end = rest.find(" \"")?;
            self.0 = &rest[end + 1..];
            let verb = verb.to_owned();
            let path = rest[..end].to_owned();
            let id = self.quoted()?;
            let operation = Operation {
                verb,
                path,
                id,
                media: if self.eat(MEDIA) { Some(self.quoted()?) } else { None },
                replies: if self.eat(REPLIES) { Some(self.quoted()?) } else { None },
                security: None,
                credentials: self.credentials()?,
                servers: self.servers()?,
            };
            return Some(("", Definition::Operation(operation)));
        }
        if self.eat("body ") {
            let body = match self.0 {
                "none" => Body::None,
                "{}" => Body::EmptyObject,
                _ => return Some(("", Definition::Body(Body::Value(self.ty()?)))),
            };
            self.0 = "";
            return Some(("", Definition::Body(body)));
        }
        if self.eat("output ") {
            return Some(("", Definition::Output(self.ty()?)));
        }
        if self.eat("items ") {
            let ty = self.ty()?;
            let field = if self.eat(" as ") { Some(self.name()?.to_owned()) } else { None };
            let next_token = if self.eat(" by ") { Some(self.name()?.to_owned()) } else { None };
            return Some(("", Definition::Items(Items { ty, field, next_token })));
        }
        if self.eat("by ") {
            let (condition, variant) = std::mem::take(&mut self.0).rsplit_once(" => ")?;
            return Some((condition, Definition::Rule(variant.to_owned())));
        }
        if self.eat("setting ") {
            let (name, value) = std::mem::take(&mut self.0).split_once(" = ")?;
            let setting = Setting::from_name(name.split(' ').next()?)?;
            return Some((name, Definition::Setting(setting, value.to_owned())));
        }
        if self.eat("const ") {
            let name = self.name()?;
            self.expect(": ")?;
            let ty = self.ty()?;
            let value = if self.eat(" = ") { Some(self.quoted()?) } else { None };
            let alias_of = if self.eat(ALIAS) { Some(self.name()?.to_owned()) } else { None };
            return Some((name, Definition::Constant { ty, alias_of, value }));
        }
        if self.eat("fn ") {
            let name = self.name()?;
            return Some((name, Definition::Method(self.method()?)));
        }
        let name = self.name()?;
        if self.eat(": ") {
            let ty = self.ty()?;
            self.expect(WIRE)?;
            return Some((name, Definition::Field(ty, self.wire()?)));
        }
        let payload = if self.eat("(") {
            let ty = self.ty()?;
            self.expect(")")?;
            Some(ty)
        } else {
            None
        };
        let written = if self.eat(WIRE) { Some(self.wire()?) } else { None };
        let wire = match (written, &payload) {
            (Some(Wire::Property(Property { name: Some(value), .. })), None) => {
                Some(Wire::Value(value))
            }
            (wire, _) => wire,
        };
        Some((name, Definition::Variant(payload, wire)))
    }

    fn method(&mut self) -> Option<Method> {
        self.expect("(")?;
        let receiver = if self.eat("&self") {
            Some(Receiver::Ref)
        } else {
            self.eat("self").then_some(Receiver::Value)
        };
        if receiver.is_some() {
            self.eat(", ");
        }
        let arguments = self.list(", ", ")", Self::argument)?;
        self.expect(" -> ")?;
        let output = self.ty()?;
        let alias_of = if self.eat(ALIAS) { Some(self.name()?.to_owned()) } else { None };
        let wire = if self.eat(WIRE) { Some(self.wire()?) } else { None };
        let feature = if self.eat(CONDITION) { Some(self.quoted()?) } else { None };
        let signature = Signature { receiver, arguments, output };
        Some(Method { signature, wire, feature, alias_of })
    }

    fn argument(&mut self) -> Option<Argument> {
        let name = self.name()?.to_owned();
        self.expect(": ")?;
        let ty = self.ty()?;
        let wire = if self.eat(WIRE) { Some(self.wire()?) } else { None };
        Some(Argument { name, ty, wire, place: String::new() })
    }

    /// Reads a form on the wire.
    fn wire(&mut self) -> Option<Wire> {
        if self.eat(" body") {
            let is_property = self.0.starts_with(" \"") || self.0.starts_with(" oneof");
            let property = if is_property { Some(self.property()?) } else { None };
            let encodings =
                self.encodings(property.as_ref().and_then(|own| own.name.as_deref()))?;
            return Some(match property {
                Some(property) => Wire::BodyProperty(property, encodings),
                None => Wire::Body(encodings),
            });
        }
        if self.eat(" additional") {
            return Some(Wire::Additional(self.form()));
        }
        for location in Location::ALL {
            if self.eat(&format!(" {} ", location.name())) {
                let name = self.quoted()?;
                let form = self.form();
                let serialization =
                    if self.eat(" in ") { Some(self.serialization()?) } else { None };
                return Some(Wire::Parameter { location, name, form, serialization });
            }
        }
        Some(Wire::Property(self.property()?))
    }

    fn property(&mut self) -> Option<Property> {
        self.expect(" ")?;
        let (name, form) = if self.eat("oneof") {
            (None, Form::Plain)
        } else {
            (Some(self.quoted()?), self.form())
        };
        let required = self.eat(" required");
        Some(Property { name, form, required, nullable: self.eat(" or null") })
    }

    /// Reads the encodings of the properties of a form; the first can be that of the property itself.
    fn encodings(&mut self, own: Option<&str>) -> Option<Vec<Encoding>> {
        let mut encodings = Vec::new();
        if let Some(own) = own {
            let encoding = self.encoding(own.to_owned())?;
            let is_written = encoding.rule != EncodingRule::Type || !encoding.headers.is_empty();
            encodings.extend(is_written.then_some(encoding));
        }
        while self.eat(ENCODING) {
            let property = self.quoted()?;
            encodings.push(self.encoding(property)?);
        }
        Some(encodings)
    }

    fn encoding(&mut self, property: String) -> Option<Encoding> {
        let rule = if self.eat(MEDIA) {
            EncodingRule::Content(self.quoted()?)
        } else if self.eat(" in ") {
            EncodingRule::Style(self.serialization()?)
        } else {
            EncodingRule::Type
        };
        let mut headers = Vec::new();
        while self.eat(HEADER) {
            let name = self.quoted()?;
            let value = if self.eat(" = ") { Some(self.quoted()?) } else { None };
            headers.push(PartHeader { name, value });
        }
        Some(Encoding { property, rule, headers })
    }

    /// Reads how a value is written.
    fn serialization(&mut self) -> Option<Serialization> {
        let style = self.take_while(|char| char.is_ascii_alphabetic())?;
        Some(Serialization {
            style: Style::from_name(style)?,
            explode: self.eat(" exploded"),
            allow_reserved: self.eat(" reserved"),
        })
    }

    fn form(&mut self) -> Form {
        if self.eat(" text") { Form::Text } else { Form::Plain }
    }

    fn ty(&mut self) -> Option<Ty> {
        if self.eat("()") {
            return Some(Ty::Unit);
        }
        if self.eat("&'static ") {
            return Some(Ty::StaticRef(Box::new(self.ty()?)));
        }
        if self.eat("&") {
            return Some(Ty::Ref(Box::new(self.ty()?)));
        }
        if self.eat("[") {
            return self.closed("]").map(Ty::Slice);
        }
        if self.eat("impl ") {
            return self.bound();
        }
        let path = self.path()?;
        if !self.eat("<") {
            let scalar = SCALARS.iter().find(|(name, _)| *name == path);
            return Some(scalar.map_or_else(|| Ty::at(path, Vec::new()), |(_, ty)| ty.clone()));
        }
        match path {
            "Vec" => self.closed(">").map(Ty::List),
            "Option" => self.closed(">").map(Ty::Option),
            "Box" => self.closed(">").map(Ty::Boxed),
            "Secret" => self.closed(">").map(Ty::Secret),
            "BTreeMap" => {
                self.expect("String, ")?;
                self.closed(">").map(Ty::Dictionary)
            }
            path => Some(Ty::at(path, self.list(", ", ">", Self::ty)?)),
        }
    }

    /// Reads the trait of an argument.
    fn bound(&mut self) -> Option<Ty> {
        for (name, ty) in [
            ("runtime::Param", Ty::Param),
            ("runtime::Expanded", Ty::Expanded),
            ("runtime::Server", Ty::Server),
            ("runtime::TokenSource", Ty::TokenSource),
        ] {
            if self.eat(name) {
                return Some(ty);
            }
        }
        if self.eat("Into<") {
            return self.closed(">").map(Ty::Into);
        }
        if self.eat("IntoIterator<Item = ") {
            return self.closed(">").map(Ty::IntoIterator);
        }
        if self.eat("runtime::IntoList<") {
            return self.closed(", By>").map(Ty::IntoList);
        }
        if self.eat("runtime::IntoInteger<") {
            return self.closed(">").map(Ty::IntoInteger);
        }
        if self.eat("AsRef<") {
            return self.closed(">").map(Ty::AsRef);
        }
        self.expect("FnOnce(")?;
        let arguments = self.list(", ", ")", Self::ty)?;
        self.expect(" -> ")?;
        Some(Ty::FnOnce(arguments, Box::new(self.ty()?)))
    }

    /// Reads a type and the text after it.
    fn closed(&mut self, end: &str) -> Option<Box<Ty>> {
        let ty = self.ty()?;
        self.expect(end)?;
        Some(Box::new(ty))
    }
}

impl Ty {
    /// Returns the type at a path.
    fn at(path: &str, arguments: Vec<Self>) -> Self {
        let path = Path::new(path);
        if path.is_model() || path.is_resource() {
            Self::Item(path)
        } else {
            Self::Foreign(path, arguments)
        }
    }
}
