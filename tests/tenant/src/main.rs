//! The fake tenant as a program; docs/tenant.md describes it.

use std::io;
use std::thread;

use fake_tenant::{HELP, Server, Tenant};

fn main() -> io::Result<()> {
    let mut arguments: Vec<_> = std::env::args().skip(1).collect();
    let drifts = arguments.iter().any(|argument| argument == "--drift");
    arguments.retain(|argument| argument != "--drift");
    let argument = arguments.pop().unwrap_or_else(|| "0".to_owned());
    if matches!(argument.as_str(), "-h" | "--help") {
        print!("{HELP}");
        return Ok(());
    }
    let port = argument.parse();
    let port =
        port.map_err(|_| io::Error::other(format!("`{argument}` is not a port; see --help")))?;
    let tenant = if drifts { Tenant::drifting() } else { Tenant::default() };
    let server = Server::forgetful(port, move |_, request| {
        println!("{}", request.line());
        tenant.answer(request)
    })?;
    println!("ACCESS_GOVERNANCE_BASE_URL={}", server.url());
    println!("ACCESS_GOVERNANCE_TOKEN=any-token");
    loop {
        thread::park();
    }
}
