//! Faults that only HTTP/2 has.

use std::sync::Arc;

use crate::support::api::get;
use crate::support::http2::{
    Act, INTERNAL_ERROR, NO_ERROR, PROTOCOL_ERROR, REFUSED_STREAM, Server, answer, transport,
};
use crate::support::server::{Bell, Silence};

pub type Script = Box<dyn Fn(usize) -> Vec<Act> + Send + Sync>;

/// A fault: its name, and the behavior of the server.
pub type Fault = (&'static str, fn(Bell) -> Script);

fn always(acts: fn() -> Vec<Act>) -> Script {
    Box::new(move |_| acts())
}

/// Does this with the first request, and responds to all others.
fn first(act: fn() -> Act) -> Script {
    Box::new(move |number| if number == 0 { vec![act()] } else { answer("{}") })
}

pub fn faults() -> Vec<Fault> {
    vec![
        ("HTTP/2: no fault", |_| always(|| answer("{}"))),
        ("HTTP/2: stream refused, then good", |_| first(|| Act::Reset(REFUSED_STREAM))),
        ("HTTP/2: stream always refused", |_| always(|| vec![Act::Reset(REFUSED_STREAM)])),
        ("HTTP/2: stream reset before the headers", |_| {
            always(|| vec![Act::Reset(INTERNAL_ERROR)])
        }),
        ("HTTP/2: stream reset for a protocol error", |_| {
            always(|| vec![Act::Reset(PROTOCOL_ERROR)])
        }),
        ("HTTP/2: stream reset within the body", |_| {
            always(|| vec![Act::Head, Act::Part("{\"a\""), Act::Reset(INTERNAL_ERROR)])
        }),
        ("HTTP/2: stream refused within the body", |_| {
            always(|| vec![Act::Head, Act::Part("{\"a\""), Act::Reset(REFUSED_STREAM)])
        }),
        ("HTTP/2: incomplete body", |bell| {
            Box::new(move |_| vec![Act::Head, Act::Silence(Arc::clone(&bell))])
        }),
        ("HTTP/2: GOAWAY after this request", |_| {
            always(|| vec![Act::GoAway { includes_this: true }, Act::Head, Act::End("{}")])
        }),
        ("HTTP/2: GOAWAY before this request, then good", |_| {
            first(|| Act::GoAway { includes_this: false })
        }),
        ("HTTP/2: GOAWAY without a response", |_| {
            always(|| vec![Act::GoAway { includes_this: true }, Act::Close])
        }),
        ("HTTP/2: stream ended by NO_ERROR before its length", |_| {
            let length = || ("content-length".to_owned(), "9".to_owned());
            Box::new(move |_| {
                vec![Act::Headers(vec![length()]), Act::Part("{}"), Act::Reset(NO_ERROR)]
            })
        }),
    ]
}

#[tokio::test]
async fn dropping_a_call_resets_its_stream() {
    let (sender, mut events) = tokio::sync::mpsc::unbounded_channel();
    let bell: Bell = Arc::new(move |event| sender.send(event).unwrap());
    let server = Server::new(move |number| match number {
        0 => vec![Act::Head, Act::Silence(Arc::clone(&bell))],
        _ => answer("{}"),
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
