//! `cargo xtask explain`: prints what a diagnostic means, an example, and the cure.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command};

use ::codegen::diagnostics::Code;

use crate::host::exit::Fallible;
use crate::host::terminal::Terminal;
use crate::host::workspace::Workspace;

pub fn command() -> Command {
    let codes = PossibleValuesParser::new(Code::ALL.iter().map(|code| code.name()));
    Command::new("explain").about("Explain a diagnostic, with an example and its cure").arg(
        Arg::new("code")
            .value_name("CODE")
            .required(true)
            .hide_possible_values(true)
            .value_parser(codes)
            .help("The code in brackets, such as `dangling-ref`"),
    )
}

/// Prints the entry of a code.
pub fn run(arguments: &ArgMatches, _: &Workspace, terminal: &Terminal) -> Fallible {
    let name = arguments.get_one::<String>("code");
    let code = Code::ALL.iter().find(|code| name.is_some_and(|name| name == code.name()));
    terminal.print(code.map_or("", |code| code.entry()))
}

#[cfg(test)]
mod tests {
    use ::codegen::diagnostics::{Cost, Diagnostic, Severity, render};
    use ::codegen::{Input, Settings, Source, generate};

    use super::*;
    use crate::settings::SettingsFile;

    /// What an example does not write itself.
    const REST: [(&str, &str); 3] = [
        ("openapi", "openapi: 3.1.1\n"),
        ("info", "info: {title: Pets, version: '1'}\n"),
        ("paths", "paths: {/pets: {get: {responses: {'204': {description: Done.}}}}}\n"),
    ];

    /// The codes whose examples are of one version, or whose rules are.
    const OF_ONE_VERSION: [&str; 1] = ["empty-document"];

    /// Returns the diagnostics of an example in a version of OpenAPI, and whether a crate is generated.
    fn diagnosed(
        example: &str,
        rest: &[(&str, &str)],
        version: &str,
    ) -> (Vec<Diagnostic>, bool, String) {
        let (mut input, mut settings) = (Input::from(&source("")), Settings::default());
        for block in example.split("```").skip(1).step_by(2) {
            let (language, text) = block.split_once('\n').unwrap();
            match language {
                "toml" => settings = SettingsFile::parse(text, "codegen.toml").unwrap().generator,
                _ if text.starts_with("overlay:") => input.overlays.push(source(text)),
                _ => input.source.text = text.to_owned(),
            }
        }
        for (key, text) in rest {
            if !input.source.text.lines().any(|line| line.starts_with(&format!("{key}:"))) {
                input.source.text = [text, input.source.text.as_str()].concat();
            }
        }
        input.source.text = input.source.text.replace("3.1.1", version);
        settings.package = "pets".to_owned();
        let outcome = generate(input, &settings);
        let shown = render(&outcome.diagnostics, false);
        (outcome.diagnostics.iter().cloned().collect(), outcome.output.is_some(), shown)
    }

    fn source(text: &str) -> Source {
        Source { name: "openapi.yaml".to_owned(), text: text.to_owned() }
    }

    #[test]
    fn every_code_has_an_entry_with_its_cost_and_an_example() {
        let mut wrong = Vec::new();
        for code in Code::ALL {
            let entry = code.entry();
            let cost = match code.cost() {
                Cost::Document => "Costs the document. ",
                Cost::Operation => "Costs an operation. ",
                Cost::Schema => "Costs a schema. ",
                Cost::Parameter => "Costs a parameter. ",
                Cost::Reply => "Costs a reply. ",
                Cost::Nothing | Cost::Decision => "Costs nothing. ",
            };
            if !entry.starts_with(cost) || entry.rsplit("```").next().unwrap().trim().is_empty() {
                wrong.push(format!("{}: no entry that begins with `{cost}`", code.name()));
                continue;
            }
            // Some examples would be long.
            if !entry.contains("```") {
                continue;
            }
            // An example of a whole text begins with a comment.
            let rest = if entry.contains("\n# The whole text") { &[][..] } else { &REST };
            for version in ["3.0.4", "3.1.1", "3.2.0"] {
                let (found, is_generated, shown) = diagnosed(entry, rest, version);
                let own = found.iter().find(|diagnostic| diagnostic.code == *code);
                let is_error = own.is_some_and(|own| own.severity == Severity::Error);
                let is_other = version != "3.1.1" && OF_ONE_VERSION.contains(&code.name());
                if !is_other && (own.is_none() || is_error == is_generated) {
                    wrong.push(format!("{} in {version}: {shown}", code.name()));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
