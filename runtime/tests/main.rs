//! The runtime as emitted code and its users see it, over real connections to servers on this machine.

mod support;

#[cfg(feature = "blocking")]
mod blocking;
mod budget;
mod faults;
mod https;
mod paging;
mod requests;
mod retries;
mod secrets;
mod tokens;
#[cfg(feature = "tower")]
mod tower;
