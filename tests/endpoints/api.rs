//! The emitted client at a server on this machine.

use access_governance::runtime::RetryPolicy;
use access_governance::{Client, Map, Timestamp, Value};
use tests::server::json;
use tests::{Act, Seen, Server};

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

/// Headers of the connection, not of the call.
const INCIDENTAL: &[&str] = &["accept-encoding", "content-length", "host"];

/// A client and the server that it calls.
pub struct Api {
    pub client: Client,
    server: Server,
}

impl Api {
    /// Returns an API that answers every call with an empty object.
    pub fn new() -> Self {
        Self::answering("{}")
    }

    /// Returns an API that answers every call with the sample of an operation.
    pub fn with_sample(operation: &str) -> Self {
        Self::answering(&Sample::new(operation).body)
    }

    /// Returns an API that answers every call with a JSON body, given as text or as a value.
    pub fn answering(body: &(impl ToString + ?Sized)) -> Self {
        let body = body.to_string();
        Self::serving(move |_| json(200, &body))
    }

    /// Returns an API that answers each call by a closure.
    pub fn serving(answer: impl Fn(&Seen) -> Act + Send + Sync + 'static) -> Self {
        let server = Server::new(move |_, seen| answer(seen));
        let builder = Client::builder(server.url()).bearer_token(TOKEN).retry(RetryPolicy::never());
        Self { client: builder.build().unwrap(), server }
    }

    /// Returns the requests since the last look at them.
    pub fn requests(&self) -> Vec<Seen> {
        self.server.take()
    }

    /// Returns the one request since the last look.
    #[track_caller]
    pub fn request(&self) -> Seen {
        let mut requests = self.requests();
        assert_eq!(requests.len(), 1, "{requests:#?}");
        requests.remove(0)
    }

    /// Checks that one request was sent since the last look, and all of it: `expected` is its method and its target,
    /// and its body if it has one.
    #[track_caller]
    pub fn sent(&self, expected: &str) {
        let request = self.request();
        assert_eq!(format!("{} {}", request.line(), request.body).trim_end(), expected);
        let (token, agent) =
            (format!("Bearer {TOKEN}"), format!("access-governance/{}", version()));
        let mut headers =
            vec![("accept", "application/json"), ("authorization", &token), ("user-agent", &agent)];
        if !request.body.is_empty() {
            headers.insert(2, ("content-type", "application/json"));
        }
        let found = request.headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let found: Vec<_> = found.filter(|(name, _)| !INCIDENTAL.contains(name)).collect();
        assert_eq!(found, headers);
    }

    /// Checks that one request was sent since the last look: `body` is its body.
    #[track_caller]
    pub fn sent_body(&self, body: &Value) {
        assert_eq!(&self.request().body.parse::<Value>().unwrap(), body);
    }
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

/// Returns a text as the value of a field.
#[expect(
    clippy::unnecessary_wraps,
    reason = "fields of models are optional, which is what this is compared with"
)]
pub fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

/// Returns texts as the value of a field.
#[expect(
    clippy::unnecessary_wraps,
    reason = "fields of models are optional, which is what this is compared with"
)]
pub fn texts<const N: usize>(texts: [&str; N]) -> Option<Vec<String>> {
    Some(texts.map(str::to_owned).to_vec())
}

/// Returns a free-form object as the value of a field.
pub fn object(value: Value) -> Map {
    match value {
        Value::Object(members) => members,
        other => panic!("{other} is not an object"),
    }
}
