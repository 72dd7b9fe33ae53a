//! The description of an operation by emitted code.

use crate::auth::scheme::Alternatives;
use crate::client::Client;
use crate::error::operation::Operation;
use crate::reply::format::ReplyFormat;
use crate::reply::received::Declared;
use crate::reply::rejection::Rejection;
use crate::request::call::Call;
use crate::wire::{Model, Wire};

/// An operation, as a type: the difference between the requests of emitted crates.
pub trait Endpoint: 'static {
    /// The body of a request until it is sent; `()` for requests without one.
    type Body: Clone + Wire + Send + Sync + Unpin + 'static;

    /// The value of a successful response.
    type Output: Send + 'static;

    /// The format of a successful response.
    type Format: ReplyFormat<Self::Output>;

    /// The operation, as in its spec.
    const OPERATION: &'static Operation;

    /// The statuses of successful responses that have the body, a range by its first digit; none if all have it.
    const STATUSES: &'static [u16] = &[200];

    /// The statuses of successful responses without a body, and of redirects, a range by its first digit.
    const EMPTY: &'static [u16] = &[];

    /// The media types of successful responses, if not only JSON.
    const ACCEPT: Option<&'static str> = None;

    /// The responses that are no errors.
    const DECLARED: Declared =
        Declared { statuses: Self::STATUSES, empty: Self::EMPTY, accept: Self::ACCEPT };

    /// The credentials that it needs, if they differ from the service's.
    const SECURITY: Option<Alternatives> = None;

    /// The servers that it has instead of the base URL, by their indexes in the service.
    const SERVERS: &'static [usize] = &[];

    /// The header by which the server recognizes the attempts of a call.
    const IDEMPOTENCY_KEY: Option<&'static str> = None;

    /// Decodes the body that is declared for the status of an error, if there is one.
    const FAILURE: Option<DecodeFailure> = None;

    /// Adds the body to the call.
    #[inline]
    fn encode(call: Call, _body: &Self::Body) -> Call {
        call
    }
}

/// Decodes the declared body of an error, for what receives its texts.
pub type DecodeFailure = fn(&Rejection<'_>);

/// Decodes the declared body of an error.
pub fn decode_failure<E: FailingEndpoint>(reply: &Rejection<'_>) {
    E::failure(reply);
}

/// An operation that declares the bodies of its errors.
pub trait FailingEndpoint: Endpoint {
    /// The body.
    type Failure;

    /// Decodes the body that is declared for the status.
    fn failure(reply: &Rejection<'_>) -> Option<Self::Failure>;
}

#[diagnostic::on_unimplemented(
    message = "the operation `{Self}` is not a GET, so it cannot be polled",
    label = "not `GET` or `HEAD`",
    note = "send it with `.await`, and poll an operation that reads the outcome"
)]
/// An operation that only reads, because its method is safe (RFC 9110, section 9.2.1).
pub trait SafeEndpoint: Endpoint {}

#[diagnostic::on_unimplemented(
    message = "the body of the operation `{Self}` is not a merge patch",
    label = "a null would not remove a property",
    note = "only bodies of the type `application/merge-patch+json` can contain nulls for optional properties"
)]
/// An operation whose body is a JSON merge patch (RFC 7396).
pub trait MergePatchEndpoint: Endpoint {}

/// What a response has of the next page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextPage {
    /// A token, which a request sends.
    Token,
    /// Its URL, in the body.
    Url,
    /// A link to it, in the header `Link`.
    Header,
    /// Nothing: a query parameter takes the number of its first item.
    Offset {
        /// The number of the first item of the list.
        first: u64,
    },
    /// Nothing: a query parameter takes its number.
    Number {
        /// The number of the first page.
        first: u64,
    },
}

#[diagnostic::on_unimplemented(
    message = "the operation `{Self}` returns no pages",
    label = "not a list with pages",
    note = "send it with `.await`"
)]
/// An operation whose response has the token or the URL of the next page, or a link to it, or whose pages have numbers.
pub trait PagedEndpoint: Endpoint {
    /// The type of the items.
    type Item: Model + Send + 'static;

    /// What the response has of the next page.
    const NEXT: NextPage = NextPage::Token;

    /// The token to send for the first page, if it must be requested with one.
    const FIRST_TOKEN: Option<&'static str> = None;

    /// The query parameter of the token or the number of a page, if the spec describes one.
    const TOKEN_PARAMETER: Option<&'static str> = None;

    /// The header with the number of items in all pages, if no property of a page with a number has it.
    const TOTAL_HEADER: Option<&'static str> = None;

    /// Returns the property of the body with the token of a page, if the spec describes one.
    #[inline]
    fn token_property(_body: &mut Self::Body) -> Option<&mut Option<String>> {
        None
    }

    /// Returns whether the spec describes how the next page is requested.
    #[inline]
    fn takes_page_token(body: &mut Self::Body) -> bool {
        Self::NEXT != NextPage::Token
            || Self::TOKEN_PARAMETER.is_some()
            || Self::token_property(body).is_some()
    }

    /// Returns the token of the page to fetch, if there is one.
    #[inline]
    fn page_token(call: &Call, body: &mut Self::Body) -> Option<String> {
        match Self::TOKEN_PARAMETER {
            Some(name) => call.query_text(name),
            None => Self::token_property(body)?.clone(),
        }
    }

    /// Sets the token of the page to fetch, if the spec describes its location.
    #[inline]
    fn set_page_token(call: &mut Call, body: &mut Self::Body, token: &str) {
        if let Some(name) = Self::TOKEN_PARAMETER {
            call.set_query(name, token);
        } else if let Some(property) = Self::token_property(body) {
            *property = Some(token.to_owned());
        }
    }

    /// Returns the token or the URL of the next page.
    #[inline]
    fn next_page_token(_page: &Self::Output) -> Option<String> {
        None
    }

    /// Returns the number of items in all pages, as text, if a page with a number has it.
    #[inline]
    fn total(_page: &Self::Output) -> Option<String> {
        None
    }

    /// Returns the items of a page, in it.
    fn items(page: &mut Self::Output) -> Option<&mut Vec<Self::Item>>;
}

#[diagnostic::on_unimplemented(
    message = "the spec does not describe a page token of the operation `{Self}`",
    label = "no page token is described",
    note = "if the list has pages, pass the name of the query parameter: `.items_by(\"page_token\")` or `.pages_by(\"page_token\")`"
)]
/// An operation with a described page token, with links, or with numbers of pages.
pub trait TakesPageToken: PagedEndpoint {}

#[diagnostic::on_unimplemented(
    message = "the operation `{Self}` returns no pages with a token",
    label = "no pages with a token",
    note = "send it with `.await`; if its pages are linked, call `.items()` or `.pages()`"
)]
/// An operation whose response has the token of the next page.
pub trait TakesPageParameter: PagedEndpoint {}

/// Returns a call of an operation without parameters and body.
#[inline]
pub fn call<E: Endpoint>(client: &Client) -> Call {
    let mut call = Call::new(client, E::OPERATION).servers(E::SERVERS);
    call.0.declared = E::DECLARED;
    call.0.idempotency_key = E::IDEMPOTENCY_KEY;
    #[cfg(feature = "record")]
    let call = call.described::<E>();
    match E::SECURITY {
        None => call,
        Some(alternatives) => call.security(alternatives),
    }
}
