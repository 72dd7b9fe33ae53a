//! Generates from documents that may make the generator fail.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::{Arc, Mutex};

use ::codegen::{Input, Outcome, Settings, SourceFile};
use toml::de::DeTable;

/// Returns the output of the generator, or the message of its panic in one line.
pub fn generate<'f>(input: impl Into<Input<'f>>, settings: &Settings) -> Result<Outcome, String> {
    let message = Arc::new(Mutex::new(String::new()));
    let panicked = Arc::clone(&message);
    let hook = take_hook();
    set_hook(Box::new(move |panic| {
        if let Ok(mut message) = panicked.lock() {
            *message = panic.to_string().replace('\n', " ");
        }
    }));
    let outcome = catch_unwind(AssertUnwindSafe(|| ::codegen::generate(input, settings)));
    set_hook(hook);
    outcome.map_err(|_| message.lock().map(|message| message.clone()).unwrap_or_default())
}

/// Returns the invalid emitted file.
pub fn invalid(files: &[SourceFile]) -> Option<String> {
    let mut seen = BTreeSet::new();
    files.iter().find_map(|file| {
        let (_, kind) = file.path.rsplit_once('.').unwrap_or_default();
        let is_valid = match kind {
            "rs" => syn::parse_file(&file.text).is_ok(),
            "toml" => DeTable::parse(&file.text).is_ok(),
            _ => true,
        };
        if !is_valid {
            return Some(format!("`{}` is not valid", file.path));
        }
        // Some file systems ignore the case of letters.
        let is_new = seen.insert(file.path.to_lowercase());
        (!is_new).then(|| format!("`{}` is emitted twice", file.path))
    })
}
