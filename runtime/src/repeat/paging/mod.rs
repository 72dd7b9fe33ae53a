//! Paged lists.

#[cfg(feature = "blocking")]
pub(crate) mod blocking;
mod items;

use std::collections::HashSet;
use std::future::{poll_fn, ready as completed};
use std::hash::{BuildHasher, Hash, Hasher, RandomState};
use std::mem;
use std::task::{Context, Poll, ready};
use std::vec;

use http::Uri;

use crate::error::{Error, ErrorKind};
use crate::request::call::Call;
use crate::request::endpoint::{Endpoint, NextPage, PagedEndpoint};
use crate::secrets::debug::shown;
use crate::send::execute::execute;
use crate::send::execute::raw::{RawResponse, Undecoded};
use crate::send::request::Request;
use crate::send::streamed::streamed;
use crate::time::deadline::Deadline;
use crate::time::future::BoxFuture;
use crate::url::base_url::resolve;
use crate::url::link;
use crate::url::origin::Origin;
use crate::wire::{self, Model};

/// A request whose response has the token or the URL of the next page, or a link to it, or whose pages have numbers.
pub trait Paged: Request {
    /// The type of the items.
    type Item: Model + Send + 'static;

    /// The operation.
    #[doc(hidden)]
    type Endpoint: PagedEndpoint<Output = Self::Output, Item = Self::Item>;

    /// Returns the call without its body, and the body.
    #[doc(hidden)]
    fn call_and_body(&mut self) -> (&mut Call, &mut <Self::Endpoint as Endpoint>::Body);

    /// Returns the items of all pages as a stream. A page is fetched when it is polled.
    ///
    /// A list whose page token the spec does not describe, which has only `items_by` and `pages_by`, is an error of the
    /// first item.
    #[inline]
    fn items(self) -> Items<Self> {
        Items::new(self.pages())
    }

    /// Returns all pages as a stream, with the same error as [`items`](Self::items).
    #[inline]
    fn pages(self) -> Pages<Self> {
        Pages::new(self, None)
    }

    /// Returns the items of a page.
    fn into_items(mut page: Self::Output) -> Vec<Self::Item> {
        Self::Endpoint::items(&mut page).map(mem::take).unwrap_or_default()
    }
}

/// The pages of a list. Each is fetched when it is polled.
///
/// The stream ends after the page without a next token, and after an error. If the pages have numbers, it ends with a page
/// without items, or when as many items are read as the response says that there are.
/// [`page_token`](Self::page_token) returns the position, from which
/// [`resume_from`](Self::resume_from) continues, even in another process. The number of a page, or of its first item, is
/// its token.
#[must_use = "pages are fetched only when they are polled"]
pub struct Pages<R: Paged> {
    request: R,
    /// The query parameter that takes the token, if the spec does not describe it.
    parameter: Option<String>,
    state: State,
    token: Option<String>,
    /// The deadline of the next result: of a page, or of the pages until an item.
    deadline: Option<Deadline>,
    /// Hashes of the tokens seen so far, which are smaller than the tokens.
    seen: HashSet<u64>,
    /// Hashes of the pages received, if the server may ignore the parameter.
    received: HashSet<u64>,
    /// The number of items up to the end of the page before, if the pages have numbers.
    read: Option<u64>,
    hasher: RandomState,
}

/// The items of a list. A page is fetched when the items of the one before it are used up.
#[must_use = "items are fetched only when they are polled"]
pub struct Items<R: Paged> {
    pages: Pages<R>,
    page: vec::IntoIter<R::Item>,
    /// The number of pages without items since the last item.
    empty_pages: u32,
    /// Maximum number of further items.
    limit: usize,
}

enum State {
    /// Before the first page of the stream.
    Start,
    /// After a page that has a next one.
    Between,
    Fetching(Fetch),
    Failed(Error),
    End,
}

/// The call of a page.
type Fetch = BoxFuture<'static, Result<Undecoded, Error>>;

impl<R: Paged> Pages<R> {
    /// Returns the pages of a request. `parameter` takes the token if the spec does not describe one.
    #[doc(hidden)]
    pub fn new(mut request: R, parameter: Option<String>) -> Self {
        let (call, body) = request.call_and_body();
        let given = match &parameter {
            Some(name) => call.query_text(name),
            None => R::Endpoint::page_token(call, body),
        };
        let mut pages = Self {
            request,
            parameter,
            state: State::Start,
            token: None,
            deadline: None,
            seen: HashSet::new(),
            received: HashSet::new(),
            read: None,
            hasher: RandomState::new(),
        };
        if let Some(token) = given.filter(|token| !token.is_empty()) {
            pages.turn_to(&token);
        }
        pages
    }

    /// Begins with the page of a token, also of one that was read before. An empty one is an error of the first page.
    pub fn resume_from(mut self, token: impl Into<String>) -> Self {
        let token = token.into();
        self.deadline = None;
        self.seen.clear();
        self.received.clear();
        self.read = None;
        self.state = if token.is_empty() {
            let error = Error::request("the page token is empty");
            State::Failed(error.with_operation(R::OPERATION))
        } else {
            State::Start
        };
        self.turn_to(&token);
        self
    }

    /// Returns the token of the next page, or of the page that failed. `None` for the first page of a request without a
    /// token, and after the last page.
    ///
    /// A program that continues in another process stores the token after it has stored the page before it, and begins
    /// with [`resume_from`](Self::resume_from).
    pub fn page_token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Returns the next page, or `None` after the last, and after an error: to go on, use [`page_token`](Self::page_token)
    /// and [`resume_from`](Self::resume_from), as [`Items::try_next`](crate::Items::try_next) shows.
    ///
    /// # Errors
    ///
    /// Returns the error of the call, or [`ErrorKind::Paging`] after the page with which the server returns a token for
    /// the second time, or in place of a page that is equal to an earlier one, because the server seems to ignore the
    /// parameter of `pages_by`, or the number of the page.
    pub async fn try_next(&mut self) -> Result<Option<R::Output>, Error> {
        poll_fn(|context| self.poll_page(context)).await.transpose()
    }

    fn poll_page(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<R::Output, Error>>> {
        let page = ready!(self.poll_within_deadline(context));
        self.deadline = None;
        Poll::Ready(page)
    }

    /// Returns the next page, or the end. The deadline goes on, for further pages.
    fn poll_within_deadline(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<R::Output, Error>>> {
        ready!(self.poll_yield(context));
        let mut fetch = match mem::replace(&mut self.state, State::End) {
            State::Start | State::Between => self.fetch(),
            State::Fetching(fetch) => fetch,
            State::Failed(error) => return Poll::Ready(Some(Err(error))),
            State::End => return Poll::Ready(None),
        };
        if let Poll::Ready(response) = fetch.as_mut().poll(context) {
            return Poll::Ready(Some(self.receive(response)));
        }
        self.state = State::Fetching(fetch);
        Poll::Pending
    }

    /// Lets other tasks run between two pages, which may come without any wait: a list may be endless.
    fn poll_yield(&mut self, context: &Context<'_>) -> Poll<()> {
        let State::Between = self.state else { return Poll::Ready(()) };
        self.state = State::Start;
        context.waker().wake_by_ref();
        Poll::Pending
    }

    fn fetch(&mut self) -> Fetch {
        let mut request = self.request.clone();
        if self.parameter.is_none() {
            let (call, body) = request.call_and_body();
            if !R::Endpoint::takes_page_token(body) {
                return Box::pin(completed(Err(undescribed::<R>())));
            }
            if let Some(token) = self.token.as_deref().or(R::Endpoint::FIRST_TOKEN) {
                R::Endpoint::set_page_token(call, body, token);
            }
        }
        let mut call = request.into_call();
        if let (Some(token), Some(parameter)) = (&self.token, &self.parameter) {
            call.set_query(parameter.clone(), token.as_str());
        }
        let parts = &mut call.0;
        if let NextPage::Url | NextPage::Header = R::Endpoint::NEXT {
            parts.target.clone_from(&self.token);
        }
        parts.deadline = Some(*self.deadline.get_or_insert_with(|| parts.begin_deadline()));
        Box::pin(execute(call.0))
    }

    /// Returns the page of a response. What follows the page is the next step.
    fn receive(&mut self, response: Result<Undecoded, Error>) -> Result<R::Output, Error> {
        let (response, page) = response?.decode(RawResponse::decode::<_, R::Format>);
        let mut page = page?;
        self.check_parameter(&mut page)?;
        self.state = match self.next_token(&mut page, &response) {
            Ok(None) => {
                self.token = None;
                State::End
            }
            // Servers that need a first token return the one that they received at the end.
            Ok(Some(token)) if self.has_sent(&token) && is_empty::<R>(&mut page) => {
                self.token = None;
                State::End
            }
            Ok(Some(token)) if self.turn_to(&token) => State::Between,
            Ok(Some(_)) => {
                let is_token = R::Endpoint::NEXT == NextPage::Token;
                let what = if is_token { "page token" } else { "link to a page" };
                State::Failed(Self::endless(format!("the server returned the same {what} twice")))
            }
            Err(error) => {
                self.token = None;
                State::Failed(error)
            }
        };
        Ok(page)
    }

    fn has_sent(&self, token: &str) -> bool {
        R::Endpoint::NEXT == NextPage::Token
            && self.token.as_deref().or(R::Endpoint::FIRST_TOKEN) == Some(token)
    }

    /// Checks that a page does not have the items of an earlier one.
    fn check_parameter(&mut self, page: &mut R::Output) -> Result<(), Error> {
        let numbered = match R::Endpoint::NEXT {
            NextPage::Offset { .. } | NextPage::Number { .. } => R::Endpoint::TOKEN_PARAMETER,
            NextPage::Token | NextPage::Url | NextPage::Header => None,
        };
        let Some(parameter) = self.parameter.as_deref().or(numbered) else { return Ok(()) };
        let items = R::Endpoint::items(page).map_or(&[][..], |items| items);
        let mut hasher = self.hasher.build_hasher();
        for item in items {
            wire::internal::encode(item).hash(&mut hasher);
        }
        if items.is_empty() || self.received.insert(hasher.finish()) {
            return Ok(());
        }
        Err(Self::endless(format!(
            "the server returned the same items again; it seems to ignore the parameter `{parameter}`"
        )))
    }

    /// Returns the token or the URL of the next page.
    fn next_token(
        &mut self,
        page: &mut R::Output,
        response: &RawResponse,
    ) -> Result<Option<String>, Error> {
        let next = match R::Endpoint::NEXT {
            NextPage::Offset { first } => return self.next_number(page, response, first, true),
            NextPage::Number { first } => return self.next_number(page, response, first, false),
            NextPage::Header => link::next(&response.received.headers).map(str::to_owned),
            NextPage::Token | NextPage::Url => {
                R::Endpoint::next_page_token(page).filter(|next| !next.is_empty())
            }
        };
        let Some(next) = next else { return Ok(None) };
        if R::Endpoint::NEXT == NextPage::Token {
            return Ok(Some(next));
        }
        // The last page may lead back to the first.
        self.seen.insert(self.hasher.hash_one(response.uri.to_string()));
        linked(response, next).map(Some)
    }

    /// Returns the number of the next page, or of its first item.
    fn next_number(
        &mut self,
        page: &mut R::Output,
        response: &RawResponse,
        first: u64,
        is_offset: bool,
    ) -> Result<Option<String>, Error> {
        let number = self.token.as_ref().map_or(Ok(first), |token| token.parse::<u64>());
        let number = number.map_err(|_| Self::endless("the page token is not a number".into()))?;
        let count = R::Endpoint::items(page).map_or(0, |items| items.len() as u64);
        let step = if is_offset { count } else { 1 };
        // All pages before are as long as this one.
        let before = number.saturating_sub(first).saturating_mul(count) / step.max(1);
        let read = self.read.get_or_insert(before);
        *read = read.saturating_add(count);
        let header = || response.received.headers.get(R::Endpoint::TOTAL_HEADER?)?.to_str().ok();
        let total =
            R::Endpoint::total(page).or_else(|| header().map(|total| total.trim().to_owned()));
        let is_last = count == 0 || total == Some(read.to_string());
        Ok((!is_last).then(|| number.saturating_add(step).to_string()))
    }

    fn endless(message: String) -> Error {
        Error::new(ErrorKind::Paging).with_operation(R::OPERATION).with_message(message)
    }

    /// Sets the token of the next page, and returns whether it is new.
    fn turn_to(&mut self, token: &str) -> bool {
        self.token = Some(token.to_owned());
        self.seen.insert(self.hasher.hash_one(token))
    }
}

/// Returns the error of a list that only `items_by` and `pages_by` can read.
#[cold]
fn undescribed<R: Paged>() -> Error {
    Error::request(
        "the spec does not describe the page token of this list: call `items_by` or `pages_by` with its parameter",
    )
    .with_operation(R::OPERATION)
}

fn is_empty<R: Paged>(page: &mut R::Output) -> bool {
    R::Endpoint::items(page).is_none_or(|items| items.is_empty())
}

/// Returns the URL of the next page: the target of a link to it, relative to the URL that answered.
///
/// Another server, to which a redirect led, cannot name the paths that get the credentials.
fn linked(response: &RawResponse, target: String) -> Result<String, Error> {
    let RawResponse { call, uri, .. } = response;
    let server = call.client.shared.base_url_of(call.servers).map_err(Error::request)?;
    let next = resolve(uri, &target);
    let is_own = |uri: &Uri| Origin::new(uri).as_ref() == Some(&server.origin);
    if !is_own(uri) && next.as_ref().is_none_or(is_own) {
        return Err(Error::new(ErrorKind::Paging)
            .with_message("the link to the next page comes from another origin")
            .with_operation(call.operation));
    }
    Ok(next.map_or(target, |url| url.to_string()))
}

streamed!(Pages<R: Paged>, R::Output, poll_page);

shown!(Pages<R: Paged>, |it| operation: R::OPERATION.id, pages_begun: it.seen.len());
