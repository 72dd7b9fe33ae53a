//! Items of paged lists.

use std::future::poll_fn;
use std::task::{Context, Poll, ready};

use super::{Items, Paged, Pages, State};
use crate::error::Error;
use crate::secrets::debug::shown;
use crate::send::streamed::streamed;

/// The maximum number of pages without items, one after the other, that [`Items`] fetches.
const MAX_EMPTY_PAGES: u32 = 1_000;

impl<R: Paged> Items<R> {
    #[doc(hidden)]
    pub fn new(pages: Pages<R>) -> Self {
        Self { pages, page: Vec::new().into_iter(), empty_pages: 0, limit: usize::MAX }
    }

    /// Begins with the page of a token, also of one that was read before. An empty one is an error of the first item.
    pub fn resume_from(self, token: impl Into<String>) -> Self {
        Self { limit: self.limit, ..Self::new(self.pages.resume_from(token)) }
    }

    /// Returns the token of the page after the current one, or of the page that failed. `None` before the first page of a
    /// request without a token, and on the last page.
    ///
    /// It is no position within a page: a program that stores it after each item and continues there skips the rest of
    /// the page. Use [`Pages`] to continue in another process, and store [`Pages::page_token`] after each page.
    pub fn page_token(&self) -> Option<&str> {
        self.pages.page_token()
    }

    /// Returns the next item, or `None` after the last.
    ///
    /// The total timeout of the request applies to the search for one item, however many pages are empty.
    ///
    /// After an error, it returns `None`. To go on with the page that failed, take its token. The first page of a request
    /// without a token has none: call the list again.
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
    /// Fails as [`Pages::try_next`] does, and with [`ErrorKind::Paging`](crate::ErrorKind::Paging) after 1,000 pages without items.
    pub async fn try_next(&mut self) -> Result<Option<R::Item>, Error> {
        poll_fn(|context| self.poll_item(context)).await.transpose()
    }

    /// Ends the list after a number of items. Pages beyond them are not fetched.
    pub fn take(mut self, count: usize) -> Self {
        self.limit = count;
        self
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
        let item = loop {
            if self.limit == 0 {
                break None;
            }
            if let Some(item) = self.page.next() {
                self.limit -= 1;
                break Some(Ok(item));
            }
            match ready!(self.pages.poll_within_deadline(context)) {
                Some(Ok(page)) => self.turn_to(page),
                Some(Err(error)) => break Some(Err(error)),
                None => break None,
            }
        };
        self.pages.deadline = None;
        Poll::Ready(item)
    }

    fn turn_to(&mut self, page: R::Output) {
        self.page = R::into_items(page).into_iter();
        self.empty_pages = if self.page.len() > 0 { 0 } else { self.empty_pages + 1 };
        if self.empty_pages >= MAX_EMPTY_PAGES {
            let message = format!("the server returned {MAX_EMPTY_PAGES} consecutive empty pages");
            self.pages.state = State::Failed(Pages::<R>::endless(message));
        }
    }
}

/// Nothing in it is pinned.
impl<R: Paged> Unpin for Items<R> {}

streamed!(Items<R: Paged>, R::Item, poll_item);

shown!(Items<R: Paged>, |it| pages: it.pages);
