//! Faults that only HTTP/2 has.

use std::sync::Arc;

use crate::support::api::get;
use crate::support::http2::{
    Act, INTERNAL_ERROR, PROTOCOL_ERROR, REFUSED_STREAM, Server, transport,
};
use crate::support::server::{Bell, Silence};

pub type Script = Box<dyn Fn(usize) -> Act + Send + Sync>;

/// A fault: its name, and what the server does.
pub type Fault = (&'static str, fn(Bell) -> Script);

fn always(act: impl Fn() -> Act + Send + Sync + 'static) -> Script {
    Box::new(move |_| act())
}

/// Does this with the first request, and responds to all others.
fn first(act: fn() -> Act) -> Script {
    Box::new(move |number| if number == 0 { act() } else { Act::Answer("{}") })
}

pub fn faults() -> Vec<Fault> {
    let fault = |name, script: fn(Bell) -> Script| (name, script);
    vec![
        fault("HTTP/2: no fault", |_| always(|| Act::Answer("{}"))),
        fault("HTTP/2: stream refused, then good", |_| first(|| Act::Reset(REFUSED_STREAM))),
        fault("HTTP/2: stream always refused", |_| always(|| Act::Reset(REFUSED_STREAM))),
        fault("HTTP/2: stream reset before the headers", |_| always(|| Act::Reset(INTERNAL_ERROR))),
        fault("HTTP/2: stream reset for a protocol error", |_| {
            always(|| Act::Reset(PROTOCOL_ERROR))
        }),
        fault("HTTP/2: stream reset within the body", |_| {
            always(|| Act::ResetWithin(INTERNAL_ERROR))
        }),
        fault("HTTP/2: stream refused within the body", |_| {
            always(|| Act::ResetWithin(REFUSED_STREAM))
        }),
        fault("HTTP/2: incomplete body", |bell: Bell| {
            always(move || Act::Stall(Arc::clone(&bell)))
        }),
        fault("HTTP/2: GOAWAY after this request", |_| always(|| Act::Leave("{}"))),
        fault("HTTP/2: GOAWAY before this request, then good", |_| first(|| Act::LeaveBefore)),
        fault("HTTP/2: GOAWAY without a response", |_| always(|| Act::Abandon)),
    ]
}

#[tokio::test]
async fn dropping_a_call_resets_its_stream() {
    let (sender, mut events) = tokio::sync::mpsc::unbounded_channel();
    let bell: Bell = Arc::new(move |event| sender.send(event).unwrap());
    let server = Server::new(move |number| match number {
        0 => Act::Stall(Arc::clone(&bell)),
        _ => Act::Answer("{}"),
    });
    let client = crate::support::client(server.url()).transport(transport()).build().unwrap();
    let calling = client.clone();
    let call = tokio::spawn(async move { get(&calling, "7").await });
    assert_eq!(events.recv().await, Some(Silence::Begins));
    call.abort();
    assert_eq!(events.recv().await, Some(Silence::ClientLeft));
    // The other calls of the connection go on.
    get(&client, "7").await.unwrap();
    assert_eq!(server.seen(), 2);
}
