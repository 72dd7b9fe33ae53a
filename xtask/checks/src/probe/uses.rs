//! All possible uses of a crate's public items, each as one line of Rust.

use ::codegen::items::features::OPERATIONS;
use ::codegen::items::{Definition, ItemKind, MemberRef, Method, Path, PublicApi, Receiver, Ty};

/// A line that uses an item.
#[derive(Clone)]
pub struct Use {
    pub id: String,
    /// A function; empty for items that no line of Rust can use.
    pub line: String,
    /// The path of the item, or of the item with the member.
    pub owner: Path,
}

/// The lines before the uses. Their imports are in a separate module: with a glob import of the uses themselves, the
/// time and memory of rustc would grow with the square of their number. Uses of deprecated names are warnings, which `migrate`
/// reads.
pub const PRELUDE: &str = "\
#![allow(unused)]
mod prelude {
    pub use std::{collections::BTreeMap, fmt::{Debug, Display}, future::IntoFuture, hash::Hash, str::FromStr, time::Duration};
    pub use subject::runtime::internal::{Deserialize, Serialize};
    pub fn any<T>() -> T { loop {} }
}
";

/// Returns all uses of the items that are compiled without the features of other resources.
pub fn of_resource(api: &PublicApi, feature: &str) -> Vec<Use> {
    let features = of_resources(api);
    let is_compiled = |gates: &mut dyn Iterator<Item = &String>| {
        let gates: Vec<&String> =
            gates.filter(|gate| *gate == OPERATIONS || features.contains(gate)).collect();
        gates.is_empty() || gates.iter().any(|gate| *gate == feature)
    };
    let is_own = |gate: Option<&String>| is_compiled(&mut gate.into_iter());
    // The modules of other resources.
    let others: Vec<Path> = api
        .members()
        .filter_map(MemberRef::method)
        .filter(|method| !is_own(method.feature.as_ref()))
        .filter_map(|method| method.signature.output.as_item()?.modules().last())
        .collect();
    let is_there = |path: &Path| {
        let is_other = path.modules().chain([path.clone()]).any(|it| others.contains(&it));
        let item = api.items.get(path);
        !is_other && item.is_none_or(|item| is_compiled(&mut item.features.iter()))
    };
    let is_available = |member: &MemberRef<'_>| {
        is_own(member.method().and_then(|method| method.feature.as_ref()))
            && is_there(member.path)
            && member.named_items().all(is_there)
    };
    of(api, api.members().filter(is_available))
}

/// Returns all uses of items and members.
pub fn of<'a>(api: &'a PublicApi, members: impl Iterator<Item = MemberRef<'a>>) -> Vec<Use> {
    let uses = members.filter_map(|member| {
        let line = Subject { api, member }.line()?;
        Some(Use { id: member.id(), line, owner: member.path.clone() })
    });
    uses.collect()
}

/// Returns the features of the resources of a crate; empty if it compiles all of them without features.
pub fn of_resources(api: &PublicApi) -> &[String] {
    match api.items.get(&Path::of_feature(OPERATIONS)).map(|item| &item.kind) {
        Some(ItemKind::Feature(features)) => features,
        _ => &[],
    }
}

/// The features that only choose the dependencies of the default transport, some of which need a C compiler.
pub const OF_TRANSPORT: [&str; 7] = [
    "compression", "default", "native-tls", "reqwest", "tls-aws-lc-rs", "tls-graviola", "tls-ring",
];

/// Returns the features of a crate.
pub fn features(api: &PublicApi) -> impl Iterator<Item = &str> {
    api.items.keys().filter_map(Path::feature)
}

/// The item or member whose use is written.
struct Subject<'a> {
    api: &'a PublicApi,
    member: MemberRef<'a>,
}

impl Subject<'_> {
    fn line(&self) -> Option<String> {
        let MemberRef { name, item, .. } = self.member;
        let of = self.owner();
        let Some(definition) = self.member.definition else {
            return match item.kind {
                ItemKind::Feature(_) => None,
                ItemKind::Module | ItemKind::Use(_) => {
                    Some(format!("fn f() {{ use {of} as item; }}"))
                }
                ItemKind::Alias(_) | ItemKind::Struct | ItemKind::Enum => {
                    Some(format!("fn f(_: {of}) {{}}"))
                }
            };
        };
        Some(match definition {
            Definition::Operation(_)
            | Definition::Body(_)
            | Definition::Rule(_)
            | Definition::Setting(..) => return None,
            Definition::Trait(ty) => {
                format!("fn f() {{ fn has<T: {}>() {{}} has::<{of}>(); }}", self.bound(ty))
            }
            Definition::Output(ty) => {
                let ty = self.rust(ty);
                format!("async fn f(v: {of}) -> Result<{ty}, subject::Error> {{ v.await }}")
            }
            Definition::Failure(ty, _) => {
                let ty = self.rust(ty);
                format!(
                    "fn f(error: &subject::Error) -> Option<{ty}> {{ error.failure::<{of}>() }}"
                )
            }
            Definition::Items(items) => {
                let ty = self.rust(&items.ty);
                format!(
                    "async fn f(mut v: subject::runtime::Items<{of}>) -> Result<Option<{ty}>, subject::Error> {{ v.try_next().await }}"
                )
            }
            Definition::Field(ty, _) => {
                let ty = self.rust(ty);
                format!("fn f(mut v: {of}, value: {ty}) -> {ty} {{ v.{name} = value; v.{name} }}")
            }
            Definition::Variant(None, _) => {
                format!(
                    "fn f(v: {of}) -> {of} {{ match v {{ {of}::{name} => {of}::{name}, v => v }} }}"
                )
            }
            Definition::Variant(Some(ty), _) => {
                let ty = self.rust(ty);
                format!(
                    "fn f(v: {of}) -> {of} {{ match v {{ {of}::{name}(x) => {{ let x: {ty} = x; {of}::{name}(x) }} v => v }} }}"
                )
            }
            Definition::Constant { ty, .. } => {
                format!("fn f() -> {} {{ <{of}>::{name} }}", self.rust(ty))
            }
            Definition::Method(method) => self.call(method),
        })
    }

    /// Returns a trait as the program writes it.
    fn bound(&self, ty: &Ty) -> String {
        match ty {
            Ty::Foreign(name, _) if name.as_str() == "Deserialize" => {
                "Deserialize<'static>".to_owned()
            }
            Ty::Foreign(name, _) if ["Expanded", "Server"].contains(&name.as_str()) => {
                format!("subject::runtime::{name}")
            }
            ty => self.rust(ty).replace("<&", "<&'static "),
        }
    }

    fn call(&self, method: &Method) -> String {
        let name = self.member.name;
        let of = self.owner();
        let mut local = String::new();
        let values: Vec<String> = method
            .signature
            .arguments
            .iter()
            .enumerate()
            .map(|(index, argument)| {
                format!("any::<{}>()", self.accepted(&argument.ty, index, &mut local))
            })
            .collect();
        let values = values.join(", ");
        let ty = self.rust(&method.signature.output);
        match method.signature.receiver {
            Some(Receiver::Value) => {
                format!("{local}fn f(v: {of}) -> {ty} {{ v.{name}({values}) }}")
            }
            Some(Receiver::Ref) => {
                format!("{local}fn f(v: &{of}) -> {ty} {{ v.{name}({values}) }}")
            }
            None => format!("{local}fn f() -> {ty} {{ <{of}>::{name}({values}) }}"),
        }
    }

    /// Returns the path of the item as the program writes it.
    fn owner(&self) -> String {
        format!("subject::{}", self.member.path)
    }

    /// Returns a type as the program writes it.
    fn rust(&self, ty: &Ty) -> String {
        match ty {
            Ty::Itself => self.owner(),
            Ty::ItsOutput => {
                self.member.item.output().map_or_else(String::new, |output| self.rust(output))
            }
            Ty::Scalar(scalar) if scalar.is_of_runtime() => format!("subject::{ty}"),
            Ty::Item(_) | Ty::Value | Ty::Map | Ty::TypedObject => format!("subject::{ty}"),
            Ty::Secret(inner) => format!("subject::Secret<{}>", self.rust(inner)),
            Ty::List(item) => format!("Vec<{}>", self.rust(item)),
            Ty::Dictionary(value) => format!("BTreeMap<String, {}>", self.rust(value)),
            Ty::Option(inner) => format!("Option<{}>", self.rust(inner)),
            Ty::Boxed(inner) => format!("Box<{}>", self.rust(inner)),
            Ty::Ref(inner) => format!("&{}", self.rust(inner)),
            Ty::StaticRef(inner) => format!("&'static {}", self.rust(inner)),
            Ty::Slice(item) => format!("[{}]", self.rust(item)),
            Ty::Foreign(path, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(|ty| self.rust(ty)).collect();
                let generics = match arguments.as_slice() {
                    [] => String::new(),
                    arguments => format!("<{}>", arguments.join(", ")),
                };
                let is_of_crate =
                    path.as_str().starts_with("runtime::") || self.api.items.contains_key(path);
                match path.as_str() {
                    // The only type parameter of a method is any model.
                    "T" => "subject::Map".to_owned(),
                    "runtime::BoxFuture" => {
                        format!("subject::runtime::BoxFuture<'static, {}>", arguments.join(", "))
                    }
                    path if is_of_crate => format!("subject::{path}{generics}"),
                    path => format!("{path}{generics}"),
                }
            }
            ty => ty.to_string(),
        }
    }

    /// Returns a type for an argument that occurs nowhere else: for `impl Trait`, a type of the program that implements
    /// the trait, declared in `local`.
    fn accepted(&self, ty: &Ty, index: usize, local: &mut String) -> String {
        let implementation = match ty {
            Ty::IntoIterator(item) => {
                return format!("std::iter::Empty<{}>", self.accepted(item, index, local));
            }
            Ty::Option(inner) => return format!("Option<{}>", self.accepted(inner, index, local)),
            Ty::IntoList(item) => {
                let item = Ty::Into(item.clone());
                return format!("Vec<{}>", self.accepted(&item, index, local));
            }
            Ty::FnOnce(arguments, output) => {
                let arguments: Vec<String> = arguments.iter().map(|ty| self.rust(ty)).collect();
                return format!("fn({}) -> {}", arguments.join(", "), self.rust(output));
            }
            Ty::Ref(inner) if **inner == Ty::Expanded => {
                return "&'static Vec<subject::TypedObject>".to_owned();
            }
            Ty::AsRef(inner) => {
                let inner = self.rust(inner);
                format!(
                    "AsRef<{inner}> for A{index} {{ fn as_ref(&self) -> &{inner} {{ loop {{}} }} }}"
                )
            }
            Ty::Param => format!(
                "subject::runtime::Param for A{index} {{ fn to_param(&self) -> std::borrow::Cow<'_, str> {{ loop {{}} }} }}"
            ),
            // A parameter that takes all primitive integers can take texts, too, or integers of another size, later.
            Ty::IntoInteger(_) => format!(
                "subject::runtime::Param for A{index} {{ fn to_param(&self) -> std::borrow::Cow<'_, str> {{ loop {{}} }} }} \
                 impl<T> subject::runtime::IntoInteger<T> for A{index} {{ fn into_integer(self) -> i128 {{ loop {{}} }} }}"
            ),
            Ty::Server => format!(
                "From<A{index}> for String {{ fn from(_: A{index}) -> Self {{ loop {{}} }} }} \
                 impl subject::runtime::Server for A{index} {{ const INDEX: usize = 0; }}"
            ),
            Ty::TokenSource => format!(
                "subject::runtime::TokenSource for A{index} {{ fn token<'a>(&'a self, _: subject::runtime::TokenContext<'a>) -> \
                 subject::runtime::BoxFuture<'a, Result<subject::runtime::Token, subject::runtime::TokenError>> {{ loop {{}} }} }}"
            ),
            Ty::Into(into) => {
                let into = self.rust(into);
                format!(
                    "From<A{index}> for {into} {{ fn from(_: A{index}) -> Self {{ loop {{}} }} }}"
                )
            }
            ty => return self.rust(ty),
        };
        local.extend(["struct A", &index.to_string(), "; impl ", &implementation, " "]);
        format!("A{index}")
    }
}
