//! The figures of other generators, as a script prints them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::exit::Failure;
use crate::scratch;

/// What another generator's crate took.
#[derive(Clone, Debug, PartialEq)]
pub struct Peer {
    /// The generator.
    pub name: String,
    /// The lines of Rust that it emitted.
    pub lines: usize,
    /// `cargo check` and `cargo build` of the crate alone: time, and memory in bytes. `None` if the crate did not compile.
    pub compile: Option<[(Duration, u64); 2]>,
}

/// Runs a script on a description, and returns what it measured.
pub fn run(script: &Path, document: &Path) -> Result<Vec<Peer>, Failure> {
    let script: PathBuf = crate::paths::absolute_path(script)?;
    let text = scratch::succeed(Command::new(&script).arg(document))?;
    let peers: Vec<Peer> = text.lines().filter_map(peer).collect();
    if peers.is_empty() {
        return Err(Failure::at("read", &script, "it printed no figures").help(
            "print a line for each generator: name, document, seconds of generation, lines, then seconds and MiB of \
             `cargo check` and of `cargo build`",
        ));
    }
    Ok(peers)
}

/// Reads a line: generator, document, seconds of generation, lines, then seconds and MiB of check and of build.
fn peer(line: &str) -> Option<Peer> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [name, _, _, lines, rest @ ..] = words.as_slice() else {
        return None;
    };
    let compile = match rest {
        [check, check_memory, build, build_memory, ..] => {
            cost(check, check_memory).zip(cost(build, build_memory))
        }
        _ => None,
    };
    Some(Peer {
        name: (*name).to_owned(),
        lines: lines.parse().ok()?,
        compile: compile.map(|(check, build)| [check, build]),
    })
}

fn cost(seconds: &str, mebibytes: &str) -> Option<(Duration, u64)> {
    Some((time(seconds)?, mebibytes.parse::<u64>().ok()? << 20))
}

fn time(seconds: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds.parse().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_figures_are_read_and_others_passed_over() {
        let head = "generator  document  gen_s lines check_s chk_MiB build_s bld_MiB status";
        assert_eq!(peer(head), None);
        assert_eq!(peer("one  api.yaml  -  generation failed"), None);
        let read = peer("one  api.yaml  0.36  1200  20.5  1100  25.0  1400 ok").unwrap();
        assert_eq!(read.name, "one");
        assert_eq!(read.lines, 1200);
        let check = (Duration::from_millis(20_500), 1100 << 20);
        let build = (Duration::from_secs(25), 1400 << 20);
        assert_eq!(read.compile, Some([check, build]));
        assert_eq!(peer("one api.yaml 0.36 1200 - - check fails").unwrap().compile, None);
    }
}
