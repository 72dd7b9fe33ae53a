//! The crates of small specs, one per feature, and the diagnostics of invalid ones, each next to its spec. A line
//! `# shown:` of a spec names the emitted files that its snapshot shows in addition to the public items: `file.rs` whole,
//! `file.rs!` only its tables, `file.rs#Item,Type::method` only some items and some methods of a type (`Type::*`: all).
//!
//! A snapshot that changes is reviewed as code (`cargo insta review`). `cases_compile` keeps the snapshots honest: what
//! they show compiles without a warning.

use std::fmt::Write as _;
use std::path::Path;

use codegen::diagnostics::Severity;
use codegen::items::{Item, Operation};
use insta::{Settings, assert_snapshot};

use crate::names;
use crate::support::case::{Case, documents, rendered};
use crate::support::workspace::Workspace;

/// The start of the line of a case that names the emitted files which its snapshot shows.
const SHOWN: &str = "# shown:";

/// The cases whose documentation is built, because it differs most: `cargo xtask ci --all` builds that of all.
const DOCUMENTED: [&str; 6] = ["alike", "common", "conventions", "docs", "servers", "unions"];

/// Each case shows its public items, and the files that it names.
#[test]
fn cases_are_emitted_as_reviewed() {
    for path in &documents("cases") {
        let case = Case::read(path);
        let outcome = case.generate();
        let mut shown = rendered(&outcome);
        let Some(output) = outcome.output else { panic!("{} is rejected:\n{shown}", case.name) };
        let text = |path: &str| {
            let file = output.files.iter().find(|file| file.path == path);
            &file.unwrap_or_else(|| panic!("{} has no {path}", case.name)).text
        };
        shown.push_str(&own_items(text("api.txt")));
        let named = case.source.text.lines().filter_map(|line| line.strip_prefix(SHOWN));
        for named in named.flat_map(str::split_whitespace) {
            let text = if let Some((path, names)) = named.split_once('#') {
                items(text(path), names)
            } else if let Some(path) = named.strip_suffix('!') {
                tables(text(path))
            } else {
                text(named).clone()
            };
            write!(shown, "───── {named} ─────\n{text}\n").unwrap();
        }
        next_to(path).bind(|| assert_snapshot!("emitted", shown));
    }
}

/// Returns the tables of a file.
fn tables(text: &str) -> String {
    let tables = text.split("\nruntime::internal::").skip(1);
    tables.filter_map(|table| Some([table.split_once("\n}\n")?.0, "\n}\n"].concat())).collect()
}

/// Returns the items of a file that have one of some names, separated by commas.
fn items(text: &str, names: &str) -> String {
    let blocks = blocks(text, "");
    let mut shown = Vec::new();
    for name in names.split(',') {
        let before = shown.len();
        match name.split_once("::") {
            Some((owner, method)) => {
                let start = format!("impl {owner} {{");
                for block in blocks.iter().filter(|block| head(block).starts_with(&start)) {
                    shown.extend(methods(block, &start, method));
                }
            }
            None => shown.extend(blocks.iter().filter(|block| is_of(block, name)).cloned()),
        }
        assert!(shown.len() > before, "no item is {name}");
    }
    shown.join("\n\n")
}

/// Returns the `impl` block of a type with some of its methods.
fn methods(block: &str, start: &str, method: &str) -> Option<String> {
    if method == "*" {
        return Some(block.to_owned());
    }
    let inner = block.split_once(start)?.1.strip_suffix("\n}")?;
    let function = format!("fn {method}");
    let is_function = |method: &String| {
        let mut lines = method.lines();
        let name = lines.find_map(|line| line.split_once(&function)).map(|(_, rest)| rest);
        name.is_some_and(|rest| rest.starts_with(['(', '<']))
    };
    let method = blocks(inner.trim_matches('\n'), "    ").into_iter().find(is_function)?;
    Some(format!("{start}\n{method}\n}}"))
}

/// Returns the items of a text that start at some indentation, with their documentation.
fn blocks(text: &str, indentation: &str) -> Vec<String> {
    let inner = [indentation, " "].concat();
    let end = [indentation, "}"].concat();
    let mut blocks = Vec::<String>::new();
    for part in text.trim_end().split("\n\n") {
        match blocks.last_mut() {
            Some(block) if part.starts_with(&inner) || part.starts_with(&end) => {
                *block += "\n\n";
                *block += part;
            }
            _ => blocks.push(part.to_owned()),
        }
    }
    blocks
}

/// Returns an item from its first line that is no comment and no attribute.
fn head(block: &str) -> &str {
    let is_before = |line: &str| line.starts_with("//") || line.starts_with("#[");
    let length = block.split_inclusive('\n').take_while(|line| is_before(line)).map(str::len).sum();
    &block[length..]
}

/// Returns whether an item has a name, in its first line or, of a macro, in its second. A `use` and the `impl` block of a
/// type alone have none.
fn is_of(block: &str, name: &str) -> bool {
    let mut lines = head(block).lines();
    let first = lines.next().unwrap_or_default();
    let is_type_alone = first.starts_with("impl ") && !first.contains(" for ");
    if is_type_alone || first.starts_with("use ") {
        return false;
    }
    let line = if first.ends_with("! {") { lines.next().unwrap_or_default() } else { first };
    line.split(|char: char| !char.is_alphanumeric() && char != '_').any(|word| word == name)
}

/// Returns the lines of `api.txt` that are of this API only: its types, and the items with a name on the wire.
fn own_items(api: &str) -> String {
    let own = api.lines().skip_while(|line| *line != "mod models").filter(|line| {
        let is_item = !line.is_empty() && !line.starts_with(' ');
        is_item || line.contains('"') && !line.contains(" if feature ")
    });
    own.fold(String::new(), |text, line| text + line + "\n")
}

#[test]
fn rejected_documents_have_errors() {
    for path in &documents("rejected") {
        let case = Case::read(path);
        let outcome = case.generate();
        assert!(outcome.output.is_none(), "{} is not rejected", case.name);
        assert!(
            outcome.diagnostics.count(Severity::Error) > 0,
            "{} is rejected without a reason",
            case.name
        );
        next_to(path).bind(|| assert_snapshot!("diagnostics", rendered(&outcome)));
    }
}

/// `--keep-going` omits only elements with errors and the operations that need them.
#[test]
fn errors_cost_only_the_operations_that_need_their_place() {
    for path in &documents("bad_spots") {
        let case = Case::read(path);
        assert!(case.generate().output.is_none(), "{} has no errors", case.name);
        let outcome = case.generate_or(true);
        let mut shown = rendered(&outcome);
        let output = outcome.output.unwrap();
        for Operation { verb, path, id, .. } in
            output.public_api.items.values().filter_map(Item::operation)
        {
            writeln!(shown, "generated: {verb} {path} {id:?}").unwrap();
        }
        for operation in outcome.left_out {
            writeln!(shown, "left out: {operation}").unwrap();
        }
        next_to(path).bind(|| assert_snapshot!("diagnostics", shown));
    }
}

#[test]
fn warned_documents_have_no_errors() {
    for path in &documents("warned") {
        let case = Case::read(path);
        let outcome = case.generate();
        assert!(outcome.output.is_some(), "{} is rejected:\n{}", case.name, rendered(&outcome));
        assert!(!outcome.diagnostics.is_empty(), "{} has no warnings", case.name);
        next_to(path).bind(|| assert_snapshot!("diagnostics", rendered(&outcome)));
    }
}

#[test]
fn cases_compile() {
    let workspace = workspace();
    let clippy = [
        "clippy",
        "--workspace",
        "--no-default-features",
        // The setters of models that only tests build.
        "--features=test-util",
        "--keep-going",
        "--",
        "-Dwarnings",
        "-Dclippy::pedantic",
        // A name on the wire is the one in the spec, composed or not.
        "-Aclippy::unicode_not_nfc",
    ];
    let packages = DOCUMENTED.map(|case| format!("--package=case-{case}"));
    let packages: Vec<_> = packages.iter().map(String::as_str).collect();
    let messages = workspace.cargo(&clippy).and_then(|()| document(&workspace, &packages));
    if let Err(messages) = messages {
        panic!("{messages}");
    }
}

#[test]
#[ignore = "part of `cargo xtask ci --all`: rustdoc takes three times as long as clippy"]
fn cases_are_documented_without_warnings() {
    if let Err(messages) = document(&workspace(), &["--workspace"]) {
        panic!("{messages}");
    }
}

/// Returns the workspace of the crates of all cases.
fn workspace() -> Workspace {
    let mut workspace = Workspace::new("cases");
    for path in &documents("cases") {
        let case = Case::read(path);
        workspace.add(&case.name, &case.output().files);
    }
    let alike = names::alike();
    workspace.add(&alike.name, &alike.output().files);
    workspace.finish();
    workspace
}

/// Builds the documentation of some packages; returns the output of cargo unless it succeeds.
fn document(workspace: &Workspace, packages: &[&str]) -> Result<(), String> {
    let options = ["doc", "--no-default-features", "--no-deps", "--keep-going"];
    workspace.cargo(&[&options, packages].concat())
}

/// Settings for a snapshot in the folder of its spec.
fn next_to(path: &Path) -> Settings {
    let mut settings = Settings::new();
    settings.set_snapshot_path(path.parent().unwrap());
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}
