//! Every use that a program can make of a crate's public items, each as one line of Rust.

use ::codegen::public_api::{FEATURES, ItemKind, MemberKind, Part, PublicApi, rename_paths};

/// A line that uses an item.
pub struct Use {
    /// The item.
    pub id: String,
    /// A function; empty for what no line of Rust uses.
    pub line: String,
}

/// The lines before the uses. What they import is a module of its own: a glob of the uses themselves would make rustc's
/// work and memory grow with the square of their number.
pub const PRELUDE: &str = "\
#![allow(warnings)]
mod prelude {
    pub use std::{collections::BTreeMap, fmt::{Debug, Display}, future::IntoFuture, hash::Hash, str::FromStr, time::Duration};
    pub use subject::runtime::internal::{Deserialize, Serialize};
    pub fn any<T>() -> T { loop {} }
}
";

/// Returns a use of each item in each way.
pub fn all(api: &PublicApi) -> Vec<Use> {
    let uses = api.parts().filter_map(|part| {
        let line = Subject { api, part }.line()?;
        Some(Use { id: part.id(), line })
    });
    uses.collect()
}

/// Returns the features of a crate.
pub fn features(api: &PublicApi) -> impl Iterator<Item = &str> {
    api.items.keys().filter_map(|path| path.strip_prefix(FEATURES))
}

/// A part of an item whose use is written.
struct Subject<'a> {
    api: &'a PublicApi,
    part: Part<'a>,
}

impl Subject<'_> {
    fn line(&self) -> Option<String> {
        let Part { path, item, kind, name, member } = self.part;
        let (of, ty) = (self.ty(path), self.ty(&member.ty));
        Some(match kind {
            MemberKind::Operation | MemberKind::Body => return None,
            MemberKind::Whole => match item.kind {
                ItemKind::Feature => return None,
                ItemKind::Module | ItemKind::Use => format!("fn f() {{ use {of} as item; }}"),
                ItemKind::Alias | ItemKind::Struct | ItemKind::Enum => {
                    format!("fn f(_: {of}) {{}}")
                }
            },
            MemberKind::Trait => {
                let bound = self.ty(name).replace("<&str>", "<&'static str>");
                let bound = if name == "Deserialize" { "Deserialize<'static>" } else { &bound };
                format!("fn f() {{ fn has<T: {bound}>() {{}} has::<{of}>(); }}")
            }
            MemberKind::Output => {
                format!("async fn f(v: {of}) -> Result<{ty}, subject::Error> {{ v.await }}")
            }
            MemberKind::Items => format!(
                "async fn f(mut v: subject::runtime::Items<{of}>) -> Result<Option<{ty}>, subject::Error> {{ v.try_next().await }}"
            ),
            MemberKind::Field => {
                format!("fn f(mut v: {of}, value: {ty}) -> {ty} {{ v.{name} = value; v.{name} }}")
            }
            MemberKind::Variant if member.ty.is_empty() => {
                format!(
                    "fn f(v: {of}) -> {of} {{ match v {{ {of}::{name} => {of}::{name}, v => v }} }}"
                )
            }
            MemberKind::Variant => format!(
                "fn f(v: {of}) -> {of} {{ match v {{ {of}::{name}(x) => {{ let x: {ty} = x; {of}::{name}(x) }} v => v }} }}"
            ),
            MemberKind::Const => format!("fn f() -> {ty} {{ <{of}>::{name} }}"),
            MemberKind::Method => {
                let mut local = String::new();
                let values = member.arguments.iter().filter(|argument| !argument.ty.is_empty());
                let values: Vec<String> = values
                    .enumerate()
                    .map(|(index, argument)| {
                        format!("any::<{}>()", self.accepted(&argument.ty, index, &mut local))
                    })
                    .collect();
                let values = values.join(", ");
                match member.arguments.first().map(|first| first.name.as_str()) {
                    Some("self") => {
                        format!("{local}fn f(v: {of}) -> {ty} {{ v.{name}({values}) }}")
                    }
                    Some("&self") => {
                        format!("{local}fn f(v: &{of}) -> {ty} {{ v.{name}({values}) }}")
                    }
                    _ => format!("{local}fn f() -> {ty} {{ <{of}>::{name}({values}) }}"),
                }
            }
        })
    }

    /// Returns a type as the program writes it.
    fn ty(&self, ty: &str) -> String {
        rename_paths(ty, |path| {
            let is_inner = ["models::", "resources::", "runtime::"];
            let is_inner = is_inner.iter().any(|root| path.starts_with(root));
            match path {
                "Self" => Some(self.ty(self.part.path)),
                // The only type parameter of a method is free.
                "T" => Some("u8".to_owned()),
                "Self::Output" => Some(self.ty(&self.part.item.fact(MemberKind::Output)?.ty)),
                path if is_inner || self.api.items.contains_key(path) => {
                    Some(format!("subject::{path}"))
                }
                _ => None,
            }
        })
    }

    /// Returns a type that an argument takes and that nothing else knows: what is asked for as `impl Trait` is a type of
    /// the program that implements the trait, which is declared in `local`.
    fn accepted(&self, ty: &str, index: usize, local: &mut String) -> String {
        let inner = |prefix: &str, suffix: &str| ty.strip_prefix(prefix)?.strip_suffix(suffix);
        if let Some(item) = inner("impl IntoIterator<Item = ", ">") {
            return format!("std::iter::Empty<{}>", self.accepted(item, index, local));
        }
        if let Some(item) = inner("impl runtime::IntoList<", ", By>") {
            let item = format!("impl Into<{item}>");
            return format!("Vec<{}>", self.accepted(&item, index, local));
        }
        if let Some(signature) = ty.strip_prefix("impl FnOnce") {
            return format!("fn{}", self.ty(signature));
        }
        let implementation = if ty == "impl AsRef<str>" {
            format!("AsRef<str> for A{index} {{ fn as_ref(&self) -> &str {{ loop {{}} }} }}")
        } else if ty == "impl runtime::Param" {
            format!(
                "subject::runtime::Param for A{index} {{ fn to_param(&self) -> std::borrow::Cow<'_, str> {{ loop {{}} }} }}"
            )
        } else if let Some(into) = inner("impl Into<", ">") {
            let into = self.ty(into);
            format!("From<A{index}> for {into} {{ fn from(_: A{index}) -> Self {{ loop {{}} }} }}")
        } else {
            return self.ty(ty);
        };
        local.extend(["struct A", &index.to_string(), "; impl ", &implementation, " "]);
        format!("A{index}")
    }
}
