//! What emitted code uses. It changes together with the generator, and is nobody else's to use.

pub use http::Method;

#[cfg(feature = "blocking")]
pub use crate::blocking::block_on;
pub use crate::call::{Call, Operation, Request};
pub use crate::client::Service;
pub use crate::paging::{Items, Paged, Pages};
pub use crate::param::Param;
pub use crate::response::{Sending, SendingRaw};
pub use crate::wire::internal::*;
pub use crate::{__object as object, __open_enum as open_enum, __union as union};
pub use crate::{__paged_methods as paged_methods, __request_methods as request_methods};
