//! The replies of operations: how they are decoded, by status.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use crate::emit::rust::docs::{Doc, Inline, text};
use crate::emit::rust::page::Page;
use crate::ir::{
    Content, Output, ReplyCase, ReplyHeader, ReplyVariant, Status, StreamKind, StreamReply,
    Successes, Type, TypeName, VariantName,
};
use crate::items::requests::{self, RequestItems};

/// Returns the format of the successful replies.
pub fn format(output: &Output) -> TokenStream {
    match output {
        Output::Nothing => quote!(internal::Empty),
        Output::One(content) => format_of(content),
        Output::Optional(Content::Json(Type::Nullable(ty))) if ty.is_text() => {
            quote!(internal::OptionalOrNull<internal::AsText<internal::Json>>)
        }
        Output::Optional(Content::Json(Type::Nullable(_))) => quote!(internal::OptionalOrNull),
        Output::Optional(content) => {
            let format = format_of(content);
            quote!(internal::Optional<#format>)
        }
        Output::Several(_) => quote!(internal::Several),
    }
}

fn format_of(content: &Content) -> TokenStream {
    match content {
        Content::Json(ty) if ty.is_text() => quote!(internal::AsText<internal::Json>),
        Content::Json(_) => quote!(internal::Json),
        Content::Text => quote!(internal::Text),
        Content::Bytes | Content::Untyped => quote!(internal::Binary),
    }
}

/// Writes the statuses and the media types of the successful replies, where they are not only 200 and JSON.
pub fn constants(successes: &Successes) -> TokenStream {
    let Successes { output, statuses, empty, .. } = successes;
    let has_statuses = matches!(output, Output::One(_) | Output::Optional(_));
    let constant = |name, statuses| quote!(const #name: &'static [u16] = #statuses;);
    let statuses = (has_statuses && *statuses != [Status::Code(200)])
        .then(|| constant(quote!(STATUSES), codes(statuses)));
    let empty = (!empty.is_empty()).then(|| constant(quote!(EMPTY), codes(empty)));
    let accept = successes
        .accept_header()
        .map(|accept| quote!(const ACCEPT: Option<&'static str> = Some(#accept);));
    quote!(#statuses #empty #accept)
}

/// Writes a list of statuses. A range is its first digit, and the default stands for all successful ones.
fn codes<'s>(statuses: impl IntoIterator<Item = &'s Status>) -> TokenStream {
    let codes = statuses.into_iter().map(|status| match *status {
        Status::Code(code) => code,
        Status::Range(first) => u16::from(first),
        Status::Default => 2,
    });
    let codes = codes.map(Literal::u16_unsuffixed);
    quote!(&[#(#codes),*])
}

/// Writes how several successful contents are decoded.
pub fn by_status(request: &RequestItems<'_>, page: &mut Page<'_>) -> Option<TokenStream> {
    let Successes { output: Output::Several(_), cases, .. } = &request.operation.successes else {
        return None;
    };
    let decoded = |case: &ReplyCase| decoded(case.variant.as_ref(), case.content.as_ref());
    let body = decision(cases, &decoded, &quote!(reply.other().map(Self::Other)));
    Some(from_reply(&page.ty(&request.output), &body))
}

/// Writes how the data of events is decoded, by their names.
pub fn by_event(name: &TypeName, variants: &[ReplyVariant]) -> TokenStream {
    let arms = variants.iter().map(|ReplyVariant { name, content, event }| {
        let decoded = decoded(Some(name), content.as_ref());
        quote!(#event => #decoded,)
    });
    let unknown = quote!(_ => reply.unknown_event().map(Self::Unknown),);
    from_reply(&quote!(#name), &quote!(match reply.event() { #(#arms)* #unknown }))
}

fn decoded(variant: Option<&VariantName>, content: Option<&Content>) -> TokenStream {
    match content {
        None => quote!(Ok(Self::#variant)),
        Some(Content::Json(ty)) => {
            let json = json(ty);
            quote!(#json.map(Self::#variant))
        }
        Some(Content::Text) => quote!(reply.text().map(Self::#variant)),
        Some(Content::Bytes | Content::Untyped) => quote!(reply.bytes().map(Self::#variant)),
    }
}

/// Writes how a JSON body is decoded.
fn json(ty: &Type) -> TokenStream {
    let value = ty.is_text().then(|| quote!(.map(|runtime::internal::AsText(value)| value)));
    quote!(reply.json() #value)
}

fn from_reply(reply: &TokenStream, body: &TokenStream) -> TokenStream {
    quote! {
        impl runtime::internal::FromReply for #reply {
            fn from_reply(reply: &runtime::internal::Received<'_>) -> ::std::result::Result<Self, runtime::Error> {
                #body
            }
        }
    }
}

/// Writes the names and types of the headers.
pub fn headers(request: &RequestItems<'_>, page: &mut Page<'_>) -> Option<TokenStream> {
    let headers = &request.operation.headers;
    if headers.is_empty() {
        return None;
    }
    let name = &request.operation.builder;
    let constants = headers.iter().map(|header| {
        let ReplyHeader { constant, wire, ty, docs, .. } = header;
        let constant = format_ident!("{constant}");
        let ty = page.ty(&requests::header(ty, page.api));
        let otherwise = || Some(text!("The header {} of the replies.", Inline::code(wire)));
        let attributes = Doc::new(docs, otherwise).attributes(4).deprecated(docs);
        quote! {
            #attributes
            pub const #constant: #ty = runtime::ReplyHeader::new(#wire);
        }
    });
    let constants: TokenStream = constants.collect();
    Some(quote!(impl #name { #constants }))
}

/// Writes the methods that read replies while they are received, or of other media types.
pub fn others(request: &RequestItems<'_>, page: &mut Page<'_>) -> Option<TokenStream> {
    let streams = &request.operation.successes.streams;
    let methods: Vec<_> = streams.iter().map(|it| stream(it, request, page)).collect();
    let name = &request.operation.builder;
    (!methods.is_empty()).then(|| quote!(impl #name { #(#methods)* }))
}

/// Writes a method that reads a reply in its way.
fn stream(stream: &StreamReply, request: &RequestItems<'_>, page: &mut Page<'_>) -> TokenStream {
    let method = &stream.method;
    let accept = request.operation.successes.accept.join(", ");
    let media = if stream.kind == StreamKind::Bytes { &accept } else { &stream.media };
    let output = page.ty(&requests::stream(stream, page.api));
    let format = format(&stream.output);
    let statuses = codes(&stream.statuses);
    let call = match stream.kind {
        StreamKind::Bytes => quote!(internal::open(self, (#statuses, #media))),
        StreamKind::Events => quote!(internal::events::<_, #format>(self, (#statuses, #media))),
        StreamKind::Lines => quote!(internal::lines::<_, #format>(self, (#statuses, #media))),
        StreamKind::Whole => quote!(internal::send_as::<_, #format>(self, (#statuses, #media))),
    };
    let sentinel = stream.sentinel.as_ref().map(|sentinel| quote!(.with_sentinel(#sentinel)));
    let media = Inline::code(media);
    let docs = Doc::from(match stream.kind {
        StreamKind::Whole => text!("Sends the request and returns the reply as {}.", media),
        kind => text!(
            "Sends the request and returns the {} of the reply ({}) as they are received.",
            kind.parts(),
            media
        ),
    });
    let attributes = docs.attributes(4);
    let receiver = if stream.property.is_some() { quote!(mut self) } else { quote!(self) };
    let property = stream.property.as_ref().map(|field| quote!(self.body.#field = Some(true);));
    quote! {
        #attributes
        #[inline]
        pub fn #method(#receiver) -> #output {
            #property
            #call #sentinel
        }
    }
}

/// Writes the choice between the stream and the whole reply, if a property of the body has it: the latter, unless the
/// method of the stream has set the property.
pub fn choice(successes: &Successes) -> Option<TokenStream> {
    let property = successes.streams.iter().find_map(|stream| stream.property.as_ref())?;
    Some(quote! {
        let mut body = body.clone();
        body.#property.get_or_insert(false);
        let body = &body;
    })
}

/// Writes how the bodies of errors are decoded, if the operation declares some.
pub fn failing(request: &RequestItems<'_>, page: &mut Page<'_>) -> Option<TokenStream> {
    let failures = request.operation.failures.as_ref()?;
    let failure = page.ty(request.failure.as_ref()?);
    let name = &request.operation.builder;
    let decoded = decision(&failures.cases, &|case| error_body(case, &failure), &quote!(None));
    Some(quote! {
        impl internal::FailingEndpoint for operation::#name {
            type Failure = #failure;

            fn failure(reply: &internal::Rejection<'_>) -> Option<Self::Failure> {
                #decoded
            }
        }
    })
}

/// Writes how the body of an error is decoded.
fn error_body(case: &ReplyCase, failure: &TokenStream) -> TokenStream {
    let decode = match case.content {
        Some(Content::Json(ref ty)) => json(ty),
        Some(Content::Text) => quote!(reply.text()),
        Some(Content::Bytes | Content::Untyped) | None => return quote!(None),
    };
    let wrapped = case.variant.as_ref().map(|variant| quote!(.map(#failure::#variant)));
    quote!(#decode #wrapped)
}

/// Writes a `match` on the status.
fn decision(
    cases: &[ReplyCase],
    decoded: &dyn Fn(&ReplyCase) -> TokenStream,
    otherwise: &TokenStream,
) -> TokenStream {
    let mut arms = TokenStream::new();
    let mut otherwise = otherwise.clone();
    for (statuses, case) in arms_of(cases) {
        let value = decoded(case);
        if statuses.contains(&Status::Default) && case.media.is_none() {
            otherwise = value;
            continue;
        }
        let pattern = pattern(&statuses, case.media.as_deref());
        arms.extend(quote!(#pattern => #value,));
    }
    if arms.is_empty() {
        return otherwise;
    }
    quote! {
        match reply.status() {
            #arms
            _ => #otherwise,
        }
    }
}

/// Returns the arms of a `match` on the status: codes first, then ranges, then the default. Statuses with the same
/// content and media type share an arm, and one without a media type is left out if the range or the default that contains
/// it has its content, too.
fn arms_of(cases: &[ReplyCase]) -> Vec<(Vec<Status>, &ReplyCase)> {
    let mut arms: Vec<(Vec<Status>, &ReplyCase)> = Vec::new();
    for case in cases {
        let wider = cases.iter().filter(|other| other.status > case.status);
        let mut wider = wider.filter(|other| other.status.contains(case.status));
        let is_same = |other: &ReplyCase| {
            (&other.content, &other.variant, &other.media)
                == (&case.content, &case.variant, &case.media)
        };
        if case.media.is_none() && wider.next().is_some_and(is_same) {
            continue;
        }
        let level = std::mem::discriminant(&case.status);
        let same = arms.iter_mut().find(|(statuses, other)| {
            let mut levels = statuses.iter().map(std::mem::discriminant);
            levels.all(|it| it == level) && is_same(other) && case.status != Status::Default
        });
        match same {
            Some((statuses, _)) => statuses.push(case.status),
            None => arms.push((vec![case.status], case)),
        }
    }
    arms
}

/// Returns the pattern of an arm. Ranges and media types are a guard, because they can contain codes of arms before.
fn pattern(statuses: &[Status], media: Option<&str>) -> TokenStream {
    let literals = statuses.iter().filter_map(|status| match status {
        Status::Code(code) => Some(Literal::u16_unsuffixed(*code)),
        Status::Range(range) => Some(Literal::u16_unsuffixed(u16::from(*range))),
        Status::Default => None,
    });
    let literals: Vec<_> = literals.collect();
    let has_media = media.map(|media| quote!(reply.media_type() == #media));
    let (pattern, is_in_range) = match (statuses, literals.as_slice()) {
        ([Status::Range(_), ..], [range]) => (quote!(status), Some(quote!(status / 100 == #range))),
        ([Status::Range(_), ..], ranges) => {
            (quote!(status), Some(quote!(matches!(status / 100, #(#ranges)|*))))
        }
        (_, []) => (quote!(_), None),
        (_, codes) => (quote!(#(#codes)|*), None),
    };
    let guards: Vec<_> = is_in_range.into_iter().chain(has_media).collect();
    if guards.is_empty() { pattern } else { quote!(#pattern if #(#guards)&&*) }
}
