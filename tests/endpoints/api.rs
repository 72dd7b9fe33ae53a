//! The emitted client at a server on this machine.

use access_governance::runtime::RetryPolicy;
use access_governance::{Client, Map, Timestamp, Value};
use serde_json::json;
use tests::{Reply, Request, Server};

use crate::sample::Sample;

/// Builds a model that only responses carry: it has neither a constructor nor setters.
macro_rules! model {
    ($model:ident { $($field:ident: $value:expr),* $(,)? }) => {{
        let mut model = $model::default();
        $(model.$field = Some($value.into());)*
        model
    }};
}
pub(crate) use model;

/// The access token of all calls.
pub const TOKEN: &str = "t0ken-that-nobody-may-see";

/// Headers that a request may have, and that say nothing of the call.
const INCIDENTAL: &[&str] = &["accept-encoding", "content-length", "host"];

/// A client and the server that it calls.
pub struct Api {
    pub client: Client,
    server: Server,
}

impl Api {
    /// Returns an API that answers every call with an empty object.
    pub fn new() -> Self {
        Self::answering(&Reply::json("{}"))
    }

    /// Returns an API that answers every call with the sample of an operation.
    pub fn with_sample(operation: &str) -> Self {
        Self::answering(&Reply::json(&Sample::of(operation).body))
    }

    /// Returns an API that answers every call alike.
    pub fn answering(reply: &Reply) -> Self {
        let reply = reply.clone();
        Self::serving(move |_| reply.clone())
    }

    /// Returns an API that answers each call as it is told.
    pub fn serving(answer: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        let server = Server::start(answer).unwrap();
        let builder = Client::builder(server.url()).bearer_token(TOKEN).retry(RetryPolicy::never());
        Self { client: builder.build().unwrap(), server }
    }

    /// Returns the requests since the last look at them.
    pub fn requests(&self) -> Vec<Request> {
        self.server.take_requests()
    }

    /// Returns the one request since the last look.
    #[track_caller]
    pub fn request(&self) -> Request {
        let mut requests = self.requests();
        assert_eq!(requests.len(), 1, "{requests:#?}");
        requests.remove(0)
    }

    /// Checks that one request was sent since the last look: `line` is its method and its target, and it has no body.
    #[track_caller]
    pub fn sent(&self, line: &str) {
        let request = self.request();
        check(&request, line, &[]);
        assert!(request.body.is_empty(), "{request:?}");
    }

    /// Checks that one request was sent since the last look: `line` is its method and its target, and its body is JSON.
    #[track_caller]
    pub fn sent_json(&self, line: &str, body: &Value) {
        let request = self.request();
        check(&request, line, &[("content-type", "application/json".to_owned())]);
        assert_eq!(request.json().as_ref(), Some(body), "{request:?}");
    }
}

/// Checks all of a request but its body.
#[track_caller]
fn check(request: &Request, line: &str, headers_of_body: &[(&str, String)]) {
    assert_eq!(request.line(), line);
    let mut expected = vec![
        ("accept", "application/json".to_owned()),
        ("authorization", format!("Bearer {TOKEN}")),
        ("user-agent", format!("access-governance/{}", version())),
    ];
    expected.extend_from_slice(headers_of_body);
    expected.sort();
    let names = request.headers.iter().map(|(name, _)| name.to_ascii_lowercase());
    let mut telling: Vec<_> = names.filter(|name| !INCIDENTAL.contains(&name.as_str())).collect();
    telling.sort();
    let found: Vec<_> = telling
        .iter()
        .map(|name| (name.as_str(), request.header(name).unwrap_or_default()))
        .collect();
    assert_eq!(found, expected);
}

/// Returns the version of the emitted crate.
fn version() -> &'static str {
    let manifest = include_str!("../../generated/Cargo.toml");
    let line = manifest.lines().find_map(|line| line.strip_prefix("version = ")).unwrap();
    line.trim_matches('"')
}

/// Returns a point in time.
pub fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// Returns a text as models hold it.
#[expect(
    clippy::unnecessary_wraps,
    reason = "fields of models are optional, which is what this is compared with"
)]
pub fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

/// Returns texts as models hold them.
#[expect(
    clippy::unnecessary_wraps,
    reason = "fields of models are optional, which is what this is compared with"
)]
pub fn texts<const N: usize>(texts: [&str; N]) -> Option<Vec<String>> {
    Some(texts.map(str::to_owned).to_vec())
}

/// Returns an object that models hold as it is.
pub fn object(value: Value) -> Map {
    match value {
        Value::Object(members) => members,
        other => panic!("{other} is not an object"),
    }
}

/// Returns a reference to an app entitlement as it is on the wire.
pub fn entitlement(app_id: &str, id: &str) -> Value {
    json!({ "appId": app_id, "id": id })
}
