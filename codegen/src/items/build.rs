//! The list of the public items, from the IR.

use super::about::About;
use super::gates::Gates;
use super::item::{
    Argument, Body, Definition, Item, ItemKind, Items, Method, Operation, Receiver, Signature,
};
use super::print::quoted;
use super::requests::RequestItems;
use super::template::Template;
use super::wire::{Wire, WireForm, WireProperty};
use super::{
    Input, Path, PublicApi, Security, Setting, Target, Ty, common, conventions, credentials,
    features, models, replies, requests, rules, servers,
};
use crate::ir::{
    self, Api, Decision, Encoding, EnumKind, Null, OpenEnum, ReplyEnum, Resource, Shape, Struct,
    TypeDef, Union,
};

/// The properties of a package that its spec does not have.
pub(crate) struct Package<'a> {
    /// The name of the library.
    pub(crate) library: String,
    /// The prefix of the environment variables.
    pub(crate) env_prefix: String,
    /// The pattern of the identifier of requests in error messages.
    pub(crate) request_id: Option<&'a str>,
}

impl PublicApi {
    /// Lists the public items of the crate that is emitted for an API.
    pub(crate) fn new(api: &Api, package: Package<'_>) -> Self {
        let mut list = Self {
            library: package.library,
            spec_version: api.version.clone(),
            base_url_template: api.base_url_template.clone(),
            ..Self::default()
        };
        common::add_to(&mut list);
        let gates = Gates::new(api);
        for (id, definition) in api.definitions() {
            let features = gates.gate(id).map_or_else(Vec::new, |gate| gate.implied_by.clone());
            list.add_model(definition, features, api);
        }
        for resource in &api.resources {
            list.add_resource(resource, api);
        }
        if api.base_url.is_some() {
            let ty = Ty::StaticRef(Box::new(Ty::Str));
            let value = api.base_url.clone();
            let constant = Definition::Constant { ty, alias_of: None, value };
            list.add_to_client("DEFAULT_BASE_URL", constant, About::at("/servers"));
        }
        list.add_settings(&package.env_prefix, package.request_id);
        list.add_credentials(api);
        list.add_scopes(api);
        list.add_servers(api);
        list.add_features(api);
        list.add_aliases(api);
        list.add_emitted(api);
        list
    }

    fn add_to_client(&mut self, name: &str, definition: Definition, about: About) {
        if let Some(client) = self.items.get_mut(Path::CLIENT) {
            client.add(name, definition, about);
        }
    }

    /// Adds the settings of the package to the builder.
    fn add_settings(&mut self, env_prefix: &str, request_id: Option<&str>) {
        let Some(builder) = self.items.get_mut(Path::BUILDER) else { return };
        builder.set(Setting::EnvPrefix, "", quoted(env_prefix), About::default());
        if let Some(pattern) = request_id {
            builder.set(Setting::RequestId, "", quoted(pattern), About::default());
        }
    }

    /// Adds the methods of the builder that set credentials.
    fn add_credentials(&mut self, api: &Api) {
        let Some(builder) = self.items.get_mut(Path::BUILDER) else { return };
        for scheme in &api.credentials.schemes {
            builder.set_scheme(scheme);
            for method in credentials::methods(scheme) {
                let output = method.output();
                let feature = method.feature().map(str::to_owned);
                let arguments =
                    method.arguments.into_iter().map(|(name, ty)| common::argument(name, ty));
                let signature = Signature {
                    receiver: Some(Receiver::Value),
                    arguments: arguments.collect(),
                    output,
                };
                let about = About::new(&scheme.docs, method.pointer);
                let definition = Definition::Method(Method { feature, ..Method::new(signature) });
                builder.add(method.name.as_str(), definition, about);
            }
        }
    }

    fn add_scopes(&mut self, api: &Api) {
        let scopes = &api.credentials.scopes;
        let Some(first) = scopes.first() else { return };
        let mut item = Item::new(ItemKind::Struct, About::at(&first.pointer));
        item.implement(&common::HANDLE);
        for scope in scopes {
            let ty = Ty::StaticRef(Box::new(Ty::Str));
            let value = Some(scope.value.clone());
            let constant = Definition::Constant { ty, alias_of: None, value };
            item.add(&scope.name, constant, About::new(&scope.docs, &scope.pointer));
        }
        self.items.insert(Path::new("Scopes"), item);
    }

    fn add_servers(&mut self, api: &Api) {
        for server in &api.servers {
            let path = servers::path(server);
            self.add_modules(&path, "/servers");
            self.items.insert(path, servers::item(server, api));
        }
        if let Some(accept) = servers::accept(api)
            && let Some(builder) = self.items.get_mut(Path::BUILDER)
        {
            builder.add("server", accept, About::default());
        }
    }

    fn add_features(&mut self, api: &Api) {
        let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
        let default = ItemKind::Feature(owned(features::default(api)));
        self.items.insert(Path::of_feature("default"), Item::new(default, About::default()));
        for (name, _) in features::groups(api).flat_map(|group| group.features) {
            let item = Item::new(ItemKind::Feature(Vec::new()), About::default());
            self.items.insert(Path::of_feature(name), item);
        }
        let of_resources = features::of_resources(api);
        if !of_resources.is_empty() {
            let all = ItemKind::Feature(owned(of_resources));
            let path = Path::of_feature(features::OPERATIONS);
            self.items.insert(path, Item::new(all, About::default()));
        }
    }

    /// Adds the modules that contain an item, unless they exist.
    fn add_modules(&mut self, path: &Path, place: &str) {
        for module in path.modules() {
            let entry = self.items.entry(module);
            entry.or_insert_with(|| Item::new(ItemKind::Module, About::at(place)));
        }
    }

    fn add_model(&mut self, definition: &TypeDef, features: Vec<String>, api: &Api) {
        let mut item = match &definition.shape {
            Shape::Struct(object) => model(object, definition, api),
            Shape::Enum(values) => open_enum(values),
            Shape::Union(of) => union(of, definition, api),
            Shape::Reply(of) => reply(of, definition, api),
        };
        item.derive(&definition.derives);
        let schema = definition.component().map(str::to_owned);
        let about = About::new(&definition.docs, &definition.pointer);
        let path = Path::new(definition.path());
        self.add_modules(&path, &definition.pointer);
        self.items.insert(path, Item { schema, features, about, ..item });
    }

    fn add_resource(&mut self, resource: &Resource, api: &Api) {
        let place = resource.operations.first().map_or("", |operation| operation.pointer.as_str());
        let path = requests::owner(resource);
        if let Some(handle) = &resource.handle {
            self.add_modules(&path, place);
            let item = Item { about: About::at(place), ..Template::Handle.item() };
            self.items.insert(path.clone(), item);
            let signature = Signature::getter(Ty::Item(path.clone()));
            let accessor = Definition::Method(Method {
                feature: resource.feature.clone(),
                ..Method::new(signature)
            });
            self.add_to_client(handle.accessor.as_str(), accessor, About::at(place));
        }
        // The feature of a handle is that of its methods.
        let feature = resource.feature.clone().filter(|_| resource.handle.is_none());
        for operation in &resource.operations {
            let request = requests::request(resource, operation);
            let items = RequestItems::new(operation, api);
            let method = Method { feature: feature.clone(), ..method(&items, &request, api) };
            let about = About::new(&operation.docs, operation.place());
            if let Some(owner) = self.items.get_mut(&path) {
                owner.add(operation.method_name.as_str(), Definition::Method(method), about);
            }
            self.add_modules(&request, place);
            self.items.insert(request, self::request(items, api));
        }
        if let Some(feature) = &resource.feature {
            let item = Item::new(ItemKind::Feature(Vec::new()), About::at(place));
            self.items.insert(Path::of_feature(feature), item);
        }
    }

    /// Adds the old names of types and members.
    fn add_aliases(&mut self, api: &Api) {
        for (path, target) in &api.aliases.types {
            let target = Path::new(target.as_str());
            let Some(item) = self.items.get(&target) else { continue };
            let place = item.about.place.clone();
            let path = Path::new(path.as_str());
            self.add_modules(&path, &place);
            let about = About { deprecated: true, ..About::at(&place) };
            self.items.insert(path, Item::new(ItemKind::Alias(Ty::Item(target)), about));
        }
        for (target, old_names) in &api.aliases.members {
            let Some((path, name)) = target.rsplit_once("::") else { continue };
            let Some(item) = self.items.get_mut(path) else { continue };
            let aliases: Vec<_> = item.aliases_of(name).collect();
            for (definition, about) in aliases {
                for old_name in old_names {
                    item.add(old_name.as_str(), definition.clone(), about.clone());
                }
            }
        }
    }
}

impl Item {
    /// Returns the definitions of an old name of a method or a variant.
    fn aliases_of(&self, name: &str) -> impl Iterator<Item = (Definition, About)> {
        let members = self.members.iter().filter(move |((_, own), _)| own == name);
        members.filter_map(move |(_, member)| {
            let alias_of = Some(name.to_owned());
            let definition = match &member.definition {
                Definition::Variant(..) => {
                    Definition::Constant { ty: Ty::Itself, alias_of, value: None }
                }
                Definition::Method(method) => {
                    Definition::Method(Method { alias_of, ..method.clone() })
                }
                _ => return None,
            };
            Some((definition, About { deprecated: true, ..member.about.clone() }))
        })
    }
}

fn model(object: &Struct, definition: &TypeDef, api: &Api) -> Item {
    let place = definition.pointer.as_str();
    let feature = models::feature(definition).map(str::to_owned);
    let mut item = Template::Model.item();
    for input in models::setters(definition, object, api) {
        let about = input.about(place);
        let setter =
            Method { feature: feature.clone(), ..Method::new(Signature::setter(input.ty)) };
        item.add(input.name, Definition::Method(setter), about);
    }
    models::NullSetter::add_all(models::nulls(object), &mut item);
    for field in &object.fields {
        let nullable = field.null == Null::Optional;
        let access = models::access(definition, field);
        let wire =
            Wire::Property(WireProperty { nullable, access, ..WireProperty::of_field(field) });
        let definition = Definition::Field(Ty::field(field, api), wire);
        item.add(field.name.as_str(), definition, About::new(&field.docs, &field.pointer));
    }
    if let Some((name, ty)) = &object.additional {
        let wire = Wire::Additional(WireForm::new(ty));
        let definition = Definition::Field(Ty::additional(ty, api), wire);
        item.add(name.as_str(), definition, About::at(place));
    }
    add_conventions(&mut item, definition, object, api);
    if let Some((_, map)) = models::map_conversion(definition, object, api) {
        let from = Ty::foreign("From", [map]);
        item.add(&from.to_string(), Definition::Trait(from), About::at(place));
    }
    let inputs = models::constructor(definition, object, api).into_iter();
    let arguments = inputs.map(|input| input.argument(place));
    let signature =
        Signature { receiver: None, arguments: arguments.collect(), output: Ty::Itself };
    let new = Method { feature, ..Method::new(signature) };
    item.add("new", Definition::Method(new), About::at(place));
    item
}

/// Adds the items of a model that the conventions of the API define.
fn add_conventions(item: &mut Item, definition: &TypeDef, object: &Struct, api: &Api) {
    for constant in conventions::constants(object, api) {
        let ty = Ty::foreign("runtime::Property", [Ty::Itself]);
        let definition = Definition::Constant { ty, alias_of: None, value: None };
        item.add(&constant.name, definition, About::new(constant.docs, constant.pointer));
    }
    for method in conventions::related(definition, object, api) {
        let mut signature = Signature::getter(method.output());
        if method.view.is_none() {
            let ty = Ty::Ref(Box::new(Ty::Expanded));
            signature.arguments.push(common::argument("reply", ty));
        }
        let definition = Definition::Method(Method::new(signature));
        item.add(method.path.method.as_str(), definition, About::at(&method.path.pointer));
    }
    if object.conventions.end.is_some() {
        let method = Method::new(Signature::getter(Ty::BOOL));
        item.add("is_finished", Definition::Method(method), About::at(&definition.pointer));
    }
    let expanded = object.conventions.expanded.as_ref().map(|_| "Expanded");
    let of_key = if object.conventions.is_key { &common::KEY[..] } else { &[] };
    for name in expanded.iter().chain(of_key) {
        let implemented = Definition::Trait(Ty::foreign(name, []));
        item.add(name, implemented, About::at(&definition.pointer));
    }
    for source in conventions::sources(object, api) {
        let from = Ty::foreign("From", [source]);
        item.add(&from.to_string(), Definition::Trait(from), About::at(&definition.pointer));
    }
}

fn open_enum(values: &OpenEnum) -> Item {
    let mut item = match values.kind {
        EnumKind::Text => Template::OpenEnum.item(),
        EnumKind::Integer => Template::IntegerEnum.item(),
    };
    for variant in &values.variants {
        let wire = Some(Wire::Value(variant.value.clone()));
        let definition = Definition::Variant(None, wire);
        item.add(variant.name.as_str(), definition, About::at(&variant.pointer));
    }
    item
}

fn union(union: &Union, definition: &TypeDef, api: &Api) -> Item {
    let mut item = match &union.decision {
        Decision::Property => Template::Union.item(),
        Decision::Rules(_) => Template::Choice.item(),
    };
    for variant in models::conversions(definition, union, api) {
        let from = Ty::foreign("From", [Ty::new(&variant.ty, api)]);
        item.add(&from.to_string(), Definition::Trait(from), About::at(&variant.pointer));
    }
    if let Some(variant) = models::text_variant(definition, union, api) {
        let from = Ty::foreign("From", [Ty::Ref(Box::new(Ty::Str))]);
        item.add(&from.to_string(), Definition::Trait(from), About::at(&variant.pointer));
    }
    if let Decision::Rules(rules) = &union.decision {
        for (condition, variant) in rules::conditions(union, rules) {
            let about = About::at(&definition.pointer);
            item.add(&condition, Definition::Rule(variant), about);
        }
    }
    if let Some(base) = union.base {
        let signature = Signature::getter(Ty::new(&ir::Type::Named(base), api));
        let about = About::at(&definition.pointer);
        item.add("base", Definition::Method(Method::new(signature)), about);
    }
    for (variant, _, methods) in models::accessors(union, api) {
        for (name, signature) in methods {
            let method = Definition::Method(Method::new(signature));
            item.add(&name, method, About::at(&variant.pointer));
        }
    }
    for variant in &union.variants {
        let wire = variant.property.as_ref().map(|name| {
            let form = WireForm::new(&variant.ty);
            Wire::Property(WireProperty::new(Some(name.clone()), form, false))
        });
        let payload = Ty::payload(&variant.ty, variant.boxed, api);
        let definition = Definition::Variant(Some(payload), wire);
        item.add(variant.name.as_str(), definition, About::new(&variant.docs, &variant.pointer));
    }
    item
}

fn reply(reply: &ReplyEnum, definition: &TypeDef, api: &Api) -> Item {
    let mut item = common::reply(reply.part);
    for variant in &reply.variants {
        let payload = variant.content.as_ref().map(|content| Ty::content(content, api));
        let payload = Definition::Variant(payload, variant.event.clone().map(Wire::Value));
        item.add(variant.name.as_str(), payload, About::at(&definition.pointer));
    }
    item
}

/// Returns the method of a handle that begins a request.
fn method(items: &RequestItems<'_>, request: &Path, api: &Api) -> Method {
    let body = body_place(items.operation);
    let arguments = items.arguments.iter().map(|input| {
        let wire = input.wire(requests::encodings(input, items.operation, api));
        Argument { wire, ..input.argument(&body) }
    });
    Method::new(Signature {
        receiver: Some(Receiver::Ref),
        arguments: arguments.collect(),
        output: Ty::Item(request.clone()),
    })
}

/// Returns the request of an operation.
fn request(items: RequestItems<'_>, api: &Api) -> Item {
    let RequestItems { operation, setters, nulls, body, output, failure, .. } = items;
    let mut item = Template::Request.item();
    for input in setters {
        let about = input.about(&body_place(operation));
        let wire = input.wire(requests::encodings(&input, operation, api));
        let setter = Method { wire, ..Method::new(Signature::setter(input.ty)) };
        item.add(input.name, Definition::Method(setter), about);
    }
    models::NullSetter::add_all(nulls, &mut item);
    let body = match (&operation.body, body) {
        (_, Some(ty)) => Body::Value(ty),
        (ir::Body::EmptyObject, None) => Body::EmptyObject,
        (_, None) => Body::None,
    };
    item.add("", Definition::Body(body), About::default());
    if let Some(mask) = &operation.mask {
        let object = api.definition(mask.object_type.type_id());
        common::add_editing(&mut item, Ty::Item(Path::new(object.path())));
    }
    if operation.media.as_ref().is_some_and(ir::Media::is_merge_patch) {
        let names = Ty::IntoIterator(Box::new(Ty::Into(Box::new(Ty::String))));
        item.consume("with_null", vec![common::argument("path", names)], Ty::Itself);
    }
    if operation.is_safe() {
        item.consume("poll", vec![], Ty::foreign("runtime::Polling", [Ty::Itself]));
    }
    if operation.wait.is_some() {
        common::add_waiting(&mut item);
    }
    item.set_operation(operation);
    if let Some(paging) = &operation.paging {
        common::add_paging(&mut item, paging);
        let path = |names: &[ir::FieldName]| {
            names.iter().map(ToString::to_string).reduce(|path, name| format!("{path}.{name}"))
        };
        let items = Items {
            ty: Ty::new(&paging.item, api),
            field: path(&paging.items.fields),
            next_token: path(&paging.next_token.fields),
        };
        item.add("", Definition::Items(items), About::default());
    }
    replies::add_to(&mut item, operation, output, failure, api);
    let request = Operation {
        verb: operation.http_method.clone(),
        path: operation.path.clone(),
        id: operation.id.clone(),
        media: operation
            .media
            .as_ref()
            .filter(|media| !media.is_plain_json())
            .map(|media| media.name.clone()),
        replies: operation.successes.accept_header(),
        security: Some(Security::new(operation, &api.credentials)),
        credentials: credentials::needed(operation, &api.credentials),
        servers: servers::names(operation, api),
    };
    item.add("", Definition::Operation(request), About::default());
    for member in item.members.values_mut().filter(|member| member.about.place.is_empty()) {
        operation.place().clone_into(&mut member.about.place);
    }
    Item { about: About::at(operation.place()), ..item }
}

fn body_place(operation: &ir::Operation) -> String {
    format!("{}/requestBody", operation.pointer)
}

impl Input<'_> {
    /// Returns the description of the input, or of its place if the spec does not describe the input itself.
    fn about(&self, otherwise: &str) -> About {
        match self.target {
            Target::Field(field) => About::new(&field.docs, &field.pointer),
            Target::Parameter(parameter) => About::new(&parameter.docs, &parameter.pointer),
            Target::Expansion(expansion) => About::at(&expansion.pointer),
            Target::Additional(_) | Target::Body(_) | Target::WholeBody => About::at(otherwise),
        }
    }

    /// Returns the location of an input in a request.
    fn wire(&self, encodings: Vec<Encoding>) -> Option<Wire> {
        match self.target {
            Target::Field(field) => {
                Some(Wire::BodyProperty(WireProperty::of_field(field), encodings))
            }
            Target::Parameter(parameter) => Some(Wire::parameter(parameter)),
            Target::Body(ty) => Some(Wire::Body(WireForm::new(ty), encodings)),
            Target::WholeBody => Some(Wire::Body(WireForm::Plain, encodings)),
            Target::Additional(_) | Target::Expansion(_) => None,
        }
    }

    /// Returns the argument of a function, without its form on the wire.
    fn argument(&self, otherwise: &str) -> Argument {
        let place = self.about(otherwise).place;
        Argument { name: self.name.to_owned(), ty: self.ty.clone(), wire: None, place }
    }
}
