//! Faults of providers, in every flow: each ends an attempt with an error that is transient or not, shows no secret,
//! and does not keep the next attempt from succeeding.

use std::error::Error as StdError;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use openapi_bindings_runtime::{
    AssertionSigner, Client, ClientCredentials, DeviceLogin, Error, ExposeSecret as _, JwtBearer,
    Login, LoginSession, Provider, RefreshToken, RetryPolicy, TokenError, TokenSource,
};
use tracing_core::{Dispatch, dispatcher};

use super::{REDIRECT, logged_in, redirect_of};
use crate::secrets::Recorder;
use crate::support::FirstScheme as _;
use crate::support::api::get;
use crate::support::clock::TestClock;
use crate::support::server::{Act, Bell, Seen, Server, Silence, bytes, json, response};
use crate::support::{Signer, client, timed};

/// A text that all secrets of this file contain, and nothing else.
const SECRET: &str = "s3cr3t";

#[derive(Clone, Copy, Debug, PartialEq)]
enum Flow {
    ClientCredentials,
    SecretInHeader,
    RefreshToken,
    JwtBearer,
    AuthorizationCode,
    Device,
    Session,
    Discovery,
}

const FLOWS: [Flow; 8] = [
    Flow::ClientCredentials,
    Flow::SecretInHeader,
    Flow::RefreshToken,
    Flow::JwtBearer,
    Flow::AuthorizationCode,
    Flow::Device,
    Flow::Session,
    Flow::Discovery,
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// The provider does not answer.
    Silent,
    /// It closes the connection without an answer.
    Gone,
    /// It resets the connection.
    Reset,
    /// It closes the connection within the answer.
    Stumbles,
    Busy,
    /// It answers with the page of a proxy.
    Page,
    /// It answers with JSON of another kind.
    WrongJson,
    /// The answer lacks what was requested, but has secrets.
    WrongObject,
    Huge,
    Endless,
    /// It refuses, and repeats all that was sent.
    Refuses,
    Redirects,
    /// The tokens expire at once.
    ExpiredAtOnce,
    /// The time of day jumps ahead.
    ClockAhead,
    /// The time of day jumps back.
    ClockBehind,
}

/// How an attempt ends.
#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    Success,
    /// An error that may pass.
    Transient,
    Permanent,
}

const FAULTS: [(Fault, End); 15] = [
    (Fault::Silent, End::Transient),
    (Fault::Gone, End::Transient),
    (Fault::Reset, End::Transient),
    (Fault::Stumbles, End::Transient),
    (Fault::Busy, End::Transient),
    (Fault::Page, End::Permanent),
    (Fault::WrongJson, End::Permanent),
    (Fault::WrongObject, End::Permanent),
    (Fault::Huge, End::Permanent),
    (Fault::Endless, End::Permanent),
    (Fault::Refuses, End::Permanent),
    (Fault::Redirects, End::Permanent),
    (Fault::ExpiredAtOnce, End::Success),
    (Fault::ClockAhead, End::Success),
    (Fault::ClockBehind, End::Success),
];

impl Fault {
    fn act(self, seen: &Seen, bell: &Bell) -> Act {
        let tokens = format!(r#""access_{SECRET}":"{SECRET}","refresh_token":"{SECRET}-r""#);
        match self {
            Self::Silent => Act::Stall(Vec::new(), Arc::clone(bell)),
            Self::Gone => Act::Close(Vec::new()),
            Self::Reset => Act::Reset(Vec::new()),
            Self::Stumbles => {
                let mut whole = bytes(200, &[], &format!("{{{tokens}}}"));
                whole.pop();
                Act::Close(whole)
            }
            Self::Busy => response(503, &[("retry-after", "0")], "busy"),
            Self::Page => response(200, &[("content-type", "text/html")], "<html>"),
            Self::WrongJson => json(200, &format!(r#"["{SECRET}"]"#)),
            Self::WrongObject => json(200, &format!("{{{tokens}}}")),
            Self::Huge => json(200, &format!(r#"{{{tokens},"x":"{}"}}"#, "x".repeat(2 << 20))),
            Self::Endless => Act::Flood {
                head: b"HTTP/1.1 200 OK\r\n\r\n".to_vec(),
                chunk: SECRET.repeat(10_000).into_bytes(),
            },
            Self::Refuses => {
                let sent = format!("{} {:?}", seen.body, seen.headers);
                let error = serde_json::json!({ "error": "no", "error_description": sent });
                json(400, &error.to_string())
            }
            Self::Redirects => response(302, &[("location", "/elsewhere")], ""),
            Self::ExpiredAtOnce => token(0, 0),
            Self::ClockAhead | Self::ClockBehind => token(0, 3600),
        }
    }
}

fn token(number: usize, seconds: u64) -> Act {
    json(
        200,
        &format!(
            r#"{{"access_token":"{SECRET}-{number}","refresh_token":"{SECRET}-r{number}","expires_in":{seconds}}}"#
        ),
    )
}

/// A provider with a fault that shows once.
struct Faulty {
    server: Server,
    fault: Arc<Mutex<Option<Fault>>>,
}

impl Faulty {
    fn new(flow: Flow, clock: &TestClock) -> Self {
        let clock = clock.clone();
        let bell: Bell = Arc::new(move |silence| {
            if silence == Silence::Begins {
                clock.ring();
                // The refresh that a session completes in the background has a timer of its own.
                if flow == Flow::Session {
                    clock.ring();
                }
            }
        });
        let fault = Arc::new(Mutex::new(None::<Fault>));
        let armed = Arc::clone(&fault);
        let url = Arc::new(Mutex::new(String::new()));
        let issuer = Arc::clone(&url);
        let path = match flow {
            Flow::Discovery => "/.well-known/openid-configuration",
            _ => "/token",
        };
        let server = Server::new(move |number, seen| {
            let fault = (seen.target == path).then(|| armed.lock().unwrap().take()).flatten();
            // These show in tokens only.
            let is_of_tokens = matches!(
                fault,
                Some(Fault::ExpiredAtOnce | Fault::ClockAhead | Fault::ClockBehind)
            );
            let is_discovery = flow == Flow::Discovery;
            let fault = fault.filter(|_| !(is_discovery && is_of_tokens));
            match (fault, seen.target.as_str()) {
                (Some(fault), _) => fault.act(seen, &bell),
                (None, _) if is_discovery => {
                    let issuer = issuer.lock().unwrap();
                    json(200, &format!(r#"{{"issuer":"{issuer}","token_endpoint":"/token"}}"#))
                }
                (None, "/token") => token(number, 3600),
                (None, "/device") => json(
                    200,
                    &format!(
                        r#"{{"device_code":"{SECRET}","user_code":"A-B","verification_uri":"https://login.example/","expires_in":1800}}"#
                    ),
                ),
                (None, _) => json(200, "{}"),
            }
        });
        *url.lock().unwrap() = server.url();
        Self { server, fault }
    }

    fn client(&self, clock: &TestClock, source: impl TokenSource) -> Client {
        let client = client(self.server.url()).token_source(source).retry(RetryPolicy::never());
        timed(client, clock).build().unwrap()
    }

    fn login(&self, clock: &TestClock) -> Login {
        let provider = Provider::new()
            .authorization_url("/authorize")
            .token_url("/token")
            .device_url("/device")
            .discovery_url("/");
        let client = client(self.server.url())
            .default_header("x-api-key", format!("{SECRET}-key"))
            .default_header("cookie", format!("sid={SECRET}-cookie"));
        let client = timed(client, clock).build().unwrap();
        client.login(provider, "app").client_secret(format!("{SECRET}-client"))
    }
}

/// A flow that has begun.
enum Begun {
    Calls(Client),
    Login(Login),
    Device(Login),
    Discovery(Login),
}

/// An error, with all that it shows.
struct Failed {
    is_transient: bool,
    shown: String,
}

fn failed(error: &impl StdError, is_transient: bool) -> Failed {
    let mut shown = format!("{error} {error:?} {error:#?}");
    let mut source = error.source();
    while let Some(cause) = source {
        write!(shown, " {cause} {cause:?}").unwrap();
        source = cause.source();
    }
    Failed { is_transient, shown }
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        failed(&error, error.is_retryable())
    }
}

impl From<TokenError> for Failed {
    fn from(error: TokenError) -> Self {
        failed(&error, error.is_transient())
    }
}

fn signer() -> impl AssertionSigner {
    Signer(|_| Ok(format!("{SECRET}.assertion").into()))
}

impl Begun {
    async fn new(flow: Flow, provider: &Faulty, clock: &TestClock) -> Self {
        let secret = format!("{SECRET}-client");
        let credentials = || ClientCredentials::new("/token", "app", secret.clone());
        match flow {
            Flow::ClientCredentials => Self::Calls(provider.client(clock, credentials())),
            Flow::SecretInHeader => {
                Self::Calls(provider.client(clock, credentials().secret_in_header()))
            }
            Flow::RefreshToken => {
                let source = RefreshToken::new("/token", "app", format!("{SECRET}-r"));
                Self::Calls(provider.client(clock, source))
            }
            Flow::JwtBearer => {
                Self::Calls(provider.client(clock, JwtBearer::new("/token", "app", signer())))
            }
            Flow::Session => {
                let session: LoginSession = logged_in(&provider.login(clock)).await;
                clock.pass(Duration::from_secs(3600));
                Self::Calls(provider.client(clock, session))
            }
            Flow::AuthorizationCode => Self::Login(provider.login(clock)),
            Flow::Device => Self::Device(provider.login(clock)),
            Flow::Discovery => Self::Discovery(provider.login(clock)),
        }
    }

    /// Makes an attempt, and returns what its values show.
    async fn attempt(&self) -> Result<String, Failed> {
        match self {
            Self::Calls(client) => {
                let shown = format!("{client:?}");
                get(client, "7").await?;
                Ok(shown)
            }
            Self::Login(login) => {
                let authorization = login.authorize_url(REDIRECT)?;
                assert!(
                    !format!("{authorization:?}").contains(authorization.state().expose_secret())
                );
                let redirect = redirect_of(&authorization).replace("c0de", SECRET);
                let session = login.exchange(authorization, redirect).await?;
                Ok(format!("{login:?} {session:?}"))
            }
            Self::Device(login) => {
                let device: DeviceLogin = login.clone().device().await?;
                let shown = format!("{device:?}");
                let session = device.wait().await?;
                Ok(format!("{shown} {session:?}"))
            }
            Self::Discovery(login) => Ok(format!("{:?}", login.clone().discover().await?)),
        }
    }
}

#[tokio::test]
async fn every_flow_survives_every_fault() {
    let recorded = Recorder::default();
    let spans = recorded.text();
    let _guard = dispatcher::set_default(&Dispatch::new(recorded));
    for flow in FLOWS {
        for (fault, end) in FAULTS {
            let about = format!("{flow:?} with {fault:?}");
            let clock = TestClock::new();
            let provider = Faulty::new(flow, &clock);
            let begun = Begun::new(flow, &provider, &clock).await;
            let before = provider.server.take();
            *provider.fault.lock().unwrap() = Some(fault);
            match fault {
                Fault::ClockAhead => clock.set_wall("2030-01-01T00:00:00Z".parse().unwrap()),
                Fault::ClockBehind => clock.set_wall("2020-01-01T00:00:00Z".parse().unwrap()),
                _ => {}
            }
            // The device flow asks again by itself (RFC 8628, section 3.5).
            let end = match (flow, end) {
                (Flow::Device, End::Transient) => End::Success,
                _ => end,
            };
            let attempt = begun.attempt().await;
            let found = match &attempt {
                Ok(_) => End::Success,
                Err(failed) if failed.is_transient => End::Transient,
                Err(_) => End::Permanent,
            };
            let shown = match attempt {
                Ok(shown) => shown,
                Err(failed) => failed.shown,
            };
            assert_eq!(found, end, "{about}: {shown}");
            assert!(!shown.contains(SECRET), "{about} shows {SECRET}: {shown}");
            let again = begun.attempt().await.map_err(|failed| failed.shown);
            let shown = again.unwrap_or_else(|shown| panic!("{about}, then: {shown}"));
            assert!(!shown.contains(SECRET), "{about} shows {SECRET}: {shown}");
            // A stored token is valid for longer if the time of day jumps back.
            let is_met = provider.fault.lock().unwrap().is_none();
            assert!(is_met || (flow, fault) == (Flow::Session, Fault::ClockBehind), "{about}");
            let seen = provider.server.take();
            assert!(seen.iter().all(|seen| seen.target != "/elsewhere"), "{about}: {seen:?}");
            let forms: Vec<_> = seen.iter().filter(|seen| seen.target == "/token").collect();
            match flow {
                // The refresh token of the lost answer is sent again, which providers may accept.
                Flow::RefreshToken | Flow::Session if end != End::Success => {
                    assert_eq!(forms.len(), 2, "{about}");
                    assert_eq!(forms[0].body, forms[1].body, "{about}");
                }
                // A jump of the clock costs at most one token.
                _ if matches!(fault, Fault::ClockAhead | Fault::ClockBehind) => {
                    assert!(forms.len() <= 2, "{about}: {forms:?} after {before:?}");
                }
                _ => {}
            }
        }
    }
    let spans = spans.lock().unwrap();
    assert!(spans.contains("url.template"), "{spans}");
    assert!(!spans.contains(SECRET), "{spans}");
}
