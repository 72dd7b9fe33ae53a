//! The failure of a command whose spec is invalid.

use ::codegen::diagnostics::{Diagnostics, Rest, Severity};

use crate::host::exit::{Exit, Failure};
use crate::host::terminal::pluralize;

/// Returns the failure of an invalid spec, with what can be generated in spite of its errors.
pub fn failure(spec: &str, end: &str, diagnostics: &Diagnostics) -> Failure {
    let errors = pluralize(diagnostics.count(Severity::Error), "error");
    let failure = Failure::new(format!("{spec} has {errors}{end}")).exit(Exit::InvalidSpec);
    let rest = diagnostics.rest.as_ref().filter(|rest| rest.all > 0);
    let Some(Rest { operations, all, removals }) = rest else { return failure };
    let mut help = match operations {
        0 => "no operation is without an error".to_owned(),
        _ => format!(
            "{operations} of {all} operations have no error: write `keep-going = true` into codegen.toml to leave out the others"
        ),
    };
    if !removals.is_empty() {
        help += "; an overlay that removes what is invalid:\n\noverlay: 1.0.0\ninfo: {title: Repairs, version: 1.0.0}\nactions:";
        let quoted = removals.iter().map(|target| serde_json::Value::from(&**target));
        help.extend(quoted.map(|target| format!("\n  - {{target: {target}, remove: true}}")));
    }
    failure.help(help)
}
