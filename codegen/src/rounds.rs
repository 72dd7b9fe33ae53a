//! From a text to the IR, in rounds: each round leaves out the parts with errors, until none are left.
//!
//! So one run finds all errors, and an error costs only the operations that need the part.

use std::collections::{BTreeMap, HashSet};

use crate::diagnostics::{Diagnostic, Diagnostics, Severity};
use crate::document::{self, Node, Parts, Pointer, Source, part_at};
use crate::ir::Api;
use crate::lower::lower;

/// The maximum number of rounds.
const MOST_ROUNDS: usize = 20;

/// The IR of a text.
#[derive(Default)]
pub(crate) struct Lowered {
    /// The IR of the parts without errors; `None` if an error is in none of them.
    pub(crate) api: Option<Api>,
    /// The operations that are left out, such as `GET /pets`, sorted.
    pub(crate) left_out: Vec<String>,
}

/// Reads and lowers a text after applying overlays. An error in a component that no operation needs is only a warning.
pub(crate) fn lower_sound_parts(
    source: &Source,
    overlays: &[Source],
    renames: &BTreeMap<String, String>,
    diagnostics: &mut Diagnostics,
) -> Lowered {
    let mut lowered = Lowered::default();
    let Some(mut root) = document::parse(source, diagnostics) else {
        return lowered;
    };
    for overlay in overlays {
        document::apply_overlay(&mut root, overlay, diagnostics);
    }
    if diagnostics.has_errors() {
        // The tree is incomplete: it is read only for further errors.
        if let Some(document) = document::read(root, diagnostics) {
            lower(&document, renames, diagnostics);
        }
        return lowered;
    }
    let mut whole: Option<Parts> = None;
    for _ in 0..MOST_ROUNDS {
        let mut round = Diagnostics::new();
        let Some(mut document) = document::read(root, &mut round) else {
            diagnostics.absorb(round, Some);
            return lowered;
        };
        let api = lower(&document, renames, &mut round);
        if !round.has_errors() {
            if whole.is_none() {
                document.check(&mut round);
            }
            diagnostics.absorb(round, Some);
            lowered.api = api;
            break;
        }
        let parts = Parts::of(&document.root);
        let errors: Vec<Option<Pointer>> =
            round.errors().map(|place| place.pointer().cloned()).collect();
        let whole = whole.get_or_insert_with(|| Parts::of(&document.root));
        let broken = errors.iter().flatten().filter_map(part_at).collect();
        diagnostics.absorb(round, |error| converted(error, whole, &document.root, &broken));
        let pruned = parts.prune(&mut document.root, &errors);
        let Some(operations) = pruned else {
            return lowered;
        };
        lowered.left_out.extend(operations.iter().map(title));
        root = document.root;
    }
    lowered.left_out.sort();
    lowered
}

/// Converts a diagnostic: an error in a component that no operation needs becomes a warning, and one about a reference to
/// a component with errors is dropped.
fn converted(
    mut diagnostic: Diagnostic,
    parts: &Parts,
    root: &Node,
    broken: &HashSet<Pointer>,
) -> Option<Diagnostic> {
    let Some(pointer) = diagnostic.place.pointer() else {
        return Some(diagnostic);
    };
    if diagnostic.severity == Severity::Error && parts.is_unneeded(pointer) {
        diagnostic.severity = Severity::Warning;
        diagnostic.message.push_str("; this component, which no operation needs, is left out");
    } else if diagnostic.code == "dangling-ref" {
        let target = root.at(pointer).and_then(Node::as_str).and_then(Pointer::from_fragment);
        if target.is_some_and(|target| broken.contains(&target)) {
            return None;
        }
    }
    Some(diagnostic)
}

/// Returns the verb and the path of an operation, from its place.
fn title(operation: &Pointer) -> String {
    match operation.segments().as_slice() {
        ["paths", path, method] => format!("{} {path}", method.to_uppercase()),
        segments => segments.last().copied().unwrap_or_default().to_owned(),
    }
}
