//! Annotations of a schema: its documentation, and the messages that can contain its values.

use std::ops::Range;

use crate::document::{MAX_CHAIN, Node, Schema};
use crate::facts::composition::wrapped;
use crate::facts::{Known, Limits, is_silent};
use crate::ir::{Access, Docs, Type};
use crate::lower::classify::{SchemaKind, classify};
use crate::lower::schemas::protobuf_oneof;

/// The annotations of schemas that apply to the same value. The first schema that has one decides.
#[derive(Clone, Copy, Debug, Default)]
pub struct Annotations<'d> {
    pub description: Option<&'d str>,
    pub title: Option<&'d str>,
    pub default: Option<&'d Node>,
    pub limits: Limits<'d>,
    /// The description of the named type that the schema refers to.
    of_type: Option<&'d str>,
    is_deprecated: bool,
    is_read: bool,
    is_written: bool,
}

impl<'d> Annotations<'d> {
    /// Reads the annotations of a schema, of the schemas that it only wraps, and of the targets of its references.
    pub fn of(schema: &Schema<'d>, known: &Known<'d>) -> Self {
        Self::of_all(std::slice::from_ref(schema), known)
    }

    /// Reads the annotations of schemas, the most important one first.
    pub fn of_all(schemas: &[Schema<'d>], known: &Known<'d>) -> Self {
        let mut annotations = Self::default();
        let innermost = schemas.iter().map(|schema| {
            annotations.add(schema);
            annotations.add_wrapped(schema.clone())
        });
        for schema in innermost.collect::<Vec<_>>() {
            annotations.add_targets(schema, known);
        }
        annotations
    }

    /// Returns the documentation: the text of a named type only if there is no other, and of it only the first paragraph,
    /// with the items of a list.
    pub fn docs(&self) -> Docs {
        let first = self.of_type.map(str::trim).map(|text| {
            let is_item = |text: &str| text.starts_with("* ") || text.starts_with("- ");
            let mut ends = text.match_indices("\n\n").map(|(end, _)| end);
            let end = ends.find(|end| !is_item(&text[end + 2..]));
            end.map_or(text, |end| &text[..end])
        });
        docs(self.description, self.title.or(first), self.is_deprecated)
    }

    /// Returns the documentation of a named item, without a title that only repeats the name, as frameworks write.
    pub fn docs_of(&self, name: &str) -> Docs {
        let letters = |text: &str| {
            text.to_lowercase().chars().filter(|char| char.is_alphanumeric()).collect::<String>()
        };
        let title = self.title.filter(|title| letters(title) != letters(name));
        Self { title, ..*self }.docs()
    }

    /// Adds a line about values, with the default that servers assume. Returns also the bytes about limits and examples.
    /// Those of secrets have neither a default nor an example.
    pub fn with_values(
        &self,
        docs: Docs,
        name: &str,
        ty: &Type,
        is_secret: bool,
    ) -> (Docs, Range<usize>) {
        let is_secret = is_secret || *ty.innermost() != Type::BOOL && secret_names::is_secret(name);
        let text = docs.text.as_deref().unwrap_or_default();
        let default = self.default.filter(|_| !is_secret);
        let limits = self.limits.line(ty, is_secret, default, text);
        let default = default.and_then(Limits::default).unwrap_or_default();
        let line = format!("{limits}{default}").trim_end().to_owned();
        if line.is_empty() {
            return (docs, 0..0);
        }
        let docs = with_paragraph(docs, &line);
        let end = docs.text.as_ref().map_or(0, String::len);
        (docs, end - line.len()..end - default.len())
    }

    /// Returns the messages that can contain the values.
    pub fn access(&self) -> Access {
        match (self.is_read, self.is_written) {
            (true, false) => Access::Read,
            (false, true) => Access::Write,
            _ => Access::Both,
        }
    }

    fn add(&mut self, schema: &Schema<'d>) {
        self.description = self.description.or(schema.description());
        self.title = self.title.or(schema.title());
        self.default = self.default.or(schema.default_value());
        self.limits.add(schema);
        self.is_deprecated |= schema.flag("deprecated");
        self.add_access(schema);
    }

    fn add_access(&mut self, schema: &Schema<'d>) {
        self.is_read |= schema.flag("readOnly");
        self.is_written |= schema.flag("writeOnly");
    }

    /// Adds the schemas that a schema wraps; returns the innermost one.
    fn add_wrapped(&mut self, mut schema: Schema<'d>) -> Schema<'d> {
        loop {
            schema.all_of().iter().filter(|part| is_silent(part)).for_each(|part| self.add(part));
            let Some(inner) = wrapped(&schema) else { return schema };
            self.add(&inner);
            schema = inner;
        }
    }

    /// Adds the targets of the references of a schema, up to a named type.
    fn add_targets(&mut self, schema: Schema<'d>, known: &Known<'d>) {
        let is_deprecated = self.is_deprecated;
        let mut current = schema;
        for _ in 0..MAX_CHAIN {
            let Some(target) = current.target() else { break };
            if let SchemaKind::Named(_) | SchemaKind::Alternatives(..) =
                classify(&target, true, known).kind
            {
                self.of_type = self.of_type.or(target.description());
                self.default = self.default.or(target.default_value());
                self.add_access(&target);
                break;
            }
            self.add(&target);
            current = self.add_wrapped(target);
        }
        self.is_deprecated = is_deprecated;
    }
}

/// Returns the documentation of an item: its description without `oneof` comments, or else its title.
pub fn docs(description: Option<&str>, title: Option<&str>, deprecated: bool) -> Docs {
    let own = description
        .map(|text| protobuf_oneof::parse(text).rest)
        .filter(|text| !text.trim().is_empty());
    let text = own.as_deref().or(title).map(str::trim).filter(|text| !text.is_empty());
    Docs { text: text.map(str::to_owned), deprecated }
}

pub fn with_paragraph(docs: Docs, paragraph: &str) -> Docs {
    let text = docs.text.map_or_else(String::new, |text| text + "\n\n") + paragraph;
    Docs { text: Some(text), ..docs }
}
