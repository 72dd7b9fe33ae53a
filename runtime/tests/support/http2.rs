//! A scripted HTTP/2 server (RFC 9113), frame by frame.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use access_governance_runtime::ReqwestTransport;

use super::server::{Bell, Silence, listen};

/// The action for a request, which is a stream.
pub enum Act {
    /// Responds with 200 and a body.
    Answer(&'static str),
    /// Resets the stream with an error code (section 7).
    Reset(u32),
    /// Sends the headers and a part of the body, and resets the stream with an error code.
    ResetWithin(u32),
    /// Sends the headers and then nothing until the client resets the stream; reports both.
    Stall(Bell),
    /// Sends GOAWAY after this request, and responds to it.
    Leave(&'static str),
    /// Sends GOAWAY with the previous request as the last one.
    LeaveBefore,
    /// Sends GOAWAY after this request, and closes the connection.
    Abandon,
}

pub const PROTOCOL_ERROR: u32 = 1;
pub const INTERNAL_ERROR: u32 = 2;
pub const REFUSED_STREAM: u32 = 7;

const NO_ERROR: u32 = 0;

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const GOAWAY: u8 = 7;

const ACK: u8 = 1;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;

/// `:status: 200`, from the static table of HPACK (RFC 7541, appendix A).
const OK: [u8; 1] = [0x88];

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// A server on this machine; it ends with the test's process.
pub struct Server {
    address: SocketAddr,
    seen: Arc<AtomicUsize>,
}

impl Server {
    /// Runs the script for the number of each request, counted from 0.
    pub fn new(script: impl Fn(usize) -> Act + Send + Sync + 'static) -> Self {
        Self::over(|stream| stream, script)
    }

    /// Does the same over connections that `open` makes of sockets, such as those of TLS.
    pub fn over<C: Read + Write>(
        open: impl Fn(TcpStream) -> C + Send + Sync + 'static,
        script: impl Fn(usize) -> Act + Send + Sync + 'static,
    ) -> Self {
        let seen = Arc::<AtomicUsize>::default();
        let count = Arc::clone(&seen);
        let address = listen(0, move |stream| {
            // An error is a client that has closed the connection.
            let _ = serve(open(stream), &count, &script);
        });
        Self { address: address.unwrap(), seen }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns how many requests there were so far.
    pub fn seen(&self) -> usize {
        self.seen.load(Ordering::Relaxed)
    }
}

/// Returns a transport like the default one, with HTTP/2 from the first byte.
pub fn transport() -> ReqwestTransport {
    let builder = access_governance_runtime::reqwest::client_builder().unwrap();
    ReqwestTransport::without_redirects(builder.http2_prior_knowledge().build().unwrap())
}

fn serve(
    mut connection: impl Read + Write,
    seen: &AtomicUsize,
    script: &(dyn Fn(usize) -> Act + Send + Sync),
) -> io::Result<()> {
    let mut preface = [0; PREFACE.len()];
    connection.read_exact(&mut preface)?;
    assert_eq!(preface, PREFACE);
    send(&mut connection, SETTINGS, 0, 0, &[])?;
    let mut waiting = None;
    loop {
        let (kind, flags, stream) = receive(&mut connection)?;
        match kind {
            SETTINGS if flags & ACK == 0 => send(&mut connection, SETTINGS, ACK, 0, &[])?,
            HEADERS => {
                let act = script(seen.fetch_add(1, Ordering::Relaxed));
                if let Act::Stall(bell) = &act {
                    waiting = Some(Arc::clone(bell));
                }
                if !perform(&mut connection, stream, act)? {
                    return Ok(());
                }
            }
            RST_STREAM => {
                if let Some(bell) = waiting.take() {
                    bell(Silence::ClientLeft);
                }
            }
            _ => {}
        }
    }
}

/// Acts on the request of a stream, and returns whether the connection remains open.
fn perform(connection: &mut (impl Read + Write), stream: u32, act: Act) -> io::Result<bool> {
    match act {
        Act::Answer(body) => {
            answer(connection, stream, body)?;
        }
        Act::Reset(code) => {
            send(connection, RST_STREAM, 0, stream, &code.to_be_bytes())?;
        }
        Act::ResetWithin(code) => {
            send(connection, HEADERS, END_HEADERS, stream, &OK)?;
            send(connection, DATA, 0, stream, b"{\"a\"")?;
            send(connection, RST_STREAM, 0, stream, &code.to_be_bytes())?;
        }
        Act::Stall(bell) => {
            send(connection, HEADERS, END_HEADERS, stream, &OK)?;
            bell(Silence::Begins);
        }
        Act::Leave(body) => {
            go_away(connection, stream)?;
            answer(connection, stream, body)?;
        }
        Act::LeaveBefore => {
            // Streams of clients have odd numbers, from 1.
            go_away(connection, stream.saturating_sub(2))?;
        }
        Act::Abandon => {
            go_away(connection, stream)?;
            return Ok(false);
        }
    }
    Ok(true)
}

fn answer(connection: &mut (impl Read + Write), stream: u32, body: &str) -> io::Result<()> {
    send(connection, HEADERS, END_HEADERS, stream, &OK)?;
    send(connection, DATA, END_STREAM, stream, body.as_bytes())
}

fn go_away(connection: &mut (impl Read + Write), last_stream: u32) -> io::Result<()> {
    let payload = [last_stream.to_be_bytes(), NO_ERROR.to_be_bytes()].concat();
    send(connection, GOAWAY, 0, 0, &payload)
}

/// Sends a frame (section 4.1).
fn send(
    connection: &mut (impl Read + Write),
    kind: u8,
    flags: u8,
    stream: u32,
    payload: &[u8],
) -> io::Result<()> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    let frame = [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload];
    connection.write_all(&frame.concat())
}

/// Receives a frame: its type, its flags and its stream.
fn receive(connection: &mut (impl Read + Write)) -> io::Result<(u8, u8, u32)> {
    let mut head = [0; 9];
    connection.read_exact(&mut head)?;
    let [a, b, c, kind, flags, stream @ ..] = head;
    let length = u32::from_be_bytes([0, a, b, c]);
    io::copy(&mut connection.take(length.into()), &mut io::sink())?;
    Ok((kind, flags, u32::from_be_bytes(stream)))
}
