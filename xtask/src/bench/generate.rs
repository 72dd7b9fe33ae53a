//! `cargo xtask bench generate`: how long generating takes, where the time goes, and how it grows.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ::codegen::{Settings, Source, SourceFile, Summary};

use crate::bench::table::{Table, mebibytes, milliseconds, ratio};
use crate::bench::{machine, process, repeated, scratch};
use crate::ci;
use crate::exit::{Doing, Exit, Failure};
use crate::folder::Folder;
use crate::read;
use crate::terminal::Terminal;
use crate::threads;
use crate::workspace::{self, Workspace};

/// How often everything is done; the fastest counts, which nothing else on the machine disturbed.
const RUNS: usize = 10;

/// How many times over the description is taken to see how the time grows.
const TIMES: [usize; 3] = [1, 4, 16];

/// Generate: the whole command, its phases, and how they grow with the description
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The description [default: spec/openapi.yaml]
    document: Option<PathBuf>,
}

/// Measures a release build, which this program becomes where it is none.
pub fn run(
    arguments: Arguments,
    workspace: &Workspace,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let document = scratch::description(arguments.document, workspace)?;
    if cfg!(debug_assertions) {
        let mut release = ci::cargo(workspace);
        release.args([
            "run",
            "--quiet",
            "--release",
            "--package",
            "xtask",
            "--",
            "bench",
            "generate",
        ]);
        return process::succeed(release.arg(document));
    }
    let shown = workspace::seen_from_here(&document).display().to_string();
    terminal.print(&machine::heading(&[format!("cargo xtask bench generate {shown}")]))?;
    terminal.print(&format!("{}\n", whole_command(&document, workspace)?))?;
    let text = read::text(&document, Exit::WrongDescription)?;
    terminal.print(&format!("{}\n", growth(&text, workspace)?))
}

/// Measures `cargo xtask codegen` as a person runs it: into an empty folder, and where all is right already.
fn whole_command(document: &Path, workspace: &Workspace) -> Result<Table, Failure> {
    let out = emptied(&scratch::folder(workspace, "generate")?.join("emitted"))?;
    let once = || process::measured(&mut scratch::codegen(document, &out)?);
    let (mut fresh, mut again) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        emptied(&out)?;
        fresh.push(once()?);
        again.push(once()?);
    }
    let mut table = Table::new(["whole command", "time", "time of cores", "memory"]);
    for (name, costs) in [("all files written", fresh), ("all files unchanged", again)] {
        let time = costs.iter().map(|cost| cost.time).min().unwrap_or_default();
        let memory = costs.iter().map(|cost| cost.memory).max().unwrap_or_default();
        let cores = costs.iter().map(|cost| cost.cores).min().unwrap_or_default();
        table.row([name.to_owned(), milliseconds(time), milliseconds(cores), mebibytes(memory)]);
    }
    Ok(table)
}

/// Measures the phases, in this process, for the description several times over.
fn growth(text: &str, workspace: &Workspace) -> Result<Table, Failure> {
    let out = scratch::folder(workspace, "generate")?.join("repeated");
    let mut table = Table::new([
        "description",
        "size",
        "operations",
        "types",
        "generate",
        "write",
        "sum",
        "growth",
    ]);
    let mut single = None;
    for times in TIMES {
        let text = repeated::repeated(text, times).ok_or_else(|| {
            Failure::new("the text is no description").exit(Exit::WrongDescription)
        })?;
        let mut fastest: Option<Phases> = None;
        // The larger the description, the fewer runs are needed for the same certainty.
        for _ in 0..RUNS.div_ceil(times).max(3) {
            let phases = Phases::measure(&text, &emptied(&out)?)?;
            fastest = Some(fastest.map_or(phases, |fastest| fastest.fastest(phases)));
        }
        let Some(phases) = fastest else { continue };
        let sum = phases.sum().as_secs_f64();
        let single = *single.get_or_insert(sum);
        table.row([
            format!("{times}×"),
            mebibytes(u64::try_from(text.len()).unwrap_or(u64::MAX)),
            phases.operations.to_string(),
            phases.types.to_string(),
            milliseconds(phases.generate),
            milliseconds(phases.write),
            milliseconds(phases.sum()),
            ratio(sum, single),
        ]);
    }
    Ok(table)
}

/// What one description took, phase by phase.
#[derive(Clone, Copy, Debug, Default)]
struct Phases {
    operations: usize,
    types: usize,
    generate: Duration,
    write: Duration,
}

impl Phases {
    fn measure(text: &str, out: &Path) -> Result<Self, Failure> {
        let source = Source { name: String::new(), text: text.to_owned() };
        let (generate, outcome) =
            timed(|| ::codegen::generate_by(&threads::share, &source, &settings()));
        let output = outcome.output.ok_or_else(|| {
            Failure::new("the spec has errors: `cargo xtask codegen` shows where")
                .exit(Exit::WrongDescription)
        })?;
        let (write, tally) = timed(|| written(out, &output.files));
        tally?;
        let Summary { operations, types } = output.summary;
        Ok(Self { operations, types, generate, write })
    }

    fn fastest(self, other: Self) -> Self {
        Self {
            generate: self.generate.min(other.generate),
            write: self.write.min(other.write),
            ..self
        }
    }

    fn sum(&self) -> Duration {
        self.generate + self.write
    }
}

fn timed<T>(act: impl FnOnce() -> T) -> (Duration, T) {
    let started = Instant::now();
    let result = black_box(act());
    (started.elapsed(), result)
}

fn written(out: &Path, files: &[SourceFile]) -> Result<(), Failure> {
    Folder::locate(out)?.write(files).map(drop)
}

fn settings() -> Settings {
    Settings {
        package: "measured".to_owned(),
        version: "0.1.0".to_owned(),
        runtime: "\"0.1\"".to_owned(),
        env_prefix: None,
        standalone: true,
    }
}

/// Removes a folder with all that it holds.
fn emptied(folder: &Path) -> Result<PathBuf, Failure> {
    if folder.exists() {
        fs::remove_dir_all(folder).doing("remove", folder)?;
    }
    Ok(folder.to_owned())
}
