//! Paged lists: the response has the token of the next page, or a link to it.

use crate::ir::{
    Body, Field, FieldWire, Location, Output, PageToken, Paging, Parameter, Struct, Type,
};
use crate::lower::schemas::Types;
use crate::settings::Settings;

const TOKEN: &str = "page_token";
const NEXT_TOKEN: &str = "next_page_token";
const NEXT: &str = "next_";

/// Returns the paging of an operation that returns pages.
///
/// Without a described parameter for the token, the request must have no body, which could take it. `has_links` if
/// successful replies have the header `Link`: it counts only if no property has a token.
pub fn paging(
    parameters: &[Parameter],
    body: &Body,
    output: &Output,
    has_links: bool,
    types: &Types<'_>,
    settings: &Settings,
) -> Option<Paging> {
    let output = output.json()?;
    let page = types.as_struct(output).map(|(_, page)| page);
    let texts = texts(page, types);
    let token_for = |next: &Field| page_token(parameters, body, next, types, settings);
    let named = texts.iter().find(|path| is_next_token(path, settings));
    let named = named.and_then(|path| Some((path, token_for(path.last()?))));
    let paired = || {
        let pairs = texts.iter().filter_map(|path| Some((path, *path.last()?)));
        let mut pairs = pairs.filter(|(_, field)| is_paired(field, settings));
        pairs.find_map(|(path, field)| Some((path, Some(token_for(field)?))))
    };
    let (next_token, token) = match named.or_else(paired) {
        Some((path, token)) => (path.as_slice(), token),
        None => (&[][..], has_links.then_some(PageToken::Link)),
    };
    let is_bodiless = matches!(body, Body::None);
    let is_paged = match token {
        Some(PageToken::Query(_) | PageToken::Body(_)) => true,
        Some(PageToken::Link) => is_bodiless,
        None => is_bodiless && !next_token.is_empty(),
    };
    let (items, item) = match (output, page) {
        _ if !is_paged => return None,
        (Type::List(item), _) => (None, &**item),
        (_, page) => sole_list(page?).map(|(items, item)| (Some(items), item))?,
    };
    Some(Paging {
        token,
        next_token: next_token.iter().map(|field| field.name.clone()).collect(),
        items: items.map(|field| field.name.clone()),
        item: item.clone(),
    })
}

/// Returns the texts of a page and of the objects in it, each with the fields that lead to it.
fn texts<'t>(page: Option<&'t Struct>, types: &'t Types<'_>) -> Vec<Vec<&'t Field>> {
    let fields = page.iter().flat_map(|page| &page.fields);
    let inner = fields.clone().filter(|field| !wire(field).is_empty()).flat_map(|outer| {
        let object = types.as_struct(&outer.ty).map(|(_, object)| &object.fields);
        object.into_iter().flatten().map(move |field| vec![outer, field])
    });
    let is_text = |path: &Vec<&Field>| path.last().is_some_and(|field| field.ty == Type::String);
    let mut inner: Vec<Vec<&Field>> = inner.filter(is_text).collect();
    // The order of the document makes no difference.
    inner.sort_by_cached_key(|path| wire_path(path));
    fields.map(|field| vec![field]).filter(is_text).chain(inner).collect()
}

/// Returns the location of the page token in a request.
fn page_token(
    parameters: &[Parameter],
    body: &Body,
    next: &Field,
    types: &Types<'_>,
    settings: &Settings,
) -> Option<PageToken> {
    let parameter = parameters.iter().find(|parameter| {
        parameter.location == Location::Query
            && is_token(parameter.name.as_str(), &parameter.wire, next, settings)
            && parameter.ty == Type::String
    });
    if let Some(parameter) = parameter {
        return Some(PageToken::Query(parameter.wire.clone()));
    }
    let Body::Fields(id, _) = body else { return None };
    let (_, object) = types.as_struct(&Type::Named(id.type_id()))?;
    let token = object.fields.iter().find(|field| {
        is_token(field.name.as_str(), wire(field), next, settings)
            && field.ty == Type::String
            && !field.required
    })?;
    Some(PageToken::Body(token.name.clone()))
}

/// Returns whether a parameter or a property has the token of a page, which a property has for the next page.
fn is_token(name: &str, wire: &str, next: &Field, settings: &Settings) -> bool {
    let paired = next.name.as_str().strip_prefix(NEXT).filter(|_| is_paired(next, settings));
    settings.page_token.as_deref().map_or(name == paired.unwrap_or(TOKEN), |token| token == wire)
}

/// Returns whether the name of a property says which parameter takes it: `next_cursor` is for `cursor`.
fn is_paired(next: &Field, settings: &Settings) -> bool {
    settings.next_page_token.is_none() && next.name.as_str().starts_with(NEXT)
}

/// Returns whether a property has the token of the next page.
fn is_next_token(path: &[&Field], settings: &Settings) -> bool {
    match (settings.next_page_token.as_deref(), path) {
        (Some(token), path) => token == wire_path(path),
        (None, [field]) => field.name.as_str() == NEXT_TOKEN,
        // In an object, only with the parameter that takes it.
        _ => false,
    }
}

/// Returns the names of the properties that lead to a field, with dots between them.
fn wire_path(path: &[&Field]) -> String {
    path.iter().map(|field| wire(field)).collect::<Vec<_>>().join(".")
}

/// Returns the name of a property, and none for fields that hold several.
fn wire(field: &Field) -> &str {
    match &field.wire {
        FieldWire::Property(name) => name,
        FieldWire::Flattened => "",
    }
}

/// Returns the list of a page: the only one, or the one called `list` or `items`.
fn sole_list(page: &Struct) -> Option<(&Field, &Type)> {
    let lists: Vec<(&Field, &Type)> = page.fields.iter().filter_map(list_of).collect();
    match lists.as_slice() {
        [only] => Some(*only),
        _ => lists.into_iter().find(|(field, _)| matches!(field.name.as_str(), "list" | "items")),
    }
}

/// Returns a field that is a list, with the type of its items.
fn list_of(field: &Field) -> Option<(&Field, &Type)> {
    match (&field.ty, &field.wire) {
        (Type::List(item), FieldWire::Property(_)) => Some((field, &**item)),
        _ => None,
    }
}
