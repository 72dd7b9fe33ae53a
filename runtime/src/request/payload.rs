//! The body of a call.

use http::HeaderValue;

use crate::wire::upload::body::RequestBody;

/// The body of a call, with its media type.
#[derive(Clone)]
pub(crate) struct Payload {
    pub(crate) media_type: HeaderValue,
    pub(crate) body: RequestBody,
}
