//! The documentation of operations: of their methods and of their requests.

use crate::emit::rust::docs::{Doc, Inline, text};
use crate::emit::rust::page::Page;
use crate::ir::{
    Api, Content, Encoding, Location, Media, Operation, Output, PageToken, Resource, StreamKind,
    Type,
};
use crate::items::requests::RequestItems;
use crate::items::{Ty, conventions};

/// Maximum number of other media types that a method names.
const MAX_OTHERS: usize = 8;

/// Returns the documentation of a method: the description of the operation, its HTTP request, its result and its arguments.
pub fn of_method(resource: &Resource, items: &RequestItems<'_>, page: &mut Page<'_>) -> Doc {
    let operation = items.operation;
    let summary = operation.summary.as_deref().map(str::trim).filter(|summary| !summary.is_empty());
    let description = operation.docs.text.as_deref();
    // A summary that its description begins with is redundant.
    let summary = summary.filter(|summary| {
        description.is_none_or(|text| !text.trim_start().starts_with(summary.trim_end_matches('.')))
    });
    let summary = summary.map(|summary| {
        let stop = if summary.ends_with(['.', '!', '?']) { "" } else { "." };
        Doc::of_summary(&format!("{summary}{stop}"))
    });
    let id = Inline::code(&operation.id);
    let description = description.and_then(Doc::of_spec);
    let doc = match (summary, description) {
        (Some(summary), Some(description)) => summary.and(description),
        (Some(doc), None) | (None, Some(doc)) => doc,
        (None, None) => Doc::default(),
    };
    let verb = &operation.http_method;
    let request = Inline::code(&format!("{verb} {}", operation.path));
    let servers = operation
        .servers
        .iter()
        .filter_map(|server| page.api.servers.get(*server))
        .map(|server| text!("[`servers::{}`](crate::servers::{})", server.name, server.name));
    let servers = servers.reduce(|all, server| text!("{} or {}", all, server)).map(|servers| {
        text!(
            "It is sent to {}, not to the base URL, if [`ClientBuilder::server`](crate::ClientBuilder::server) accepts that.",
            servers
        )
    });
    let doc = doc
        .paragraph(text!("{}, operation {}.", request, id))
        .paragraphs(servers)
        .paragraph(returns(items, page))
        .paragraphs(fails(items, page.api))
        .paragraphs(media(resource, operation));
    let mut arguments =
        operation.parameters.iter().filter(|parameter| parameter.required).peekable();
    let doc = if arguments.peek().is_some() { doc.heading("Arguments") } else { doc };
    arguments.fold(doc, |doc, parameter| {
        let place = match parameter.location {
            Location::Header => "headers",
            Location::Cookie => "cookies",
            Location::QueryString => "query",
            location => location.name(),
        };
        let about = Doc::new(&parameter.docs, || {
            Some(text!("{} in the {}.", Inline::code(&parameter.wire), place))
        });
        doc.item(text!("`{}`: {}", parameter.name, about.inline()))
    })
}

/// Returns sentences about the media types of an operation, if they are not only JSON.
fn media(resource: &Resource, operation: &Operation) -> Option<Inline> {
    let media = operation.media.as_ref()?;
    let others = resource.operations.iter().filter(|other| other.is_variant_of(operation));
    let others: Vec<_> = others.take(MAX_OTHERS).collect();
    if media.is_plain_json() && others.is_empty() {
        return None;
    }
    let first = text!("The body is sent as {}.", Inline::code(&media.name));
    let others = others.into_iter().filter_map(|other| {
        let media = Inline::code(&other.media.as_ref()?.name);
        Some(text!(" [`{}`](Self::{}) sends {}.", other.method_name, other.method_name, media))
    });
    let text = others.fold(first, |text, other| text!("{}{}", text, other));
    let text = if media.is_range() {
        text!("{} The file needs its own media type: `Upload::with_content_type`.", text)
    } else {
        text
    };
    Some(needed_headers(media).fold(text, |text, needed| text!("{}{}", text, needed)))
}

/// Returns sentences about the headers that callers add to the files of a form.
fn needed_headers(media: &Media) -> impl Iterator<Item = Inline> {
    let headers = media.encodings().iter().flat_map(|Encoding { property, headers, .. }| {
        headers.iter().filter(|header| header.value.is_none()).map(move |it| (property, it))
    });
    headers.map(|(property, header)| {
        let (part, name) = (Inline::code(property), Inline::code(&header.name));
        if property == "*" {
            return text!(" Each part needs the header {}: `Upload::with_header`.", name);
        }
        text!(" The part {} needs the header {}: `Upload::with_header`.", part, name)
    })
}

/// Returns the documentation of a request: its method, its HTTP request and its result.
pub fn of_request(resource: &Resource, items: &RequestItems<'_>, page: &mut Page<'_>) -> Doc {
    let operation = items.operation;
    let verb = &operation.http_method;
    let method = &operation.method_name;
    let link = match &resource.handle {
        Some(handle) => text!("[`{}::{}`]", handle.name, method),
        None => text!("[`Client::{}`](crate::Client::{})", method, method),
    };
    let route = Inline::code(&format!("{verb} {}", operation.path));
    let request = text!("A request of {}: {}.", link, route);
    let builder = &operation.builder;
    let uploads = items.takes_uploads().then(|| {
        text!(
            "Bytes and files are sent again by a retry. A stream can be sent once: a request with a stream is not retried \
             after the stream was read."
        )
    });
    let patch = operation.media.as_ref().filter(|media| media.is_merge_patch()).map(|_| {
        text!(
            "What is not set stays as it is. [`with_null`]({}::with_null) removes a property.",
            builder
        )
    });
    let edit = operation.mask.as_ref().map(|_| {
        text!(
            "[`send_edit`]({}::send_edit) sends the changes of an [`Edit`](crate::Edit), with the mask that names them; \
             [`set_mask`]({}::set_mask) names the properties that setters have set.",
            builder,
            builder
        )
    });
    let doc = Doc::from(request).paragraph(returns(items, page));
    doc.paragraphs(uploads.into_iter().chain(patch).chain(edit))
}

/// Returns a sentence about the result of a request.
fn returns(items: &RequestItems<'_>, page: &mut Page<'_>) -> Inline {
    let operation = items.operation;
    let output = text!("{}{}", noun(&items.output, page), or_none(&operation.successes.output));
    let Some(paging) = &operation.paging else { return returns_once(items, page) };
    let request = &operation.builder;
    let item = noun(&Ty::new(&paging.item, page.api), page);
    let pages = if paging.token.is_some() { "pages" } else { "pages_by" };
    let by_link = match (&paging.token, &*paging.next_token.wire) {
        (Some(PageToken::Link), "") => text!(", each by the `Link` header of the one before"),
        (Some(PageToken::Link), path) => {
            text!(", each by {} of the one before", Inline::code(path))
        }
        (Some(PageToken::Number(number)), _) => {
            text!(", each by its number in {}", Inline::code(&number.parameter))
        }
        _ => text!(""),
    };
    let by_other = paging.other.as_ref().map_or_else(Inline::default, |other| {
        text!(
            " Without a token, the server may return pages by {} and no next token: then set the token of the first page.",
            Inline::code(other)
        )
    });
    let returns = if paging.token.is_some() {
        text!(
            "Returns one page, {}. [`items`]({}::items) returns every {} of all pages{}.{}",
            output,
            request,
            item,
            by_link,
            by_other
        )
    } else {
        text!(
            "Returns the first page, {}. The spec does not describe which query parameter takes the token of the next \
             one; if you know it, [`items_by`]({}::items_by) returns every {} of all pages.",
            output,
            request,
            item
        )
    };
    match conventions::of_rows(operation, page.api) {
        [] => returns,
        [path, ..] => text!(
            "{} Related objects belong to a page: for those of a row, iterate [`{}`]({}::{}), and call {}.",
            returns,
            pages,
            request,
            pages,
            Inline::code(&format!("row.{}(&page)", path.method))
        ),
    }
}

/// Returns a sentence about the result of a request without pages.
fn returns_once(items: &RequestItems<'_>, page: &mut Page<'_>) -> Inline {
    let successes = &items.operation.successes;
    let returns = match &successes.output {
        Output::Nothing => return text!("Returns nothing."),
        Output::One(one) | Output::Optional(one) => {
            let media = Inline::code(&successes.accept.join(", "));
            let content = match one {
                Content::Json(_) => noun(&Ty::content(one, page.api), page),
                Content::Text => text!("the text of the reply ({})", media),
                Content::Bytes | Content::Untyped => text!("the bytes of the reply ({})", media),
            };
            text!("Returns {}{}.", content, or_none(&successes.output))
        }
        Output::Several(_) => {
            text!("Returns {}, by the status of the reply.", noun(&items.output, page))
        }
    };
    let streams = successes.streams.iter().map(|stream| {
        let builder = &items.operation.builder;
        let what = stream.kind.parts();
        let method = &stream.method;
        if stream.kind == StreamKind::Whole {
            let media = Inline::code(&stream.media);
            return text!(" [`{}`]({}::{}) returns {}.", method, builder, method, media);
        }
        text!(" [`{}`]({}::{}) returns the {} as they are received.", method, builder, method, what)
    });
    streams.fold(returns, |text, other| text!("{}{}", text, other))
}

/// Returns when a reply has no value.
fn or_none(output: &Output) -> &'static str {
    match output {
        Output::Optional(Content::Json(Type::Nullable(_))) => {
            ", or `None` if the reply is empty or null"
        }
        Output::Optional(_) => ", or `None` if the reply is empty",
        output if output.is_option() => ", or `None` if the reply is null",
        _ => "",
    }
}

/// Returns a sentence about the declared bodies of errors: each with its statuses.
fn fails(items: &RequestItems<'_>, api: &Api) -> Option<Inline> {
    let failures = items.operation.failures.as_ref()?;
    // The file does not name the bodies of an enum.
    let mut page = Page::without_imports(api);
    let mut bodies: Vec<(&Content, Vec<String>)> = Vec::new();
    for case in &failures.cases {
        let Some(content) = &case.content else { continue };
        match bodies.iter_mut().find(|(other, _)| *other == content) {
            Some((_, statuses)) => statuses.push(case.to_string()),
            None => bodies.push((content, vec![case.to_string()])),
        }
    }
    let bodies = bodies.into_iter().map(|(content, statuses)| {
        let body = match content {
            Content::Bytes | Content::Untyped => return None,
            Content::Text => text!("a text"),
            Content::Json(_) => noun(&Ty::content(content, api), &mut page),
        };
        Some(text!("{} ({})", body, Inline::plain(&statuses.join(", "))))
    });
    let bodies = bodies.flatten().reduce(|all, body| text!("{}, {}", all, body))?;
    let union = items.failure.as_ref().filter(|_| failures.union.is_some());
    Some(match union {
        Some(union) => text!("Fails with {}: {}.", noun(union, &mut page), bodies),
        None => text!("Fails with {}.", bodies),
    })
}

/// Returns a type as a sentence names it, with links to models.
fn noun(ty: &Ty, page: &mut Page<'_>) -> Inline {
    match ty {
        Ty::Unit => text!("nothing"),
        Ty::Item(path) => page.link(path),
        Ty::Scalar(it) if it.is_of_runtime() => text!("[`{}`](crate::{})", it.name(), it.name()),
        Ty::Value => text!("[`Value`](crate::Value)"),
        Ty::Map => text!("[`Map`](crate::Map)"),
        Ty::List(item) => text!("a list of {}", noun(item, page)),
        Ty::Dictionary(value) => text!("a map of {}", noun(value, page)),
        Ty::Secret(inner) | Ty::Boxed(inner) | Ty::Option(inner) => noun(inner, page),
        other => Inline::code(&other.to_string()),
    }
}
