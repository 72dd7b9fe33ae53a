//! A request: its setters, and its conversion into a call.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::{documentation, replies};
use crate::emit::krate::credentials;
use crate::emit::rust::inputs;
use crate::emit::rust::names::ident;
use crate::emit::rust::page::Page;
use crate::emit::rust::renamed;
use crate::emit::types::fields;
use crate::ir::{
    Body, Encoding, EncodingRule, Field, Format, Mask, Media, Operation, PagePath, PageToken,
    PageUnit, Paging, PartHeader, Resource, Shape, Total, Type, UnionVariant, WaitEnd,
};
use crate::items::requests::{self, RequestItems};
use crate::items::{Path, Ty};

/// Writes the request of an operation.
pub fn items(
    resource: &Resource,
    request: &RequestItems<'_>,
    page: &mut Page<'_>,
) -> Vec<TokenStream> {
    let operation = request.operation;
    let mut items = vec![
        definition(resource, request, page),
        setters(resource, request, page),
        endpoint(request, page),
    ];
    items.extend(replies::by_status(request, page));
    items.extend(replies::headers(request, page));
    items.extend(replies::others(request, page));
    items.extend(replies::failing(request, page));
    let paging = operation.paging.as_ref();
    items.extend(paging.map(|paging| paged(operation, paging, page)));
    let name = &operation.builder;
    let markers = [
        ("TakesPageParameter", paging.is_some_and(Paging::has_token)),
        ("TakesPageToken", paging.is_some_and(|paging| paging.token.is_some())),
        ("SafeEndpoint", operation.is_safe()),
        ("MergePatchEndpoint", operation.media.as_ref().is_some_and(Media::is_merge_patch)),
    ];
    items.extend(markers.iter().filter(|(_, has)| *has).map(|(marker, _)| {
        let marker = ident(marker);
        quote!(impl internal::#marker for operation::#name {})
    }));
    items.extend(operation.mask.as_ref().map(|mask| edited(operation, mask, page)));
    items.extend(operation.wait.as_ref().map(|end| awaited(operation, end)));
    items
}

/// Writes the types that name the operations.
pub fn operations(resource: &Resource) -> TokenStream {
    let names = resource.operations.iter().map(|operation| &operation.builder);
    quote! {
        /// The operations, as types.
        #[doc(hidden)]
        pub mod operation {
            #(pub struct #names;)*
        }
    }
}

fn definition(resource: &Resource, request: &RequestItems<'_>, page: &mut Page<'_>) -> TokenStream {
    let attributes = documentation::of_request(resource, request, page).attributes(0);
    let name = &request.operation.builder;
    let request = page.ty(&Ty::Item(Path::new("resources::Request")));
    quote! {
        #attributes
        pub type #name = #request<operation::#name>;
    }
}

fn setters(resource: &Resource, request: &RequestItems<'_>, page: &mut Page<'_>) -> TokenStream {
    let api = page.api;
    let name = &request.operation.builder;
    let owner = requests::request(resource, request.operation);
    let place = quote!(self.body);
    let setters = request.setters.iter().map(|input| {
        let bare = input.name.trim_start_matches("r#");
        let attributes = fields::of_setter(input, request.operation.mask.as_ref(), api)
            .alias(fields::wire(input), bare);
        renamed::methods(owner.as_str(), input.name, &attributes, api, |name, attributes| {
            inputs::setter(name, input, &place, attributes, page)
        })
    });
    let nulls = request.nulls.iter().map(|setter| {
        let attributes = fields::of_null_setter(setter);
        renamed::methods(owner.as_str(), &setter.name, &attributes, api, |name, attributes| {
            inputs::null_setter(name, setter, &place, attributes)
        })
    });
    let setters: TokenStream = setters.chain(nulls).collect();
    if setters.is_empty() { setters } else { quote!(impl #name { #setters }) }
}

fn endpoint(request: &RequestItems<'_>, page: &mut Page<'_>) -> TokenStream {
    let operation = request.operation;
    let name = &operation.builder;
    let method = &operation.http_method;
    let id = &operation.id;
    let path = &operation.path;
    let sent = page.ty(request.body.as_ref().unwrap_or(&Ty::Unit));
    let body = match operation.body {
        Body::Whole { required: false, .. } => quote!(Option<#sent>),
        _ => sent,
    };
    let output = page.ty(&request.output);
    let payload = operation.media.as_ref().and_then(|media| payload(&operation.body, media));
    let format = replies::format(&operation.successes.output);
    let received = replies::constants(&operation.successes);
    let argument = match operation.body {
        Body::None | Body::EmptyObject => quote!(_body: &Self::Body),
        Body::Fields(..) | Body::Whole { .. } => quote!(body: &Self::Body),
    };
    let choice = replies::choice(&operation.successes);
    let encode = payload.map(|payload| {
        quote! {
            #[inline]
            fn encode(call: internal::Call, #argument) -> internal::Call {
                #choice
                call #payload
            }
        }
    });
    let security = operation.credentials.as_ref().map(|alternatives| {
        let alternatives = credentials::alternatives(alternatives);
        quote!(const SECURITY: Option<internal::Alternatives> = Some(#alternatives);)
    });
    let servers = (!operation.servers.is_empty()).then(|| {
        let servers = operation.servers.iter().copied().map(Literal::usize_unsuffixed);
        quote!(const SERVERS: &'static [usize] = &[#(#servers),*];)
    });
    let idempotency_key = operation
        .idempotency_key()
        .map(|header| quote!(const IDEMPOTENCY_KEY: Option<&'static str> = Some(#header);));
    let failure = operation.failures.is_some().then(|| {
        quote! {
            const FAILURE: Option<internal::DecodeFailure> = Some(internal::decode_failure::<Self>);
        }
    });
    quote! {
        impl internal::Endpoint for operation::#name {
            type Body = #body;
            type Output = #output;
            type Format = #format;
            const OPERATION: &'static internal::Operation = &internal::Operation {
                id: #id,
                method: #method,
                path: #path,
            };
            #received
            #security
            #servers
            #idempotency_key
            #failure

            #encode
        }
    }
}

/// Writes the call that adds the body.
fn payload(body: &Body, media: &Media) -> Option<TokenStream> {
    let is_text = matches!(body, Body::Whole { ty, .. } if ty.is_text());
    let (given, optional) = if is_text {
        let optional = quote!(body.as_ref().map(internal::AsText).as_ref());
        (quote!(&internal::AsText(body)), optional)
    } else {
        (quote!(body), quote!(body.as_ref()))
    };
    let name = &media.name;
    let is_plain = media.is_plain_json();
    let is_patch = media.is_merge_patch();
    let (method, how) = match &media.format {
        Format::Json => (quote!(json_as), quote!(#name)),
        Format::Form(encodings) => (quote!(form_body), self::encodings(encodings)),
        Format::Multipart(encodings) => {
            let encodings = self::encodings(encodings);
            (quote!(multipart_body), quote!(#name, #encodings))
        }
        Format::Lines => (quote!(lines_body), quote!(#name)),
        Format::Text => (quote!(text_body), quote!(#name)),
        Format::Upload => (quote!(upload_body), quote!(#name)),
    };
    Some(match body {
        Body::None => return None,
        Body::EmptyObject if is_plain => quote!(.empty_object()),
        Body::EmptyObject if is_patch => quote!(.merge_patch(Some(&()), #name)),
        Body::EmptyObject => quote!(.#method(&(), #how)),
        Body::Whole { required: false, .. } if is_plain => quote!(.optional_json(#optional)),
        Body::Whole { required: false, .. } if is_patch => quote!(.merge_patch(#optional, #name)),
        Body::Whole { required: false, .. } => {
            quote!(.if_some(#optional, |call, body| call.#method(body, #how)))
        }
        Body::Fields(..) | Body::Whole { .. } if is_plain => quote!(.json(#given)),
        Body::Fields(..) | Body::Whole { .. } if is_patch => {
            quote!(.merge_patch(Some(#given), #name))
        }
        Body::Fields(..) | Body::Whole { .. } => quote!(.#method(#given, #how)),
    })
}

fn encodings(encodings: &[Encoding]) -> TokenStream {
    let encodings = encodings.iter().map(|Encoding { property, rule, headers }| {
        let encoding = match rule {
            EncodingRule::Type => quote!(internal::Encoding::new(#property)),
            rule @ EncodingRule::Content(media_type) if rule.is_json() => {
                quote!(internal::Encoding::json(#property, #media_type))
            }
            EncodingRule::Content(media_types) => {
                quote!(internal::Encoding::content(#property, #media_types))
            }
            EncodingRule::Style(serialization) => {
                let style = inputs::style(*serialization);
                quote!(internal::Encoding::style(internal::Parameter::query(#property) #style))
            }
        };
        let headers = (!headers.is_empty()).then(|| part_headers(headers));
        quote!(#encoding #headers)
    });
    quote!(&[#(#encodings),*])
}

fn part_headers(headers: &[PartHeader]) -> TokenStream {
    let headers = headers.iter().map(|PartHeader { name, value }| {
        let value = value.as_ref().map_or(quote!(None), |value| quote!(Some(#value)));
        quote!(internal::PartHeader { name: #name, value: #value })
    });
    quote!(.headers(&[#(#headers),*]))
}

fn edited(operation: &Operation, mask: &Mask, page: &mut Page<'_>) -> TokenStream {
    let name = &operation.builder;
    let object_type = page.ty(&Ty::new(&Type::Named(mask.object_type.type_id()), page.api));
    let object = mask.object.as_ref().map_or(quote!(None), |it| quote!(Some(#it)));
    let place = ident(&format!("{:?}", mask.place));
    let property = &mask.name;
    let separator = &mask.separator;
    let nested = mask.nested;
    quote! {
        impl internal::EditEndpoint for operation::#name {
            type Object = #object_type;
            const MASK: &'static internal::Mask = &internal::Mask {
                object: #object,
                place: internal::MaskPlace::#place(#property),
                separator: #separator,
                nested: #nested,
            };
        }
    }
}

fn awaited(operation: &Operation, end: &WaitEnd) -> TokenStream {
    let name = &operation.builder;
    let end = self::end(end);
    quote! {
        impl internal::WaitEndpoint for operation::#name {
            const END: &'static internal::WaitEnd = &#end;
        }
    }
}

/// Writes the condition that ends a wait.
pub fn end(WaitEnd { property, values }: &WaitEnd) -> TokenStream {
    quote! {
        internal::WaitEnd {
            property: &[#(#property),*],
            values: &[#(#values),*],
        }
    }
}

fn paged(operation: &Operation, paging: &Paging, page: &mut Page<'_>) -> TokenStream {
    let name = &operation.builder;
    let item = page.ty(&Ty::new(&paging.item, page.api));
    let is_optional = operation.successes.output.is_option();
    let next_token = text_at(operation, &paging.next_token, page);
    let token = paging.token.as_ref();
    let token = token.map(|token| page_token(operation, token, next_token.is_some(), page));
    let first_token = paging.first_token.iter().map(|token| {
        quote!(
            const FIRST_TOKEN: Option<&'static str> = Some(#token);
        )
    });
    let next_token = next_token.map(|next| {
        quote! {
            #[inline]
            fn next_page_token(page: &Self::Output) -> Option<String> {
                #next
            }
        }
    });
    let whole = if is_optional { quote!(page.as_mut()?) } else { quote!(page) };
    let items = match page.api.page_fields(operation, &paging.items).split_last() {
        None if is_optional => quote!(page.as_mut()),
        None => quote!(Some(page)),
        Some((Field { name, required, .. }, outer)) => {
            let object = object_at(outer, whole, &quote!(as_mut));
            if *required {
                quote!(Some(&mut #object.#name))
            } else {
                quote!(#object.#name.as_mut())
            }
        }
    };
    quote! {
        impl internal::PagedEndpoint for operation::#name {
            type Item = #item;

            #token

            #(#first_token)*

            #next_token

            #[inline]
            fn items(page: &mut Self::Output) -> Option<&mut Vec<#item>> {
                #items
            }
        }
    }
}

/// Writes how the next page is requested. `is_in_body` if a property has its token or URL.
fn page_token(
    operation: &Operation,
    token: &PageToken,
    is_in_body: bool,
    page: &mut Page<'_>,
) -> TokenStream {
    match token {
        PageToken::Link => {
            let place = if is_in_body { quote!(Url) } else { quote!(Header) };
            quote!(
                const NEXT: internal::NextPage = internal::NextPage::#place;
            )
        }
        PageToken::Query(parameter) => token_parameter(parameter),
        PageToken::Number(number) => {
            let first = Literal::u64_unsuffixed(number.first);
            let parameter = token_parameter(&number.parameter);
            let unit = match number.unit {
                PageUnit::Item => quote!(Offset),
                PageUnit::Page => quote!(Number),
            };
            let total = number.total.as_ref().and_then(|total| match total {
                Total::Property(path) => text_at(operation, path, page).map(|total| {
                    quote! {
                        #[inline]
                        fn total(page: &Self::Output) -> Option<String> {
                            #total
                        }
                    }
                }),
                Total::Header(name) => Some(quote!(
                    const TOTAL_HEADER: Option<&'static str> = Some(#name);
                )),
            });
            quote! {
                const NEXT: internal::NextPage = internal::NextPage::#unit { first: #first };
                #parameter

                #total
            }
        }
        PageToken::Body(field) => quote! {
            #[inline]
            fn token_property(body: &mut Self::Body) -> Option<&mut Option<String>> {
                Some(&mut body.#field)
            }
        },
    }
}

fn token_parameter(name: &str) -> TokenStream {
    quote!(
        const TOKEN_PARAMETER: Option<&'static str> = Some(#name);
    )
}

fn object_at(path: &[&Field], page: TokenStream, borrow: &TokenStream) -> TokenStream {
    path.iter().fold(page, |page, Field { name, required, .. }| {
        if *required { quote!(#page.#name) } else { quote!(#page.#name.#borrow()?) }
    })
}

/// Returns the value of a text or number in a page, as text.
fn text_at(operation: &Operation, path: &PagePath, page: &mut Page<'_>) -> Option<TokenStream> {
    let api = page.api;
    let fields = api.page_fields(operation, path);
    let (last, outer) = fields.split_last()?;
    let is_optional = operation.successes.output.is_option();
    let whole = if is_optional { quote!(page.as_ref()?) } else { quote!(page) };
    let object = object_at(outer, whole, &quote!(as_ref));
    let Some(around) = outer.last() else { return Some(text_of(last, &object)) };
    if let Some((relation, value)) = &path.relation {
        let field = api.fields(&around.ty).into_iter().find(|field| field.name == *relation)?;
        let is_it = if field.required {
            quote!(link.#relation.as_str() == #value)
        } else {
            quote!(link.#relation.as_ref().is_some_and(|it| it.as_str() == #value))
        };
        return Some(text_of(last, &quote!(#object.iter().find(|link| #is_it)?)));
    }
    let Some(Shape::Union(union)) = around.ty.named().map(|id| &api.definition(id).shape) else {
        return Some(text_of(last, &object));
    };
    let of = page.ty(&Ty::new(&around.ty, api));
    let variants = union.variants.iter().filter_map(|UnionVariant { name, ty, .. }| {
        let text = match ty {
            Type::String => quote!(Some(it.clone())),
            ty => {
                let (_, object) = api.as_struct(ty)?;
                let mut texts = object.fields.iter().filter(|field| field.ty == Type::String);
                text_of(texts.find(|field| field.name == last.name)?, &quote!(it))
            }
        };
        Some(quote!(#of::#name(it) => #text,))
    });
    let borrow = match (around.required, around.boxed) {
        (true, false) => quote!(&),
        (true, true) => quote!(&*),
        (false, false) => quote!(),
        (false, true) => quote!(&**),
    };
    Some(quote! {
        match #borrow #object {
            #(#variants)*
            _ => None,
        }
    })
}

fn text_of(Field { name, required, ty, .. }: &Field, object: &TokenStream) -> TokenStream {
    match (required, ty) {
        (true, Type::String) => quote!(Some(#object.#name.clone())),
        (true, _) => quote!(Some(#object.#name.to_string())),
        (false, Type::String) => quote!(#object.#name.clone()),
        (false, Type::Own(_)) => quote!(#object.#name.as_ref().map(ToString::to_string)),
        (false, _) => quote!(#object.#name.map(|number| number.to_string())),
    }
}
