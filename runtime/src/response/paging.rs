//! Paged lists.

use std::collections::HashSet;
use std::fmt;
use std::future::poll_fn;
use std::hash::{BuildHasher, RandomState};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::vec;

use futures_core::Stream;

use super::sending::Sending;
use crate::error::{Error, ErrorKind};
use crate::request::call::Request;

/// A request that takes a page token and whose response has the next one.
pub trait Paged: Request + Clone {
    /// The type of the items.
    type Item;

    /// Sets the token of the page to fetch.
    fn set_page_token(&mut self, token: &str);

    /// Returns the token of the next page.
    fn next_page_token(page: &Self::Output) -> Option<&str>;

    /// Returns the items of a page.
    fn into_items(page: Self::Output) -> Vec<Self::Item>;
}

/// The pages of a list. Each is fetched when it is asked for.
///
/// The stream ends after the page without a next token, and after an error.
/// [`page_token`](Self::page_token) returns the position, from which
/// [`resume_from`](Self::resume_from) continues, even in another process.
#[must_use = "pages are fetched only when they are asked for"]
pub struct Pages<R: Paged> {
    request: R,
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
    /// Returns the pages of a request.
    pub fn new(request: R) -> Self {
        Self {
            request,
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

    fn fetch(&self) -> Sending<R::Output> {
        let mut request = self.request.clone();
        if let Some(token) = &self.token {
            request.set_page_token(token);
        }
        Sending::new(request.into_call())
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
#[must_use = "items are fetched only when they are asked for"]
pub struct Items<R: Paged> {
    pages: Pages<R>,
    page: vec::IntoIter<R::Item>,
}

impl<R: Paged> Items<R> {
    /// Returns the items of a request.
    pub fn new(request: R) -> Self {
        Self { pages: Pages::new(request), page: Vec::new().into_iter() }
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

    fn poll_item(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<R::Item, Error>>> {
        loop {
            if let Some(item) = self.page.next() {
                return Poll::Ready(Some(Ok(item)));
            }
            match ready!(self.pages.poll_page(context)) {
                None => return Poll::Ready(None),
                Some(Ok(page)) => self.page = R::into_items(page).into_iter(),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
            }
        }
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
