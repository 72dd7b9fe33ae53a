//! Paged lists: the response has the token or the URL of the next page, or a header with a link to it, or pages have numbers.

use super::draft::Draft;
use super::replies::Replies;
use crate::diagnostics::{Code, Place};
use crate::document::Pointer;
use crate::ir::{
    Body, Content, Field, Null, PagePath, PageToken, Paging, Parameter, Shape, Struct, Type,
};
use crate::lower::Context;
use crate::lower::schemas::Types;
use crate::names::snake;

const TOKEN: &str = "page_token";
const NEXT_TOKEN: &str = "next_page_token";
const NEXT: &str = "next_";

/// The properties with the URL of the next page in `OData`, `JSON:API`, where it is a text or an object, and HAL.
const LINKS: [&str; 6] = [
    "@odata.nextLink", "odata.nextLink", "links.next", "links.next.href", "_links.next",
    "_links.next.href",
];

/// The words that follow `next` in the name of the URL of the next page.
const LINK_WORDS: [&str; 5] = ["href", "link", "page", "uri", "url"];

/// The properties of a link with what it leads to, in a list of links, as in OGC API and in FHIR.
const RELATIONS: [&str; 2] = ["rel", "relation"];

/// The words in the names of objects with the URL of the next page.
const OUTER_WORDS: [&str; 8] =
    ["info", "links", "meta", "metadata", "page", "pages", "pagination", "paging"];

/// The lists that have the items of a page, next to others.
const ITEMS: [&str; 7] = ["data", "items", "list", "resources", "results", "value", "values"];

/// The lists with these names have the items, if none has a name of [`ITEMS`].
const ROWS: [&str; 8] =
    ["content", "elements", "entries", "entry", "features", "hits", "records", "rows"];

/// The lists that have no items, also in JSON:API.
const MESSAGES: [&str; 5] = ["errors", "included", "links", "meta", "warnings"];

/// Maximum number of properties that lead to a token or a URL.
const MAX_DEPTH: usize = 3;

/// The fields of a page that lead to a value.
pub(super) type FieldPath<'a> = Vec<&'a Field>;

/// A request whose response may be a page.
pub struct Listing<'a, 'd> {
    pub draft: &'a Draft<'d>,
    pub parameters: &'a [Parameter],
    pub body: &'a Body,
    pub replies: &'a Replies,
    pub types: &'a Types,
    pub context: &'a Context<'d>,
}

impl<'a> Listing<'a, '_> {
    pub fn paging(&self) -> Option<Paging> {
        let output = self.replies.successes.output.json()?;
        let page = self.types.as_struct(output).map(|(_, page)| page);
        let (lists, scalars) = self.paths(page);
        let (mut links, mut lists): (Vec<_>, Vec<_>) =
            lists.into_iter().partition(|list| !self.is_set(list) && self.linked(list).is_some());
        if lists.is_empty() {
            std::mem::swap(&mut links, &mut lists);
        }
        let lists = self.lists(lists);
        if lists.iter().all(|list| self.is_message(list)) && !is_list(output) {
            return None;
        }
        // One resource can have the same links as a page of them, and so can an object with one.
        let has_items = |path: &FieldPath<'_>| {
            path.len() == 1 && !self.draft.gets_one() && !self.is_message(path)
                || path.last().is_some_and(|list| named(list, &ITEMS))
                || self.is_set(path)
        };
        let is_page = is_list(output) || lists.iter().any(has_items);
        let list = self.items(&lists);
        let beside = list.and_then(|list| list.split_last()).map_or(&[][..], |(_, outer)| outer);
        let total = self.total(&scalars, beside);
        let number = |number| (Some(PageToken::Number(number)), PagePath::default());
        let set = self.set_number(total.as_ref()).map(number);
        let known = self.known_number(total.as_ref());
        // Every resource can have links to others.
        let has_name = |list: &&Field| self.is_named(list) || named(list, &ROWS);
        let is_known = !self.draft.gets_one() && list.and_then(<[_]>::last).is_some_and(has_name);
        let links = links.iter().filter_map(|list| self.linked(list));
        let links: Vec<_> = links.filter(|path| is_known || self.is_next_link(path)).collect();
        let next = set.or_else(|| self.next(&scalars, &links, is_page));
        let (token, next_token) = next.or_else(|| known.clone().map(number))?;
        let (items, item) = match (output, list) {
            (Type::List(item), _) => (&[][..], item),
            (_, Some(list @ [.., Field { ty: Type::List(item), .. }])) => (list, item),
            (_, list) => return self.note_lists(list, &lists),
        };
        if token.is_none() && self.query().next().is_some() {
            let message =
                format!("no parameter takes the token of the next page in `{}`", next_token.wire);
            let help = "name the parameter in `codegen.toml`: `paging.token`";
            self.note(Code::Paging, message, help);
        }
        let items = page_path(items);
        let has_token = matches!(token, Some(PageToken::Query(_) | PageToken::Body(_)));
        let first_token = self.context.settings.first_page_token.clone().filter(|_| has_token);
        let is_unsure = has_token && first_token.is_none();
        let other = known.filter(|_| is_unsure).map(|number| number.parameter);
        Some(Paging { token, first_token, next_token, items, item: (**item).clone(), other })
    }

    /// Notes what `items()` and `pages()` need.
    fn note(&self, code: Code, message: String, help: &str) {
        let help = format!("for `items()` and `pages()`, {help}");
        self.context.report(code, Place::key(&self.draft.operation.pointer), message).help(help);
    }

    /// Notes that a page has several lists, or a list of one of several types.
    fn note_lists<T>(&self, list: Option<&[&Field]>, lists: &[FieldPath<'_>]) -> Option<T> {
        let (message, help) = if let Some(list) = list {
            let message =
                format!("the items of a page are in one of several lists: `{}`", wire_path(list));
            (message, "describe one list by an overlay, with `anyOf` in its `items`")
        } else {
            let names: Vec<_> = lists.iter().map(|path| format!("`{}`", wire_path(path))).collect();
            let message = format!("several lists can be the items of a page: {}", names.join(", "));
            (message, "name the list in `codegen.toml`: `paging.items`")
        };
        self.note(Code::SeveralLists, message, help);
        None
    }

    /// Returns how the next page is requested, and the fields that lead to its token or its URL.
    ///
    /// Without a described parameter for the token, the request must have no body, which could take it. The header `Link`
    /// counts only if no property has a token, and a URL that the settings do not name only if there is no such header, and
    /// in lists of `links` only if no other property has one; all only if the response `is_page`.
    fn next(
        &self,
        paths: &[FieldPath<'a>],
        links: &[PagePath],
        is_page: bool,
    ) -> Option<(Option<PageToken>, PagePath)> {
        let Self { draft, body, replies, .. } = self;
        let settings = self.context.settings;
        let named = |name: &String| paths.iter().find(|path| wire_path(path) == *name);
        let is_bodiless = matches!(body, Body::None);
        let has_links = draft.verb == "GET" && is_bodiless;
        let link = |path| (Some(PageToken::Link), path);
        let named_link = settings.next_link.as_ref().and_then(named).filter(|path| is_text(path));
        let mut related = links.iter().filter(|path| self.is_next_link(path));
        let named_link = named_link.map(|path| page_path(path)).or_else(|| related.next().cloned());
        if let Some(path) = named_link.filter(|_| has_links) {
            return Some(link(path));
        }
        let token = match &settings.next_page_token {
            Some(name) => named(name),
            None => paths.iter().find(|path| {
                is_text(path) && matches!(path[..], [field] if field.name.as_str() == NEXT_TOKEN)
            }),
        };
        let token = token.map(|path| (self.page_token(path, true), path));
        let paired = || {
            let mut pairs = paths.iter().filter(|path| self.is_paired(path));
            pairs.find_map(|path| Some((Some(self.page_token(path, false)?), path)))
        };
        match token.or_else(paired) {
            Some((token, path)) => {
                (token.is_some() || is_bodiless).then(|| (token, page_path(path)))
            }
            None if !has_links || !is_page => None,
            None if replies.has_links => Some(link(PagePath::default())),
            None => {
                let of_page = paths.iter().find(|path| self.is_link(path));
                of_page.map(|path| page_path(path)).or_else(|| links.first().cloned()).map(link)
            }
        }
    }

    /// Returns whether a path is that of the settings for the URL of the next page.
    fn is_next_link(&self, path: &PagePath) -> bool {
        self.context.settings.next_link.as_ref() == Some(&path.wire)
    }

    /// Returns the path to the URL of the next page in a list of links: the one of the settings, or one with known names.
    fn linked(&self, list: &FieldPath<'a>) -> Option<PagePath> {
        let (links, wire) = (list.last()?, wire_path(list));
        let Type::List(item) = &links.ty else { return None };
        let (_, object) = self.types.as_struct(item)?;
        let is_next = |field: &Field, value: &str| match self.types.shape(&field.ty) {
            Some(Shape::Enum(known)) => known.variants.iter().any(|it| it.value == value),
            _ => matches!(field.ty, Type::String | Type::AnyText(_)),
        };
        let path = |(relation, value, url): (&str, &str, &str)| {
            let field = |name: &str| object.fields.iter().find(|it| it.property() == Some(name));
            let relation = field(relation).filter(|field| is_next(field, value))?;
            let url = field(url).filter(|field| field.ty.is_string())?;
            let mut path = page_path(&[&list[..], &[url]].concat());
            path.wire = format!("{wire}[{}={value}].{}", relation.property()?, url.property()?);
            path.relation = Some((relation.name.clone(), value.to_owned()));
            Some(path)
        };
        let setting = self.context.settings.next_link.as_ref().and_then(|setting| {
            let (relation, rest) =
                setting.strip_prefix(&wire)?.strip_prefix('[')?.split_once('=')?;
            let (value, url) = rest.split_once("].")?;
            Some((relation, value, url))
        });
        let is_known = named(links, &["link", "links"]);
        let relations = RELATIONS.iter().filter(|_| is_known);
        let known = relations.flat_map(|relation| LINK_WORDS.map(|url| (*relation, "next", url)));
        setting.into_iter().chain(known).find_map(path)
    }

    /// Returns the lists that can have the items of a page: the list of the settings, or else its own lists, or else, as in
    /// an envelope, the lists in its objects.
    fn lists(&self, mut lists: Vec<FieldPath<'a>>) -> Vec<FieldPath<'a>> {
        let is_set = lists.iter().any(|path| self.is_set(path));
        let is_own = |path: &FieldPath<'_>| path.len() == 1 && !self.is_message(path);
        let has_own = lists.iter().any(is_own);
        lists.retain(|path| match &path[..] {
            _ if is_set => self.is_set(path),
            [outer @ .., list] if !has_own && !outer.is_empty() => {
                named(list, &ITEMS) || !outer.iter().all(|field| is_outer(field))
            }
            path => path.len() == 1,
        });
        lists
    }

    /// Returns whether the settings name a list.
    fn is_set(&self, path: &[&Field]) -> bool {
        self.context.settings.page_items.as_ref().is_some_and(|name| wire_path(path) == *name)
    }

    /// Returns whether a list has messages or links by the names that lead to it, unless one is a name for items, such as
    /// the name of the tag.
    fn is_message(&self, path: &[&Field]) -> bool {
        path.iter().any(|field| named(field, &MESSAGES))
            && !path.iter().any(|field| self.is_named(field))
            && !self.is_set(path)
    }

    /// Returns whether values are lists, also of one of several types.
    fn are_lists(&self, ty: &Type) -> bool {
        match self.types.shape(ty) {
            Some(Shape::Union(union)) => {
                union.variants.iter().all(|it| it.property.is_none() && is_list(&it.ty))
            }
            _ => is_list(ty),
        }
    }

    /// Returns the lists, and the texts and numbers, in a page and in the objects in it.
    fn paths(&self, page: Option<&'a Struct>) -> (Vec<FieldPath<'a>>, Vec<FieldPath<'a>>) {
        let mut paths = Vec::new();
        if let Some(page) = page {
            self.add_paths(page, &[], &mut paths);
        }
        // The order of the document makes no difference.
        paths.sort_by_cached_key(|path| (!is_text(path), path.len(), wire_path(path)));
        paths.into_iter().partition(|path| path.last().is_some_and(|it| self.are_lists(&it.ty)))
    }

    /// Adds the lists, texts and numbers of an object and of those in it.
    fn add_paths(&self, object: &'a Struct, outer: &[&'a Field], paths: &mut Vec<FieldPath<'a>>) {
        for field in object.fields.iter().filter(|field| field.property().is_some()) {
            let path = [outer, &[field]].concat();
            if let Some((_, inner)) = self.types.as_struct(&field.ty) {
                if path.len() + 1 < MAX_DEPTH || path.len() < MAX_DEPTH && self.can_lead(&path) {
                    self.add_paths(inner, &path, paths);
                }
            } else if is_text(&path) || is_number(&field.ty) || self.are_lists(&field.ty) {
                paths.push(path);
            } else if let Some(Shape::Union(union)) = self.types.shape(&field.ty) {
                let objects = union.variants.iter().filter_map(|it| self.types.as_struct(&it.ty));
                let fields = objects.flat_map(|(_, object)| &object.fields);
                let inner = fields.map(|field| [&path[..], &[field]].concat());
                let is_url =
                    |path: &FieldPath<'_>| is_text(path) && LINKS.contains(&&*wire_path(path));
                paths.extend(inner.filter(is_url));
            }
        }
    }

    /// Returns whether a deep object can be about pages, or have their items: by its names, or by a given name.
    fn can_lead(&self, path: &[&Field]) -> bool {
        let settings = self.context.settings;
        let [link, token] = [&settings.next_link, &settings.next_page_token];
        let given = [link, token, &settings.page_total, &settings.page_items];
        let given = given.map(|name| name.as_deref());
        let mut given = given.into_iter().flatten().chain(LINKS);
        let prefix = format!("{}.", wire_path(path));
        let is_about_pages = |word: &str| {
            word == "next" || OUTER_WORDS.contains(&word) || LINK_WORDS.contains(&word)
        };
        path.iter().all(|field| words(field).all(is_about_pages))
            || given.any(|name| name.starts_with(&prefix))
    }

    /// Returns the location in a request of the token that a property has. `is_next` if that is known to be a token.
    fn page_token(&self, path: &[&Field], is_next: bool) -> Option<PageToken> {
        let next = path.last()?;
        let name = next.name.as_str();
        let paired = name.strip_prefix(NEXT);
        let same = (is_next || paired.is_some()).then_some(name);
        let names = [paired, same, is_next.then_some(TOKEN)];
        names.into_iter().flatten().find_map(|token| self.token_called(token, next, is_next))
    }

    /// Returns the location of a page token with a name, unless the settings give another one. A parameter that they name
    /// can have any type if `is_next`.
    fn token_called(&self, token: &str, next: &Field, is_next: bool) -> Option<PageToken> {
        let setting = self.context.settings.page_token.as_deref();
        let is_token = |name: &str, wire: &str, ty: &Type| {
            let are_integers = is_integer(ty) && is_integer(&next.ty);
            setting.map_or(name == token, |token| token == wire)
                && (setting.is_some() && is_next
                    || are_integers
                    || ty.is_string() && next.ty.is_string())
        };
        if let Some(pair) = self.query().find(|it| is_token(it.name.as_str(), &it.wire, it.ty)) {
            return Some(PageToken::Query(pair.wire));
        }
        let Body::Fields(id, _) = self.body else { return None };
        let (_, object) = self.types.as_struct(&Type::Named(id.type_id()))?;
        let token = object.fields.iter().find(|field| {
            field.ty == Type::String
                && is_token(field.name.as_str(), field.property().unwrap_or_default(), &field.ty)
                && !field.required
        })?;
        Some(PageToken::Body(token.name.clone()))
    }

    /// Returns whether the name of a property says which parameter takes it: `next_cursor` is for `cursor`. A number must
    /// have a null, for the last page.
    fn is_paired(&self, path: &[&Field]) -> bool {
        let is_next = |field: &&Field| {
            let is_known = field.ty.is_string() || field.null != Null::Never;
            is_known && field.name.as_str().starts_with(NEXT)
        };
        self.context.settings.next_page_token.is_none()
            && path.last().is_some_and(is_next)
            && !self.is_link(path)
    }

    /// Returns whether a property has the URL of the next page: by a standard, or by its name and its format.
    fn is_link(&self, path: &[&Field]) -> bool {
        if !is_text(path) {
            return false;
        }
        let wire = wire_path(path);
        let is_link = |field: &&Field| words(field).all(|word| LINK_WORDS.contains(&word));
        let is_next = |field: &&Field| {
            let mut words = words(field);
            words.next() == Some("next") && words.all(|word| LINK_WORDS.contains(&word))
        };
        let (is_named, outer) = match path {
            [outer @ .., next, last] if is_link(last) => (is_next(next), outer),
            [outer @ .., last] => (is_next(last), outer),
            [] => (false, path),
        };
        LINKS.contains(&&*wire)
            || is_named && outer.iter().all(|field| is_outer(field)) && self.is_url(path)
    }

    fn is_url(&self, path: &[&Field]) -> bool {
        let pointer = path.last().map(|field| Pointer::from_escaped(&field.pointer));
        let schema = pointer.and_then(|pointer| self.context.document.at(pointer));
        let format = schema.and_then(|it| self.context.reading.values(&it.into()).format());
        matches!(format, Some("uri" | "uri-reference" | "url"))
    }

    /// Returns whether a list has a name for the items of a page, or that of the tag, or of the end of the path.
    fn is_named(&self, list: &Field) -> bool {
        let segment = self.draft.path.rsplit('/').find(|segment| !segment.contains('{'));
        let mut names = [self.draft.tag, segment].into_iter().flatten().map(snake);
        named(list, &ITEMS) || names.any(|name| name == list.name.as_str())
    }

    /// Returns the list of a page that has its items.
    fn items<'l>(&self, lists: &'l [FieldPath<'a>]) -> Option<&'l [&'a Field]> {
        let only = |is_list: &dyn Fn(&Field) -> bool| {
            let is_list = |path: &&FieldPath<'_>| path.last().is_some_and(|field| is_list(field));
            let mut found = lists.iter().filter(is_list);
            found.next().filter(|_| found.next().is_none()).map(Vec::as_slice)
        };
        let failures = self.replies.failures.iter().flat_map(|failures| &failures.cases);
        let errors = failures.filter_map(|case| match &case.content {
            // Where only the default is declared, a page is the body of errors, too.
            Some(Content::Json(ty)) if self.replies.successes.output.json() != Some(ty) => {
                self.types.as_struct(ty)
            }
            _ => None,
        });
        let errors: Vec<&Field> = errors.flat_map(|(_, object)| &object.fields).collect();
        let is_message = |field: &Field| {
            self.is_message(&[field]) || errors.iter().any(|it| it.wire == field.wire)
        };
        only(&|_| true)
            .filter(|list| !self.is_message(list))
            .or_else(|| only(&|field| named(field, &["list"])))
            .or_else(|| only(&|field| named(field, &["items"])))
            .or_else(|| only(&|field| self.is_named(field)))
            .or_else(|| only(&|field| named(field, &ROWS)))
            .or_else(|| only(&|field| !is_message(field)))
    }
}

/// Returns whether the name of an object says that it is about pages.
pub(super) fn is_outer(field: &Field) -> bool {
    words(field).all(|word| OUTER_WORDS.contains(&word))
}

pub(super) fn is_text(path: &[&Field]) -> bool {
    path.last().is_some_and(|field| field.ty.is_string())
}

pub(super) fn is_number(ty: &Type) -> bool {
    is_integer(ty) || *ty == Type::FLOAT64
}

fn is_list(ty: &Type) -> bool {
    matches!(ty, Type::List(_))
}

fn named(field: &Field, names: &[&str]) -> bool {
    names.contains(&field.name.as_str())
}

/// Returns whether values are integers that a token can have.
pub(super) fn is_integer(ty: &Type) -> bool {
    ty.is_integer() && !matches!(ty, Type::Secret(_))
}

pub(super) fn words(field: &Field) -> impl Iterator<Item = &str> {
    field.name.as_str().split('_').filter(|word| !word.is_empty())
}

pub(super) fn page_path(path: &[&Field]) -> PagePath {
    let fields = path.iter().map(|field| field.name.clone()).collect();
    PagePath { fields, relation: None, wire: wire_path(path) }
}

/// Returns the names of the properties that lead to a field, with dots between them.
pub(super) fn wire_path(path: &[&Field]) -> String {
    path.iter().filter_map(|field| field.property()).collect::<Vec<_>>().join(".")
}
