//! Paged lists for programs without `async`.

use std::fmt;

use super::{Items, Paged, Pages, Turn};
use crate::error::Error;
use crate::send::blocking::Executors;

/// The pages of a list for programs without `async`: an iterator that blocks the thread while a page is fetched. It ends
/// after an error, but goes on if it is only the thread that must not block.
#[must_use = "pages are fetched only by iterating"]
pub struct BlockingPages<R: Paged>(Pages<R>, Executors);

impl<R: Paged> Pages<R> {
    /// Returns the pages as an iterator for programs without `async`.
    pub fn into_blocking(self) -> BlockingPages<R> {
        BlockingPages(self, Executors::default())
    }
}

impl<R: Paged> BlockingPages<R> {
    /// Begins with the page of a token; see [`Pages::resume_from`].
    pub fn resume_from(self, token: impl Into<String>) -> Self {
        Self(self.0.resume_from(token), self.1)
    }

    /// Returns the token of the next page, or of the page that failed; see [`Pages::page_token`].
    pub fn page_token(&self) -> Option<&str> {
        self.0.page_token()
    }
}

impl<R: Paged> Iterator for BlockingPages<R> {
    type Item = Result<R::Output, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let executor = match self.1.next()? {
            Ok(executor) => executor,
            Err(error) => return Some(Err(error)),
        };
        loop {
            let page = match self.0.step() {
                Turn::Return(end) => end,
                Turn::Fetch(fetch) => match self.0.receive(executor.run(fetch)) {
                    Some(page) => Some(Ok(page)),
                    None => continue,
                },
            };
            self.0.deadline = None;
            return page;
        }
    }
}

impl<R: Paged> fmt::Debug for BlockingPages<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BlockingPages").field(&self.0).finish()
    }
}

/// The items of a list for programs without `async`: an iterator that blocks the thread while a page is
/// fetched. It ends after an error, but goes on if it is only the thread that must not block.
#[must_use = "items are fetched only by iterating"]
pub struct BlockingItems<R: Paged>(Items<R>, Executors);

impl<R: Paged> Items<R> {
    /// Returns the items as an iterator for programs without `async`.
    pub fn into_blocking(self) -> BlockingItems<R> {
        BlockingItems(self, Executors::default())
    }
}

impl<R: Paged> BlockingItems<R> {
    /// Begins with the page of a token.
    pub fn resume_from(self, token: impl Into<String>) -> Self {
        Self(self.0.resume_from(token), self.1)
    }

    /// Returns the token of the page after the current one; see [`Items::page_token`].
    pub fn page_token(&self) -> Option<&str> {
        self.0.page_token()
    }
}

impl<R: Paged> Iterator for BlockingItems<R> {
    type Item = Result<R::Item, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let executor = match self.1.next()? {
            Ok(executor) => executor,
            Err(error) => return Some(Err(error)),
        };
        loop {
            match self.0.step() {
                Turn::Return(item) => return item,
                Turn::Fetch(fetch) => {
                    let page = self.0.pages.receive(executor.run(fetch));
                    self.0.turn_to(page);
                }
            }
        }
    }
}

impl<R: Paged> fmt::Debug for BlockingItems<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BlockingItems").field(&self.0).finish()
    }
}
