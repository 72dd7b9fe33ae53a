//! Paged lists.

use std::collections::HashSet;
use std::fmt;
use std::future::poll_fn;
use std::hash::{BuildHasher, RandomState};
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
    /// The deadline of the next result: of a page, or of the pages until an item.
    deadline: Option<Deadline>,
    /// Hashes of the tokens seen so far, which are smaller than the tokens.
    seen: HashSet<u64>,
    hasher: RandomState,
}

enum State<T> {
    /// Before the first page of the stream.
    Start,
    /// After a page that has a next one.
    Between,
    Fetching(SendingRaw<T>),
    Failed(Error),
    End,
}

/// The next step of a list, whether its calls are awaited or block.
enum Step<T, P> {
    /// Return a result to the user.
    Return(Option<Result<T, Error>>),
    /// Make this call, and receive its page.
    Fetch(SendingRaw<P>),
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
        self.deadline = None;
        self.state = if token.is_empty() {
            let error = Error::request("the page token is empty");
            State::Failed(error.with_operation(R::OPERATION))
        } else {
            State::Start
        };
        self.turn_to(&token);
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
    /// Returns the error of the call, or [`ErrorKind::Paging`] after the page with which the server returns a token for
    /// the second time.
    pub async fn try_next(&mut self) -> Result<Option<R::Output>, Error> {
        poll_fn(|context| self.poll_page(context)).await.transpose()
    }

    fn poll_page(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<R::Output, Error>>> {
        loop {
            ready!(self.poll_yield(context));
            let page = match self.step() {
                Step::Return(end) => end,
                Step::Fetch(sending) => match ready!(self.poll_fetch(sending, context)) {
                    Some(page) => Some(Ok(page)),
                    None => continue,
                },
            };
            self.deadline = None;
            return Poll::Ready(page);
        }
    }

    /// Returns the call of the next page, or the end.
    fn step<T>(&mut self) -> Step<T, R::Output> {
        match mem::replace(&mut self.state, State::End) {
            State::Start | State::Between => Step::Fetch(self.fetch()),
            State::Fetching(sending) => Step::Fetch(sending),
            State::Failed(error) => Step::Return(Some(Err(error))),
            State::End => Step::Return(None),
        }
    }

    /// Lets other tasks run between two pages, which may come without any wait: a list may be endless.
    fn poll_yield(&mut self, context: &Context<'_>) -> Poll<()> {
        let State::Between = self.state else { return Poll::Ready(()) };
        self.state = State::Start;
        context.waker().wake_by_ref();
        Poll::Pending
    }

    fn poll_fetch(
        &mut self,
        mut sending: SendingRaw<R::Output>,
        context: &mut Context<'_>,
    ) -> Poll<Option<R::Output>> {
        if let Poll::Ready(response) = Pin::new(&mut sending).poll(context) {
            return Poll::Ready(self.receive(response));
        }
        self.state = State::Fetching(sending);
        Poll::Pending
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

    /// Returns the page of a response, unless that failed. What follows the page is the next step.
    fn receive(&mut self, response: Result<Response<R::Output>, Error>) -> Option<R::Output> {
        let received = response.and_then(|response| Ok((response.decode()?, response)));
        let (page, response) = match received {
            Ok(received) => received,
            Err(error) => {
                self.state = State::Failed(error);
                return None;
            }
        };
        self.state = match self.next_token(&page, &response) {
            Ok(None) => {
                self.token = None;
                State::End
            }
            Ok(Some(token)) if self.turn_to(&token) => State::Between,
            Ok(Some(_)) => {
                let what = if R::BY_LINK { "link to a page" } else { "page token" };
                State::Failed(Self::endless(format!("the server returned the same {what} twice")))
            }
            Err(error) => {
                self.token = None;
                State::Failed(error)
            }
        };
        Some(page)
    }

    /// Returns the token of the next page, or the link to it.
    fn next_token(
        &mut self,
        page: &R::Output,
        response: &Response<R::Output>,
    ) -> Result<Option<String>, Error> {
        let token = if R::BY_LINK {
            // The last page may lead back to the first.
            self.seen.insert(self.hasher.hash_one(response.url()));
            response.next_link()?
        } else {
            R::next_page_token(page).map(str::to_owned)
        };
        Ok(token.filter(|token| !token.is_empty()))
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
    pub fn resume_from(self, token: impl Into<String>) -> Self {
        Self { limit: self.limit, ..Self::new(self.pages.resume_from(token)) }
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
            ready!(self.pages.poll_yield(context));
            match self.step() {
                Step::Return(item) => return Poll::Ready(item),
                Step::Fetch(sending) => {
                    let page = ready!(self.pages.poll_fetch(sending, context));
                    self.turn_to(page);
                }
            }
        }
    }

    /// Returns the next item, the call of the next page, or the end.
    fn step(&mut self) -> Step<R::Item, R::Output> {
        let step = if self.limit == 0 {
            Step::Return(None)
        } else if let Some(item) = self.page.next() {
            self.limit -= 1;
            Step::Return(Some(Ok(item)))
        } else {
            self.pages.step()
        };
        if let Step::Return(_) = step {
            self.pages.deadline = None;
        }
        step
    }

    /// Turns to the items of a page, if there is one.
    fn turn_to(&mut self, page: Option<R::Output>) {
        let Some(page) = page else { return };
        self.page = R::into_items(page).into_iter();
        if let Err(message) = self.check_progress() {
            self.page = Vec::new().into_iter();
            self.pages.state = State::Failed(Pages::<R>::endless(message));
        }
    }

    /// Checks that the current page is not one of many without items, nor the first one again.
    fn check_progress(&mut self) -> Result<(), String> {
        let Some(first) = self.page.as_slice().first() else {
            self.empty_pages += 1;
            if self.empty_pages < MAX_EMPTY_PAGES {
                return Ok(());
            }
            return Err(format!("the server returned {MAX_EMPTY_PAGES} consecutive empty pages"));
        };
        self.empty_pages = 0;
        let Some(parameter) = &self.pages.parameter else { return Ok(()) };
        let first = self.pages.hasher.hash_one(wire::internal::encode(first));
        if self.first == Some(first) {
            return Err(format!(
                "the server returned the first item again; it seems to ignore the parameter `{parameter}`"
            ));
        }
        self.first.get_or_insert(first);
        Ok(())
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
            match self.0.step() {
                Step::Return(item) => return item,
                Step::Fetch(sending) => {
                    let page = self.0.pages.receive(block_on(sending));
                    self.0.turn_to(page);
                }
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
