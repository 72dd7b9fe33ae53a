//! What every emitted crate has, whatever its spec: what the runtime's macros and the emitters add to every type of a
//! kind. `tests/public_api.rs` compares this with the sources.

use super::PublicApi;

/// Returns the items of every crate, and below `frame::` what all types of a kind have.
pub fn items() -> PublicApi {
    PublicApi::parse(TEXT).unwrap_or_default()
}

/// The items in the form of `api.txt`.
const TEXT: &str = r#"crate frame
struct Client: Clone + Debug + From<runtime::Client>
    fn builder(base_url: impl Into<String>) -> ClientBuilder
    fn from_env() -> Result<Self, Error>
type ClientBuilder = runtime::ClientBuilder<Client>
feature blocking
feature brotli
feature deflate
feature gzip
feature native-tls
feature reqwest
feature test-util
feature tls-aws-lc-rs
feature tls-graviola
feature tls-ring
feature tower
mod models
mod resources
use ClientCredentials = runtime::ClientCredentials
use DriftReport = runtime::DriftReport
use Error = runtime::Error
use ErrorKind = runtime::ErrorKind
use Map = runtime::Map
use Model = runtime::Model
use Response = runtime::Response
use RetryPolicy = runtime::RetryPolicy
use Secret = runtime::Secret
use Timestamp = runtime::Timestamp
use Value = runtime::Value
use json = runtime::json
use map = runtime::map
use runtime = runtime
struct frame::Model: Clone + Debug + Default + Deserialize + PartialEq + Serialize
enum frame::OpenEnum: AsRef<str> + Clone + Debug + Default + Deserialize + Display + Eq + From<&str> + From<String> + FromStr + Hash + Ord + PartialEq + PartialOrd + Serialize
    Unknown(runtime::UnknownValue)
    const KNOWN: &'static [Self]
    fn as_str(&self) -> &str
    fn is_unknown(&self) -> bool
    fn try_parse(text: &str) -> Result<Self, runtime::UnknownValue>
enum frame::Union: Clone + Debug + Default + Deserialize + PartialEq + Serialize
    Unknown(runtime::UnknownUnion)
struct frame::Handle: Clone + Debug
struct frame::Request: Clone + Debug + IntoFuture
    fn send(self) -> runtime::Sending<Self::Output>
    fn send_blocking(self) -> Result<Self::Output, Error> if feature "blocking"
    fn send_raw(self) -> runtime::SendingRaw<Self::Output>
    fn send_raw_blocking(self) -> Result<Response<Self::Output>, Error> if feature "blocking"
    fn set_if_some(self, value: Option<T>, setter: impl FnOnce(Self, T) -> Self) -> Self
    fn set_query(self, name: impl Into<String>, value: impl AsRef<str>) -> Self
    fn with_header(self, name: impl AsRef<str>, value: impl AsRef<str>) -> Self
    fn with_max_response_bytes(self, limit: usize) -> Self
    fn with_query(self, name: impl Into<String>, value: impl AsRef<str>) -> Self
    fn with_retry(self, policy: RetryPolicy) -> Self
    fn with_timeout(self, limit: Duration) -> Self
    fn with_total_timeout(self, limit: Duration) -> Self
struct frame::Paged
    fn items(self) -> runtime::Items<Self>
    fn items_blocking(self) -> runtime::BlockingItems<Self> if feature "blocking"
    fn pages(self) -> runtime::Pages<Self>
struct frame::PagedBy
    fn items_by(self, parameter: impl Into<String>) -> runtime::Items<Self>
    fn pages_by(self, parameter: impl Into<String>) -> runtime::Pages<Self>
"#;
