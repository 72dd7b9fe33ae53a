//! `cargo xtask drift`: checks traffic against the spec, and writes the overlay that makes the spec true.

mod formats;
mod overlay;
mod traffic;

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use ::codegen::diagnostics::{Diagnostics, Locator};
use ::traffic::Description;

use crate::drift::formats::DriftReport;
use crate::drift::overlay::OverlayFile;
use crate::drift::traffic::Files;
use commands::host::cli::{flag, option};
use commands::host::exit::{Exit, Failure, Fallible};
use commands::host::paths::display_path;
use commands::host::read;
use commands::host::terminal::{Terminal, pluralize};
use commands::host::workspace::Workspace;
use commands::settings::project::Project;

pub fn command() -> Command {
    Command::new("drift")
        .about("Check recorded traffic against the spec, and write the overlay that corrects it")
        .long_about(ABOUT)
        .after_help(EXIT_CODES)
        .arg(
            Arg::new("traffic")
                .value_name("TRAFFIC")
                .value_parser(value_parser!(PathBuf))
                .num_args(1..)
                .required(true)
                .help("HAR 1.2, or a HAR entry per line; `-` is the standard input"),
        )
        .arg(option(
            "spec",
            "FILE",
            value_parser!(PathBuf),
            "The spec [default: that of codegen.toml]",
        ))
        .arg(
            option(
                "server",
                "URL",
                value_parser!(String),
                "Another address of the API (repeatable)",
            )
            .action(ArgAction::Append),
        )
        .arg(option("overlay", "FILE", value_parser!(PathBuf), OVERLAY))
        .arg(
            option(
                "min",
                "N",
                value_parser!(u64).range(1..),
                "How often a new name must be seen before the overlay adds it",
            )
            .default_value("3"),
        )
        .arg(
            option("format", "FORMAT", ["text", "json", "github"], "The format of the report")
                .default_value("text"),
        )
        .arg(flag("verbose", "List all that was never seen, not only how much").short('v'))
}

/// Checks the traffic and prints the report.
pub fn run(arguments: &ArgMatches, workspace: &Workspace, terminal: &Terminal) -> Fallible {
    let project = Project::find(arguments.get_one::<PathBuf>("spec"), workspace)?;
    let overlay = arguments.get_one::<PathBuf>("overlay");
    let overlay = overlay.map(|path| OverlayFile::find(path, &project.overlays)).transpose()?;
    let spec = display_path(&project.spec);
    let input = read::spec(spec, &project.overlays, project.readable()?)?;
    let mut diagnostics = Diagnostics::new();
    let Some(description) = Description::read(&input, &mut diagnostics) else {
        return Err(Failure::new(format!("`{}` cannot be read", spec.display()))
            .help("`codegen` reports its errors")
            .exit(Exit::InvalidSpec));
    };
    let servers: Vec<String> =
        arguments.get_many("server").into_iter().flatten().cloned().collect();
    let description = description.hiding(&project.settings.generator.hidden);
    let mut check = description.check(&servers);
    let mut files = Files::default();
    for path in arguments.get_many::<PathBuf>("traffic").into_iter().flatten() {
        files.read(path, &mut check)?;
    }
    let min = arguments.get_one("min").copied().unwrap_or(3);
    let report = DriftReport::new(check.findings(min), files, &Locator::new(&diagnostics));
    terminal.print(&match arguments.get_one::<String>("format").map(String::as_str) {
        Some("json") => report.json(),
        Some("github") => report.github(),
        _ => report.text(arguments.get_flag("verbose"), terminal.output),
    })?;
    if let Some(file) = overlay {
        match report.findings.overlay() {
            Some(overlay) => file.write(&overlay)?,
            None => terminal.note(&format!("nothing to write to `{}`", file.path.display())),
        }
        let open = report.findings.all.iter().filter(|finding| !finding.is_closed).count();
        if open > 0 {
            let what = pluralize(open, "difference");
            terminal.note(&format!(
                "{what} not in the overlay: routes, parts of other files, and names seen fewer than {min} times"
            ));
        }
    }
    match report.findings.all.len().max(usize::from(report.findings.counts.beyond > 0)) {
        0 => report.refuse_nothing(),
        count => Err(Failure::new(format!(
            "the traffic differs from the spec in {}",
            pluralize(count, "place")
        ))
        .help("correct the spec; `--overlay FILE` writes the changes as an OpenAPI Overlay")
        .exit(Exit::Drift)),
    }
}

const ABOUT: &str = "\
Check recorded traffic against the spec, and write the overlay that corrects it

Reads HAR 1.2, as browsers and proxies export it, or one HAR entry per line, as the feature `record` of the
emitted crate writes it. Reports what servers send although the spec does not describe it. Texts are never
shown, only their form: `\"Aaa 000\"`.";

const OVERLAY: &str = "Write the OpenAPI Overlay that makes the spec true for this traffic: a new file, or the last of \
                       the overlays in codegen.toml, to which the changes are added";

const EXIT_CODES: &str = "\
Exit codes:
  0  the spec describes all of the traffic
  1  any other failure, such as a file that cannot be read, or traffic of which nothing was compared
  2  the spec is invalid
  5  the traffic differs from the spec";
