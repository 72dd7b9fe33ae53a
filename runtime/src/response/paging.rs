//! Paged lists.

use std::collections::HashSet;
use std::fmt;
use std::future::poll_fn;
use std::hash::{BuildHasher, RandomState};
#[cfg(feature = "blocking")]
use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::vec;

use futures_core::Stream;

#[cfg(feature = "blocking")]
use super::blocking::block_on;
use super::sending::SendingRaw;
use super::typed::Response;
use crate::error::{Error, ErrorKind};
use crate::request::call::Request;
use crate::time::deadline::Deadline;
use crate::wire::{self, Model};

/// The maximum number of pages without items, one after the other, that [`Items`] fetches.
const MAX_EMPTY_PAGES: u32 = 1_000;

/// A request whose response has the token of the next page, or a link to it.
pub trait Paged: Request + Clone {
    /// The type of the items.
    type Item: Model;

    /// Whether the response has a link to the next page. Its URL is the token.
    #[doc(hidden)]
    const BY_LINK: bool = false;

    /// Sets the token of the page to fetch, if the spec describes its location.
    fn set_page_token(&mut self, _token: &str) {}

    /// Returns the token of the next page.
    fn next_page_token(page: &Self::Output) -> Option<&str>;

    /// Returns the items of a page.
    fn into_items(page: Self::Output) -> Vec<Self::Item>;
}

/// The pages of a list. Each is fetched when it is polled.
///
/// The stream ends after the page without a next token, and after an error.
/// [`page_token`](Self::page_token) returns the position, from which
/// [`resume_from`](Self::resume_from) continues, even in another process.
#[must_use = "pages are fetched only when they are polled"]
pub struct Pages<R: Paged> {
    request: R,
    /// The query parameter that takes the token, if the spec does not describe it.
    parameter: Option<String>,
    state: State<R::Output>,
    token: Option<String>,
    /// The deadline of the current page, or of the pages until the current item.
    deadline: Option<Deadline>,
    /// Hashes of the tokens seen so far, which are smaller than the tokens.
    seen: HashSet<u64>,
    hasher: RandomState,
}

enum State<T> {
    /// Before the first page of the stream.
    Start,
    /// After a page.
    Between,
    Fetching(SendingRaw<T>),
    /// The token to resume from is empty.
    EmptyToken,
    End,
}

impl<R: Paged> Pages<R> {
    /// Returns the pages of a request. `parameter` takes the token if the spec does not describe one.
    #[doc(hidden)]
    pub fn new(request: R, parameter: Option<String>) -> Self {
        Self {
            request,
            parameter,
            state: State::Start,
            token: None,
            deadline: None,
            seen: HashSet::new(),
            hasher: RandomState::new(),
        }
    }

    /// Begins with the page of a token. An empty one is an error of the first page.
    pub fn resume_from(mut self, token: impl Into<String>) -> Self {
        let token = token.into();
        self.state = if token.is_empty() { State::EmptyToken } else { State::Start };
        self.turn_to(token);
        self
    }

    /// Returns the token of the next page, or of the page that failed; `None` at the beginning and after
    /// the last page.
    pub fn page_token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Returns the next page, or `None` after the last, and after an error: to go on, use [`page_token`](Self::page_token)
    /// and [`resume_from`](Self::resume_from), as [`Items::try_next`] shows.
    ///
    /// # Errors
    ///
    /// Returns the error of the call, or [`ErrorKind::Paging`] if the server returns a token for the
    /// second time.
    pub async fn try_next(&mut self) -> Result<Option<R::Output>, Error> {
        poll_fn(|context| self.poll_page(context)).await.transpose()
    }

    fn poll_page(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<R::Output, Error>>> {
        let page = ready!(self.poll_next_page(context));
        self.deadline = None;
        Poll::Ready(page)
    }

    /// Polls a page within the deadline of the pages before it, if there is one.
    fn poll_next_page(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<R::Output, Error>>> {
        loop {
            match &mut self.state {
                State::Start => self.state = State::Fetching(self.fetch()),
                State::Between => {
                    self.state = State::Fetching(self.fetch());
                    // Pages may come without any wait, and a list may be endless.
                    context.waker().wake_by_ref();
                    return Poll::Pending;
                }
                State::Fetching(sending) => {
                    let page = ready!(Pin::new(sending).poll(context));
                    return Poll::Ready(Some(self.receive(page)));
                }
                State::EmptyToken => return Poll::Ready(Some(Err(self.empty_token()))),
                State::End => return Poll::Ready(None),
            }
        }
    }

    /// Fetches the next page by a function that drives its call.
    #[cfg(feature = "blocking")]
    pub(super) fn next_by(
        &mut self,
        drive: impl FnOnce(SendingRaw<R::Output>) -> Result<Response<R::Output>, Error>,
    ) -> Option<Result<R::Output, Error>> {
        let sending = match mem::replace(&mut self.state, State::End) {
            State::End => return None,
            State::EmptyToken => return Some(Err(self.empty_token())),
            State::Start | State::Between => self.fetch(),
            State::Fetching(sending) => sending,
        };
        Some(self.receive(drive(sending)))
    }

    fn fetch(&mut self) -> SendingRaw<R::Output> {
        let mut request = self.request.clone();
        if let Some(token) = &self.token {
            request.set_page_token(token);
        }
        let mut call = request.into_call();
        if let (Some(token), Some(parameter)) = (&self.token, &self.parameter) {
            call.set_query(parameter.clone(), token.as_str());
        }
        let parts = call.parts_mut();
        if R::BY_LINK {
            parts.target.clone_from(&self.token);
        }
        parts.deadline = Some(*self.deadline.get_or_insert_with(|| parts.begin_deadline()));
        SendingRaw::new::<R::Format>(call)
    }

    fn empty_token(&mut self) -> Error {
        self.state = State::End;
        Error::request("the page token is empty").with_operation(R::OPERATION)
    }

    fn endless(&mut self, message: String) -> Error {
        self.state = State::End;
        Error::new(ErrorKind::Paging).with_operation(R::OPERATION).with_message(message)
    }

    fn receive(
        &mut self,
        response: Result<Response<R::Output>, Error>,
    ) -> Result<R::Output, Error> {
        self.state = State::End;
        let response = response?;
        let page = response.decode()?;
        let token = if R::BY_LINK {
            // The last page may lead back to the first.
            self.seen.insert(self.hasher.hash_one(response.url()));
            response.next_link()?
        } else {
            R::next_page_token(&page).map(str::to_owned)
        };
        let Some(token) = token.filter(|token| !token.is_empty()) else {
            self.token = None;
            return Ok(page);
        };
        if !self.turn_to(token) {
            let what = if R::BY_LINK { "link to a page" } else { "page token" };
            return Err(self.endless(format!("the server returned the same {what} twice")));
        }
        self.state = State::Between;
        Ok(page)
    }

    /// Sets the token of the next page, and returns whether it is new.
    fn turn_to(&mut self, token: String) -> bool {
        let is_new = self.seen.insert(self.hasher.hash_one(&token));
        self.token = Some(token);
        is_new
    }
}

impl<R: Paged + Unpin> Stream for Pages<R> {
    type Item = Result<R::Output, Error>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().poll_page(context)
    }
}

impl<R: Paged> fmt::Debug for Pages<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pages")
            .field("operation", &R::OPERATION.id)
            .field("pages_begun", &self.seen.len())
            .finish_non_exhaustive()
    }
}

/// The items of a list. A page is fetched when the items of the one before it are used up.
#[must_use = "items are fetched only when they are polled"]
pub struct Items<R: Paged> {
    pages: Pages<R>,
    page: vec::IntoIter<R::Item>,
    /// The number of pages without items since the last item.
    empty_pages: u32,
    /// The hash of the first item of all, as JSON, if the server may not know the parameter of the token.
    first: Option<u64>,
    /// Maximum number of further items.
    limit: usize,
}

impl<R: Paged> Items<R> {
    /// Returns the items of pages.
    #[doc(hidden)]
    pub fn new(pages: Pages<R>) -> Self {
        Self { pages, page: Vec::new().into_iter(), empty_pages: 0, first: None, limit: usize::MAX }
    }

    /// Begins with the page of a token. An empty one is an error of the first item.
    pub fn resume_from(mut self, token: impl Into<String>) -> Self {
        self.pages = self.pages.resume_from(token);
        self.first = None;
        self
    }

    /// Returns the token of the page after the current one, or of the page that failed; `None` at the
    /// beginning and on the last page.
    pub fn page_token(&self) -> Option<&str> {
        self.pages.page_token()
    }

    /// Returns the next item, or `None` after the last.
    ///
    /// The total timeout of the request applies to the search for one item, however many pages are empty.
    ///
    /// After an error, it returns `None`. To go on with the page that failed, take its token. There is none if that is the
    /// first page: call the list again.
    ///
    /// ```
    /// use openapi_bindings_runtime::{Error, Items, Paged};
    ///
    /// /// Collects the items, and fetches pages again that failed.
    /// async fn collect<R: Paged>(mut items: Items<R>, mut tries: u32) -> Result<Vec<R::Item>, Error> {
    ///     let mut all = Vec::new();
    ///     loop {
    ///         match items.try_next().await {
    ///             Ok(Some(item)) => all.push(item),
    ///             Ok(None) => return Ok(all),
    ///             Err(error) if error.is_retryable() && tries > 0 => {
    ///                 let Some(token) = items.page_token().map(str::to_owned) else { return Err(error) };
    ///                 items = items.resume_from(token);
    ///                 tries -= 1;
    ///             }
    ///             Err(error) => return Err(error),
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// Fails as [`Pages::try_next`] does, and with [`ErrorKind::Paging`] after 1,000 pages without items.
    pub async fn try_next(&mut self) -> Result<Option<R::Item>, Error> {
        poll_fn(|context| self.poll_item(context)).await.transpose()
    }

    /// Ends the list after a number of items. Pages beyond them are not fetched.
    pub fn take(mut self, count: usize) -> Self {
        self.limit = count;
        self
    }

    /// Returns the items as an iterator for programs without `async`.
    #[cfg(feature = "blocking")]
    pub fn into_blocking(self) -> BlockingItems<R> {
        BlockingItems(self)
    }

    /// Fetches all pages and returns their items.
    ///
    /// # Errors
    ///
    /// Fails as [`Pages::try_next`] does; the items before are lost.
    pub async fn collect(mut self) -> Result<Vec<R::Item>, Error> {
        let mut items = Vec::new();
        while let Some(item) = self.try_next().await? {
            items.push(item);
        }
        Ok(items)
    }

    fn poll_item(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<R::Item, Error>>> {
        loop {
            if let Some(item) = self.next_of_page() {
                return Poll::Ready(Some(Ok(item)));
            }
            if self.limit == 0 {
                return Poll::Ready(None);
            }
            let page = ready!(self.pages.poll_next_page(context));
            let turned = page.map(|page| page.and_then(|page| self.turn(page)));
            match turned {
                None => return Poll::Ready(None),
                Some(Ok(())) => {}
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
            }
        }
    }

    /// Turns to the items of a page.
    fn turn(&mut self, page: R::Output) -> Result<(), Error> {
        self.page = R::into_items(page).into_iter();
        let Some(first) = self.page.as_slice().first() else {
            self.empty_pages += 1;
            if self.empty_pages < MAX_EMPTY_PAGES {
                return Ok(());
            }
            let message = format!("the server returned {MAX_EMPTY_PAGES} consecutive empty pages");
            return Err(self.pages.endless(message));
        };
        self.empty_pages = 0;
        self.pages.deadline = None;
        let Some(parameter) = &self.pages.parameter else {
            return Ok(());
        };
        let first = self.pages.hasher.hash_one(wire::internal::encode(first));
        if self.first == Some(first) {
            let message = format!(
                "the server returned the first item again; it seems to ignore the parameter `{parameter}`"
            );
            self.page = Vec::new().into_iter();
            return Err(self.pages.endless(message));
        }
        self.first.get_or_insert(first);
        Ok(())
    }

    /// Returns the next item of the current page.
    fn next_of_page(&mut self) -> Option<R::Item> {
        self.limit.checked_sub(1).and_then(|limit| {
            let item = self.page.next()?;
            self.limit = limit;
            Some(item)
        })
    }
}

impl<R: Paged + Unpin> Stream for Items<R>
where
    R::Item: Unpin,
{
    type Item = Result<R::Item, Error>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.get_mut().poll_item(context)
    }
}

impl<R: Paged> fmt::Debug for Items<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Items").field("pages", &self.pages).finish_non_exhaustive()
    }
}

/// The items of a list for programs without `async`: an iterator that blocks the thread while a page is
/// fetched. It ends after an error.
#[cfg(feature = "blocking")]
#[must_use = "items are fetched only by iterating"]
pub struct BlockingItems<R: Paged>(Items<R>);

#[cfg(feature = "blocking")]
impl<R: Paged> BlockingItems<R> {
    /// Begins with the page of a token.
    pub fn resume_from(self, token: impl Into<String>) -> Self {
        Self(self.0.resume_from(token))
    }

    /// Returns the token of the page after the current one; see [`Items::page_token`].
    pub fn page_token(&self) -> Option<&str> {
        self.0.page_token()
    }
}

#[cfg(feature = "blocking")]
impl<R: Paged> Iterator for BlockingItems<R>
where
    R::Output: Send + 'static,
{
    type Item = Result<R::Item, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(item) = self.0.next_of_page() {
                return Some(Ok(item));
            }
            let page = self.0.pages.next_by(block_on)?;
            if let Err(error) = page.and_then(|page| self.0.turn(page)) {
                return Some(Err(error));
            }
        }
    }
}

#[cfg(feature = "blocking")]
impl<R: Paged> fmt::Debug for BlockingItems<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BlockingItems").field(&self.0).finish()
    }
}
