//! The runtime as emitted code and its users see it, over real connections to servers on this machine.

mod support;

mod faults;
mod paging;
mod requests;
mod retries;
mod secrets;
mod tokens;
