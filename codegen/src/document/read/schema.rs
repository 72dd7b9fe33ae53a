//! Schemas. Large documents are mostly schemas, so each keyword is looked at once.

use super::{Object, Reader, enumeration, format, keywords, required};
use crate::diagnostics::Place;
use crate::document::{AdditionalProperties, Node, Pointer, Schema, SchemaType, Version};

const TYPES: &[(&str, SchemaType)] = &[
    ("null", SchemaType::Null),
    ("boolean", SchemaType::Boolean),
    ("integer", SchemaType::Integer),
    ("number", SchemaType::Number),
    ("string", SchemaType::String),
    ("array", SchemaType::Array),
    ("object", SchemaType::Object),
];

/// Reads a schema. What is not one is reported, and allows anything.
pub(super) fn schema(node: &Node, pointer: Pointer, reader: &mut Reader<'_>) -> Schema {
    let schema = part(node, pointer, reader);
    required::check(&schema, reader);
    schema
}

/// Reads a schema that is combined with others: what it requires may be described in those.
fn part(node: &Node, pointer: Pointer, reader: &mut Reader<'_>) -> Schema {
    match node {
        Node::Object(members) if reader.version == Version::V3_0 && node.get("$ref").is_some() => {
            reference_of_3_0(members, pointer, reader)
        }
        Node::Object(members) => {
            let mut schema = Schema { pointer, ..Schema::default() };
            for (key, value) in members {
                keyword(&mut schema, key, value, reader);
            }
            format::check(&schema, reader);
            enumeration::check(&schema, reader);
            with_reference_as_part(schema)
        }
        Node::Bool(_) => Schema { pointer, ..Schema::default() },
        Node::Null => {
            reader.no_value(&pointer, "a schema");
            Schema { pointer, ..Schema::default() }
        }
        _ => {
            reader.wrong_type(&pointer, "a schema", "an object", node);
            Schema { pointer, ..Schema::default() }
        }
    }
}

/// Makes a `$ref` the first part of an `allOf` if the schema has properties or parts beside it: all of them apply.
fn with_reference_as_part(mut schema: Schema) -> Schema {
    if !schema.properties.is_empty() || !schema.all_of.is_empty() {
        let reference = schema.reference.take();
        let part = reference.map(|target| Schema {
            pointer: schema.pointer.clone(),
            reference: Some(target),
            ..Schema::default()
        });
        schema.all_of.splice(..0, part);
    }
    schema
}

/// Reads a `$ref` of OpenAPI 3.0, where the standard ignores what is beside it.
fn reference_of_3_0(
    members: &[(String, Node)],
    pointer: Pointer,
    reader: &mut Reader<'_>,
) -> Schema {
    let mut schema = Schema { pointer, ..Schema::default() };
    for (key, value) in members {
        match key.as_str() {
            "$ref" | "description" | "nullable" | "readOnly" | "writeOnly" | "deprecated"
            | "x-rust-name" => {
                keyword(&mut schema, key, value, reader);
            }
            other if other.starts_with("x-") || keywords::HARMLESS_SIBLINGS.contains(&other) => {}
            other => reader.ref_sibling(schema.pointer.join(other), other),
        }
    }
    schema
}

fn keyword(schema: &mut Schema, key: &str, value: &Node, reader: &mut Reader<'_>) {
    let mut value = Keyword { key, value, owner: &schema.pointer, reader };
    match key {
        _ if value.is_missing() => {}
        "type" => schema.types = value.types(),
        "properties" => schema.properties = value.schemas_by_key(),
        "description" => schema.description = value.text(),
        "$ref" => {
            schema.reference = value.text();
            reader.targets.extend(schema.reference.clone());
        }
        "items" if value.value.as_array().is_some() => schema.prefix_items = value.tuple(),
        "items" => schema.items = Some(value.schema()),
        "required" => schema.required = value.required(),
        "format" => schema.format = value.text(),
        "enum" => schema.enumeration = value.array().map(<[Node]>::to_vec),
        "title" => schema.title = value.text(),
        "nullable" => schema.nullable = value.flag(),
        "readOnly" => schema.read_only = value.flag(),
        "writeOnly" => schema.write_only = value.flag(),
        "deprecated" => schema.deprecated = value.flag(),
        "default" => schema.default = Some(value.value.clone()),
        "const" => schema.constant = Some(value.value.clone()),
        "allOf" => schema.all_of = value.schemas(),
        "anyOf" => schema.any_of = value.schemas(),
        "oneOf" => schema.one_of = value.schemas(),
        "additionalProperties" => {
            schema.additional_properties = Some(value.additional_properties());
        }
        "discriminator" => value.discriminator(),
        "patternProperties" => schema.pattern_properties = value.schemas_by_key(),
        "prefixItems" => schema.prefix_items = value.schemas(),
        "x-rust-name" => schema.rust_name = value.text(),
        _ if key.starts_with("x-") || keywords::SILENT.contains(&key) => {}
        _ if keywords::UNREAD.contains(&key) => {
            value.warn_unread();
            schema.unread.push(key.to_owned());
        }
        _ => {
            let pointer = value.pointer();
            reader.unknown_field(&pointer, key, "a schema", keywords::READ, keywords::SILENT);
        }
    }
}

/// A keyword that is being read.
struct Keyword<'k, 'r, 'd> {
    key: &'k str,
    value: &'k Node,
    /// The schema that holds it.
    owner: &'k Pointer,
    reader: &'r mut Reader<'d>,
}

impl<'k> Keyword<'k, '_, '_> {
    fn pointer(&self) -> Pointer {
        self.owner.join(self.key)
    }

    fn expected(&mut self, expected: &str) {
        let (pointer, name) = (self.pointer(), format!("`{}`", self.key));
        self.reader.wrong_type(&pointer, &name, expected, self.value);
    }

    /// Returns whether a keyword is written without a value, which is reported, and the same as none.
    fn is_missing(&mut self) -> bool {
        let can_be_null = ["const", "default", "type"].contains(&self.key);
        let is_missing = self.value.is_null() && keywords::READ.contains(&self.key) && !can_be_null;
        if is_missing {
            self.reader.no_value(&self.pointer(), &format!("`{}`", self.key));
        }
        is_missing
    }

    fn text(&mut self) -> Option<String> {
        self.reader.text(self.value, &self.pointer(), &format!("`{}`", self.key))
    }

    fn flag(&mut self) -> bool {
        let flag = self.reader.flag(self.value, &self.pointer(), &format!("`{}`", self.key));
        flag.unwrap_or(false)
    }

    fn array(&mut self) -> Option<&'k [Node]> {
        let array = self.value.as_array();
        if array.is_none() {
            self.expected("an array");
        }
        array
    }

    fn schemas(&mut self) -> Vec<Schema> {
        let items = self.array().unwrap_or_default();
        if items.is_empty() && self.value.as_array().is_some() {
            let place = Place::Value(self.pointer());
            self.reader
                .diagnostics
                .warning("no-value", place, format!("`{}` lists no schema", self.key))
                .help("remove the keyword: it is read as if it were not there");
        }
        let pointer = self.pointer();
        items
            .iter()
            .enumerate()
            .map(|(index, item)| part(item, pointer.join_index(index), self.reader))
            .collect()
    }

    fn schemas_by_key(&mut self) -> Vec<(String, Schema)> {
        let Some(members) = self.value.as_object() else {
            self.expected("an object");
            return Vec::new();
        };
        let pointer = self.pointer();
        members
            .iter()
            .map(|(key, value)| (key.clone(), schema(value, pointer.join(key), self.reader)))
            .collect()
    }

    fn schema(&mut self) -> Box<Schema> {
        Box::new(schema(self.value, self.pointer(), self.reader))
    }

    /// Reads the schemas of the first elements as older drafts of JSON Schema have them.
    fn tuple(&mut self) -> Vec<Schema> {
        let place = Place::value(&self.pointer());
        let message = "`items` must be one schema, not a list of schemas";
        self.reader
            .diagnostics
            .warning("tuple-items", place, message)
            .help("list the schemas of the first elements in `prefixItems` instead");
        self.schemas()
    }

    fn types(&mut self) -> Vec<SchemaType> {
        let items = match self.value {
            Node::Array(items) => items.as_slice(),
            one => std::slice::from_ref(one),
        };
        let pointer = self.pointer();
        if items.is_empty() {
            self.reader.invalid(
                &pointer,
                "`type` must name at least one type",
                "remove the keyword to allow any type",
            );
        }
        let mut types = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let pointer = if self.value.as_array().is_some() {
                pointer.join_index(index)
            } else {
                pointer.clone()
            };
            types.extend(self.type_name(item, &pointer));
        }
        types
    }

    fn type_name(&mut self, node: &Node, pointer: &Pointer) -> Option<SchemaType> {
        if node.is_null() {
            let message = "the type `null` is not in quotes";
            self.reader
                .diagnostics
                .warning("unquoted-null", Place::value(pointer), message)
                .help("write 'null'");
            return Some(SchemaType::Null);
        }
        let Some(text) = node.as_str() else {
            let message = format!("`type` must be the name of a type, not {}", node.kind());
            self.reader.invalid(pointer, message, "write `string`, `object` or the like");
            return None;
        };
        let known = TYPES.iter().find(|(name, _)| *name == text).map(|(_, known)| *known);
        if known.is_none() {
            let help = match text {
                "file" => "write `type: string` with `format: binary`",
                "any" => "remove the keyword to allow any type",
                "float" | "double" => "write `type: number` with the name as `format`",
                "int" | "int32" | "int64" | "long" => {
                    "write `type: integer`, with `format: int32` or `format: int64`"
                }
                "date" | "datetime" | "date-time" | "uuid" => {
                    "write `type: string` with the name as `format`"
                }
                _ => "write `string`, `number`, `integer`, `boolean`, `array`, `object` or `null`",
            };
            self.reader.invalid(pointer, format!("`{text}` is not a type of JSON Schema"), help);
        }
        known
    }

    fn required(&mut self) -> Vec<String> {
        let pointer = self.pointer();
        if let Node::Bool(_) = self.value {
            self.reader
                .diagnostics
                .warning(
                    "unread",
                    Place::value(&pointer),
                    "`required` is a list of names in schemas; a boolean is not read",
                )
                .help("list the name of the property in the `required` of its object");
            return Vec::new();
        }
        let items = self.array().unwrap_or_default();
        let name = |(index, item)| {
            self.reader.text(item, &pointer.join_index(index), "the name of a property")
        };
        items.iter().enumerate().filter_map(name).collect()
    }

    fn additional_properties(&mut self) -> AdditionalProperties {
        match self.value {
            Node::Bool(value) => AdditionalProperties::Any(*value),
            Node::Object(members) if members.is_empty() => AdditionalProperties::Any(true),
            node => {
                AdditionalProperties::Schema(Box::new(schema(node, self.pointer(), self.reader)))
            }
        }
    }

    /// Checks a discriminator, and notes the schemas that it refers to.
    fn discriminator(&mut self) {
        let pointer = self.pointer();
        if self.value.as_str().is_some() {
            let message = "`discriminator` must be an object, not a string";
            self.reader.diagnostics.warning("unread", Place::value(&pointer), message).help(
                "write an object with the name as `propertyName`: a plain name is Swagger 2.0",
            );
            return;
        }
        let Some(mut object) = Object::open(self.value, pointer, "a discriminator", self.reader)
        else {
            return;
        };
        let help = "name the property that distinguishes the schemas";
        object.required_string("propertyName", help, self.reader);
        for (_, node, pointer) in object.map("mapping", self.reader) {
            let target = self.reader.text(node, &pointer, "a schema of the mapping");
            self.reader.targets.extend(target.filter(|target| target.contains('#')));
        }
        if self.reader.version == Version::V3_2 {
            object.unread(
                "defaultMapping",
                "values that are not mapped are kept as they are",
                self.reader,
            );
        }
        object.close(self.reader);
    }

    fn warn_unread(&mut self) {
        let place = Place::Key(self.pointer());
        self.reader
            .diagnostics
            .warning("unread", place, format!("the keyword `{}` is not read", self.key))
            .help("the type is that of the other keywords of the schema");
    }
}
