//! The programs of a pair of specs.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::path::Path;

use ::codegen::Output;
use ::codegen::compare::{Comparison, compare};
use ::codegen::items::features::OPERATIONS;
use ::codegen::items::{Path as ItemPath, PublicApi};

use crate::probe::project::Program;
use crate::probe::uses;
use commands::host::exit::Fallible;
use commands::host::terminal::Terminal;

/// Maximum number of the resources whose features a pair is compiled with separately.
const MAX_REDUCED: usize = 3;

/// Returns the name of a pair in messages.
pub fn title(old: &Path, new: &Path) -> String {
    format!("{} -> {}", old.display(), new.display())
}

/// Returns the number of failures of a pair. One that cannot be compiled is a failure, and the next ones follow.
pub fn report(
    found: Fallible<usize>,
    [old, new]: [&Path; 2],
    terminal: &Terminal,
) -> Fallible<usize> {
    found.or_else(|failure| {
        let pair = title(old, new);
        terminal.print(&format!("{pair}: {}\n", failure.message)).map(|()| 1)
    })
}

/// Returns the programs of the old crate with the new crate: one with all features, and some with a resource's feature.
pub fn programs(title: &str, before: &PublicApi, after: &Output) -> Vec<Program> {
    // Features that the crate does not have cannot be enabled: cargo rejects them before rustc starts.
    let declared: BTreeSet<&str> = uses::features(&after.public_api).collect();
    let (kept, lost): (Vec<&str>, Vec<&str>) =
        uses::features(before).partition(|feature| declared.contains(feature));
    let features = kept.iter().filter(|feature| !uses::OF_TRANSPORT.contains(feature));
    // The first revision with features of resources: without this one, no item of a resource is left.
    let is_first = declared.contains(OPERATIONS) && !kept.contains(&OPERATIONS);
    let features = features.chain(is_first.then_some(&OPERATIONS));
    let features: Vec<String> = features.map(|&feature| feature.to_owned()).collect();
    let comparison = compare(before, &after.public_api);
    let reduced = reduced(before, &comparison).into_iter().filter(|it| declared.contains(it));
    let resources = uses::of_resources(before);
    let mut programs: Vec<Program> = reduced
        .take(MAX_REDUCED)
        .map(|feature| {
            let uses = uses::of_resource(before, feature);
            let gated =
                comparison.gated().filter(|(_, gates)| !gates.iter().any(|it| it == feature));
            let gated: BTreeSet<_> = gated.map(|(path, _)| path).collect();
            let lost = uses.iter().filter(|it| gated.contains(&it.owner)).map(|it| it.id.clone());
            let known: BTreeSet<&String> = uses.iter().map(|it| &it.id).collect();
            let broken = comparison.broken().into_iter().filter(|it| known.contains(it));
            let mut features = features.clone();
            features.retain(|it| it == feature || it != OPERATIONS && !resources.contains(it));
            Program {
                title: format!("{title}, with the feature `{feature}`"),
                reported: broken.chain(lost).collect(),
                files: after.files.clone(),
                features,
                lost_features: Vec::new(),
                uses,
            }
        })
        .collect();
    programs.push(Program {
        title: title.to_owned(),
        reported: comparison.broken(),
        files: after.files.clone(),
        features,
        lost_features: lost
            .into_iter()
            .map(|name| ItemPath::of_feature(name).to_string())
            .collect(),
        uses: uses::of(before.members()),
    });
    programs
}

/// Returns the features of resources, those first that compile fewer models than before.
fn reduced<'a>(before: &'a PublicApi, comparison: &Comparison) -> Vec<&'a str> {
    let mut features: Vec<&str> = uses::of_resources(before).iter().map(String::as_str).collect();
    features.sort_by_cached_key(|feature| {
        let lost = comparison.gated().filter(|(path, gates)| {
            let item = before.items.get(*path);
            let had = item.is_some_and(|it| it.features.iter().any(|it| it == feature));
            had && !gates.iter().any(|it| it == feature)
        });
        Reverse(lost.count())
    });
    features
}
