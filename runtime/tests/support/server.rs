//! A server that does what a script says, down to the bytes and the way a connection ends.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// What the server does with a request.
pub enum Act {
    /// Sends these bytes and keeps the connection.
    Send(Vec<u8>),
    /// Sends these bytes and closes the connection in good order.
    Close(Vec<u8>),
    /// Sends these bytes and resets the connection.
    Reset(Vec<u8>),
    /// Sends these bytes and then stays silent until the client goes away; both are told.
    Stall(Vec<u8>, Bell),
    /// Sends a head, and a chunk again and again until the client goes away; or until it has taken
    /// more than any client should, so that one without limits does not use up the memory.
    Flood { head: Vec<u8>, chunk: Vec<u8> },
}

/// The most bytes of a flood.
const MOST_OF_A_FLOOD: usize = 128 << 20;

pub type Bell = Arc<dyn Fn(Silence) + Send + Sync>;

/// What happens to a client that is kept waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Silence {
    Begins,
    ClientLeft,
}

/// A request as the server saw it.
#[derive(Clone, Debug)]
pub struct Seen {
    pub method: String,
    pub target: String,
    pub headers: BTreeMap<String, String>,
    pub body: String,
}

/// A server on this machine; it ends with the test's process.
#[derive(Clone)]
pub struct Server {
    address: SocketAddr,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    /// Answers each request by its number, counted from 0, and what it says.
    pub fn new(script: impl Fn(usize, &Seen) -> Act + Send + Sync + 'static) -> Self {
        Self::start(script, true)
    }

    fn start(
        script: impl Fn(usize, &Seen) -> Act + Send + Sync + 'static,
        remembers: bool,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Self { address: listener.local_addr().unwrap(), seen: Arc::default() };
        let (seen, script) = (remembers.then(|| Arc::clone(&server.seen)), Arc::new(script));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (seen, script) = (seen.clone(), Arc::clone(&script));
                thread::spawn(move || serve(stream.unwrap(), seen.as_deref(), &*script));
            }
        });
        server
    }

    /// Answers as one of [`new`](Self::new), but remembers no request; all of them have the number
    /// 0.
    #[allow(dead_code, reason = "for examples, which run for long")]
    pub fn forgetful(script: impl Fn(usize, &Seen) -> Act + Send + Sync + 'static) -> Self {
        Self::start(script, false)
    }

    /// Answers every request with 200 and a JSON body.
    pub fn json(body: &'static str) -> Self {
        Self::new(move |_, _| json(200, body))
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the requests so far.
    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// Returns the only request so far.
    pub fn only(&self) -> Seen {
        let seen = self.seen();
        assert_eq!(seen.len(), 1, "{seen:?}");
        seen[0].clone()
    }
}

/// Returns the URL of a port on which nobody listens.
pub fn nobody() -> String {
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

fn serve(
    stream: TcpStream,
    seen: Option<&Mutex<Vec<Seen>>>,
    script: &(dyn Fn(usize, &Seen) -> Act + Send + Sync),
) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut writer = stream;
    while let Some(request) = read(&mut reader) {
        let number = seen.map_or(0, |seen| {
            let mut seen = seen.lock().unwrap();
            seen.push(request.clone());
            seen.len() - 1
        });
        match script(number, &request) {
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
                let _ = socket2::SockRef::from(&writer).set_linger(Some(Duration::ZERO));
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
                let chunks = MOST_OF_A_FLOOD / chunk.len();
                let _ = (0..chunks).try_for_each(|_| writer.write_all(&chunk));
                return;
            }
        }
    }
}

/// Reads a request, or nothing where the client has gone.
fn read(reader: &mut impl BufRead) -> Option<Seen> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let mut words = line.split_whitespace();
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
    }
    let length = headers.get("content-length").map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Seen { method, target, headers, body: String::from_utf8(body).unwrap() })
}
