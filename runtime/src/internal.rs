//! What emitted code uses. It changes together with the generator, and is nobody else's to use.

pub use http::Method;

pub use crate::client::Service;
pub use crate::request::call::{Call, Operation, Request};
pub use crate::request::parameter::Param;
#[cfg(feature = "blocking")]
pub use crate::response::blocking::block_on;
pub use crate::response::paging::{Items, Paged, Pages};
pub use crate::response::{Sending, SendingRaw};
pub use crate::wire::internal::*;
pub use crate::{__object as object, __open_enum as open_enum, __union as union};
pub use crate::{__paged_methods as paged_methods, __request_methods as request_methods};
