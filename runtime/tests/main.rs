//! The runtime as emitted code and its users see it, over real connections to servers on this
//! machine.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test ends where something is not as expected"
)]

#[path = "wire/kinds.rs"]
#[allow(dead_code, reason = "some are made for the tests of the wire format")]
mod kinds;
#[path = "wire/models.rs"]
#[allow(dead_code, reason = "they are made for other tests")]
mod models;
mod support;

#[cfg(feature = "blocking")]
mod blocking;
mod bodies;
mod bounds;
mod budget;
#[cfg(feature = "test-util")]
mod charsets;
mod clients;
#[cfg(feature = "compression")]
mod compression;
#[cfg(feature = "login")]
mod counterparts;
mod credentials;
mod cuts;
mod doors;
mod drift;
mod edits;
mod extensions;
mod failures;
mod faults;
mod forms;
mod generic;
mod hostile;
#[cfg(feature = "http2")]
mod http2;
mod https;
mod integers;
mod judged;
mod large_bodies;
#[cfg(feature = "login")]
mod logins;
mod merge_patches;
mod methods;
mod outcomes;
mod page_numbers;
mod page_tokens;
mod page_urls;
mod paging;
mod parameters;
mod parts;
mod proxies;
#[cfg(all(feature = "record", feature = "test-util"))]
mod record;
mod redirects;
mod related;
mod replies;
mod requests;
mod retries;
#[cfg(feature = "fs")]
mod saves;
mod secrets;
mod sequences;
mod servers;
mod streams;
#[cfg(feature = "test-util")]
mod testing;
mod tokens;
#[cfg(feature = "tower")]
mod tower;
mod traces;
mod traits;
mod unfit;
mod unsent;
mod uploads;
mod waits;
