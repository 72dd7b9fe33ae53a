//! The mock server.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::step::Failure;

/// How often the server is asked whether it has started, and the pause between two.
const ATTEMPTS: usize = 600;
const PAUSE: Duration = Duration::from_millis(100);

/// A running server; it ends with this value.
pub struct Server {
    process: Child,
    port: u16,
    coverage: PathBuf,
}

impl Server {
    /// Starts the server on a free port of this machine.
    pub fn start(folder: &Path) -> Result<Self, Failure> {
        let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
        let coverage = folder.join("coverage.json");
        if coverage.exists() {
            fs::remove_file(&coverage)?;
        }
        let mut command = Command::new("node");
        command.current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
        command.args(["node_modules/@typespec/spector/cmd/cli.mjs", "serve"]);
        command.args(["node_modules/@typespec/http-specs/specs", "--port", &port.to_string()]);
        let process = command.arg("--coverageFile").arg(&coverage).spawn()?;
        let mut server = Self { process, port, coverage };
        for _ in 0..ATTEMPTS {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return Ok(server);
            }
            if let Some(status) = server.process.try_wait()? {
                return Err(format!("the server has ended: {status}").into());
            }
            thread::sleep(PAUSE);
        }
        Err("the server has not started".into())
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Stops the server, and returns the status of each scenario.
    pub fn stop(mut self) -> Result<BTreeMap<String, String>, Failure> {
        let mut connection = TcpStream::connect(("127.0.0.1", self.port))?;
        connection.write_all(
            b"POST /.admin/stop HTTP/1.1\r\nhost: localhost\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
        )?;
        connection.read_to_end(&mut Vec::new())?;
        self.process.wait()?;
        let coverage: Value = serde_json::from_str(&fs::read_to_string(&self.coverage)?)?;
        let mut statuses = BTreeMap::new();
        for suite in coverage.as_array().ok_or("the coverage is not a list")? {
            let results = suite["results"].as_object().ok_or("the coverage has no results")?;
            let results =
                results.iter().filter_map(|(name, status)| Some((name, status.as_str()?)));
            statuses.extend(results.map(|(name, status)| (name.clone(), status.to_owned())));
        }
        Ok(statuses)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
