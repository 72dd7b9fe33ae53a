//! A fake tenant on loopback, for programs in any language.
//!
//! ```sh
//! cargo run -p tenant [PORT]
//! ```
//!
//! It serves all operations over state in memory, and the token endpoint at `/oauth/token`. Updates obey their mask, tasks
//! have the related objects that are asked for, and the automation execution 4712 completes with the third request for it. `?fault=503`, or the header
//! `x-fault: 503`, makes a request fail; see [`Tenant::answer`] for the other faults.

use std::io;
use std::thread;

use fake_tenant::{Server, Tenant};

fn main() -> io::Result<()> {
    let port = std::env::args().nth(1).unwrap_or_else(|| "0".to_owned());
    let port = port.parse().map_err(|_| io::Error::other(format!("`{port}` is not a port")))?;
    let tenant = Tenant::default();
    let server = Server::forgetful(port, move |_, request| {
        println!("{}", request.line());
        tenant.answer(request)
    })?;
    println!("ACCESS_GOVERNANCE_BASE_URL={}", server.url());
    println!("ACCESS_GOVERNANCE_TOKEN=any");
    loop {
        thread::park();
    }
}
