//! Logins with a redirect to this machine (RFC 8252, section 7.3).

use std::collections::VecDeque;
use std::future::poll_fn;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{AbortHandle, JoinSet};

use super::Login;
use super::session::LoginSession;
use crate::auth::token::TokenError;
use crate::time::clock::Clock;
use crate::time::deadline::{Deadline, within};

/// The time that the user has to log in.
const LIMIT: Duration = Duration::from_secs(600);

/// Maximum size of the head of a request, in bytes.
const MAX_HEAD: usize = 16 << 10;

/// Maximum number of connections that are read at the same time. Another one ends the oldest of them.
const MAX_CONNECTIONS: usize = 64;

/// The timeout of reading a request.
const PATIENCE: Duration = Duration::from_secs(5);

const DONE: &str = "You are logged in. You can close this window.";
const FAILED: &str = "The login failed. You can close this window.";

impl Login {
    /// Logs the user in with a browser on this machine: listens on a free port of `127.0.0.1`, calls `open` with the
    /// URL to open, and waits up to 10 minutes for the redirect.
    ///
    /// # Errors
    ///
    /// Fails as [`exchange`](Self::exchange) does, if no port is free, and if the user does not log in.
    pub async fn loopback(&self, open: impl FnOnce(&str)) -> Result<LoginSession, TokenError> {
        let failed = |error| TokenError::new("failed to listen on 127.0.0.1").with_source(error);
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        let authorization = self.authorize_url(format!("http://127.0.0.1:{port}/"))?;
        open(authorization.url());
        let clock = &*self.context.clock;
        let deadline = Deadline::new(clock, LIMIT);
        let mut browser = Browser {
            listener,
            clock: Arc::clone(&self.context.clock),
            connections: JoinSet::new(),
            oldest: VecDeque::new(),
        };
        loop {
            let left = deadline.left(clock);
            let request = poll_fn(|context| browser.poll_request(context).map_err(failed));
            let late = TokenError::new(format!("the user did not log in within {LIMIT:?}"));
            let Redirect { mut stream, target } =
                self.context.within_limit(left, request, late).await?;
            if !authorization.is_answered_by(&target) {
                reply(&mut stream, "404 Not Found", "").await;
                continue;
            }
            let session = self.exchange(authorization, &target).await;
            let (status, text) =
                if session.is_ok() { ("200 OK", DONE) } else { ("400 Bad Redirect", FAILED) };
            reply(&mut stream, status, text).await;
            return session;
        }
    }
}

/// The connections of browsers. They open some without a request, and ask for icons, so that all are read at the same time.
struct Browser {
    listener: TcpListener,
    clock: Arc<dyn Clock>,
    connections: JoinSet<Option<Redirect>>,
    /// The tasks that read the connections, the oldest first.
    oldest: VecDeque<AbortHandle>,
}

/// A GET request.
struct Redirect {
    stream: TcpStream,
    /// The target; its query is the query of the redirect.
    target: String,
}

impl Browser {
    fn poll_request(&mut self, context: &mut Context<'_>) -> Poll<io::Result<Redirect>> {
        loop {
            while let Poll::Ready(Some(read)) = self.connections.poll_join_next(context) {
                if let Ok(Some(request)) = read {
                    return Poll::Ready(Ok(request));
                }
            }
            match ready!(self.listener.poll_accept(context)) {
                Ok((stream, _)) => self.read(stream),
                // The browser has already closed it.
                Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }

    /// Reads a connection in the background.
    fn read(&mut self, stream: TcpStream) {
        self.oldest.retain(|connection| !connection.is_finished());
        if self.oldest.len() == MAX_CONNECTIONS
            && let Some(oldest) = self.oldest.pop_front()
        {
            oldest.abort();
        }
        let clock = Arc::clone(&self.clock);
        let reading = self.connections.spawn(async move {
            within(&*clock, PATIENCE, pin!(request(stream))).await.ok().flatten()
        });
        self.oldest.push_back(reading);
    }
}

async fn request(mut stream: TcpStream) -> Option<Redirect> {
    let mut head = Vec::new();
    let mut chunk = [0; 1024];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        let read = stream.read(&mut chunk).await.ok()?;
        if read == 0 || head.len() + read > MAX_HEAD {
            return None;
        }
        head.extend_from_slice(&chunk[..read]);
    }
    // Cookies of other programs on this machine can have any bytes.
    let line = String::from_utf8_lossy(&head);
    let target = line.strip_prefix("GET ")?.split(' ').next()?.to_owned();
    target.starts_with("/?").then_some(Redirect { stream, target })
}

/// Answers a request. A failure to do so affects only the browser.
async fn reply(stream: &mut TcpStream, status: &str, text: &str) {
    let length = text.len();
    let reply = format!(
        "HTTP/1.1 {status}\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: {length}\r\n\
         cache-control: no-store\r\nconnection: close\r\n\r\n{text}"
    );
    let _ = stream.write_all(reply.as_bytes()).await;
    let _ = stream.shutdown().await;
}
