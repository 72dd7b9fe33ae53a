//! The bodies of errors: how they are decoded, by status.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::emit::rust::page::Page;
use crate::ir::{Content, Failures, ReplyCase, Status};
use crate::items::requests::RequestItems;

/// Writes how the bodies of errors are decoded, if the operation declares some.
pub fn failing(request: &RequestItems<'_>, page: &mut Page<'_>) -> Option<TokenStream> {
    let failures = request.operation.failures.as_ref()?;
    let failure = page.ty(request.failure.as_ref()?);
    let name = &request.operation.builder;
    let decoded = |case: &ReplyCase| {
        let decode = match case.content {
            Content::Json(_) => quote!(reply.json()),
            Content::Text => quote!(reply.text()),
            Content::Untyped => return quote!(None),
        };
        let wrapped = case.variant.as_ref().map(|variant| quote!(.map(#failure::#variant)));
        quote!(#decode #wrapped)
    };
    let mut arms = TokenStream::new();
    let mut otherwise = quote!(None);
    for (statuses, case) in arms_of(failures) {
        let value = decoded(case);
        if statuses.contains(&Status::Default) {
            otherwise = value;
            continue;
        }
        let pattern = pattern(&statuses);
        arms.extend(quote!(#pattern => #value,));
    }
    let decoded = if arms.is_empty() {
        otherwise
    } else {
        quote! {
            match reply.status() {
                #arms
                _ => #otherwise,
            }
        }
    };
    Some(quote! {
        impl internal::FailingEndpoint for operation::#name {
            type Failure = #failure;

            fn failure(reply: &internal::Rejection<'_>) -> Option<Self::Failure> {
                #decoded
            }
        }
    })
}

/// Returns the arms of a `match` on the status: codes first, then ranges, then the default. Statuses with the same
/// content share an arm, and one is left out if the range or the default that contains it has its content, too.
fn arms_of(failures: &Failures) -> Vec<(Vec<Status>, &ReplyCase)> {
    let mut arms: Vec<(Vec<Status>, &ReplyCase)> = Vec::new();
    for case in &failures.cases {
        let wider = failures.cases.iter().filter(|other| other.status > case.status);
        let mut wider = wider.filter(|other| other.status.contains(case.status));
        if wider.next().is_some_and(|other| other.content == case.content) {
            continue;
        }
        let is_alike = |(statuses, other): &&mut (Vec<Status>, &ReplyCase)| {
            let is_same_level =
                statuses.iter().all(|status| is_code(*status) == is_code(case.status));
            is_same_level && other.content == case.content && case.status != Status::Default
        };
        match arms.iter_mut().find(is_alike) {
            Some((statuses, _)) => statuses.push(case.status),
            None => arms.push((vec![case.status], case)),
        }
    }
    arms
}

fn is_code(status: Status) -> bool {
    matches!(status, Status::Code(_))
}

/// Returns the pattern of an arm. Ranges are a guard, because they can contain codes of arms before.
fn pattern(statuses: &[Status]) -> TokenStream {
    let literals = statuses.iter().filter_map(|status| match status {
        Status::Code(code) => Some(Literal::u16_unsuffixed(*code)),
        Status::Range(range) => Some(Literal::u16_unsuffixed(u16::from(*range))),
        Status::Default => None,
    });
    let literals: Vec<_> = literals.collect();
    match (statuses, literals.as_slice()) {
        ([Status::Range(_), ..], [range]) => quote!(status if status / 100 == #range),
        ([Status::Range(_), ..], ranges) => {
            quote!(status if matches!(status / 100, #(#ranges)|*))
        }
        (_, codes) => quote!(#(#codes)|*),
    }
}
