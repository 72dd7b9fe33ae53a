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
use super::sending::Sending;
use crate::error::{Error, ErrorKind};
use crate::request::call::Request;

/// A request whose response has the token of the next page.
pub trait Paged: Request + Clone {
    /// The type of the items.
    type Item;

    /// Sets the token of the page to fetch, if the spec describes where requests take it.
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
    /// Hashes of the tokens seen so far, which are smaller than the tokens.
    seen: HashSet<u64>,
    hasher: RandomState,
}

enum State<T> {
    Between,
    Fetching(Sending<T>),
    End,
}

impl<R: Paged> Pages<R> {
    /// Returns the pages of a request. `parameter` takes the token if the spec does not describe one.
    #[doc(hidden)]
    pub fn new(request: R, parameter: Option<String>) -> Self {
        Self {
            request,
            parameter,
            state: State::Between,
            token: None,
            seen: HashSet::new(),
            hasher: RandomState::new(),
        }
    }

    /// Begins with the page of a token.
    pub fn resume_from(mut self, token: impl Into<String>) -> Self {
        self.turn_to(token.into());
        self.state = State::Between;
        self
    }

    /// Returns the token of the next page, or of the page that failed; `None` at the beginning and after
    /// the last page.
    pub fn page_token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Returns the next page, or `None` after the last.
    ///
    /// # Errors
    ///
    /// Returns the error of the call, or [`ErrorKind::Paging`] if the server returns a token for the
    /// second time.
    pub async fn try_next(&mut self) -> Result<Option<R::Output>, Error> {
        poll_fn(|context| self.poll_page(context)).await.transpose()
    }

    fn poll_page(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<R::Output, Error>>> {
        loop {
            match &mut self.state {
                State::End => return Poll::Ready(None),
                State::Between => self.state = State::Fetching(self.fetch()),
                State::Fetching(sending) => {
                    let page = ready!(Pin::new(sending).poll(context));
                    return Poll::Ready(Some(self.arrive(page)));
                }
            }
        }
    }

    /// Fetches the next page by a function that drives its call.
    #[cfg(feature = "blocking")]
    pub(super) fn next_by(
        &mut self,
        drive: impl FnOnce(Sending<R::Output>) -> Result<R::Output, Error>,
    ) -> Option<Result<R::Output, Error>> {
        let sending = match mem::replace(&mut self.state, State::End) {
            State::End => return None,
            State::Between => self.fetch(),
            State::Fetching(sending) => sending,
        };
        Some(self.arrive(drive(sending)))
    }

    fn fetch(&self) -> Sending<R::Output> {
        let mut request = self.request.clone();
        let Some(token) = &self.token else {
            return Sending::new(request.into_call());
        };
        request.set_page_token(token);
        let mut call = request.into_call();
        if let Some(parameter) = &self.parameter {
            call.set_query(parameter.clone(), token.as_str());
        }
        Sending::new(call)
    }

    fn arrive(&mut self, page: Result<R::Output, Error>) -> Result<R::Output, Error> {
        self.state = State::End;
        let page = page?;
        match R::next_page_token(&page).filter(|token| !token.is_empty()) {
            None => self.token = None,
            Some(token) if self.turn_to(token.to_owned()) => self.state = State::Between,
            Some(_) => {
                return Err(Error::new(ErrorKind::Paging)
                    .with_operation(R::OPERATION)
                    .with_message("the server returned the same page token twice"));
            }
        }
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
    /// How many more items there can be at most.
    limit: usize,
}

impl<R: Paged> Items<R> {
    /// Returns the items of pages.
    #[doc(hidden)]
    pub fn new(pages: Pages<R>) -> Self {
        Self { pages, page: Vec::new().into_iter(), limit: usize::MAX }
    }

    /// Begins with the page of a token.
    pub fn resume_from(mut self, token: impl Into<String>) -> Self {
        self.pages = self.pages.resume_from(token);
        self
    }

    /// Returns the token of the page after the current one, or of the page that failed; `None` at the
    /// beginning and on the last page.
    pub fn page_token(&self) -> Option<&str> {
        self.pages.page_token()
    }

    /// Returns the next item, or `None` after the last.
    ///
    /// # Errors
    ///
    /// Fails as [`Pages::try_next`] does.
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
            match ready!(self.pages.poll_page(context)) {
                None => return Poll::Ready(None),
                Some(Ok(page)) => self.page = R::into_items(page).into_iter(),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
            }
        }
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
            match self.0.pages.next_by(block_on)? {
                Ok(page) => self.0.page = R::into_items(page).into_iter(),
                Err(error) => return Some(Err(error)),
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
