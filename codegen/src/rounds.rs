//! From a text to the IR, in rounds: each round omits the parts with errors, until there are none.
//!
//! One run thus finds all errors, and an error costs only the operations that need the part.

use std::collections::{BTreeSet, HashSet};
use std::mem;

use crate::chosen;
use crate::diagnostics::{Code, Diagnostic, Diagnostics, Origins, Place, Severity};
use crate::document::{self, Document, Input, Node, Parts, Pointer, Tree};
use crate::ir::Api;
use crate::lower::{Unused, lower, services};
use crate::parallel;
use crate::settings::Settings;

/// The maximum number of rounds.
const MAX_ROUNDS: usize = 20;

/// Maximum number of elements that an overlay removes because of errors: it is part of a message.
const MAX_REMOVALS: usize = 50;

/// A document that is read and lowered.
pub(crate) struct Lowered {
    /// The parts without errors; `None` if an error is not in a part.
    pub api: Option<Api>,
    /// The omitted operations, such as `GET /pets`, sorted.
    pub left_out: Vec<String>,
    /// The paths of what an overlay removes so that there are no errors; `None` in other files, or if too many.
    pub removals: Option<BTreeSet<String>>,
    /// The keys of renames whose places or services do not exist, or have no name in Rust, and of types without values.
    pub unmatched: Unused,
}

/// Reads and lowers a document. An error in a component that no operation needs is only a warning.
pub(crate) fn lower_sound_parts(
    input: &Input<'_>,
    settings: &Settings,
    diagnostics: &mut Diagnostics,
) -> Lowered {
    let mut lowered = None;
    let mut left_out = Vec::new();
    let mut removals = Some(BTreeSet::new());
    // The first round includes the errors of the texts.
    let mut round = Diagnostics::new();
    let mut tree = document::load(input, &mut round);
    if let Some(tree) = &mut tree {
        chosen::choose(tree, settings, &mut round);
    }
    let origins = round.origins.clone();
    let renames = tree.as_ref().map(|tree| unmatched(settings, tree)).unwrap_or_default();
    let mut unmatched = Unused { renames, ..Unused::default() };
    let mut whole: Option<Parts> = None;
    for number in 0..MAX_ROUNDS {
        let document = tree.take().and_then(|tree| document::read(tree, &mut round));
        let Some(mut document) = document else { break };
        if number == 0 {
            let services = services(&document);
            let renames = settings.renames.keys().filter(|key| !is_place(key));
            unmatched.renames.extend(renames.filter(|key| !services.contains(*key)).cloned());
        }
        let is_whole = whole.is_none() && !round.has_errors();
        let mut lowering = Diagnostics::new();
        let ((api, unused), checks) = parallel::join(
            || lower(&document, settings, &mut lowering),
            || is_whole.then(|| checks(&document, &round)),
        );
        round.absorb(lowering, Some);
        let errors: Vec<Pointer> =
            round.errors().map(|error| error.place.pointer().clone()).collect();
        if errors.is_empty() {
            let known: HashSet<Pointer> =
                round.iter().map(|known| known.place.pointer().clone()).collect();
            round.absorb(checks.unwrap_or_default(), |check| {
                let is_known =
                    check.code == Code::UnreadRef && known.contains(check.place.pointer());
                (!is_known).then_some(check)
            });
            lowered = api;
            // The renames of parts that are left out are unused.
            if whole.is_none() {
                unmatched = unused;
            }
            break;
        }
        let parts = Parts::new(&document.tree);
        let whole = whole.get_or_insert_with(|| Parts::new(&document.tree));
        // A reference into a part does not dangle because others within that part do.
        let others = round.errors().filter(|error| error.code != Code::DanglingRef);
        let broken = others.filter_map(|error| parts.at(error.place.pointer())).collect();
        let found = mem::take(&mut round);
        diagnostics.absorb(found, |error| converted(error, whole, &document, &broken, &origins));
        let places: HashSet<&Pointer> = errors.iter().collect();
        for error in diagnostics.errors().filter(|error| places.contains(error.place.pointer())) {
            let Some(all) = &mut removals else { break };
            let removed = removed(error, &parts);
            all.extend(removed.iter().map(Pointer::json_path));
            let is_in_file = removed.iter().any(|place| place.file().is_some());
            removals = removals.filter(|all| !is_in_file && all.len() <= MAX_REMOVALS);
        }
        let Some(operations) = parts.prune(&mut document.tree, &errors) else { break };
        left_out.extend(operations);
        tree = Some(document.tree);
    }
    diagnostics.absorb(round, Some);
    if (lowered.is_none() || !left_out.is_empty()) && !diagnostics.has_errors() {
        // The document itself can need a component that no operation needs: a title can be in another file.
        let found = mem::take(diagnostics);
        diagnostics.absorb(found, |diagnostic| Some(needed(diagnostic)));
    }
    debug_assert!(left_out.is_empty() || diagnostics.has_errors(), "no error says why");
    left_out.sort();
    Lowered { api: lowered, left_out, removals, unmatched }
}

/// Returns what an overlay removes because of an error: a `$ref`, without which a schema is any JSON, or the operations
/// that need the place.
fn removed(error: &Diagnostic, parts: &Parts) -> Vec<Pointer> {
    let pointer = error.place.pointer();
    let is_schema = pointer.segments().iter().any(|key| ["schema", "schemas"].contains(key));
    match error.code {
        Code::DanglingRef if is_schema => vec![pointer.clone()],
        _ => parts.needed_at(pointer),
    }
}

/// Checks the whole document, and finds the places in its texts if a message needs them.
fn checks(document: &Document, read: &Diagnostics) -> Diagnostics {
    let mut checks = Diagnostics::new();
    document::check(document, &mut checks);
    read.find_places(read);
    read.find_places(&checks);
    checks
}

/// Returns the keys of renames that are pointers to places which do not exist.
fn unmatched(settings: &Settings, tree: &Tree) -> Vec<String> {
    let exists = |key: &str| {
        let reference = if key.starts_with('/') { format!("#{key}") } else { key.to_owned() };
        Pointer::from_reference(&reference).is_some_and(|place| tree.at(&place).is_some())
    };
    settings.renames.keys().filter(|key| is_place(key) && !exists(key)).cloned().collect()
}

/// Returns whether the key of a rename is a pointer. Others are the names of services.
fn is_place(key: &str) -> bool {
    key.starts_with('/') || key.contains('#')
}

/// The end of the message of an error that is only a warning.
const UNNEEDED: &str = "; this part, which no operation needs, is left out";

/// Converts the warning of a component back to the error that it was.
fn needed(mut diagnostic: Diagnostic) -> Diagnostic {
    if let Some(message) = diagnostic.as_error.take() {
        diagnostic.message = message;
        diagnostic.severity = Severity::Error;
    }
    diagnostic
}

/// Converts a diagnostic: an error in a component that no operation needs becomes a warning, and references to a component
/// with errors are dropped.
fn converted(
    mut diagnostic: Diagnostic,
    parts: &Parts,
    document: &Document,
    broken: &HashSet<Pointer>,
    origins: &Origins,
) -> Option<Diagnostic> {
    let pointer = diagnostic.place.pointer();
    if diagnostic.severity == Severity::Error && parts.is_unneeded(pointer) {
        diagnostic.severity = Severity::Warning;
        let message = format!("{}{UNNEEDED}", diagnostic.message);
        diagnostic.as_error = Some(mem::replace(&mut diagnostic.message, message));
    } else if diagnostic.code == Code::DanglingRef {
        let target = document.tree.at(pointer).and_then(Node::as_str);
        let target = target.and_then(Pointer::from_reference);
        if target.as_ref().is_some_and(|it| it.and_outer().any(|part| broken.contains(part))) {
            return None;
        }
        if let Some(action) = target.and_then(|target| origins.removal(&target).cloned()) {
            diagnostic.related(Place::Value(action), "removed here");
        }
    }
    Some(diagnostic)
}
