//! A scripted HTTP/2 server (RFC 9113), frame by frame.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use openapi_bindings_runtime::ReqwestTransport;

use super::server::{Bell, Silence, listen};

/// The frames sent for a request, which is a stream.
pub enum Act {
    /// Status 200.
    Head,
    /// Status 200 and these headers.
    Headers(Vec<(String, String)>),
    /// A part of the body.
    Part(&'static str),
    /// The rest of the body.
    End(&'static str),
    /// The stream is reset with an error code (section 7).
    Reset(u32),
    /// GOAWAY, with this request as the last one, or the one before.
    GoAway { includes_this: bool },
    /// Nothing until the client resets the stream; reports both.
    Silence(Bell),
    /// Nothing for this and all later requests of the connection, nor for pings; reports each request.
    Deaf(Bell),
    /// The connection is closed.
    Close,
}

/// Returns a whole response.
pub fn answer(body: &'static str) -> Vec<Act> {
    vec![Act::Head, Act::End(body)]
}

pub const NO_ERROR: u32 = 0;
pub const PROTOCOL_ERROR: u32 = 1;
pub const INTERNAL_ERROR: u32 = 2;
pub const REFUSED_STREAM: u32 = 7;

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const GOAWAY: u8 = 7;
const CONTINUATION: u8 = 9;

const ACK: u8 = 1;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;

/// `:status: 200`, from the static table of HPACK (RFC 7541, appendix A).
const OK: [u8; 1] = [0x88];

/// Maximum size of the payload of a frame, in bytes (section 4.2).
const MAX_FRAME: usize = 16_384;

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// A server on this machine; it ends with the test's process.
pub struct Server {
    address: SocketAddr,
    seen: Arc<AtomicUsize>,
    connections: Arc<AtomicUsize>,
}

impl Server {
    /// Runs the script for the number of each request, counted from 0.
    pub fn new(script: impl Fn(usize) -> Vec<Act> + Send + Sync + 'static) -> Self {
        Self::over(|stream| stream, script)
    }

    /// Does the same over connections that `open` makes of sockets, such as those of TLS.
    pub fn over<C: Read + Write>(
        open: impl Fn(TcpStream) -> C + Send + Sync + 'static,
        script: impl Fn(usize) -> Vec<Act> + Send + Sync + 'static,
    ) -> Self {
        let seen = Arc::<AtomicUsize>::default();
        let count = Arc::clone(&seen);
        let connections = Arc::<AtomicUsize>::default();
        let opened = Arc::clone(&connections);
        let address = listen(0, move |stream| {
            opened.fetch_add(1, Ordering::Relaxed);
            // An error is a client that has closed the connection.
            let _ = serve(open(stream), &count, &script);
        });
        Self { address: address.unwrap(), seen, connections }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the number of requests so far.
    pub fn seen(&self) -> usize {
        self.seen.load(Ordering::Relaxed)
    }

    /// Returns the number of connections so far.
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::Relaxed)
    }
}

/// Encodes headers without a table (RFC 7541, section 6.2.2).
fn encode(headers: &[(String, String)]) -> Vec<u8> {
    let mut block = OK.to_vec();
    for (name, value) in headers {
        block.push(0);
        for text in [name, value] {
            // An integer with a prefix of 7 bits (section 5.1).
            match text.len() {
                length @ ..127 => block.push(u8::try_from(length).unwrap()),
                length => {
                    block.push(127);
                    let mut rest = length - 127;
                    while rest >= 128 {
                        block.push(u8::try_from(rest % 128 + 128).unwrap());
                        rest /= 128;
                    }
                    block.push(u8::try_from(rest).unwrap());
                }
            }
            block.extend_from_slice(text.as_bytes());
        }
    }
    block
}

/// Returns a transport like the default one, with HTTP/2 from the first byte.
pub fn transport() -> ReqwestTransport {
    let builder = openapi_bindings_runtime::reqwest::client_builder().unwrap();
    ReqwestTransport::without_redirects(builder.http2_prior_knowledge().build().unwrap())
}

fn serve(
    mut connection: impl Read + Write,
    seen: &AtomicUsize,
    script: &(dyn Fn(usize) -> Vec<Act> + Send + Sync),
) -> io::Result<()> {
    let mut preface = [0; PREFACE.len()];
    connection.read_exact(&mut preface)?;
    assert_eq!(preface, PREFACE);
    send(&mut connection, SETTINGS, 0, 0, &[])?;
    let mut waiting = None;
    let mut deaf: Option<Bell> = None;
    let mut last = u32::MAX;
    loop {
        let (kind, flags, stream, payload) = receive(&mut connection)?;
        match (kind, &deaf) {
            (HEADERS, Some(bell)) => {
                seen.fetch_add(1, Ordering::Relaxed);
                bell(Silence::Begins);
                continue;
            }
            (_, Some(_)) => continue,
            (_, None) => {}
        }
        match kind {
            PING if flags & ACK == 0 => send(&mut connection, PING, ACK, 0, &payload)?,
            SETTINGS if flags & ACK == 0 => send(&mut connection, SETTINGS, ACK, 0, &[])?,
            // Section 6.8.
            HEADERS if stream > last => {}
            HEADERS => {
                for act in script(seen.fetch_add(1, Ordering::Relaxed)) {
                    match act {
                        Act::Head => send(&mut connection, HEADERS, END_HEADERS, stream, &OK)?,
                        Act::Headers(headers) => {
                            send_headers(&mut connection, stream, &encode(&headers))?;
                        }
                        Act::Part(text) => send(&mut connection, DATA, 0, stream, text.as_bytes())?,
                        Act::End(text) => {
                            send(&mut connection, DATA, END_STREAM, stream, text.as_bytes())?;
                        }
                        Act::Reset(code) => {
                            send(&mut connection, RST_STREAM, 0, stream, &code.to_be_bytes())?;
                        }
                        Act::GoAway { includes_this } => {
                            // Streams of clients have odd numbers, from 1.
                            last = if includes_this { stream } else { stream.saturating_sub(2) };
                            let payload = [last.to_be_bytes(), NO_ERROR.to_be_bytes()].concat();
                            send(&mut connection, GOAWAY, 0, 0, &payload)?;
                        }
                        Act::Silence(bell) => {
                            bell(Silence::Begins);
                            waiting = Some(bell);
                        }
                        Act::Deaf(bell) => {
                            bell(Silence::Begins);
                            deaf = Some(bell);
                        }
                        Act::Close => return Ok(()),
                    }
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

/// Sends a block of headers in frames (section 4.3).
fn send_headers(connection: &mut (impl Read + Write), stream: u32, block: &[u8]) -> io::Result<()> {
    let mut frames = block.chunks(MAX_FRAME).peekable();
    let mut kind = HEADERS;
    while let Some(frame) = frames.next() {
        let flags = if frames.peek().is_none() { END_HEADERS } else { 0 };
        send(connection, kind, flags, stream, frame)?;
        kind = CONTINUATION;
    }
    Ok(())
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

/// Receives a frame: its type, its flags, its stream and its payload.
fn receive(connection: &mut (impl Read + Write)) -> io::Result<(u8, u8, u32, Vec<u8>)> {
    let mut head = [0; 9];
    connection.read_exact(&mut head)?;
    let [a, b, c, kind, flags, stream @ ..] = head;
    let length = u32::from_be_bytes([0, a, b, c]);
    let mut payload = Vec::new();
    connection.take(length.into()).read_to_end(&mut payload)?;
    Ok((kind, flags, u32::from_be_bytes(stream), payload))
}
