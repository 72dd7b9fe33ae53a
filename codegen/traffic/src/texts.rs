//! Parameters and the headers of replies, whose values are texts.

use std::borrow::Cow;

use codegen::document::{Pointer, View};
use codegen::ir::{self, Api, JsonKind, Location, Parameter, Scalar, Serialization, Style, Type};
use jiff::civil::DateTime;
use percent_encoding::percent_decode_str;
use secret_names::is_secret;
use wire_rules::{date_time, http_date};

use super::seen::Moment;
use super::table::{Id, Shape, Table, at};
use super::value::{PLACEHOLDER, Value};

/// Names with their texts: of a query, of a path, or of headers.
pub type Texts<'t> = Vec<(Cow<'t, str>, Cow<'t, str>)>;

/// A parameter of requests, a property of one that is exploded or of a form, or a header of replies.
#[derive(Clone)]
pub struct DeclaredText<'d> {
    pointer: Pointer,
    pub location: Location,
    /// `None` for any name.
    name: Option<Cow<'d, str>>,
    /// The place of the values, or of their elements; `None` if they are not compared.
    place: Option<Id>,
    style: Style,
    /// The separator of elements. Without one, each text is an element.
    separator: Option<&'static str>,
    is_required: bool,
}

impl<'d> DeclaredText<'d> {
    /// Returns what a parameter declares. Secrets are not compared: recordings have others, or none.
    pub fn parameter(it: &'d Parameter, table: &mut Table<'d>) -> Vec<Self> {
        let Serialization { style, explode, .. } = it.serialization;
        let ty = Some(&it.ty).filter(|_| !it.is_secret);
        // A whole query in JSON has no names.
        let is_named = it.location != Location::QueryString || style != Style::Json;
        let own = Self::new(&it.wire, at(&it.pointer), ty.filter(|_| is_named), it.location, table);
        let own = Self {
            name: own.name.filter(|_| is_named),
            style,
            separator: match (style, it.separator()) {
                (Style::Label, _) if explode => Some("."),
                (Style::Matrix, _) if explode => Some(";"),
                (Style::Simple | Style::Label | Style::Matrix, _) => Some(","),
                (_, separator) => separator,
            },
            ..own
        };
        let is_exploded = explode && it.location != Location::Cookie;
        match style {
            Style::Form | Style::DeepObject(_) if is_exploded => own.exploded(&it.ty, table),
            _ => vec![own.in_elements(table)],
        }
    }

    /// Returns what a header of replies declares.
    pub fn header(
        name: &'d str,
        pointer: Pointer,
        ty: Option<&'d Type>,
        table: &mut Table<'d>,
    ) -> Self {
        let own = Self::new(name, pointer, ty, Location::Header, table);
        Self { separator: Some(","), ..own }.in_elements(table)
    }

    /// Returns the properties of a form, each a text.
    pub fn form(view: &View<'d>, place: Id, table: &mut Table<'d>) -> Vec<Self> {
        let Some(ty) = table.ty(place) else { return Vec::new() };
        let own = Self::new("", view.pointer.clone(), None, Location::Query, table);
        let mut all = Self { name: None, place: Some(place), ..own }.exploded(ty, table);
        let encoded: Vec<_> = view.map("encoding").map(|(name, _)| name).collect();
        all.retain(|part| part.name.as_deref().is_some_and(|name| !encoded.contains(&name)));
        all
    }

    fn new(
        name: &'d str,
        pointer: Pointer,
        ty: Option<&'d Type>,
        location: Location,
        table: &mut Table<'d>,
    ) -> Self {
        let known = ty.filter(|ty| !is_secret(name) && !matches!(ty.innermost(), Type::Secret(_)));
        // An empty list or object is not sent, and cookies are those of the client.
        let is_sent = known.is_some_and(|ty| kind(ty, table.api).is_some())
            && !matches!(location, Location::Path | Location::Cookie);
        let view = table.document.at(pointer.clone());
        let media = view.as_ref().and_then(|view| view.content().next()?.1.schema());
        let schema = media.map_or_else(|| pointer.join("schema"), |schema| schema.pointer.clone());
        Self {
            location,
            name: Some(name.into()),
            // The type of a parameter, which nothing decodes, does not say whether any text is allowed.
            place: known
                .and_then(|ty| table.root(&schema).or_else(|| Some(table.place(ty, schema)))),
            style: Serialization::of(location).style,
            separator: None,
            is_required: is_sent && view.is_some_and(|view| view.flag("required")),
            pointer,
        }
    }

    /// Returns what is declared, as its elements if it is a list.
    fn in_elements(self, table: &mut Table<'d>) -> Self {
        let is_text = self.style != Style::Json;
        match self.place.filter(|id| is_text && matches!(table.ty(*id), Some(Type::List(_)))) {
            Some(list) => Self { place: table.content(list), ..self },
            None => Self { separator: None, ..self },
        }
    }

    /// Returns the parts of an exploded value. An object has the names of its properties (OpenAPI 3.1.1 §4.8.12.3), in the style
    /// `deepObject` in brackets after its own.
    fn exploded(self, ty: &Type, table: &mut Table<'d>) -> Vec<Self> {
        let shape = match ty {
            Type::Named(id) => table.shape(*id),
            Type::Map | Type::TypedObject | Type::Dictionary(_) => return vec![self.others()],
            _ => return vec![self.in_elements(table)],
        };
        match &*shape {
            Shape::Enum(..) => vec![self.in_elements(table)],
            Shape::Union(union) => {
                let variants = union.variants.iter();
                let all =
                    variants.filter_map(|id| Some(self.clone().exploded(table.ty(*id)?, table)));
                all.flatten().collect()
            }
            Shape::Object(object) => {
                let mut all = Vec::new();
                for id in &object.unions {
                    all.extend(self.clone().exploded(&Type::Named(*id), table));
                }
                for (name, place) in &object.properties {
                    let place = self.place.and(Some(*place)).filter(|_| !is_secret(name));
                    let name = match (self.style, &self.name) {
                        (Style::DeepObject(_), Some(own)) => format!("{own}[{name}]").into(),
                        _ => (*name).into(),
                    };
                    let part = Self { name: Some(name), place, ..self.clone() };
                    all.push(part.in_elements(table));
                }
                let is_deep = matches!(self.style, Style::DeepObject(_));
                all.extend((is_deep || object.additional.is_some()).then(|| self.others()));
                all
            }
        }
    }

    /// Returns the texts of an object that its properties do not describe.
    fn others(self) -> Self {
        let name = self.name.filter(|_| matches!(self.style, Style::DeepObject(_)));
        Self { name, place: None, ..self }
    }

    /// Returns whether a text of a name is its own. The properties of objects are `name[property]`.
    pub fn has(&self, name: &str) -> bool {
        let Some(own) = self.name.as_deref() else { return true };
        let outer = name.split(['[', '.']).next().unwrap_or(name);
        let bare = own.strip_suffix("[]").unwrap_or(own);
        match self.location {
            Location::Header => name.eq_ignore_ascii_case(own),
            _ => [name, outer].iter().any(|name| [own, bare].contains(name)),
        }
    }

    pub fn check(&self, texts: &Texts<'_>, table: &mut Table<'d>, moment: Moment) {
        let own = texts.iter().filter(|(name, _)| self.has(name));
        if self.is_required && own.clone().next().is_none() {
            let is_reply = moment.origin.status.is_some();
            let code = if is_reply { "missing-header" } else { "missing-parameter" };
            table.fault((code, "is missing"), &self.pointer, &Value::Null, moment);
        }
        let own = own.map(|(_, text)| match self.style {
            Style::Label => text.strip_prefix('.').unwrap_or(text),
            Style::Matrix => text.strip_prefix(';').unwrap_or(text),
            _ => text,
        });
        let own = own.flat_map(|text| text.split(self.separator.unwrap_or("\0")));
        let own = own.map(|text| match (self.style, text.split_once('=')) {
            (Style::Matrix, Some((name, value))) if self.has(name) => value,
            _ => text,
        });
        // Nothing is no value, and a recorder replaces texts.
        let own = own.map(str::trim).filter(|it| !it.is_empty() && !it.contains(PLACEHOLDER));
        // Further lines of a header that is no list are not read.
        let is_one = self.location == Location::Header && self.separator.is_none();
        for text in own.take(if is_one { 1 } else { usize::MAX }) {
            if let (Some(place), Some(value)) = (self.place, self.value(text, table, moment)) {
                table.walk(place, &value, moment);
            }
        }
    }

    /// Returns the value of a text; `None` if texts have none of the type, or have it in any form.
    fn value<'t>(&self, text: &'t str, table: &Table<'d>, moment: Moment) -> Option<Value<'t>> {
        let ty = table.ty(self.place?)?;
        if self.style == Style::Json {
            let parsed = Value::parse(text).map(|(value, _)| value);
            return Some(parsed.unwrap_or_else(|_| Value::Text(text.into())));
        }
        let is_time = moment.origin.status.is_some() && *ty == Type::Scalar(Scalar::Timestamp);
        // The crate reads dates of headers in several forms.
        if is_time
            && (date_time::parse(text).is_ok()
                || http_date::parse(text, DateTime::default()).is_some())
        {
            return None;
        }
        let value = match kind(ty, table.api)? {
            JsonKind::Boolean => text.parse().ok().map(Value::Bool),
            JsonKind::Number if *ty == Type::Scalar(Scalar::Float64) => {
                text.parse().ok().filter(|number: &f64| number.is_finite()).map(Value::Float)
            }
            JsonKind::Number => text.parse().ok().map(Value::Integer),
            _ => None,
        };
        Some(value.unwrap_or(Value::Text(text.into())))
    }
}

/// Returns the kind of the values of a type that have a single text.
fn kind(ty: &Type, api: &Api) -> Option<JsonKind> {
    let named = ty.named().map(|id| &api.definition(id).shape);
    let kind = match (ty, named) {
        (Type::Named(_), Some(ir::Shape::Enum(values))) => Some(values.kind.json()),
        (ty, _) => ty.kind(),
    };
    kind.filter(|kind| !matches!(kind, JsonKind::Array | JsonKind::Object))
}

/// Returns the names and the texts of a list of a message, such as its headers.
pub fn named<'t>(message: &'t Value<'_>, list: &[&str]) -> Texts<'t> {
    let text = |item: &'t Value<'_>, key| item.text(&[key]).unwrap_or_default().into();
    message.list(list).iter().map(|item| (text(item, "name"), text(item, "value"))).collect()
}

/// Returns the names and the texts of a query or a form.
pub fn pairs(text: &str) -> Texts<'_> {
    let pairs = text.split('&').filter(|pair| !pair.is_empty());
    let pairs = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    pairs.map(|(name, value)| (decoded(name).into(), decoded(value).into())).collect()
}

fn decoded(text: &str) -> String {
    percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned()
}
