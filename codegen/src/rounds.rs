//! From a text to the IR, in rounds: what has errors is left out of the next round, until no errors are left.
//!
//! So all errors are found in one run, and one bad spot costs the operations that need it and no others.

use std::collections::{BTreeMap, HashSet};

use crate::diagnostics::{Diagnostic, Diagnostics, Severity};
use crate::document::{self, Node, Parts, Pointer, Source, part_at};
use crate::ir::Api;
use crate::lower::lower;

/// How many rounds there are at most.
const MOST_ROUNDS: usize = 20;

/// What came of a text.
#[derive(Default)]
pub(crate) struct Lowered {
    /// The IR of what has no errors; `None` if there are errors in no particular operation or component.
    pub(crate) api: Option<Api>,
    /// The operations that are left out, sorted: `GET /pets`.
    pub(crate) left_out: Vec<String>,
}

/// Reads and lowers a text that overlays change first. An error in a component that no operation needs is only a warning.
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
        // The tree lacks something of the text: it is read for further errors only.
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

/// Returns a diagnostic as the user needs it: one in a component that no operation needs is only a warning, and a reference
/// to a component with an error of its own is none.
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
        diagnostic.message.push_str(", so this component, which no operation needs, is left out");
    } else if diagnostic.code == "dangling-ref" {
        let target = root.at(pointer).and_then(Node::as_str).and_then(Pointer::from_fragment);
        if target.is_some_and(|target| broken.contains(&target)) {
            return None;
        }
    }
    Some(diagnostic)
}

/// Returns an operation as a reader knows it, from its place.
fn title(operation: &Pointer) -> String {
    match operation.segments().as_slice() {
        ["paths", path, method] => format!("{} {path}", method.to_uppercase()),
        segments => segments.last().copied().unwrap_or_default().to_owned(),
    }
}
