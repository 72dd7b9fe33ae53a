//! The rounds: compile, join, edit, until nothing changes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use ::codegen::compare::Class;
use ::codegen::diagnostics::Diagnostics;
use ::codegen::{Output, SourceFile};

use crate::migrate::cargo::Workspace;
use crate::migrate::edit::{self, Edit, Texts};
use crate::migrate::join::{Cure, Join};
use crate::migrate::manifest;
use crate::migrate::marks::{self, with_marks, without_deprecations};
use crate::migrate::plan::Plan;
use crate::migrate::shadow::Shadow;
use crate::migrate::stubs::with_stubs;
use crate::migrate::values::is_of_value;
use crate::rustc::{Check, Message, Span};
use commands::host::exit::{Exit, Failure, Fallible};
use commands::host::progress::Progress;
use commands::host::terminal::pluralize;

/// Maximum number of rounds.
const MAX_ROUNDS: usize = 20;

/// Names that are defined twice, of which rustc reports the one that is not edited.
const DUPLICATES: [&str; 3] = ["E0252", "E0255", "E0428"];

/// The emitted crates before and after a bump.
pub struct Crates {
    /// The old one.
    pub old: Output,
    /// The new one.
    pub new: Output,
    /// The texts of the specs.
    pub texts: [Diagnostics; 2],
}

/// A place that needs an edit by hand.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Left {
    /// The file, its line and column.
    pub file: PathBuf,
    pub line: usize,
    pub column: usize,
    /// The message of rustc.
    pub message: String,
    /// The index of the headline that explains it.
    pub headline: Option<usize>,
}

/// The result.
pub struct Outcome {
    /// The number of rounds with an edit.
    pub rounds: usize,
    /// The texts of all files.
    pub texts: Texts,
    /// The number of edits by headline.
    pub edits: BTreeMap<usize, usize>,
    /// What is left.
    pub left: BTreeSet<Left>,
}

struct Rounds<'a> {
    shadow: &'a Shadow,
    plan: &'a Plan,
    package: &'a str,
    /// The files of the new crate in the copy.
    bindings: &'a [SourceFile],
    outcome: Outcome,
    /// The uses of items whose types differ, in the last check with an error about a value.
    retyped: Vec<(Span, usize)>,
    /// The edits of the last round in the new texts, each group with its headline.
    made: Vec<(Vec<Edit>, usize)>,
    /// What the last round began with.
    before: Option<Before>,
    /// The edits that did not compile, by their headline.
    refused: BTreeSet<(PathBuf, usize, String)>,
    /// The files with edits, each with the indices of their headlines.
    edited: BTreeSet<(PathBuf, usize)>,
}

/// What a round begins with.
struct Before {
    texts: Texts,
    check: Check,
    retyped: Vec<(Span, usize)>,
}

/// Migrates the crates of a workspace in its copy.
pub fn run(
    users: &Workspace,
    shadow: &Shadow,
    plan: &Plan,
    crates: &Crates,
    package: &str,
) -> Fallible<Outcome> {
    let progress = Progress::new(None);
    let outcome = Outcome {
        rounds: 0,
        texts: shadow.originals.clone(),
        edits: BTreeMap::new(),
        left: BTreeSet::new(),
    };
    let files = without_deprecations(&crates.new.files, &plan.deprecated());
    let stubbed = with_stubs(&files, plan);
    let bindings = stubbed.as_slice();
    let mut rounds = Rounds {
        shadow,
        plan,
        package,
        bindings,
        outcome,
        retyped: Vec::new(),
        made: Vec::new(),
        before: None,
        refused: BTreeSet::new(),
        edited: BTreeSet::new(),
    };
    rounds.remove_features()?;
    shadow.emit(&stubbed)?;
    loop {
        let number = rounds.outcome.rounds + 1;
        progress.step(0, format!("round {number}: compiling with the new bindings"));
        let check = rounds.check(users)?;
        let check = rounds.without_worse(check)?;
        if number == 1 && rounds.has_unexplained(&check) {
            progress.step(0, "compiling with the old bindings");
            rounds.refuse_broken(users, &crates.old, &check)?;
            shadow.emit(&stubbed)?;
        }
        let texts = rounds.outcome.texts.clone();
        let is_changed = number <= MAX_ROUNDS && rounds.edit(&check)?;
        if !is_changed {
            rounds.list(&check);
            break;
        }
        rounds.outcome.rounds = number;
        let retyped = std::mem::take(&mut rounds.retyped);
        rounds.before = Some(Before { texts, check, retyped });
    }
    let marked = with_marks(&crates.new.files, &plan.marks);
    if stubbed != marked {
        progress.step(0, "compiling the result");
        shadow.emit(&marked)?;
        let mut check = shadow.check(users, package)?;
        if !rounds.outcome.left.is_empty() {
            check.messages.retain(|message| marks::headline(message).is_some());
        }
        if check.messages.iter().any(|it| rounds.is_of_same_name(it)) {
            progress.step(0, "compiling the result with the old bindings");
            shadow.emit(&crates.old.files)?;
            let old = shadow.check(users, package)?;
            check.messages.retain(|it| !rounds.is_of_same_name(it) || !is_new(it, &old));
        }
        rounds.list(&check);
    }
    Ok(rounds.outcome)
}

/// Returns whether a place is an error with the old bindings: it is of the new ones already.
fn is_new(message: &Message, old: &Check) -> bool {
    let errors = old.messages.iter().filter(|it| it.is_error);
    let mut places = errors.flat_map(|error| &error.primary);
    places.any(|place| {
        message
            .primary
            .iter()
            .any(|span| span.file == place.file && span.start < place.end && place.start < span.end)
    })
}

impl Rounds<'_> {
    /// Compiles the programs. If a value has another type, they are compiled again with marks, which tell the fields and
    /// methods of one name apart; a program that denies warnings would not compile with them.
    fn check(&mut self, users: &Workspace) -> Fallible<Check> {
        let check = self.shadow.check(users, self.package)?;
        let changed = self.plan.retyped();
        self.retyped.clear();
        if check.messages.iter().any(is_of_value) && !changed.is_empty() {
            self.shadow.emit(&with_marks(self.bindings, &changed))?;
            self.retyped = marks::uses(&self.shadow.check(users, self.package)?);
            self.shadow.emit(self.bindings)?;
        }
        Ok(check)
    }

    /// Removes the lost features from manifests: with an unknown one, cargo does not start.
    fn remove_features(&mut self) -> Fallible {
        let texts = self.outcome.texts.iter();
        let manifests = texts.filter(|(path, _)| path.ends_with("Cargo.toml"));
        let groups = manifests.flat_map(|(file, text)| {
            manifest::without_lost(file, text, self.package, &self.plan.features)
        });
        self.apply(groups.collect()).map(drop)
    }

    /// Makes the edits that the messages lead to; returns whether there are any.
    fn edit(&mut self, check: &Check) -> Fallible<bool> {
        let join = self.join();
        let mut found: BTreeMap<Vec<Edit>, usize> = BTreeMap::new();
        let mut features: BTreeMap<(PathBuf, String), usize> = BTreeMap::new();
        for message in &check.messages {
            for explained in join.explain(message) {
                match explained.cure {
                    Cure::Edits(edits) => {
                        found.insert(edits, explained.headline);
                    }
                    Cure::Feature(feature) => {
                        features.insert((message.manifest.clone(), feature), explained.headline);
                    }
                    Cure::Hands => {}
                }
            }
        }
        for ((manifest, feature), headline) in features {
            let Some(file) = self.shadow.own(&manifest) else { continue };
            let Some(text) = self.outcome.texts.get(&file) else { continue };
            let edit = manifest::enabled(&file, text, self.package, &feature);
            found.extend(edit.map(|edit| (vec![edit], headline)));
        }
        self.apply(found.into_iter().collect())
    }

    /// Makes edits, each group with its headline, apart from those that did not compile; returns whether there are any.
    fn apply(&mut self, mut groups: Vec<(Vec<Edit>, usize)>) -> Fallible<bool> {
        let key = |edit: &Edit, headline| (edit.file.clone(), headline, edit.text.clone());
        groups.retain(|(edits, headline)| {
            !edits.iter().any(|edit| self.refused.contains(&key(edit, *headline)))
        });
        let (groups, headlines): (Vec<_>, Vec<usize>) = groups.into_iter().unzip();
        let places = edit::apply(&mut self.outcome.texts, &groups);
        let made = places.into_iter().zip(headlines);
        self.made = made.filter_map(|(edits, headline)| Some((edits?, headline))).collect();
        for (edits, headline) in &self.made {
            *self.outcome.edits.entry(*headline).or_default() += 1;
            self.edited.extend(edits.iter().map(|edit| (edit.file.clone(), *headline)));
        }
        self.write_edited()?;
        Ok(!self.made.is_empty())
    }

    /// Writes the files that the last round has edited to the copy.
    fn write_edited(&self) -> Fallible {
        let edits = self.made.iter().flat_map(|(edits, _)| edits);
        for file in edits.map(|edit| &edit.file).collect::<BTreeSet<_>>() {
            if let Some(text) = self.outcome.texts.get(file) {
                self.shadow.write(file, text)?;
            }
        }
        Ok(())
    }

    /// Takes the last round back if it made it worse: a file cannot be parsed, or an edited place has an error that no change
    /// explains. The edits there are not made again. Returns the messages that count now; fails if cargo rejects a manifest
    /// or the emitted crate.
    fn without_worse(&mut self, check: Check) -> Fallible<Check> {
        let errors: Vec<&Message> = check.messages.iter().filter(|it| it.is_error).collect();
        if errors.is_empty() && !check.is_success {
            return Err(Failure::new(format!(
                "cargo fails with the new bindings:\n{}",
                check.stderr.trim_end()
            )));
        }
        let join = self.join();
        let mut worse = BTreeSet::new();
        for message in errors {
            // Denied by the program, such as an import whose uses are edited in the next round.
            if message.is_lint() || !join.explain(message).is_empty() {
                continue;
            }
            let is_syntax = message.code.is_empty();
            let is_twice = DUPLICATES.contains(&message.code.as_str());
            let is_at = |edit: &&Edit| {
                let is_in_file = |span: &Span| is_syntax && span.file == edit.file;
                message.primary.iter().any(|span| edit.meets(span) || is_in_file(span))
                    || is_twice && message.secondary.iter().any(|span| edit.meets(span))
            };
            for (edits, headline) in &self.made {
                let found = edits.iter().filter(is_at);
                worse.extend(found.map(|it| (it.file.clone(), *headline, it.text.clone())));
            }
        }
        if worse.is_empty() {
            return Ok(check);
        }
        let Some(Before { texts, check, retyped }) = self.before.take() else { return Ok(check) };
        self.outcome.texts = texts;
        self.write_edited()?;
        for (_, headline) in std::mem::take(&mut self.made) {
            *self.outcome.edits.entry(headline).or_default() -= 1;
        }
        self.refused.extend(worse);
        self.retyped = retyped;
        Ok(check)
    }

    /// Returns whether a message is about a name that leads to another item now.
    fn is_of_same_name(&self, message: &Message) -> bool {
        let headline = marks::headline(message).and_then(|at| self.plan.headlines.get(at));
        headline.is_some_and(|headline| headline.class == Class::Breaking)
    }

    fn join(&self) -> Join<'_> {
        Join {
            plan: self.plan,
            texts: &self.outcome.texts,
            bindings: self.bindings,
            retyped: &self.retyped,
            edited: &self.edited,
        }
    }

    /// Returns whether an error has no explanation.
    fn has_unexplained(&self, check: &Check) -> bool {
        let join = self.join();
        let mut errors = check.messages.iter().filter(|it| it.is_error && !it.primary.is_empty());
        errors.any(|message| join.explain(message).is_empty())
    }

    /// Fails if a program has an error with the old bindings, too. Parts that are migrated already have others.
    fn refuse_broken(&self, users: &Workspace, old: &Output, new: &Check) -> Fallible {
        self.shadow.emit(&old.files)?;
        let before = self.shadow.check(users, self.package)?;
        let is_same = |message: &&Message| {
            let key = |it: &Message| (it.text.clone(), it.primary.clone());
            new.messages.iter().any(|other| other.is_error && key(other) == key(message))
        };
        let errors = before.messages.iter().filter(|it| it.is_error && !it.primary.is_empty());
        let same: Vec<&str> = errors.filter(is_same).map(|it| it.rendered.as_str()).collect();
        if same.is_empty() {
            return Ok(());
        }
        let shown = same[..same.len().min(3)].concat();
        let message = format!("the programs do not compile with the old bindings:\n{shown}");
        Err(Failure::new(message.trim_end())
            .help(
                "mend these errors, or choose the revision that they were written for by `--from`",
            )
            .exit(Exit::InvalidSpec))
    }

    /// Lists what is left.
    fn list(&mut self, check: &Check) {
        let join = self.join();
        let mut found = Vec::new();
        for message in &check.messages {
            let explained = join.explain(message);
            let mut headlines: BTreeSet<Option<usize>> =
                explained.iter().map(|explained| Some(explained.headline)).collect();
            if headlines.is_empty() && message.is_error {
                headlines.insert(None);
            }
            let mark = marks::named(message);
            let places = message.primary.iter().take(1);
            for (span, headline) in
                places.flat_map(|span| headlines.iter().map(move |it| (span, *it)))
            {
                let mut left = self.outcome.left.iter().filter(|it| it.file == span.file);
                let is_listed = left.any(|it| it.line == span.line && it.headline == headline);
                if mark.is_some() && is_listed {
                    continue;
                }
                found.push(Left {
                    file: span.file.clone(),
                    line: span.line,
                    column: span.column,
                    message: mark.clone().unwrap_or_else(|| message.text.clone()),
                    headline,
                });
            }
        }
        self.outcome.left.extend(found);
        if !check.is_success && self.outcome.left.is_empty() {
            let message = pluralize(check.messages.len(), "message");
            let left = Left {
                file: PathBuf::from("Cargo.toml"),
                line: 1,
                column: 1,
                message: format!("cargo fails after {message}: {}", check.stderr.trim_end()),
                headline: None,
            };
            self.outcome.left.insert(left);
        }
    }
}
