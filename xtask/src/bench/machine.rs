//! The heading of a table: the machine and the command.

use std::fs;
use std::process::Command;
use std::thread;

/// Returns the heading: processor, compiler, date, and the command that reproduces the figures.
pub fn heading(command: &str) -> String {
    let cores = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    format!(
        "{}, {cores} cores; {}; {}\n\n```sh\n{command}\n```\n\n",
        processor().unwrap_or_else(|| "unknown processor".to_owned()),
        printed("rustc", "--version"),
        printed("date", "+%F"),
    )
}

/// Returns the name of the processor, as Linux reports it.
fn processor() -> Option<String> {
    let about = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = about.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn printed(program: &str, argument: &str) -> String {
    let output = Command::new(program).arg(argument).output();
    let text = output.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    text.map_or_else(|| format!("no `{program}`"), |text| text.trim().to_owned())
}
