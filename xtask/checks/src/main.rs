//! `cargo xtask …`: all commands, with those that need a clone of this workspace.

mod ci;
mod corpus;
mod probe;

use std::process::ExitCode;

use commands::Entry;
use mimalloc::MiMalloc;

use crate::ci::programs::PROGRAMS;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// The commands that need a clone, in the order of the help.
const COMMANDS: [Entry; 7] = {
    let [roundtrip, conformance, judges, fuzz] = PROGRAMS;
    [
        (probe::command, probe::run),
        (ci::command, ci::run),
        roundtrip,
        conformance,
        judges,
        (corpus::command, corpus::run),
        fuzz,
    ]
};

fn main() -> ExitCode {
    let all = [&openapi_bindings::COMMANDS[..], &COMMANDS].concat();
    commands::run("The commands of this workspace", &all)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use clap::error::ErrorKind;

    use super::*;

    /// The folders of the pages.
    const FOLDERS: [&str; 6] = ["", "docs", "generated", "runtime", "spec", "xtask"];

    /// Returns the commands in the text of a page, without what a shell reads.
    fn commands(page: &str) -> Vec<Vec<String>> {
        let code = page.split("```sh\n").skip(1).flat_map(|rest| rest.split("```").take(1));
        let spans = page.split('`').skip(1).step_by(2);
        let lines = code.flat_map(str::lines).chain(spans).map(|line| line.split('#').next());
        let starts = ["cargo xtask", "openapi-bindings"];
        let lines = lines.flatten().filter_map(|line| {
            starts.iter().find_map(|start| line.strip_prefix(start)?.strip_prefix(' '))
        });
        let words = lines.map(|line| line.split(['>', ';', '|']).next().unwrap_or_default());
        let words = words.map(|line| {
            line.split_whitespace().map(|it| it.replace('\'', "").replace("CODE", "dangling-ref"))
        });
        words.map(Iterator::collect).collect()
    }

    #[test]
    fn the_commands_of_pages_exist_with_their_options() {
        let all = [&openapi_bindings::COMMANDS[..], &COMMANDS].concat();
        let line =
            clap::Command::new("xtask").subcommands(all.iter().map(|(command, _)| command()));
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut count = 0;
        for folder in FOLDERS {
            for entry in fs::read_dir(root.join(folder)).unwrap().map(Result::unwrap) {
                let path = entry.path();
                if path.extension().is_none_or(|extension| extension != "md") {
                    continue;
                }
                for command in commands(&fs::read_to_string(&path).unwrap()) {
                    let words = ["xtask"].into_iter().chain(command.iter().map(String::as_str));
                    let error = line.clone().try_get_matches_from(words).err();
                    // A command that is only named lacks its arguments.
                    let fault = error.map(|it| it.kind());
                    let is_fine = [None, Some(ErrorKind::MissingRequiredArgument)].contains(&fault);
                    assert!(is_fine, "{}: {command:?}: {fault:?}", path.display());
                    count += 1;
                }
            }
        }
        assert!(count > 50, "{count}");
    }
}
