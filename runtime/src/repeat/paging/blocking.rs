//! Paged lists for programs without `async`.

use super::{Items, Paged, Pages};
use crate::send::blocking::BlockingStream;

/// The pages of a list for programs without `async`: an iterator that blocks the thread while a page is fetched. It ends
/// after an error, but goes on if it is only the thread that must not block.
pub type BlockingPages<R> = BlockingStream<Pages<R>>;

/// The items of a list for programs without `async`: an iterator that blocks the thread while a page is
/// fetched. It ends after an error, but goes on if it is only the thread that must not block.
pub type BlockingItems<R> = BlockingStream<Items<R>>;

impl<R: Paged> BlockingStream<Pages<R>> {
    /// Begins with the page of a token; see [`Pages::resume_from`].
    pub fn resume_from(self, token: impl Into<String>) -> Self {
        self.map(|pages| pages.resume_from(token))
    }

    /// Returns the token of the next page, or of the page that failed; see [`Pages::page_token`].
    pub fn page_token(&self) -> Option<&str> {
        self.0.as_ref()?.page_token()
    }
}

impl<R: Paged> BlockingStream<Items<R>> {
    /// Begins with the page of a token.
    pub fn resume_from(self, token: impl Into<String>) -> Self {
        self.map(|items| items.resume_from(token))
    }

    /// Returns the token of the page after the current one; see [`Items::page_token`].
    pub fn page_token(&self) -> Option<&str> {
        self.0.as_ref()?.page_token()
    }
}
