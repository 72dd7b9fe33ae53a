//! Logins with a redirect to this machine (RFC 8252, section 7.3).

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use super::Login;
use super::session::Session;
use crate::auth::token::TokenError;
use crate::time::deadline::Deadline;

/// The time that the user has to log in.
const LIMIT: Duration = Duration::from_secs(600);

/// Maximum size of the head of a request, in bytes.
const MAX_HEAD: usize = 16 << 10;

/// The timeout of reading a request and answering it.
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
    pub async fn loopback(&self, open: impl FnOnce(&str)) -> Result<Session, TokenError> {
        let failed = |error| TokenError::new("failed to listen on 127.0.0.1").with_source(error);
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        let authorization = self.authorize_url(format!("http://127.0.0.1:{port}/"))?;
        open(authorization.url());
        let clock = &*self.context.clock;
        let deadline = Deadline::new(clock, LIMIT);
        loop {
            let left = deadline.left(clock);
            let connection = async { listener.accept().await.map_err(failed) };
            let late = || TokenError::new(format!("the user did not log in within {LIMIT:?}"));
            let connection = self.context.within_limit(left, connection, late).await?;
            let read = async { Ok(target(connection.0).await) };
            let nothing = || TokenError::transient("no request");
            // Browsers also open connections without a request, and ask for icons.
            let Ok(Some((mut stream, target))) =
                self.context.within_limit(PATIENCE.min(left), read, nothing).await
            else {
                continue;
            };
            if !authorization.is_answered_by(&target) {
                reply(&mut stream, "404 Not Found", "").await;
                continue;
            }
            let session = self.exchange(authorization, &target).await;
            let (status, text) =
                if session.is_ok() { ("200 OK", DONE) } else { ("400 Bad Request", FAILED) };
            reply(&mut stream, status, text).await;
            return session;
        }
    }
}

/// Reads a GET request, and returns its target. The query of the target is that of the redirect.
async fn target(mut stream: TcpStream) -> Option<(TcpStream, String)> {
    let mut head = Vec::new();
    let mut chunk = [0; 1024];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        let read = stream.read(&mut chunk).await.ok()?;
        if read == 0 || head.len() + read > MAX_HEAD {
            return None;
        }
        head.extend_from_slice(&chunk[..read]);
    }
    let line = String::from_utf8(head).ok()?;
    let target = line.strip_prefix("GET ")?.split(' ').next()?.to_owned();
    target.starts_with("/?").then_some((stream, target))
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
