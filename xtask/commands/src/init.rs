//! `openapi-bindings init`: the first `codegen.toml` of a document, with what the document needs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ::codegen::diagnostics::{Diagnostics, render};
use ::codegen::{Input, Outcome, Settings};
use clap::{Arg, ArgMatches, Command, value_parser};

use crate::codegen::{quoted, runtime_dependency};
use crate::host::exit::{Exit, Failure, Fallible};
use crate::host::invalid;
use crate::host::paths::{absolute_path, display_path};
use crate::host::read;
use crate::host::terminal::{Terminal, pluralize};
use crate::host::workspace::{self, Workspace};
use crate::host::write::TextFile;
use crate::settings::package_name::PackageName;
use crate::settings::project::Project;
use crate::settings::types::{located, toml_string};

pub fn command() -> Command {
    Command::new("init").about("Write a codegen.toml for a document, and say what to do next").arg(
        Arg::new("spec")
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf))
            .required(true)
            .help("The OpenAPI document"),
    )
}

/// Reads the document, and writes the settings next to it.
pub fn run(arguments: &ArgMatches, workspace: &Workspace, terminal: &Terminal) -> Fallible {
    let Some(spec) = arguments.get_one::<PathBuf>("spec") else { return Ok(()) };
    read::is_readable(spec)?;
    let project = Project::of_spec(spec)?;
    let shown = display_path(&project.file).display();
    let file = TextFile::read(&project.file, Exit::Failed)?;
    if file.before.is_some() {
        return Err(Failure::new(format!("`{shown}` exists"))
            .help(format!("edit it, or run `{}`", next(spec))));
    }
    let input = read::spec(spec, &[], project.readable()?)?;
    let settings = Settings {
        keep_going: true,
        package: "bindings".to_owned(),
        runtime: "{}".to_owned(),
        ..Settings::default()
    };
    let Outcome { output, left_out, diagnostics } = ::codegen::generate(&input, &settings);
    terminal.eprint(&render(&diagnostics, terminal.messages.colors));
    let Some(output) = output else {
        let source = format!("`{}`", input.source.name);
        return Err(invalid::failure(&source, ": nothing was written", &diagnostics));
    };
    let name = name(&input);
    let runtime = runtime_dependency(&BTreeMap::new(), &project.file, spec, workspace)
        .map_or_else(|_| runtime(&project.file), |_| Ok(String::new()))?;
    let file_name = toml_string(&spec.file_name().unwrap_or_default().to_string_lossy());
    let keep_going = if diagnostics.has_errors() {
        "keep-going = true   # leaves out what has errors\n"
    } else {
        ""
    };
    let text = format!(
        "spec = {file_name}\nout = \"{name}\"\n{keep_going}\n\
         [package]\nname = \"{name}\"\nversion = \"0.1.0\"\n{runtime}"
    );
    file.stage(&text)?.commit()?;
    let lists = output.public_api.items.values().filter(|item| item.paged_items().is_some());
    terminal.print(&format!(
        "wrote {shown}: {}, {} left out, {} with pages\n\
         next: `{}` writes the crate; then `cargo add --path {}` in a program\n",
        pluralize(output.summary.operations, "operation"),
        left_out.len(),
        pluralize(lists.count(), "list"),
        next(spec),
        display_path(&project.file.with_file_name(&name)).display(),
    ))
}

/// Returns the command that writes the crate.
fn next(spec: &Path) -> String {
    format!("{} codegen --spec {}", workspace::program(), quoted(spec))
}

/// Returns the name of a crate from the title of a document.
fn name(input: &Input<'_>) -> String {
    let root = ::codegen::parse(&input.source, &mut Diagnostics::new());
    let title = root.as_ref().and_then(|root| root.get("info")?.get("title")?.as_str());
    let title = title.unwrap_or_default().to_lowercase();
    let words = title.split(|char: char| !char.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let name = words.join("-");
    if name.parse::<PackageName>().is_ok() { name } else { "bindings".to_owned() }
}

/// Returns the table of the runtime of a program that is not published: the folder that it was built from, or a line to
/// be completed.
fn runtime(file: &Path) -> Fallible<String> {
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime");
    if !built.join("Cargo.toml").is_file() {
        return Ok(
            "\n# [runtime]\n# path = \"…\"   # or `git` with `rev`, or `version`\n".to_owned()
        );
    }
    let built = BTreeMap::from([("path".to_owned(), built.to_string_lossy().into_owned())]);
    let path = located(&built, file, &absolute_path(&file.with_file_name(""))?)?;
    Ok(format!("\n[runtime]\n{}\n", path.concat()))
}
