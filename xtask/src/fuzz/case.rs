//! One document: what is wrong with the generator if this is generated.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::{Arc, Mutex};

use ::codegen::diagnostics::{Severity, render};
use ::codegen::{Outcome, Settings, Source, SourceFile};
use toml::de::DeTable;

/// Returns the settings that documents are generated with.
pub fn settings(runtime: String) -> Settings {
    Settings {
        package: "fuzzed".to_owned(),
        version: "0.1.0".to_owned(),
        runtime,
        ..Settings::default()
    }
}

/// Returns what is wrong, in one line; `None` if nothing is.
pub fn problem(text: &str) -> Option<String> {
    let place = Arc::new(Mutex::new(String::new()));
    let noted = Arc::clone(&place);
    let hook = take_hook();
    set_hook(Box::new(move |panic| {
        if let Ok(mut place) = noted.lock() {
            *place = panic.to_string().replace('\n', " ");
        }
    }));
    let found = catch_unwind(AssertUnwindSafe(|| generated(text)));
    set_hook(hook);
    found.unwrap_or_else(|_| place.lock().ok().map(|place| place.clone()))
}

fn generated(text: &str) -> Option<String> {
    let source = Source { name: "fuzzed.yaml".to_owned(), text: text.to_owned() };
    let Outcome { output, diagnostics } =
        ::codegen::generate(&source, &settings("\"0.1\"".to_owned()));
    let rendered = render(&diagnostics, false);
    match output {
        None if diagnostics.count(Severity::Error) == 0 => {
            Some("no output and no error".to_owned())
        }
        None if rendered.is_empty() => Some("an error that is not shown".to_owned()),
        None => None,
        Some(output) => invalid(&output.files),
    }
}

/// Returns which file is invalid.
fn invalid(files: &[SourceFile]) -> Option<String> {
    let mut seen = BTreeSet::new();
    files.iter().find_map(|file| {
        let (_, kind) = file.path.rsplit_once('.').unwrap_or_default();
        let is_valid = match kind {
            "rs" => syn::parse_file(&file.text).is_ok(),
            "toml" => DeTable::parse(&file.text).is_ok(),
            _ => true,
        };
        if !is_valid {
            return Some(format!("an emitted file is not {kind}"));
        }
        // Some file systems do not tell the case of letters apart.
        let is_new = seen.insert(file.path.to_lowercase());
        (!is_new).then(|| "two emitted files have one path".to_owned())
    })
}
