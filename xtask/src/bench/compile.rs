//! `cargo xtask bench compile`: what cargo takes for an emitted crate alone, and for those of other generators.

use std::env;
use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::bench::machine;
use crate::bench::peers::{self, Peer};
use crate::exit::{Context, Failure};
use crate::paths::display_path;
use crate::scratch;
use crate::table::{Table, mebibytes, ratio, seconds};
use crate::terminal::Terminal;
use crate::workspace::Workspace;

/// Measures, and prints.
pub fn run(
    document: &Path,
    script: Option<&Path>,
    workspace: &Workspace,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let mut command = format!("cargo xtask bench compile {}", display_path(document).display());
    if let Some(script) = script {
        command = format!("{command} --peers {}", script.display());
    }
    terminal.print(&machine::heading(&command))?;
    let own = own(document, workspace)?;
    let peers = script.map_or(Ok(Vec::new()), |script| peers::run(script, document))?;
    terminal.print(&table(&own, &peers).to_string())
}

/// Measures the emitted crate.
fn own(document: &Path, workspace: &Workspace) -> Result<Peer, Failure> {
    let scratch = scratch::folder(workspace, "compile")?;
    let (package, target) = (scratch.join("emitted"), scratch.join("target"));
    let program = env::current_exe().map_err(|error| Failure::new(error.to_string()))?;
    scratch::succeed(&mut scratch::codegen(&program, document, &package))?;
    scratch::lock(workspace, &package)?;
    let sources = package.join("src");
    let mut compile = [(Duration::ZERO, 0); 2];
    for (what, cost) in ["check", "build"].into_iter().zip(&mut compile) {
        let mut cargo = scratch::cargo(&package, &target);
        cargo.args([what, "--quiet", "--all-features"]);
        scratch::succeed(&mut cargo)?;
        scratch::touch(&sources)?;
        let measured = scratch::measure(&mut cargo)?;
        *cost = (measured.time, measured.memory);
    }
    let mut lines = 0;
    for path in scratch::files(&sources)? {
        lines += fs::read_to_string(&path).context("read", &path)?.lines().count();
    }
    Ok(Peer { name: "this one".to_owned(), lines, compile: Some(compile) })
}

fn table(own: &Peer, peers: &[Peer]) -> Table {
    let mut table = Table::new(["generator", "lines", "check", "memory", "build", "memory"]);
    for peer in [own].into_iter().chain(peers) {
        let [check, check_memory, build, build_memory] = match peer.compile {
            Some([check, build]) => {
                [seconds(check.0), mebibytes(check.1), seconds(build.0), mebibytes(build.1)]
            }
            None => ["fails", "", "", ""].map(str::to_owned),
        };
        table.row([
            peer.name.clone(),
            peer.lines.to_string(),
            check,
            check_memory,
            build,
            build_memory,
        ]);
    }
    if let Some(ratios) = ratios(own, peers) {
        let [check, check_memory, build, build_memory] = ratios;
        table.row([
            "this one against the best".to_owned(),
            String::new(),
            check,
            check_memory,
            build,
            build_memory,
        ]);
    }
    table
}

/// Returns how our figures stand to the best of the others, each figure for itself.
fn ratios(own: &Peer, peers: &[Peer]) -> Option<[String; 4]> {
    let figures = |peer: &Peer| -> Option<[f64; 4]> {
        let [check, build] = peer.compile?;
        let memory = |bytes: u64| f64::from(u32::try_from(bytes >> 10).unwrap_or(u32::MAX));
        Some([check.0.as_secs_f64(), memory(check.1), build.0.as_secs_f64(), memory(build.1)])
    };
    let best = peers.iter().filter_map(figures).reduce(|best, other| {
        let mut least = best;
        least.iter_mut().zip(other).for_each(|(least, other)| *least = least.min(other));
        least
    })?;
    let own = figures(own)?;
    let mut pairs = own.into_iter().zip(best);
    Some(std::array::from_fn(|_| {
        pairs.next().map_or_else(String::new, |(own, best)| ratio(own, best))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer(name: &str, compile: Option<[(u64, u64); 2]>) -> Peer {
        Peer {
            name: name.to_owned(),
            lines: 10,
            compile: compile
                .map(|costs| costs.map(|(time, memory)| (Duration::from_secs(time), memory << 20))),
        }
    }

    #[test]
    fn the_best_of_each_figure_is_what_ours_stands_against() {
        let own = peer("this one", Some([(2, 100), (3, 200)]));
        let peers = [
            peer("one", Some([(8, 1000), (30, 800)])),
            peer("other", Some([(10, 500), (12, 1000)])),
            peer("broken", None),
        ];
        assert_eq!(ratios(&own, &peers).unwrap(), ["0.25×", "0.20×", "0.25×", "0.25×"]);
        let shown = table(&own, &peers).to_string();
        assert!(shown.lines().last().unwrap().contains("0.20×"), "{shown}");
        assert!(shown.contains("| broken"), "{shown}");
        assert_eq!(ratios(&own, &[]), None);
    }
}
