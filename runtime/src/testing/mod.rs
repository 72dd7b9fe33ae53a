//! Transports for tests of code that makes calls: a fake and a replay. They need the feature `test-util`.

mod failure;
mod matching;
mod multipart;
pub(crate) mod recorded;
pub(crate) mod replay;
pub(crate) mod reply;
pub(crate) mod transport;

pub use self::multipart::RecordedPart;
pub use self::recorded::RecordedRequest;
pub use self::replay::Replay;
pub use self::reply::Reply;
pub use self::transport::FakeTransport;
