//! The server.

use std::io::{self, BufReader};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::{Reply, Request};

/// An HTTP/1.1 server at a free port of this machine. It serves until the program ends.
///
/// Its connections have threads of their own, so it serves blocking clients, asynchronous ones and both at once.
#[derive(Clone)]
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
}

struct Shared {
    requests: Mutex<Vec<Request>>,
    answer: Box<dyn Fn(&Request) -> Reply + Send + Sync>,
}

impl Server {
    /// Starts a server that answers each request as it is told.
    ///
    /// # Errors
    ///
    /// Fails where this machine has no free port.
    pub fn start(answer: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> io::Result<Self> {
        Self::start_at(0, answer)
    }

    /// Starts a server at a port; 0 is any that is free.
    ///
    /// # Errors
    ///
    /// Fails if the port is taken.
    pub fn start_at(
        port: u16,
        answer: impl Fn(&Request) -> Reply + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", port))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared { requests: Mutex::default(), answer: Box::new(answer) });
        let server = Self { address, shared: Arc::clone(&shared) };
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&shared);
                thread::spawn(move || shared.serve(stream));
            }
        });
        Ok(server)
    }

    /// Returns the URL of the server, without a slash at its end.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the requests since this was last asked.
    pub fn take_requests(&self) -> Vec<Request> {
        std::mem::take(&mut self.shared.requests())
    }
}

impl Shared {
    fn requests(&self) -> MutexGuard<'_, Vec<Request>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Serves a connection until the client closes it. What is not HTTP ends the connection, which the client is told.
    fn serve(&self, mut stream: TcpStream) -> io::Result<()> {
        let mut reader = BufReader::new(stream.try_clone()?);
        while let Some(request) = Request::read(&mut reader)? {
            let reply = (self.answer)(&request);
            self.requests().push(request);
            if reply.hangs_up() {
                break;
            }
            reply.write(&mut stream)?;
        }
        Ok(())
    }
}
