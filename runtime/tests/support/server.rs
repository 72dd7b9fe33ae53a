//! A scripted server, down to the bytes and the end of a connection.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::mem;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// The action for a request.
pub enum Act {
    /// Sends these bytes and leaves the connection open.
    Send(Vec<u8>),
    /// Sends these bytes and closes the connection.
    Close(Vec<u8>),
    /// Sends these bytes and resets the connection.
    Reset(Vec<u8>),
    /// Sends these bytes, then waits until the client closes the connection; reports both.
    Stall(Vec<u8>, Bell),
    /// Sends a head and endless chunks, up to a limit for clients without their own.
    Flood {
        /// The head.
        head: Vec<u8>,
        /// The chunk.
        chunk: Vec<u8>,
    },
}

/// Maximum size of a flood, in bytes.
const MAX_FLOOD: usize = 128 << 20;

/// Called when the silence begins, and when the client has closed the connection.
pub type Bell = Arc<dyn Fn(Silence) + Send + Sync>;

/// The action on a waiting client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    /// The client waits.
    Begins,
    /// The client has closed the connection.
    ClientLeft,
}

/// A request as the server saw it.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The method.
    pub method: String,
    /// The target of the request line, not decoded.
    pub target: String,
    /// The headers by their names in lower case; several values with commas between them (RFC 9110,
    /// section 5.3).
    pub headers: BTreeMap<String, String>,
    /// The body.
    pub body: String,
}

impl Seen {
    /// Returns the method and the target: `GET /a?b=c`.
    pub fn line(&self) -> String {
        format!("{} {}", self.method, self.target)
    }
}

/// A server on this machine; it ends with the process.
#[derive(Clone)]
pub struct Server {
    address: SocketAddr,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    /// Runs the script for each request and its number, counted from 0.
    pub fn new(script: impl Fn(usize, &Seen) -> Act + Send + Sync + 'static) -> Self {
        Self::start(0, true, |stream| stream, script).unwrap()
    }

    /// Does the same over connections that `open` makes of sockets, such as those of TLS.
    pub fn over<C: Read + Write>(
        open: impl Fn(TcpStream) -> C + Send + Sync + 'static,
        script: impl Fn(usize, &Seen) -> Act + Send + Sync + 'static,
    ) -> Self {
        Self::start(0, true, open, script).unwrap()
    }

    /// Serves at a port, 0 for any, and remembers no request: for programs that run for long.
    ///
    /// # Errors
    ///
    /// Fails if the port is taken.
    pub fn forgetful(
        port: u16,
        script: impl Fn(usize, &Seen) -> Act + Send + Sync + 'static,
    ) -> io::Result<Self> {
        Self::start(port, false, |stream| stream, script)
    }

    fn start<C: Read + Write>(
        port: u16,
        remembers: bool,
        open: impl Fn(TcpStream) -> C + Send + Sync + 'static,
        script: impl Fn(usize, &Seen) -> Act + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let seen = Arc::<Mutex<Vec<_>>>::default();
        let all = Arc::clone(&seen);
        let number = AtomicUsize::new(0);
        let script = move |request: &Seen| {
            let number = {
                let mut all = all.lock().unwrap();
                all.extend(remembers.then(|| request.clone()));
                number.fetch_add(1, Ordering::Relaxed)
            };
            script(number, request)
        };
        let address = listen(port, move |stream| {
            let socket = stream.try_clone().unwrap();
            serve(open(stream), &socket, &script);
        })?;
        Ok(Self { address, seen })
    }

    /// Responds to every request with 200 and a JSON body.
    pub fn json(body: &'static str) -> Self {
        Self::new(move |_, _| json(200, body))
    }

    /// Returns the URL of the server, without a slash at its end.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the requests so far.
    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// Returns the requests since this was last called.
    pub fn take(&self) -> Vec<Seen> {
        mem::take(&mut self.seen.lock().unwrap())
    }

    /// Returns the only request so far.
    pub fn only(&self) -> Seen {
        let seen = self.seen();
        assert_eq!(seen.len(), 1, "{seen:?}");
        seen[0].clone()
    }
}

/// Accepts connections at a port, 0 for any, and serves each in a thread.
///
/// # Errors
///
/// Fails if the port is taken.
pub fn listen(
    port: u16,
    serve: impl Fn(TcpStream) + Send + Sync + 'static,
) -> io::Result<SocketAddr> {
    let listener = TcpListener::bind(("127.0.0.1", port))?;
    let address = listener.local_addr()?;
    let serve = Arc::new(serve);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let serve = Arc::clone(&serve);
            thread::spawn(move || serve(stream.unwrap()));
        }
    });
    Ok(address)
}

/// Returns a URL without a server.
pub fn unused_port() -> String {
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    format!("http://{address}")
}

/// Returns a response with a JSON body.
pub fn json(status: u16, body: &str) -> Act {
    response(status, &[("content-type", "application/json")], body)
}

/// Returns a response with headers and a body.
pub fn response(status: u16, headers: &[(&str, &str)], body: &str) -> Act {
    Act::Send(bytes(status, headers, body))
}

/// Returns the bytes of a response.
pub fn bytes(status: u16, headers: &[(&str, &str)], body: &str) -> Vec<u8> {
    let length = body.len();
    let headers: String =
        headers.iter().flat_map(|&(name, value)| [name, ": ", value, "\r\n"]).collect();
    format!("HTTP/1.1 {status} Whatever\r\ncontent-length: {length}\r\n{headers}\r\n{body}")
        .into_bytes()
}

fn serve(connection: impl Read + Write, socket: &TcpStream, script: &dyn Fn(&Seen) -> Act) {
    let mut reader = BufReader::new(connection);
    while let Some(request) = read(&mut reader) {
        let act = script(&request);
        let writer = reader.get_mut();
        match act {
            Act::Send(bytes) => {
                if writer.write_all(&bytes).is_err() {
                    return;
                }
            }
            Act::Close(bytes) => {
                let _ = writer.write_all(&bytes);
                return;
            }
            Act::Reset(bytes) => {
                let _ = writer.write_all(&bytes);
                let _ = socket2::SockRef::from(socket).set_linger(Some(Duration::ZERO));
                return;
            }
            Act::Stall(bytes, bell) => {
                let _ = writer.write_all(&bytes);
                bell(Silence::Begins);
                let _ = reader.read(&mut [0]);
                bell(Silence::ClientLeft);
                return;
            }
            Act::Flood { head, chunk } => {
                let _ = writer.write_all(&head);
                let chunks = MAX_FLOOD / chunk.len();
                let _ = (0..chunks).try_for_each(|_| writer.write_all(&chunk));
                return;
            }
        }
    }
}

/// Reads a request (RFC 9112), or nothing if the client has gone. Anything else ends the
/// connection with a panic.
fn read(reader: &mut impl BufRead) -> Option<Seen> {
    let head = line(reader)?;
    let [method, target, "HTTP/1.1"] = head.split(' ').collect::<Vec<_>>()[..] else {
        panic!("not a request line: {head:?}")
    };
    let mut headers = BTreeMap::<String, String>::new();
    loop {
        let line = line(reader)?;
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').unwrap();
        let values = headers.entry(name.to_ascii_lowercase()).or_default();
        values.push_str(if values.is_empty() { "" } else { ", " });
        values.push_str(value.trim());
    }
    assert!(!headers.contains_key("transfer-encoding"), "bodies have a `Content-Length` here");
    let length = headers.get("content-length").map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let body = String::from_utf8(body).unwrap();
    Some(Seen { method: method.to_owned(), target: target.to_owned(), headers, body })
}

/// Reads a line; `None` if the client has disconnected.
fn line(reader: &mut impl BufRead) -> Option<String> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    line.strip_suffix("\r\n").map(str::to_owned)
}

/// Returns the response of a server that rejects some requests without executing them.
pub fn refusal(number: usize) -> Option<Act> {
    match number % 61 {
        0 => Some(json(401, "{}")),
        7 => Some(response(429, &[("retry-after", "0")], "")),
        13 => Some(response(503, &[("retry-after", "0")], "")),
        _ => None,
    }
}

/// Returns the action of a server that fails after it has executed some requests, in every way it can.
pub fn failure(number: usize) -> Option<Act> {
    let action = match number % 47 {
        0 => Act::Reset(Vec::new()),
        5 => Act::Close(b"HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n{\"a\":".to_vec()),
        11 => json(500, r#"{"message":"broken"}"#),
        17 => json(503, "{}"),
        23 => Act::Reset(b"HTTP/1.1 200 OK\r\nconte".to_vec()),
        29 => json(200, "{\"cut\":"),
        35 => json(404, r#"{"message":"not found"}"#),
        _ => return None,
    };
    Some(action)
}
