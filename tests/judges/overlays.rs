//! Overlays that are valid, that are not, and their results.

use std::path::Path;

use codegen::diagnostics::Diagnostics;
use codegen::{Input, Node, Source, effective, parse, to_yaml};

use crate::reading::{Failure, Verdict, entries, name, text};
use crate::specs::first_error;

/// Judges the overlays in `pass` and `fail`, of an empty document.
pub fn judge(folder: &Path) -> Result<Vec<Verdict>, Failure> {
    let mut verdicts = Vec::new();
    for (kind, is_valid) in [("pass", true), ("fail", false)] {
        for path in entries(&folder.join(kind))? {
            // The target of the only valid copy, and its source.
            let document = "paths: {/foo: {}, /bar: {}}\n".to_owned();
            let (_, diagnostics) = applied(&document, &text(&path)?);
            let problem = match (is_valid, diagnostics.has_errors()) {
                (true, true) => Some(first_error(&diagnostics)),
                (false, false) => Some("accepted, but invalid".to_owned()),
                _ => None,
            };
            verdicts.push(Verdict { case: name(&path, 2), problem });
        }
    }
    Ok(verdicts)
}

/// Judges the results of overlays.
pub fn judge_results(folder: &Path) -> Result<Vec<Verdict>, Failure> {
    let mut verdicts = Vec::new();
    for folder in entries(folder)?.iter().filter(|path| path.is_dir()) {
        let [document, overlay, output] =
            ["openapi", "overlay", "output"].map(|file| text(&folder.join(format!("{file}.yaml"))));
        let (result, diagnostics) = applied(&document?, &overlay?);
        let problem = match result.as_ref().map(to_yaml) {
            Some(text) if is_same(&text, &output?) => None,
            Some(_) => Some("another result".to_owned()),
            None => Some(first_error(&diagnostics)),
        };
        verdicts.push(Verdict { case: name(folder, 1), problem });
    }
    Ok(verdicts)
}

fn applied(document: &str, overlay: &str) -> (Option<Node>, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    let source = |name: &str, text: &str| Source { name: name.to_owned(), text: text.to_owned() };
    let overlays = vec![source("overlay.yaml", overlay)];
    let input = Input { overlays, ..Input::from(&source("openapi.yaml", document)) };
    let result = effective(&input, &mut diagnostics);
    (result.filter(|_| !diagnostics.has_errors()), diagnostics)
}

/// Returns whether two texts have the same values, with properties in any order.
fn is_same(left: &str, right: &str) -> bool {
    let value = |text: &str| {
        let source = Source { name: String::new(), text: text.to_owned() };
        let node = parse(&source, &mut Diagnostics::new())?;
        serde_json::to_value(node).ok()
    };
    value(left).is_some_and(|left| Some(left) == value(right))
}
