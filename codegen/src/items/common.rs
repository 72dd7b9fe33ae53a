//! The common items of every emitted crate and of all types of a kind, which the runtime's macros and the emitters add.
//! `tests/public_api.rs` compares them with the sources.

use std::collections::BTreeSet;

use super::about::About;
use super::item::{Argument, Definition, Item, ItemKind, Method, Receiver, Signature};
use super::template::Template;
use super::{Path, PublicApi, Ty};
use crate::ir::{Paging, ReplyPart, Scalar};

/// What the root of every crate re-exports from the runtime beside the scalars: with the models, and with the client.
const OF_MODELS: [&str; 7] = ["Map", "Model", "Secret", "TypedObject", "Value", "json", "map"];
const OF_CLIENT: [&str; 8] = [
    "ClientCredentials", "DriftReport", "Edit", "Error", "ErrorKind", "Response", "RetryPolicy",
    "Waited",
];

/// Traits without type arguments.
const MODEL: [&str; 6] = ["Clone", "Debug", "Default", "Deserialize", "PartialEq", "Serialize"];
const OPEN_ENUM: [&str; 12] = [
    "Clone", "Debug", "Default", "Deserialize", "Display", "Eq", "FromStr", "Hash", "Ord",
    "PartialEq", "PartialOrd", "Serialize",
];
pub(super) const KEY: [&str; 4] = ["Eq", "Hash", "Ord", "PartialOrd"];
const REPLY: [&str; 3] = ["Clone", "Debug", "PartialEq"];
pub(super) const HANDLE: [&str; 2] = ["Clone", "Debug"];
const REQUEST: [&str; 3] = ["Clone", "Debug", "IntoFuture"];

impl Template {
    /// Returns an item with the common members.
    pub(super) fn item(self) -> Item {
        let (kind, traits) = match self {
            Self::Handle => (ItemKind::Struct, &HANDLE[..]),
            Self::Model => (ItemKind::Struct, &MODEL[..]),
            Self::Request => (ItemKind::Struct, &REQUEST[..]),
            Self::Choice | Self::Union => (ItemKind::Enum, &MODEL[..]),
            Self::IntegerEnum | Self::OpenEnum => (ItemKind::Enum, &OPEN_ENUM[..]),
        };
        let mut item = bare(kind);
        item.implement(traits);
        match self {
            Self::Handle | Self::Model => {}
            Self::Choice => drop(item.add_unknown("runtime::UnknownVariant")),
            Self::Union => drop(item.add_unknown("runtime::UnknownUnion")),
            Self::IntegerEnum => add_integers(&mut item),
            Self::OpenEnum => add_texts(&mut item),
            Self::Request => add_calls(&mut item),
        }
        item.template = Some(self);
        item
    }
}

/// Returns the items that the root of every crate re-exports from the runtime, next to the runtime itself: with the models, and
/// with the client.
pub fn reexports() -> [BTreeSet<&'static str>; 2] {
    let of_models = Scalar::of_runtime().map(Scalar::name).chain(OF_MODELS).collect();
    [of_models, BTreeSet::from(OF_CLIENT)]
}

/// Adds the items of every crate.
pub(super) fn add_to(api: &mut PublicApi) {
    let items = &mut api.items;
    items.insert(Path::new("runtime"), bare(ItemKind::Use(Path::new("runtime"))));
    for name in reexports().into_iter().flatten() {
        let path = Path::new(format!("runtime::{name}"));
        items.insert(Path::new(name), bare(ItemKind::Use(path)));
    }
    for module in ["models", "resources"] {
        items.insert(Path::new(module), bare(ItemKind::Module));
    }
    let mut builder = bare(ItemKind::Struct);
    builder.implement(&HANDLE);
    builder.add_method("from_env", None, Vec::new(), fallible(Ty::Itself));
    items.insert(Path::new(Path::BUILDER), builder);
    items.insert(Path::new(Path::CLIENT), client());
}

/// Returns the client, without handles.
fn client() -> Item {
    let mut client = bare(ItemKind::Struct);
    client.implement(&HANDLE);
    client.implement_generic("From", Ty::foreign("runtime::Client", []));
    let base_url = argument("base_url", Ty::Into(Box::new(Ty::String)));
    let builder = Ty::foreign(Path::BUILDER, []);
    client.add_method("builder", None, vec![base_url], builder);
    client.add_method("from_env", None, Vec::new(), fallible(Ty::Itself));
    client
}

/// Adds the members of an open enum of texts.
fn add_texts(item: &mut Item) {
    let text = Ty::Ref(Box::new(Ty::Str));
    let unknown = item.add_unknown("runtime::UnknownValue");
    item.add_known();
    item.implement_generic("AsRef", Ty::Str);
    item.implement_generic("From", text.clone());
    item.implement_generic("From", Ty::String);
    item.add_plain("as_str", Definition::Method(Method::new(Signature::getter(text.clone()))));
    item.add_plain("is_unknown", Definition::Method(Method::new(Signature::getter(Ty::BOOL))));
    let result = Ty::foreign("Result", [Ty::Itself, unknown]);
    item.add_method("try_parse", None, vec![argument("text", text)], result);
}

/// Adds the members of an open enum of integers.
fn add_integers(item: &mut Item) {
    let unknown = item.add_unknown("runtime::UnknownInteger");
    item.add_known();
    item.implement(&["Copy"]);
    item.implement_generic("From", Ty::INT64);
    item.add_method("as_i64", Some(Receiver::Value), vec![], Ty::INT64);
    item.add_method("is_unknown", Some(Receiver::Value), vec![], Ty::BOOL);
    let result = Ty::foreign("Result", [Ty::Itself, unknown]);
    item.add_method("try_from_i64", None, vec![argument("value", Ty::INT64)], result);
}

/// Returns an enum of replies without described variants.
pub(super) fn reply(part: ReplyPart) -> Item {
    let mut item = bare(ItemKind::Enum);
    item.implement(&REPLY);
    let (name, payload) = match part {
        ReplyPart::Failure => return item,
        ReplyPart::Success => ("Other", Ty::foreign("runtime::RawReply", [])),
        ReplyPart::Event => ("Unknown", Ty::String),
    };
    item.add_plain(name, Definition::Variant(Some(payload), None));
    item
}

/// Adds the methods of every request.
fn add_calls(item: &mut Item) {
    let text = Ty::AsRef(Box::new(Ty::Str));
    let name = argument("name", Ty::Into(Box::new(Ty::String)));
    let value = argument("value", text.clone());
    item.consume("send", vec![], Ty::foreign("runtime::Sending", [Ty::ItsOutput]));
    item.consume("send_raw", vec![], Ty::foreign("runtime::SendingRaw", [Ty::ItsOutput]));
    let body = Ty::foreign("runtime::RequestBody", []);
    let http = Ty::foreign("runtime::http::Request", [body]);
    item.consume("into_http", vec![], fallible(http));
    item.block("send_blocking", fallible(Ty::ItsOutput));
    item.block("send_raw_blocking", fallible(Ty::foreign("Response", [Ty::ItsOutput])));
    item.consume("set_if_some", set_if_some(), Ty::Itself);
    item.consume("set_query", vec![name.clone(), value.clone()], Ty::Itself);
    item.consume("with_header", vec![argument("name", text), value.clone()], Ty::Itself);
    let bytes = argument("limit", Ty::foreign("usize", []));
    item.consume("with_max_response_bytes", vec![bytes], Ty::Itself);
    item.consume("with_query", vec![name, value], Ty::Itself);
    let policy = argument("policy", Ty::foreign("RetryPolicy", []));
    item.consume("with_retry", vec![policy], Ty::Itself);
    let duration = argument("limit", Ty::foreign("Duration", []));
    item.consume("with_timeout", vec![duration.clone()], Ty::Itself);
    item.consume("with_total_timeout", vec![duration], Ty::Itself);
}

/// Adds the methods of a request with an update mask of an object.
pub(super) fn add_editing(item: &mut Item, object: Ty) {
    let edited = Ty::foreign("runtime::Edit", [Ty::foreign("T", [])]);
    let edit = vec![argument("edit", Ty::Ref(Box::new(edited)))];
    item.consume("with_edit", edit.clone(), fallible(Ty::Option(Box::new(Ty::Itself))));
    item.consume("send_edit", edit.clone(), Ty::foreign("runtime::SendingEdit", [Ty::ItsOutput]));
    item.block_with("send_edit_blocking", edit, fallible(Ty::Option(Box::new(Ty::ItsOutput))));
    let property = Ty::foreign("runtime::Property", [object]);
    let properties = argument("properties", Ty::IntoIterator(Box::new(property)));
    item.consume("set_mask", vec![properties], Ty::Itself);
}

/// Adds the methods of a request for something that finishes.
pub(super) fn add_waiting(item: &mut Item) {
    item.consume("wait", vec![], Ty::foreign("runtime::Polling", [Ty::Itself]));
    item.block("wait_blocking", fallible(Ty::foreign("Waited", [Ty::ItsOutput])));
}

/// Adds the methods of a request for one page of a list.
pub(super) fn add_paging(item: &mut Item, paging: &Paging) {
    let paged = |name: &str| Ty::foreign(name, [Ty::Itself]);
    if paging.has_token() {
        let parameter = vec![argument("parameter", Ty::Into(Box::new(Ty::String)))];
        item.consume("items_by", parameter.clone(), paged("runtime::Items"));
        item.consume("pages_by", parameter, paged("runtime::Pages"));
    }
    if paging.token.is_some() {
        item.consume("items", vec![], paged("runtime::Items"));
        item.block("items_blocking", paged("runtime::BlockingItems"));
        item.consume("pages", vec![], paged("runtime::Pages"));
        item.block("pages_blocking", paged("runtime::BlockingPages"));
    }
}

/// The methods that fetch further pages.
pub(crate) const PAGING_METHODS: [&str; 6] =
    ["items", "items_blocking", "items_by", "pages", "pages_blocking", "pages_by"];

fn set_if_some() -> Vec<Argument> {
    let parameter = Ty::foreign("T", []);
    let setter = Ty::FnOnce(vec![Ty::Itself, parameter.clone()], Box::new(Ty::Itself));
    vec![argument("value", Ty::Option(Box::new(parameter))), argument("setter", setter)]
}

impl Item {
    fn add_plain(&mut self, name: &str, definition: Definition) {
        self.add(name, definition, About::default());
    }

    /// Adds the variant of unknown values, and returns their type.
    fn add_unknown(&mut self, ty: &str) -> Ty {
        let unknown = Ty::foreign(ty, []);
        self.add_plain("Unknown", Definition::Variant(Some(unknown.clone()), None));
        unknown
    }

    /// Adds the known values of an open enum.
    fn add_known(&mut self) {
        let ty = Ty::StaticRef(Box::new(Ty::Slice(Box::new(Ty::Itself))));
        self.add_plain("KNOWN", Definition::Constant { ty, alias_of: None, value: None });
    }

    pub(super) fn implement(&mut self, traits: &[&str]) {
        for name in traits {
            self.add_plain(name, Definition::Trait(Ty::foreign(name, [])));
        }
    }

    /// Adds the traits of derive macros. Those of the standard library have no path.
    pub(super) fn derive(&mut self, macros: &[String]) {
        for path in macros {
            let of_std = path.strip_prefix("std::").or(path.strip_prefix("core::"));
            let name = of_std.and_then(|path| path.rsplit("::").next());
            self.implement(&[name.unwrap_or(path)]);
        }
    }

    /// Adds a trait with a type argument.
    pub(super) fn implement_generic(&mut self, name: &str, argument: Ty) {
        let implemented = Ty::foreign(name, [argument]);
        self.add_plain(&implemented.to_string(), Definition::Trait(implemented));
    }

    fn add_method(
        &mut self,
        name: &str,
        receiver: Option<Receiver>,
        arguments: Vec<Argument>,
        output: Ty,
    ) {
        let method = Method::new(Signature { receiver, arguments, output });
        self.add_plain(name, Definition::Method(method));
    }

    /// Adds a method that takes `self`.
    pub(super) fn consume(&mut self, name: &str, arguments: Vec<Argument>, output: Ty) {
        self.add_method(name, Some(Receiver::Value), arguments, output);
    }

    /// Adds a method without arguments that takes `self` and blocks the thread.
    fn block(&mut self, name: &str, output: Ty) {
        self.block_with(name, Vec::new(), output);
    }

    /// Adds a method that takes `self` and blocks the thread.
    fn block_with(&mut self, name: &str, arguments: Vec<Argument>, output: Ty) {
        let signature = Signature { receiver: Some(Receiver::Value), arguments, output };
        let feature = Some("blocking".to_owned());
        self.add_plain(name, Definition::Method(Method { feature, ..Method::new(signature) }));
    }
}

fn bare(kind: ItemKind) -> Item {
    Item::new(kind, About::default())
}

pub(super) fn argument(name: &str, ty: Ty) -> Argument {
    Argument { name: name.to_owned(), ty, wire: None, place: String::new() }
}

fn fallible(ty: Ty) -> Ty {
    Ty::foreign("Result", [ty, Ty::foreign("Error", [])])
}
