//! A fake transport for tests of code that makes calls: feature `test-util`.

mod failure;
mod multipart;
pub(crate) mod recorded;
pub(crate) mod reply;
pub(crate) mod transport;

pub use self::multipart::RecordedPart;
pub use self::recorded::RecordedRequest;
pub use self::reply::Reply;
pub use self::transport::FakeTransport;
