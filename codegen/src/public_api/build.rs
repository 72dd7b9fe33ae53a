//! The model of what is emitted for an API.

use std::collections::BTreeMap;

use super::{ALIAS, Argument, FEATURES, Item, ItemKind, Member, MemberKind, PublicApi, frame};
use crate::ir::{
    Api, Body, Docs, Field, FieldWire, OpenEnum, Operation, Parameter, Resource, Shape, Struct,
    Type, TypeDef, Union,
};
use crate::items::{self, Input, Target, Ty, models, requests};

/// Returns the public items of the crate that is emitted for an API.
pub fn of(api: &Api, package: &str) -> PublicApi {
    let (frame, items): (BTreeMap<_, _>, BTreeMap<_, _>) =
        frame::items().items.into_iter().partition(|(path, _)| path.starts_with("frame::"));
    let mut list =
        PublicApi { library: package.replace('-', "_"), spec_version: api.version.clone(), items };
    let mut builder = Builder { api, frame, list: &mut list };
    for (_, definition) in api.definitions() {
        builder.add_model(definition);
    }
    for resource in &api.resources {
        builder.add_resource(resource);
    }
    if api.base_url.is_some() {
        builder.add_to_client(MemberKind::Const, "DEFAULT_BASE_URL", Member::of("&'static str"));
    }
    builder.add_features();
    builder.add_aliases();
    list
}

struct Builder<'a> {
    api: &'a Api,
    /// What all types of a kind have.
    frame: BTreeMap<String, Item>,
    list: &'a mut PublicApi,
}

impl Builder<'_> {
    fn frame(&self, name: &str) -> Item {
        self.frame[&["frame::", name].concat()].clone()
    }

    fn insert(&mut self, path: &str, kind: ItemKind, target: &str, place: &str) {
        let whole = Member { place: place.to_owned(), ..Member::of(target) };
        self.list.items.insert(path.to_owned(), Item { whole, ..Item::new(kind) });
    }

    fn add_to_client(&mut self, kind: MemberKind, name: &str, member: Member) {
        self.list
            .items
            .entry("Client".to_owned())
            .and_modify(|client| client.add(kind, name, member));
    }

    fn add_features(&mut self) {
        let features = items::features::of_resources(self.api);
        let default = items::features::default(self.api).join(", ");
        self.insert("features::default", ItemKind::Feature, &default, "");
        if !features.is_empty() {
            let all = features.join(", ");
            self.insert("features::operations", ItemKind::Feature, &all, "");
        }
    }

    /// Adds the modules that a path lies in, unless they are there.
    fn add_modules(&mut self, path: &str, place: &str) {
        for (at, _) in path.match_indices("::") {
            if !self.list.items.contains_key(&path[..at]) {
                self.insert(&path[..at], ItemKind::Module, "", place);
            }
        }
    }

    fn add_model(&mut self, definition: &TypeDef) {
        let mut item = match &definition.shape {
            Shape::Struct(object) => self.model(object, definition),
            Shape::Enum(values) => self.open_enum(values),
            Shape::Union(union) => self.union(union, definition),
        };
        item.schema = definition.component().map(|key| format!("{key:?}"));
        item.whole = Member::documented(&definition.docs, &definition.pointer);
        let path = definition.path();
        self.add_modules(&path, &definition.pointer);
        self.list.items.insert(path, item);
    }

    fn model(&self, object: &Struct, definition: &TypeDef) -> Item {
        let api = self.api;
        let mut item = self.frame("Model");
        for input in models::setters(definition, object, api) {
            let documented = input.documented(&definition.pointer);
            let setter = documented.into_setter(&input.ty, "");
            item.add(MemberKind::Method, input.name, setter);
        }
        for field in &object.fields {
            let documented = Member::documented(&field.docs, &field.pointer);
            let (ty, facts) = (Ty::field(field, api).to_string(), facts(field));
            item.add(MemberKind::Field, field.name.as_str(), Member { ty, facts, ..documented });
        }
        if let Some((name, ty)) = &object.additional {
            let facts = format!(" as additional{}", spelling(ty));
            let place = Member::at(&definition.pointer);
            let ty = Ty::additional(ty, api).to_string();
            item.add(MemberKind::Field, name.as_str(), Member { ty, facts, ..place });
        }
        if let Some(inputs) = models::constructor(definition, object, api) {
            let arguments = inputs.iter().map(|input| Argument {
                facts: String::new(),
                ..Argument::of(input, &definition.pointer)
            });
            let (arguments, ty) = (arguments.collect(), "Self".to_owned());
            let constructor = Member { arguments, ty, ..Member::at(&definition.pointer) };
            item.add(MemberKind::Method, "new", constructor);
        }
        item
    }

    fn open_enum(&self, values: &OpenEnum) -> Item {
        let mut item = self.frame("OpenEnum");
        for variant in &values.variants {
            let facts = format!(" as {:?}", variant.value);
            let member = Member { facts, ..Member::at(&variant.pointer) };
            item.add(MemberKind::Variant, variant.name.as_str(), member);
        }
        item
    }

    fn union(&self, union: &Union, definition: &TypeDef) -> Item {
        let api = self.api;
        let mut item = self.frame("Union");
        for variant in models::conversions(definition, union, api) {
            let name = format!("From<{}>", Ty::new(&variant.ty, api));
            item.add(MemberKind::Trait, &name, Member::at(&variant.pointer));
        }
        for variant in models::constructors(definition, union, api) {
            let documented = Member::documented(&variant.docs, &variant.pointer);
            let constructor = Member { ty: "Self".to_owned(), ..documented };
            item.add(MemberKind::Method, variant.constructor.as_str(), constructor);
        }
        for variant in &union.variants {
            let member = Member {
                ty: Ty::payload(&variant.ty, variant.boxed, api).to_string(),
                facts: format!(" as {:?}{}", variant.property, spelling(&variant.ty)),
                ..Member::documented(&variant.docs, &variant.pointer)
            };
            item.add(MemberKind::Variant, variant.name.as_str(), member);
        }
        item
    }

    fn add_resource(&mut self, resource: &Resource) {
        let place = resource.operations.first().map_or("", |operation| operation.pointer.as_str());
        let path = requests::handle(resource).to_string();
        self.add_modules(&path, place);
        let mut handle = self.frame("Handle");
        handle.whole = Member::at(place);
        for operation in &resource.operations {
            let builder = requests::request(resource, operation).to_string();
            let method = self.method(operation, &builder);
            handle.add(MemberKind::Method, operation.method_name.as_str(), method);
            let request = self.request(operation);
            self.list.items.insert(builder, request);
        }
        let mut accessor = Member { arguments: vec![receiver("&self")], ..Member::of(&path) };
        place.clone_into(&mut accessor.place);
        if let Some(feature) = &resource.feature {
            accessor.facts = format!(" if feature {feature:?}");
            self.insert(&[FEATURES, feature].concat(), ItemKind::Feature, "", place);
        }
        self.add_to_client(MemberKind::Method, resource.accessor.as_str(), accessor);
        self.list.items.insert(path, handle);
    }

    /// Returns the method of a handle that begins a request.
    fn method(&self, operation: &Operation, builder: &str) -> Member {
        let inputs = requests::arguments(operation, self.api);
        let body = body_place(operation);
        let arguments = inputs.iter().map(|input| Argument::of(input, &body));
        let arguments = [receiver("&self")].into_iter().chain(arguments).collect();
        let documented = Member::documented(&operation.docs, &operation.pointer);
        Member { arguments, ty: builder.to_owned(), ..documented }
    }

    /// Returns the request of an operation.
    fn request(&self, operation: &Operation) -> Item {
        let api = self.api;
        let place = || Member::at(&operation.pointer);
        let mut item = self.frame("Request");
        for input in requests::setters(operation, api) {
            let documented = input.documented(&body_place(operation));
            let setter = documented.into_setter(&input.ty, &sent(&input));
            item.add(MemberKind::Method, input.name, setter);
        }
        let body = match (&operation.body, requests::body(operation, api)) {
            (_, Some(ty)) => ty.to_string(),
            (Body::EmptyObject, None) => "{}".to_owned(),
            (_, None) => "none".to_owned(),
        };
        item.add(MemberKind::Body, "", Member { ty: body, ..place() });
        if let Some(paging) = &operation.paging {
            item.members.extend(self.frame("PagedBy").members);
            if paging.token.is_some() {
                item.members.extend(self.frame("Paged").members);
            }
            let facts = format!(" as {} by {}", paging.items, paging.next_token);
            let ty = Ty::new(&paging.item, api).to_string();
            item.add(MemberKind::Items, "", Member { ty, facts, ..place() });
        }
        let ty = requests::output(operation, api).to_string();
        item.add(MemberKind::Output, "", Member { ty, ..place() });
        let verb = operation.http_method;
        let facts = format!(" {verb} {} {:?}", operation.path, operation.id);
        item.add(MemberKind::Operation, "", Member { facts, ..place() });
        for member in item.members.values_mut().filter(|member| member.place.is_empty()) {
            member.place.clone_from(&operation.pointer);
        }
        Item { whole: place(), ..item }
    }

    /// Adds the old names of types and members.
    fn add_aliases(&mut self) {
        for (path, target) in &self.api.aliases.types {
            let Some(item) = self.list.items.get(target) else { continue };
            let place = item.whole.place.clone();
            self.add_modules(path, &place);
            let whole = Member { deprecated: true, place, ..Member::of(target) };
            self.list.items.insert(path.clone(), Item { whole, ..Item::new(ItemKind::Alias) });
        }
        for (target, old_names) in &self.api.aliases.members {
            let Some((path, name)) = target.rsplit_once("::") else { continue };
            let Some(item) = self.list.items.get_mut(path) else { continue };
            for kind in [MemberKind::Method, MemberKind::Variant] {
                let Some(member) = item.members.get(&(kind, name.to_owned())).cloned() else {
                    continue;
                };
                let (kind, ty) = match kind {
                    MemberKind::Variant => (MemberKind::Const, "Self".to_owned()),
                    kind => (kind, member.ty.clone()),
                };
                let facts = [ALIAS, name].concat();
                let alias = Member { ty, facts, deprecated: true, ..member };
                for old_name in old_names {
                    item.add(kind, old_name.as_str(), alias.clone());
                }
            }
        }
    }
}

impl Item {
    fn add(&mut self, kind: MemberKind, name: &str, member: Member) {
        self.members.insert((kind, name.to_owned()), member);
    }
}

impl Member {
    fn of(ty: &str) -> Self {
        Self { ty: ty.to_owned(), ..Self::default() }
    }

    fn at(place: &str) -> Self {
        Self { place: place.to_owned(), ..Self::default() }
    }

    fn documented(docs: &Docs, place: &str) -> Self {
        let text = docs.text.clone().unwrap_or_default();
        Self { deprecated: docs.deprecated, docs: text, ..Self::at(place) }
    }

    fn into_setter(self, ty: &Ty, facts: &str) -> Self {
        let value =
            Argument { name: "value".to_owned(), ty: ty.to_string(), ..Argument::default() };
        let arguments = vec![receiver("self"), value];
        Self { arguments, ty: "Self".to_owned(), facts: facts.to_owned(), ..self }
    }
}

impl Argument {
    /// Lists an argument, at a place unless the spec has one for it alone.
    fn of(input: &Input<'_>, otherwise: &str) -> Self {
        let place = input.documented(otherwise).place;
        Self { name: input.name.to_owned(), ty: input.ty.to_string(), facts: sent(input), place }
    }
}

impl Input<'_> {
    /// Returns a member with the documentation of the input, at a place unless the spec has one for it alone.
    fn documented(&self, otherwise: &str) -> Member {
        match self.target {
            Target::Field(field) => Member::documented(&field.docs, &field.pointer),
            Target::Parameter(parameter) => Member::documented(&parameter.docs, &parameter.pointer),
            Target::Additional(_) | Target::Body(_) | Target::WholeBody => Member::at(otherwise),
        }
    }
}

/// Returns the facts of an argument or a setter of a request.
fn sent(input: &Input<'_>) -> String {
    match input.target {
        Target::Field(field) => in_body(field),
        Target::Parameter(parameter) => of_parameter(parameter),
        Target::Additional(_) => String::new(),
        Target::Body(_) | Target::WholeBody => " as body".to_owned(),
    }
}

/// Names the form of a type on the wire, where it is not the natural one of its Rust type.
fn spelling(ty: &Type) -> &'static str {
    match ty {
        Type::Int64Text | Type::UInt64Text => " text",
        Type::List(inner) | Type::Dictionary(inner) | Type::Secret(inner) => spelling(inner),
        _ => "",
    }
}

fn receiver(name: &str) -> Argument {
    Argument { name: name.to_owned(), ..Argument::default() }
}

fn facts(field: &Field) -> String {
    let required = if field.required || field.null { " required" } else { "" };
    match &field.wire {
        FieldWire::Property(name) => format!(" as {name:?}{}{required}", spelling(&field.ty)),
        FieldWire::Flattened => format!(" as oneof{required}"),
    }
}

/// Returns the facts of a field whose values are arguments or setters of a request.
fn in_body(field: &Field) -> String {
    facts(field).replacen(" as", " as body", 1)
}

/// Returns the facts of a parameter.
fn of_parameter(parameter: &Parameter) -> String {
    let location = parameter.location.name();
    let list = match (&parameter.ty, parameter.separator) {
        (Type::List(_), Some(separator)) => format!(" separated by {separator:?}"),
        (Type::List(_), None) => " repeated".to_owned(),
        _ => String::new(),
    };
    format!(" as {location} {:?}{}{list}", parameter.wire, spelling(&parameter.ty))
}

fn body_place(operation: &Operation) -> String {
    format!("{}/requestBody", operation.pointer)
}
