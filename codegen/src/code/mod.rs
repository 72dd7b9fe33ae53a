//! Emitted code as its parts, without documentation.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, ImplItem, Item, ItemImpl, Type};

use crate::items::{Body, Definition, MemberRef, Path, PublicApi, Wire};
use crate::parallel;

/// A file: its path and its text.
pub type File<'a> = (&'a str, &'a str);

/// The emitted code of a revision: the tokens of its parts, without attributes.
#[derive(Debug, Default)]
pub struct Code(pub BTreeMap<Part, Vec<String>>);

/// A part of the emitted code.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part {
    /// The item that it belongs to.
    pub owner: Path,
    /// The trait of an implementation; empty without one.
    pub of_trait: String,
    /// The name of the function, the constant or the field; empty for the item as a whole.
    pub name: String,
}

impl Part {
    /// The name of the order in which the properties of a table are sent.
    const ORDER: &str = "order";

    /// Returns whether the part is the order of the properties in a body in parts.
    pub fn is_order(&self) -> bool {
        self.of_trait == "object" && self.name == Self::ORDER
    }

    fn of_order(&self) -> Self {
        Self { name: Self::ORDER.to_owned(), ..self.clone() }
    }
}

/// The constants and fields with indexes of schemes and servers. Items list them by name.
const INDEXES: [&str; 4] = ["INDEX", "SECURITY", "SERVERS", "security"];

impl Code {
    /// Returns whether the code has the implementation of a trait with a part.
    pub fn has_implementation(&self, part: &Part) -> bool {
        let first = Part { name: String::new(), ..part.clone() };
        let next = self.0.range(first..).next();
        next.is_some_and(|(it, _)| (&it.owner, &it.of_trait) == (&part.owner, &part.of_trait))
    }

    /// Reads the Rust files of a crate with these items. Renamed items have their new names.
    pub fn new<'f>(
        files: impl Iterator<Item = &'f File<'f>>,
        api: &PublicApi,
        renamed: &BTreeMap<String, String>,
    ) -> Self {
        let in_parts = bodies_in_parts(api);
        let is_rust =
            |path: &str| std::path::Path::new(path).extension().is_some_and(|it| it == "rs");
        let files: Vec<&File<'f>> = files.filter(|(path, _)| is_rust(path)).collect();
        let mut code = Self::default();
        for (part, tokens) in
            parallel::map(&files, |file| Self::of_file(file).0).into_iter().flatten()
        {
            let owner = owner(&part, api).unwrap_or_else(|| part.owner.clone());
            code.0.entry(Part { owner, ..part }).or_default().extend(tokens);
        }
        let mut orders = Vec::new();
        for (part, tokens) in &mut code.0 {
            *tokens = without_modules(tokens);
            for token in tokens.iter_mut() {
                if let Some(new) = renamed.get(token) {
                    token.clone_from(new);
                }
            }
            if part.name.is_empty() {
                let order = sort_entries(tokens);
                let is_in_parts = part.of_trait == "object" && in_parts.contains(&part.owner);
                orders.extend(is_in_parts.then(|| (part.of_order(), order)));
            }
        }
        code.0.extend(orders);
        code
    }

    fn of_file((path, text): &File<'_>) -> Self {
        let mut code = Self::default();
        // Emitted text is valid; the compiler reports a defect of an emitter.
        let items = syn::parse_file(text).map(|file| file.items).unwrap_or_default();
        for item in items {
            code.read(path, &item);
        }
        code
    }

    fn read(&mut self, file: &str, item: &Item) {
        match item {
            // Items have these definitions.
            Item::Use(_)
            | Item::ExternCrate(_)
            | Item::Struct(_)
            | Item::Enum(_)
            | Item::Type(_) => {}
            Item::Mod(module) => {
                let content = module.content.iter().flat_map(|(_, items)| items);
                content.for_each(|item| self.read(file, item));
            }
            Item::Impl(block) => self.read_impl(file, block),
            Item::Const(constant) => {
                // The only constant is that of the client.
                let owner = Path::new(Path::BUILDER);
                match &*constant.expr {
                    Expr::Struct(literal) => {
                        for field in &literal.fields {
                            let name = field.member.to_token_stream().to_string();
                            self.add(owner.clone(), "", &name, field.expr.to_token_stream());
                        }
                    }
                    other => {
                        self.add(owner, "", &constant.ident.to_string(), other.to_token_stream());
                    }
                }
            }
            Item::Macro(call) => {
                let name = call.mac.path.segments.last().map(|it| it.ident.to_string());
                let owner = call.mac.tokens.clone().into_iter().find_map(|token| match token {
                    TokenTree::Ident(ident) => Some(ident.to_string()),
                    _ => None,
                });
                let (owner, name) = (owner.unwrap_or_default(), name.unwrap_or_default());
                self.add(path_of(file, &owner), &name, "", call.mac.tokens.clone());
            }
            other => self.add(path_of(file, ""), "", "", other.to_token_stream()),
        }
    }

    fn read_impl(&mut self, file: &str, block: &ItemImpl) {
        let names: Vec<_> = match &*block.self_ty {
            Type::Path(path) => path.path.segments.iter().map(|it| it.ident.to_string()).collect(),
            _ => Vec::new(),
        };
        let owner = match names.as_slice() {
            [root, path @ ..] if root == "crate" => Path::new(path.join("::")),
            names => path_of(file, names.last().map_or("", String::as_str)),
        };
        let of_trait = block.trait_.as_ref().map(|(path, _)| path.to_token_stream().to_string());
        let of_trait = of_trait.unwrap_or_default().replace(' ', "");
        let of_trait = of_trait.rsplit("::").next().unwrap_or_default().to_owned();
        if !of_trait.is_empty() {
            self.add(owner.clone(), &of_trait, "", TokenStream::new());
        }
        for item in &block.items {
            let name = match item {
                ImplItem::Const(item) => item.ident.to_string(),
                ImplItem::Fn(item) => {
                    // Items have the signature.
                    let name = item.sig.ident.to_string();
                    self.add(owner.clone(), &of_trait, &name, item.block.to_token_stream());
                    continue;
                }
                ImplItem::Type(item) => item.ident.to_string(),
                _ => String::new(),
            };
            self.add(owner.clone(), &of_trait, &name, item.to_token_stream());
        }
    }

    fn add(&mut self, owner: Path, of_trait: &str, name: &str, tokens: TokenStream) {
        if INDEXES.contains(&name) {
            return;
        }
        // The methods of the builder have indexes of schemes.
        let has_indexes = owner.as_str() == Path::BUILDER;
        let part = Part { owner, of_trait: of_trait.to_owned(), name: name.to_owned() };
        let found = self.0.entry(part).or_default();
        flatten(tokens, has_indexes, found);
    }
}

/// Returns the type of a reply that is decoded by its status: its code is next to its request.
fn owner(part: &Part, api: &PublicApi) -> Option<Path> {
    let mut outputs = api.items.values().filter_map(|item| item.output()?.as_item());
    outputs.find(|path| part.of_trait == "FromReply" && path.name() == part.owner.name()).cloned()
}

/// Returns the types whose properties are the parts of bodies, which servers may read in their order: the types of the
/// bodies, of their variants, and of the unions next to their properties.
fn bodies_in_parts(api: &PublicApi) -> BTreeSet<&Path> {
    let requests = api.items.values().filter(|item| {
        item.operation().is_some_and(|operation| operation.media_type().starts_with("multipart/"))
    });
    let types = requests.filter_map(|item| match item.body()? {
        Body::Value(ty) => ty.as_item(),
        _ => None,
    });
    let mut waiting: Vec<&Path> = types.collect();
    let mut found = BTreeSet::new();
    while let Some(path) = waiting.pop() {
        let Some(whole) = api.whole(path).filter(|_| found.insert(path)) else { continue };
        let inner = whole.item.members(path).filter(|member| match member.definition {
            Some(Definition::Variant(_, wire)) => wire.is_none(),
            Some(Definition::Field(_, Wire::Property(property))) => property.name.is_none(),
            _ => false,
        });
        waiting.extend(inner.flat_map(MemberRef::named_items));
    }
    found
}

/// Sorts the entries of a table, whose order means nothing: properties, values, and the variants of a union, whose rules
/// follow the entries. Returns the names of the entries on the wire in their order before.
fn sort_entries(tokens: &mut Vec<String>) -> Vec<String> {
    let [_, open, rest @ ..] = tokens.as_slice() else { return Vec::new() };
    if open != "{" {
        return Vec::new();
    }
    let mut depth = 0_usize;
    let mut entries = vec![Vec::new()];
    for token in rest {
        match token.as_str() {
            "(" | "{" | "[" => depth += 1,
            "}" if depth == 0 => break,
            ")" | "}" | "]" => depth -= 1,
            _ => {}
        }
        if let Some(entry) = entries.last_mut() {
            entry.push(token.clone());
        }
        if token == "," && depth == 0 {
            entries.push(Vec::new());
        }
    }
    let end = 2 + entries.iter().map(Vec::len).sum::<usize>();
    for entry in &mut entries {
        // They only concern what is printed.
        if let [.., mark, end] = entry.as_slice()
            && end == ","
            && ["secret", "shown"].contains(&mark.as_str())
        {
            entry.remove(entry.len() - 2);
        }
    }
    // A union next to properties has no name on the wire.
    let name = |entry: &Vec<String>| {
        entry.iter().find(|token| token.starts_with('"')).or(entry.first()).cloned()
    };
    let order = entries.iter().filter_map(name).collect();
    entries.sort();
    let entries = entries.concat();
    tokens.splice(2..end, entries);
    order
}

/// Adds the tokens without attributes, which only concern documentation, lints, and the features and traits that items
/// have.
fn flatten(tokens: TokenStream, has_indexes: bool, found: &mut Vec<String>) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                tokens.next_if(
                    |next| matches!(next, TokenTree::Punct(punct) if punct.as_char() == '!'),
                );
                tokens.next_if(|next| matches!(next, TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket));
            }
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                found.push(open.to_owned());
                flatten(group.stream(), has_indexes, found);
                found.push(close.to_owned());
            }
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                let is_index = has_indexes && text.bytes().all(|byte| byte.is_ascii_digit());
                found.extend((!is_index).then_some(text));
            }
            other => found.push(other.to_string()),
        }
    }
}

/// Returns tokens without the modules before the names of items: they are only there if two items have the same name.
fn without_modules(tokens: &[String]) -> Vec<String> {
    let is_separator = |tokens: &[String]| tokens.starts_with(&[":".to_owned(), ":".to_owned()]);
    let mut found = Vec::with_capacity(tokens.len());
    let mut rest = tokens;
    while let [first, after @ ..] = rest {
        rest = after;
        if first != "crate" || !is_separator(rest) {
            found.push(first.clone());
            continue;
        }
        while is_separator(rest) {
            rest = &rest[2..];
            if let [_, after @ ..] = rest
                && is_separator(after)
            {
                rest = after;
            }
        }
    }
    found
}

/// Returns the path of an item in a file. A model has its own file, which has no name in Rust.
fn path_of(file: &str, name: &str) -> Path {
    let file = file.trim_start_matches("src/").trim_end_matches(".rs");
    let mut modules: Vec<&str> = file.split('/').collect();
    let last = modules.pop().unwrap_or_default();
    match modules.first() {
        None if name.is_empty() => return Path::new(last),
        None => return Path::new(name),
        Some(&"resources") if last != "mod" => modules.push(last),
        _ => {}
    }
    modules.push(name);
    Path::new(modules.join("::"))
}
