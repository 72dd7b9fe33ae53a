//! `cargo xtask corpus`: generates from every document in a folder, and compares the outcome with the expectations.

mod attempt;
mod emitted;
mod expected;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Arg, ArgMatches, Command, value_parser};

use ::codegen::diagnostics::{Code, Severity};
use ::codegen::items::features::OPERATIONS;
use ::codegen::items::{MemberKind, PublicApi};
use ::codegen::{MAX_NAME, Outcome, Output, Readable, Settings, visible};

use crate::corpus::emitted::{EmittedCrate, runtime};
use crate::corpus::expected::{Expectations, Expected};
use crate::probe::uses::of_resources;
use commands::host::cli::{flag, option};
use commands::host::exit::{Failure, Fallible};
use commands::host::paths::files;
use commands::host::progress::Progress;
use commands::host::read;
use commands::host::terminal::Terminal;
use commands::host::workspace::Workspace;

pub fn command() -> Command {
    let folder = Arg::new("folder")
        .value_name("DIR")
        .default_value("tests/corpus")
        .value_parser(value_parser!(PathBuf))
        .help("The folder with the documents");
    Command::new("corpus")
        .about("Generate from every document in a folder, and compare with the expectations")
        .long_about(ABOUT)
        .arg(folder)
        .arg(flag("compile", "Also compile the emitted crates"))
        .arg(option(
            "features",
            "COUNT",
            value_parser!(usize),
            "Also compile crates with features without any, with each resource alone, and with pairs of COUNT resources",
        ))
        .arg(option(
            "only",
            "NAME",
            value_parser!(String),
            "Only documents whose path contains NAME",
        ))
}

const ABOUT: &str = "\
Generate from every document in a folder, and compare with the expectations

As with `codegen --keep-going`, operations with errors are omitted. A corpus.toml in the folder lists the
expectations for each document under its path: `operations`, the minimum number of generated operations, and
`lost`, the maximum number of omitted operations (default 0). If an expectation is not met, the exit code is 1.
Documents in folders `fail`, where test sets have the invalid ones, are left out.

At the end are the numbers of long names of types and of methods, each counted once. The keys `long-types` (default
100) and `long-methods` (default 20) at the top of corpus.toml are their maxima.";

#[derive(Default)]
struct DocumentRow {
    name: String,
    kept: usize,
    lost: usize,
    types: usize,
    /// The long names of types and of methods.
    long: [BTreeSet<String>; 2],
    /// The number of schemas without a Rust type.
    untyped: usize,
    errors: usize,
    warnings: usize,
    lines: usize,
    seconds: f64,
    /// The defect: a panic, an invalid file, a document that cannot be read, or a crate that does not compile.
    defect: Option<String>,
}

/// Generates from the documents, and reports each of them.
pub fn run(arguments: &ArgMatches, workspace: &Workspace, terminal: &Terminal) -> Fallible {
    let folder = arguments.get_one::<PathBuf>("folder").cloned().unwrap_or_default();
    let expectations = Expectations::read(&folder.join("corpus.toml"))?;
    let only = arguments.get_one::<String>("only").map_or("", String::as_str);
    let paths = specs(&folder)?;
    let names = paths
        .iter()
        .filter_map(|path| path.strip_prefix(&folder).ok())
        .map(|name| name.to_string_lossy().replace('\\', "/"));
    let mut names: Vec<String> = names.collect();
    if let Some(missing) = expectations.missing(&names) {
        let message = format!("`{missing}` of corpus.toml does not exist");
        return Err(Failure::new(message).help("add the document, or remove its expectations"));
    }
    names.retain(|name| name.contains(only));
    if names.is_empty() {
        return Err(Failure::new(format!("no document to check in `{}`", folder.display())));
    }
    let mut rows = Vec::new();
    let mut failed = 0;
    let progress = Progress::new(Some(names.len()));
    for (index, name) in names.iter().enumerate() {
        progress.step(index, visible(name));
        let row = generate(&folder.join(name), name, arguments, workspace)?;
        let shortfall = row.shortfall(expectations.for_document(name));
        failed += usize::from(shortfall.is_some());
        let outcome = shortfall.map_or_else(|| "ok".to_owned(), |why| format!("FAILS: {why}"));
        let line = format!("{:>3}/{} {}: {outcome}\n", index + 1, names.len(), row.line());
        progress.without(|| terminal.print(&line))?;
        rows.push(row);
    }
    drop(progress);
    let (kept, lost) =
        rows.iter().fold((0, 0), |(kept, lost), row| (kept + row.kept, lost + row.lost));
    let [types, methods] = [0, 1]
        .map(|kind| rows.iter().flat_map(|row| &row.long[kind]).collect::<BTreeSet<_>>().len());
    let long = format!("names over {MAX_NAME} bytes: {types} types, {methods} methods");
    terminal.print(&format!("{long}\n"))?;
    let total = format!("{} documents: {kept} operations, {lost} lost", rows.len());
    let [most_types, most_methods] = expectations.long_names;
    match failed {
        0 if types > most_types || methods > most_methods => Err(Failure::new(format!(
            "{total}; {long}, expected at most {most_types} and {most_methods}"
        ))),
        0 if kept == 0 => Err(Failure::new(format!("{total}: nothing was generated"))),
        0 => terminal.print(&format!("{total}\n")),
        _ => Err(Failure::new(format!("{total}; {failed} documents do not meet the expectations"))),
    }
}

fn generate(
    path: &Path,
    name: &str,
    arguments: &ArgMatches,
    workspace: &Workspace,
) -> Fallible<DocumentRow> {
    let input = read::spec(path, &[], Readable::default())?;
    let settings = Settings {
        package: "emitted".to_owned(),
        version: "0.1.0".to_owned(),
        runtime: runtime(workspace),
        keep_going: true,
        standalone: true,
        ..Settings::default()
    };
    let started = Instant::now();
    let outcome = attempt::generate(input, &settings);
    let seconds = started.elapsed().as_secs_f64();
    let mut row = DocumentRow { name: name.to_owned(), seconds, ..DocumentRow::default() };
    match outcome {
        Err(panic) => row.defect = Some(panic),
        Ok(outcome) => {
            let Outcome { output, left_out, diagnostics } = outcome;
            row.errors = diagnostics.count(Severity::Error);
            row.warnings = diagnostics.count(Severity::Warning);
            row.untyped = diagnostics.iter().filter(|found| found.code == Code::Untyped).count();
            if let Some(output) = output {
                row.defect = attempt::invalid(&output.files);
                row.kept = output.summary.operations;
                row.lost = left_out.len();
                row.types = output.summary.types;
                row.long = long_names(&output.public_api);
                row.lines = output.files.iter().map(|file| file.text.lines().count()).sum();
                if row.defect.is_none() {
                    row.compile(&output, arguments, workspace)?;
                }
            } else {
                row.defect = Some("cannot be read".to_owned());
            }
        }
    }
    Ok(row)
}

/// Returns the long names of types and of methods.
fn long_names(list: &PublicApi) -> [BTreeSet<String>; 2] {
    let types = list.items.iter().filter(|(_, item)| item.is_type()).map(|(path, _)| path.name());
    let methods = list.members().filter(|member| member.kind == MemberKind::Method);
    let methods = methods.map(|member| member.name);
    [types.collect::<Vec<_>>(), methods.collect()].map(|names| {
        names.into_iter().filter(|name| name.len() > MAX_NAME).map(str::to_owned).collect()
    })
}

impl DocumentRow {
    /// Compiles the crate as the arguments ask.
    fn compile(
        &mut self,
        output: &Output,
        arguments: &ArgMatches,
        workspace: &Workspace,
    ) -> Fallible {
        let resources = of_resources(&output.public_api);
        let count = arguments.get_one::<usize>("features").copied().unwrap_or_default();
        let is_compiled = arguments.get_flag("compile");
        let has_sets = count > 0 && !resources.is_empty();
        if is_compiled || has_sets {
            let emitted = EmittedCrate::write(&output.files, "corpus", workspace)?;
            let all = if resources.is_empty() { "blocking" } else { "blocking,operations" };
            if is_compiled && !emitted.passes("check", all) {
                self.defect = Some("does not compile".to_owned());
            } else if let Some(set) = failing(resources, count, &emitted) {
                self.defect =
                    Some(format!("does not compile without a warning with the features `{set}`"));
            }
        }
        Ok(())
    }

    /// Returns the expectations that the outcome does not meet.
    fn shortfall(&self, expected: Expected) -> Option<String> {
        if let Some(defect) = &self.defect {
            return Some(defect.clone());
        }
        if self.kept < expected.operations {
            return Some(format!("expected at least {} operations", expected.operations));
        }
        if self.lost > expected.lost {
            return Some(format!("expected at most {} lost operations", expected.lost));
        }
        None
    }

    fn line(&self) -> String {
        format!(
            "{}: {} operations, {} lost, {} untyped, {} types, {} long names, {} errors, {} warnings, {} lines, {:.2} s",
            self.name,
            self.kept,
            self.lost,
            self.untyped,
            self.types,
            self.long.iter().map(BTreeSet::len).sum::<usize>(),
            self.errors,
            self.warnings,
            self.lines,
            self.seconds,
        )
    }
}

/// Returns the paths of the specs in a folder and in those below it, sorted. Test sets have their invalid documents in
/// folders `fail`, which are not read.
fn specs(folder: &Path) -> Fallible<Vec<PathBuf>> {
    let mut paths = files(folder)?;
    paths.retain(|path| {
        let mut parts = path.strip_prefix(folder).unwrap_or(path).iter();
        let mut endings = ["yaml", "yml", "json"].iter();
        endings.any(|end| path.extension() == Some(end.as_ref())) && !parts.any(|it| it == "fail")
    });
    paths.sort();
    Ok(paths)
}

/// Checks the crate without features, with the client of each of its resources alone, and without a warning with that of
/// `count` of them, evenly chosen, each alone and in pairs. Returns the first set that fails.
fn failing(all: &[String], count: usize, emitted: &EmittedCrate) -> Option<String> {
    let client = |set: &String| format!("client,{set}");
    let models = [String::new(), OPERATIONS.to_owned()];
    let alone = models.into_iter().chain(all.iter().map(client));
    let sets = sets(all, count);
    let mut clean = sets.iter().map(client);
    alone
        .into_iter()
        .find(|set| !emitted.passes("check", set))
        .or_else(|| clean.find(|set| !emitted.passes("clippy", set)))
}

/// Returns `count` of the features, evenly chosen, each alone and in pairs.
fn sets(all: &[String], count: usize) -> Vec<String> {
    let count = count.min(all.len());
    let chosen: Vec<_> = (0..count).map(|index| &all[index * all.len() / count]).collect();
    let pairs = chosen.iter().enumerate().flat_map(|(index, one)| {
        chosen[index + 1..].iter().map(move |other| format!("{one},{other}"))
    });
    chosen.iter().map(|one| (*one).clone()).chain(pairs).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn specs_are_sorted_and_not_in_folders_of_invalid_documents() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().join("fail");
        for file in ["b.json", "a/pass/c.yml", "a/fail/d.yaml", "a/fail.yaml", "README.md"] {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let expected = ["a/fail.yaml", "a/pass/c.yml", "b.json"].map(|file| root.join(file));
        assert_eq!(specs(&root).unwrap(), expected);
    }

    #[test]
    fn features_are_chosen_evenly_and_combined() {
        let all = ["a", "b", "c", "d", "e"].map(str::to_owned);
        assert_eq!(sets(&all, 3), ["a", "b", "d", "a,b", "a,d", "b,d"]);
        assert_eq!(sets(&all[..2], 3), ["a", "b", "a,b"]);
        assert_eq!(sets(&[], 3), [""; 0]);
    }
}
