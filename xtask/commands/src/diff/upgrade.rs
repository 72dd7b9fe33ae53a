//! The upgrade guide: a page that a person or an agent follows step by step.

use std::fmt::Write as _;

use ::codegen::compare::Class;
use ::codegen::visible;

use crate::diff::report::Report;
use crate::diff::text::{Group, details, groups};
use crate::host::terminal::{Paint, pluralize};
use crate::settings::SettingsFile;
use crate::settings::package_name::PackageName;

/// What is above the changes of a class; without one, above those that `migrate` edits.
const HEADINGS: [(Option<Class>, &str); 4] = [
    (None, "`migrate` edits all uses of these:"),
    (
        Some(Class::Breaking),
        "## Decide by hand\n\nEdit the places that `migrate` lists, and search for names in macros, comments and scripts.",
    ),
    (
        Some(Class::Wire),
        "## Check what compiles but means something else\n\nNo compiler finds the places of these: `migrate` lists them.",
    ),
    (Some(Class::Compatible), "## Know what still works\n\nNothing needs an edit now."),
];

/// Returns the class of changes that `migrate` does not edit.
fn class(group: &Group<'_>) -> Option<Class> {
    let is_edited = group.entries().all(|entry| entry.is_mechanical);
    (!is_edited).then(|| group.first.class.max(Class::Compatible))
}

/// What is above the command if it has options that are guesses.
const GUESSES: &str = "\
Each `--accept` is a guess. Compare both items in `api.txt` of the old and the new crate, and remove the lines
that are not true. Pass the others to `diff --format upgrade` as well, and follow the page that it prints
instead of this one.

";

/// Renders the guide to the new version of the package of the settings; `migrate` is the command without its manifests.
pub fn guide(report: &Report, settings: &SettingsFile, migrate: &str, verbose: bool) -> String {
    let Report { base, head, version, entries, .. } = report;
    let mut out = format!("# Upgrade from `{}` to `{}`\n\n", visible(base), visible(head));
    if report.is_empty() {
        return out + "Nothing differs: there is nothing to do.\n";
    }
    let next = if version.new > version.old { &version.new } else { &version.suggested };
    let package = PackageName::or_default(settings.package.name.as_ref());
    let counts = [Class::Breaking, Class::Wire]
        .map(|class| pluralize(report.count(class), &format!("{} change", class.as_str())));
    let guesses = entries.iter().filter_map(|entry| entry.accept.as_ref());
    let guesses =
        guesses.fold(String::new(), |all, pair| all + &format!("\\\n    --accept '{pair}' "));
    let _ = write!(
        out,
        "The version {next} follows {}, with {}. Follow the steps in this order.\n\n\
         ## Update the dependency\n\n\
         A dependency by `git` gets the new `rev` instead, and one by `path` needs no edit:\n\n\
         ```sh\ncargo add {package}@{next}\n```\n\n\
         ## Rewrite the programs\n\n{}\
         Run this command where this page was written; `Cargo.toml` is the manifest of a program. The first run prints\n\
         the edits, and the same with `--write` makes them:\n\n\
         ```sh\n{migrate} {guesses}Cargo.toml\n```\n\n",
        version.old,
        counts.join(" and "),
        if guesses.is_empty() { "" } else { GUESSES },
    );
    let groups = groups(entries, verbose);
    for (of, heading) in HEADINGS {
        let own: Vec<_> = groups.iter().filter(|group| class(group) == of).collect();
        if !own.is_empty() {
            let _ = writeln!(out, "{heading}\n");
        }
        for group in &own {
            if of < Some(Class::Wire) {
                let _ = writeln!(out, "- {}", group.title());
                continue;
            }
            let mut lines = String::new();
            details(&mut lines, group, &report.revisions, verbose, Paint { colors: false });
            let block = lines.trim_end().replace('\n', "\n  ");
            let _ = writeln!(out, "- [ ] {}\n\n  ```text\n  {block}\n  ```\n", group.title());
        }
        out += if own.is_empty() || of >= Some(Class::Wire) { "" } else { "\n" };
    }
    out + "## Check the result\n\nThe second command lists only places that you have checked: uses of items that kept their names. Without \
         any, it\nends with `nothing left` and exit code 0:\n\n\
         ```sh\ncargo test --workspace --all-targets\n"
        + migrate
        + " Cargo.toml\n```\n"
}
