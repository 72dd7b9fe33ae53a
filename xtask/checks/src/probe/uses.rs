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
    pub use subject::*;
    pub use subject::runtime::{BoxFuture, Expanded, IntoInteger, Param, Server, Token, TokenContext, TokenError, TokenSource};
    pub use std::{collections::BTreeMap, fmt::{Debug, Display}, future::IntoFuture, hash::Hash, str::FromStr, time::Duration};
    pub use subject::runtime::internal::Serialize;
    pub trait Deserialize: for<'a> subject::runtime::internal::Deserialize<'a> {}
    impl<T: for<'a> subject::runtime::internal::Deserialize<'a>> Deserialize for T {}
    pub fn any<T>() -> T { loop {} }
    pub struct AnyParam;
    impl Param for AnyParam { fn to_param(&self) -> std::borrow::Cow<'_, str> { loop {} } }
    /// A parameter that takes all primitive integers can take texts, too, or integers of another size, later.
    pub struct AnyInteger;
    impl Param for AnyInteger { fn to_param(&self) -> std::borrow::Cow<'_, str> { loop {} } }
    impl<T> IntoInteger<T> for AnyInteger { fn into_integer(self) -> i128 { loop {} } }
    pub struct AnyServer;
    impl From<AnyServer> for String { fn from(_: AnyServer) -> Self { loop {} } }
    impl Server for AnyServer { const INDEX: usize = 0; }
    pub struct AnySource;
    impl TokenSource for AnySource { fn token<'a>(&'a self, _: TokenContext<'a>) -> BoxFuture<'a, Result<Token, TokenError>> { loop {} } }
    /// The only type parameter of methods is any model.
    pub type T = subject::Map;
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
    let available = api.members().filter(|member| {
        is_own(member.method().and_then(|method| method.feature.as_ref()))
            && is_there(member.path)
            && member.named_items().all(is_there)
    });
    of(available)
}

/// Returns all uses of items and members.
pub fn of<'a>(members: impl Iterator<Item = MemberRef<'a>>) -> Vec<Use> {
    let uses = members.filter_map(|member| {
        let line = line(member)?;
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

/// Returns the line that uses an item or a member.
fn line(member: MemberRef<'_>) -> Option<String> {
    let MemberRef { name, item, .. } = member;
    let of = owner(member);
    let Some(definition) = member.definition else {
        return match item.kind {
            ItemKind::Feature(_) => None,
            ItemKind::Module | ItemKind::Use(_) => Some(format!("fn f() {{ use {of} as item; }}")),
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
            let bound = rust(member, ty).replace("<&", "<&'static ");
            format!("fn f() {{ fn has<T: {bound}>() {{}} has::<{of}>(); }}")
        }
        Definition::Output(ty) => {
            let ty = rust(member, ty);
            format!("async fn f(v: {of}) -> Result<{ty}, subject::Error> {{ v.await }}")
        }
        Definition::Failure(ty, _) => {
            let ty = rust(member, ty);
            format!("fn f(error: &Error) -> Option<{ty}> {{ error.failure::<{of}>() }}")
        }
        Definition::Items(items) => {
            let ty = rust(member, &items.ty);
            format!(
                "async fn f(mut v: subject::runtime::Items<{of}>) -> Result<Option<{ty}>, subject::Error> {{ v.try_next().await }}"
            )
        }
        Definition::Field(ty, _) => {
            let ty = rust(member, ty);
            format!("fn f(mut v: {of}, value: {ty}) -> {ty} {{ v.{name} = value; v.{name} }}")
        }
        Definition::Variant(None, _) => {
            format!(
                "fn f(v: {of}) -> {of} {{ match v {{ {of}::{name} => {of}::{name}, v => v }} }}"
            )
        }
        Definition::Variant(Some(ty), _) => {
            let ty = rust(member, ty);
            format!(
                "fn f(v: {of}) -> {of} {{ match v {{ {of}::{name}(x) => {{ let x: {ty} = x; {of}::{name}(x) }} v => v }} }}"
            )
        }
        Definition::Constant { ty, .. } => {
            format!("fn f() -> {} {{ <{of}>::{name} }}", rust(member, ty))
        }
        Definition::Method(method) => call(member, method),
    })
}

fn call(member: MemberRef<'_>, method: &Method) -> String {
    let name = member.name;
    let of = owner(member);
    let mut local = String::new();
    let values: Vec<String> = method
        .signature
        .arguments
        .iter()
        .enumerate()
        .map(|(index, argument)| {
            format!("any::<{}>()", accepted(member, &argument.ty, index, &mut local))
        })
        .collect();
    let values = values.join(", ");
    let ty = rust(member, &method.signature.output);
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
fn owner(member: MemberRef<'_>) -> String {
    format!("subject::{}", member.path)
}

/// Returns a type as the program writes it: the item itself has a path.
fn rust(member: MemberRef<'_>, ty: &Ty) -> String {
    let mut text = ty.to_string().replace("BoxFuture<", "BoxFuture<'static, ");
    if let (true, Some(output)) = (text.contains("Self::Output"), member.item.output()) {
        text = text.replace("Self::Output", &rust(member, output));
    }
    let words = text.split_inclusive(|char: char| !char.is_alphanumeric() && char != '_');
    let words = words.map(|word| match word.strip_prefix("Self") {
        Some(rest) if !rest.starts_with(char::is_alphanumeric) => owner(member) + rest,
        _ => word.to_owned(),
    });
    words.collect()
}

/// Returns a type for an argument that occurs nowhere else: for `impl Trait`, a type of the program that implements
/// the trait, declared in `local`.
fn accepted(member: MemberRef<'_>, ty: &Ty, index: usize, local: &mut String) -> String {
    let implementation = match ty {
        Ty::IntoIterator(item) => {
            return format!("std::iter::Empty<{}>", accepted(member, item, index, local));
        }
        Ty::Option(inner) => return format!("Option<{}>", accepted(member, inner, index, local)),
        Ty::IntoList(item) => {
            let item = Ty::Into(item.clone());
            return format!("Vec<{}>", accepted(member, &item, index, local));
        }
        Ty::FnOnce(arguments, output) => {
            let arguments: Vec<String> = arguments.iter().map(|ty| rust(member, ty)).collect();
            return format!("fn({}) -> {}", arguments.join(", "), rust(member, output));
        }
        Ty::Ref(of) if **of == Ty::Expanded => return "&'static Vec<TypedObject>".to_owned(),
        Ty::AsRef(inner) => {
            let inner = rust(member, inner);
            format!(
                "AsRef<{inner}> for A{index} {{ fn as_ref(&self) -> &{inner} {{ loop {{}} }} }}"
            )
        }
        Ty::Param => return "AnyParam".to_owned(),
        Ty::IntoInteger(_) => return "AnyInteger".to_owned(),
        Ty::Server => return "AnyServer".to_owned(),
        Ty::TokenSource => return "AnySource".to_owned(),
        Ty::Into(into) => {
            let into = rust(member, into);
            format!("From<A{index}> for {into} {{ fn from(_: A{index}) -> Self {{ loop {{}} }} }}")
        }
        ty => return rust(member, ty),
    };
    local.extend(["struct A", &index.to_string(), "; impl ", &implementation, " "]);
    format!("A{index}")
}
