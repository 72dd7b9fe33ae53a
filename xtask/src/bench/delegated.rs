//! The benchmarks that are cargo's: `benches/` of the runtime and of the tests.

use std::fmt;

use crate::bench::{machine, process};
use crate::ci;
use crate::exit::Failure;
use crate::terminal::Terminal;
use crate::workspace::Workspace;

/// A benchmark of a package.
#[derive(Clone, Copy, Debug)]
pub struct Benchmark {
    package: &'static str,
    name: &'static str,
}

/// Decoding and encoding.
pub const WIRE: Benchmark = Benchmark { package: "access-governance-runtime", name: "wire" };

/// Calls over loopback.
pub const OVERHEAD: Benchmark =
    Benchmark { package: "access-governance-runtime", name: "overhead" };

/// Requests and their bodies.
pub const REQUESTS: Benchmark = Benchmark { package: "tests", name: "requests" };

impl Benchmark {
    fn arguments(self) -> [&'static str; 5] {
        ["bench", "--package", self.package, "--bench", self.name]
    }
}

/// Shows the command as a shell takes it.
impl fmt::Display for Benchmark {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "cargo {}", self.arguments().join(" "))
    }
}

/// Runs a benchmark below a heading.
pub fn run(
    benchmark: Benchmark,
    workspace: &Workspace,
    terminal: &Terminal,
) -> Result<(), Failure> {
    terminal.print(&machine::heading(&[benchmark.to_string()]))?;
    process::succeed(ci::cargo(workspace).args(benchmark.arguments()))
}
