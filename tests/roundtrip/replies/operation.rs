//! The operations of an emitted crate, and the ways in which each receives replies.

use std::collections::BTreeSet;

use codegen::items::{Definition, Item, ItemKind, MemberKind, MemberRef, Path, PublicApi, Ty};
use serde_json::Value;

use crate::document::Document;

/// An operation of the emitted crate.
pub struct Operation<'a> {
    pub item: &'a Item,
    pub path: &'a Path,
    /// The body of its errors.
    pub failure: Option<&'a Ty>,
    /// Whether the result, and the body of errors, are enums of replies.
    pub is_enum: [bool; 2],
    /// Its other ways than `send`, each with the place of its media type.
    pub ways: Vec<(String, &'a str)>,
    /// The Operation Object.
    pub value: &'a Value,
}

impl Operation<'_> {
    /// Returns whether replies have no body.
    pub fn is_head(&self) -> bool {
        self.item.operation().is_some_and(|operation| operation.verb == "HEAD")
    }

    /// Returns whether the result is nothing, of any successful status.
    pub fn is_unit(&self) -> bool {
        self.item.output().is_none_or(|ty| *ty == Ty::Unit)
    }
}

/// Returns the operations of a crate, each once.
pub fn operations<'a>(api: &'a PublicApi, document: &Document<'a>) -> Vec<Operation<'a>> {
    let mut seen = BTreeSet::new();
    let operation = |(path, item): (&'a Path, &'a Item)| {
        item.operation()?;
        let place = item.about.place.as_str();
        let value = document.value(document.at(place)?);
        if !seen.insert(place) {
            return None;
        }
        let ways = item.members(path).filter(|member| way(*member, "", api).is_some());
        let ways = ways.map(|member| (member.name.to_owned(), member.about.place.as_str()));
        let failure = item.members.values().find_map(|member| match &member.definition {
            Definition::Failure(ty, _) => Some(ty),
            _ => None,
        });
        let is_enum = [item.output(), failure].map(|ty| {
            let item = ty.and_then(|ty| api.items.get(ty.as_item()?));
            item.is_some_and(is_enum_of_replies)
        });
        Some(Operation { item, path, failure, is_enum, ways: ways.collect(), value })
    };
    api.items.iter().filter_map(operation).collect()
}

/// Returns whether a type is an enum of the bodies of several replies, which is not JSON itself.
pub fn is_enum_of_replies(item: &Item) -> bool {
    let is_json = item.members.contains_key(&(MemberKind::Trait, "Deserialize".to_owned()));
    item.kind == ItemKind::Enum && !is_json
}

/// Returns the expression that receives a reply by a method of a request, such as `events`.
pub fn way(member: MemberRef<'_>, media_type: &str, api: &PublicApi) -> Option<String> {
    let output = member.method()?.signature.output.to_string();
    let (name, content) = output.strip_suffix('>')?.split_once('<')?;
    let format = match content {
        _ if api.items.get(&Path::new(content)).is_some_and(is_enum_of_replies) => "Several",
        "String" => "Text",
        "runtime::Bytes" => "Binary",
        _ => "Json",
    };
    let made = format!("Made::<E>::new(client), (&[], {media_type:?})");
    match name {
        "runtime::Events" => Some(format!("events!({content}, internal::{format}, {made})")),
        "runtime::Lines" => Some(format!("lines!({content}, internal::{format}, {made})")),
        "runtime::Sending" if content != "Self::Output" => {
            Some(format!("sent!(wait(internal::send_as::<{content}, internal::{format}>({made})))"))
        }
        _ => None,
    }
}
