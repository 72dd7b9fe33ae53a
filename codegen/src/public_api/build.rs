//! The model of what is emitted for an API.

use super::frame;
use super::text::{item, member};
use super::types::{argument, boxed, of_field, parameter, path, plain, setter, spelling};
use super::{ALIAS, Argument, FEATURES, Item, ItemKind, Member, MemberKind, PublicApi};
use crate::ir::{
    Access, Api, Body, Docs, Field, FieldWire, OpenEnum, Operation, Output, Parameter, Resource,
    Rest, Shape, Struct, Type, TypeDef, TypeName, Union,
};

/// Returns the public items of the crate that is emitted for an API.
pub fn of(api: &Api, package: &str) -> PublicApi {
    let mut list = PublicApi {
        library: package.replace('-', "_"),
        spec_version: api.version.clone(),
        ..PublicApi::default()
    };
    list.items.extend(frame::ITEMS.iter().filter_map(|line| item(line)));
    for (_, definition) in api.definitions() {
        list.add_model(definition, api);
    }
    let mut client = Item::with_traits(ItemKind::Struct, frame::CLIENT_TRAITS);
    client.add_fixed(frame::CLIENT_MEMBERS);
    if api.base_url.is_some() {
        client.add(MemberKind::Const, "DEFAULT_BASE_URL", Member::of("&'static str"));
    }
    for resource in &api.resources {
        list.add_resource(resource, api, &mut client);
    }
    list.items.insert("Client".to_owned(), client);
    let features: Vec<&str> = api.features().into_iter().collect();
    let operations = if features.is_empty() { "" } else { ", operations" };
    list.add_feature("default", format!("reqwest, tls-ring{operations}"), "");
    if !features.is_empty() {
        list.add_feature("operations", features.join(", "), "");
    }
    list
}

impl PublicApi {
    fn add_feature(&mut self, name: &str, target: String, place: &str) {
        let item = Item { target, place: place.to_owned(), ..Item::new(ItemKind::Feature) };
        self.items.insert([FEATURES, name].concat(), item);
    }

    fn add_module(&mut self, path: &str, place: &str) {
        let item = Item { place: place.to_owned(), ..Item::new(ItemKind::Module) };
        self.items.entry(path.to_owned()).or_insert(item);
    }

    fn add_model(&mut self, definition: &TypeDef, api: &Api) {
        let mut item = match &definition.shape {
            Shape::Struct(object) => model(object, definition, api),
            Shape::Enum(values) => open_enum(values),
            Shape::Union(union) => self::union(union, definition, api),
        };
        item.schema = definition.component().map(|key| format!("{key:?}"));
        item.deprecated = definition.docs.deprecated;
        item.place.clone_from(&definition.pointer);
        item.docs = definition.docs.text.clone().unwrap_or_default();
        let path = path(definition);
        for (at, _) in path.match_indices("::") {
            self.add_module(&path[..at], &definition.pointer);
        }
        self.add_aliases(&path, definition.aliases.iter().map(TypeName::as_str), &item.place);
        self.items.insert(path, item);
    }

    /// Adds the old names of a type, beside it.
    fn add_aliases<'n>(
        &mut self,
        path: &str,
        old_names: impl Iterator<Item = &'n str>,
        place: &str,
    ) {
        let module = path.rsplit_once("::").map_or("", |(module, _)| module);
        for name in old_names {
            let alias = Item {
                deprecated: true,
                target: path.to_owned(),
                place: place.to_owned(),
                ..Item::new(ItemKind::Alias)
            };
            self.items.insert(format!("{module}::{name}"), alias);
        }
    }

    fn add_resource(&mut self, resource: &Resource, api: &Api, client: &mut Item) {
        let place = resource.operations.first().map_or("", |operation| operation.pointer.as_str());
        let module = format!("resources::{}", resource.module);
        let path = format!("{module}::{}", resource.name);
        self.add_module(&module, place);
        let mut handle = Item::with_traits(ItemKind::Struct, frame::HANDLE_TRAITS);
        place.clone_into(&mut handle.place);
        for operation in &resource.operations {
            let builder = format!("{module}::{}", operation.builder);
            let method = method(operation, &builder, api);
            for name in &operation.aliases {
                let facts = ALIAS.to_owned();
                let alias = Member { deprecated: true, facts, ..method.clone() };
                handle.add(MemberKind::Method, name.as_str(), alias);
            }
            let old_names = operation.builder_aliases.iter().map(TypeName::as_str);
            self.add_aliases(&builder, old_names, &operation.pointer);
            handle.add(MemberKind::Method, operation.method_name.as_str(), method);
            self.items.insert(builder, request(operation, api));
        }
        let mut accessor = Member { arguments: vec![receiver("&self")], ..Member::of(&path) };
        place.clone_into(&mut accessor.place);
        if let Some(feature) = &resource.feature {
            accessor.facts = format!(" if feature {feature:?}");
            self.add_feature(feature, String::new(), place);
        }
        client.add(MemberKind::Method, resource.accessor.as_str(), accessor);
        self.items.insert(path, handle);
    }
}

impl Item {
    pub(super) fn new(kind: ItemKind) -> Self {
        Self {
            kind,
            schema: None,
            deprecated: false,
            traits: Vec::new(),
            target: String::new(),
            members: std::collections::BTreeMap::new(),
            place: String::new(),
            docs: String::new(),
        }
    }

    fn with_traits(kind: ItemKind, traits: &str) -> Self {
        Self { traits: traits.split_whitespace().map(str::to_owned).collect(), ..Self::new(kind) }
    }

    fn add(&mut self, kind: MemberKind, name: &str, member: Member) {
        self.members.insert((kind, name.to_owned()), member);
    }

    fn add_fixed(&mut self, lines: &[&str]) {
        self.members.extend(lines.iter().filter_map(|line| member(line)));
    }

    fn add_setter(&mut self, name: &str, ty: String, facts: String, docs: &Docs, place: &str) {
        let value =
            Argument { name: "value".to_owned(), ty, facts: String::new(), place: String::new() };
        let setter = Member {
            arguments: vec![receiver("self"), value],
            ty: "Self".to_owned(),
            facts,
            ..Member::documented(docs, place)
        };
        self.add(MemberKind::Method, name, setter);
    }
}

impl Member {
    fn of(ty: &str) -> Self {
        Self { ty: ty.to_owned(), ..Self::default() }
    }

    fn documented(docs: &Docs, place: &str) -> Self {
        Self {
            deprecated: docs.deprecated,
            place: place.to_owned(),
            docs: docs.text.clone().unwrap_or_default(),
            ..Self::default()
        }
    }
}

fn receiver(name: &str) -> Argument {
    Argument {
        name: name.to_owned(),
        ty: String::new(),
        facts: String::new(),
        place: String::new(),
    }
}

fn model(object: &Struct, definition: &TypeDef, api: &Api) -> Item {
    let mut item = Item::with_traits(ItemKind::Struct, frame::STRUCT_TRAITS);
    for field in &object.fields {
        let member = Member {
            ty: of_field(field, api),
            facts: facts(field),
            ..Member::documented(&field.docs, &field.pointer)
        };
        item.add(MemberKind::Field, field.name.as_str(), member);
        if definition.in_requests && field.access != Access::Read {
            let (name, ty) = (field.name.as_str(), setter(&field.ty, api));
            item.add_setter(name, ty, String::new(), &field.docs, &field.pointer);
        }
    }
    if let Rest::Additional(name, ty) = &object.rest {
        let ty = match ty {
            Type::Value => Type::Map,
            ty => Type::Dictionary(Box::new(ty.clone())),
        };
        let member = Member {
            ty: plain(&ty, api),
            facts: format!(" as additional{}", spelling(&ty)),
            place: definition.pointer.clone(),
            ..Member::default()
        };
        item.add(MemberKind::Field, name.as_str(), member);
        if definition.in_requests {
            let ty = format!("impl Into<{}>", plain(&ty, api));
            let docs = Docs::default();
            item.add_setter(name.as_str(), ty, String::new(), &docs, &definition.pointer);
        }
    }
    if !definition.in_requests {
        return item;
    }
    let arguments = object.arguments().map(|field| Argument {
        name: field.name.to_string(),
        ty: argument(&field.ty, api),
        facts: String::new(),
        place: field.pointer.clone(),
    });
    let constructor = Member { arguments: arguments.collect(), ..Member::of("Self") };
    item.add(
        MemberKind::Method,
        "new",
        Member { place: definition.pointer.clone(), ..constructor },
    );
    item
}

fn facts(field: &Field) -> String {
    let required = if field.required || field.null { " required" } else { "" };
    match &field.wire {
        FieldWire::Property(name) => format!(" as {name:?}{}{required}", spelling(&field.ty)),
        FieldWire::Flattened => format!(" as oneof{required}"),
    }
}

fn open_enum(values: &OpenEnum) -> Item {
    let mut item = Item::with_traits(ItemKind::Enum, frame::ENUM_TRAITS);
    item.add_fixed(frame::ENUM_MEMBERS);
    for variant in &values.variants {
        let member = Member {
            facts: format!(" as {:?}", variant.value),
            place: variant.pointer.clone(),
            ..Member::default()
        };
        item.add(MemberKind::Variant, variant.name.as_str(), member);
    }
    item
}

fn union(union: &Union, definition: &TypeDef, api: &Api) -> Item {
    let mut item = Item::with_traits(ItemKind::Enum, frame::UNION_TRAITS);
    item.add_fixed(frame::UNION_MEMBERS);
    let conversions = api.conversions(definition, union);
    item.traits.extend(conversions.map(|(_, ty)| format!("From<{}>", plain(ty, api))));
    for variant in api.constructors(definition, union) {
        let member =
            Member { ty: "Self".to_owned(), ..Member::documented(&variant.docs, &variant.pointer) };
        item.add(MemberKind::Method, variant.constructor.as_str(), member);
    }
    for variant in &union.variants {
        let member = Member {
            ty: boxed(&variant.ty, variant.boxed, api),
            facts: format!(" as {:?}{}", variant.property, spelling(&variant.ty)),
            ..Member::documented(&variant.docs, &variant.pointer)
        };
        item.add(MemberKind::Variant, variant.name.as_str(), member);
    }
    item
}

/// Returns the parameters of an operation that are not in its path, with the place that each is sent in.
fn parameters(operation: &Operation) -> impl Iterator<Item = (&Parameter, &'static str)> {
    let query = operation.query_parameters.iter().map(|parameter| (parameter, "query"));
    query.chain(operation.header_parameters.iter().map(|parameter| (parameter, "header")))
}

/// Returns the method of a handle that begins a request.
fn method(operation: &Operation, builder: &str, api: &Api) -> Member {
    let sent = |(parameter, location): (&Parameter, &str)| Argument {
        name: parameter.name.to_string(),
        ty: types_of(parameter, api),
        facts: format!(" as {location} {:?}{}", parameter.wire, spelling(&parameter.ty)),
        place: parameter.pointer.clone(),
    };
    let mut arguments = vec![receiver("&self")];
    let path = operation.path_parameters.iter().map(|parameter| (parameter, "path"));
    arguments.extend(path.map(sent));
    arguments.extend(parameters(operation).filter(|(found, _)| found.required).map(sent));
    match &operation.body {
        Body::Fields(id, members) => {
            let required = api.given(*id, members).filter(|(_, field)| field.required);
            arguments.extend(required.map(|(name, field)| Argument {
                name: name.to_string(),
                ty: argument(&field.ty, api),
                facts: format!(" as body{}", &facts(field)[3..]),
                place: field.pointer.clone(),
            }));
        }
        Body::Whole { ty, required: true } => arguments.push(Argument {
            name: "body".to_owned(),
            ty: argument(ty, api),
            facts: " as body".to_owned(),
            place: format!("{}/requestBody", operation.pointer),
        }),
        Body::None | Body::EmptyObject | Body::Whole { .. } => {}
    }
    let documented = Member::documented(&operation.docs, &operation.pointer);
    Member { arguments, ty: builder.to_owned(), ..documented }
}

fn types_of(parameter: &Parameter, api: &Api) -> String {
    self::parameter(&parameter.ty, api)
}

/// Returns the name of the argument for a required field of the body.
/// Returns the request of an operation.
fn request(operation: &Operation, api: &Api) -> Item {
    let mut item = Item::with_traits(ItemKind::Struct, frame::REQUEST_TRAITS);
    item.place.clone_from(&operation.pointer);
    let sent = |facts| Member { facts, place: operation.pointer.clone(), ..Member::default() };
    let verb = operation.http_method;
    let line = format!(" {verb} {} {:?}", operation.path, operation.id);
    item.add(MemberKind::Operation, "", sent(line));
    let output = match &operation.output {
        Output::Nothing | Output::EmptyObject => "()".to_owned(),
        Output::Json(ty) => plain(ty, api),
    };
    item.add_fixed(frame::REQUEST_MEMBERS);
    for (parameter, location) in parameters(operation).filter(|(found, _)| !found.required) {
        let facts = format!(" as {location} {:?}{}", parameter.wire, spelling(&parameter.ty));
        let (name, ty) = (parameter.name.as_str(), types_of(parameter, api));
        item.add_setter(name, ty, facts, &parameter.docs, &parameter.pointer);
    }
    let body = body(operation, &mut item, api);
    item.add(MemberKind::Body, "", Member { ty: body, ..sent(String::new()) });
    if let Some(paging) = &operation.paging {
        let is_described = paging.token.is_some();
        item.add_fixed(if is_described { frame::PAGED_MEMBERS } else { frame::PAGED_BY_MEMBERS });
        let facts = format!(" as {} by {}", paging.items, paging.next_token);
        let member = Member { ty: plain(&paging.item, api), ..sent(facts) };
        item.add(MemberKind::Items, "", member);
    }
    item.add(MemberKind::Output, "", Member { ty: output, ..sent(String::new()) });
    for member in item.members.values_mut().filter(|member| member.place.is_empty()) {
        member.place.clone_from(&operation.pointer);
    }
    item
}

/// Adds the setters of a body, and returns its type.
fn body(operation: &Operation, item: &mut Item, api: &Api) -> String {
    match &operation.body {
        Body::None => "none".to_owned(),
        Body::EmptyObject => "{}".to_owned(),
        Body::Fields(id, members) => {
            let definition = api.definition(id.type_id());
            for (name, field) in api.given(*id, members).filter(|(_, field)| !field.required) {
                let facts = format!(" as body{}", &facts(field)[3..]);
                let ty = setter(&field.ty, api);
                item.add_setter(name.as_str(), ty, facts, &field.docs, &field.pointer);
            }
            let place = format!("{}/requestBody", operation.pointer);
            let ty = path(definition);
            item.add_setter("body", ty.clone(), " as body".to_owned(), &Docs::default(), &place);
            ty
        }
        Body::Whole { ty, required } => {
            if !required {
                let place = format!("{}/requestBody", operation.pointer);
                let facts = " as body".to_owned();
                item.add_setter("body", setter(ty, api), facts, &Docs::default(), &place);
            }
            plain(ty, api)
        }
    }
}
