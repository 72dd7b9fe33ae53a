//! The rounds: compile, join, edit, until nothing changes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use ::codegen::compare::Class;
use ::codegen::diagnostics::Diagnostics;
use ::codegen::{Output, SourceFile};

use crate::migrate::cargo::Workspace;
use crate::migrate::edit::{self, Edit, Group, Texts};
use crate::migrate::join::Join;
use crate::migrate::manifest;
use crate::migrate::marks::{self, replaced, with_marks};
use crate::migrate::plan::Plan;
use crate::migrate::shadow::Shadow;
use crate::migrate::stubs::with_stubs;
use crate::migrate::values::is_of_value;
use crate::rustc::{Check, Message, Span};
use commands::host::exit::{Failure, Fallible};
use commands::host::progress::Progress;
use commands::host::terminal::pluralize;

/// Maximum number of rounds, with those that are taken back.
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

pub struct Outcome {
    /// The number of rounds with an edit.
    pub rounds: usize,
    pub texts: Texts,
    /// The number of edits by headline.
    pub edits: BTreeMap<usize, usize>,
    pub left: BTreeSet<Left>,
}

/// An edit that did not compile: its file, headline, text and line.
type Refused = (PathBuf, usize, String, usize);

/// What rustc says of programs.
#[derive(Default)]
struct Compiled {
    check: Check,
    /// The uses of items whose types differ, if an error is about a type or arguments.
    retyped: Vec<(Span, usize)>,
}

struct Round {
    /// What it began with.
    before: Compiled,
    /// The texts of the edited files before it.
    texts: Texts,
    /// The edits in the new texts.
    made: Vec<Group>,
}

struct Rounds<'a> {
    users: &'a Workspace,
    shadow: &'a Shadow,
    plan: &'a Plan,
    package: &'a str,
    /// The files of the new crate, with stand-ins.
    bindings: &'a [SourceFile],
    texts: Texts,
    compiled: Compiled,
    /// The rounds that are not taken back.
    done: Vec<Round>,
    /// The edits that did not compile.
    refused: BTreeSet<Refused>,
    left: BTreeSet<Left>,
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
    let files = replaced(&crates.new.files, &plan.deprecated(), |_| String::new());
    let bindings = with_stubs(&files, plan);
    let mut rounds = Rounds {
        users,
        shadow,
        plan,
        package,
        bindings: &bindings,
        texts: shadow.originals.clone(),
        compiled: Compiled::default(),
        done: Vec::new(),
        refused: BTreeSet::new(),
        left: BTreeSet::new(),
    };
    progress.step(0, "compiling with the new bindings");
    rounds.compiled = rounds.compile()?;
    rounds.worse()?;
    for number in 1..=MAX_ROUNDS {
        progress.step(0, format!("round {number}: compiling the edits"));
        if !rounds.round()? {
            break;
        }
    }
    rounds.left = rounds.places(&rounds.compiled.check);
    let marked = with_marks(&crates.new.files, &plan.marks);
    if bindings != marked {
        progress.step(0, "compiling the result");
        let mut check = rounds.check(&marked)?;
        if !rounds.left.is_empty() {
            check.messages.retain(|message| marks::headline(message).is_some());
        }
        if check.messages.iter().any(|it| rounds.is_of_same_name(it)) {
            progress.step(0, "compiling the result with the old bindings");
            let old = rounds.check(&crates.old.files)?;
            check.messages.retain(|it| !rounds.is_of_same_name(it) || !is_edited(it, &old));
        }
        let found = rounds.places(&check);
        rounds.left.extend(found);
    }
    let mut edits = BTreeMap::new();
    for (_, headline) in rounds.done.iter().flat_map(|round| &round.made) {
        *edits.entry(*headline).or_default() += 1;
    }
    Ok(Outcome { rounds: rounds.done.len(), texts: rounds.texts, edits, left: rounds.left })
}

/// Returns whether the place of a message is an error with the old bindings: it is of the new ones already.
fn is_edited(message: &Message, old: &Check) -> bool {
    let mut places = old.errors().flat_map(|error| &error.primary);
    places.any(|place| message.primary.iter().any(|it| it.meets(&place.file, place.range())))
}

impl Rounds<'_> {
    /// Compiles the programs with an emitted crate.
    fn check(&self, files: &[SourceFile]) -> Fallible<Check> {
        self.shadow.emit(files)?;
        self.shadow.check(self.users, self.package)
    }

    /// Compiles the programs. If an error is about a type or arguments, they are compiled again with marks, which tell the fields and
    /// methods of one name apart; a program that denies warnings would not compile with them.
    fn compile(&self) -> Fallible<Compiled> {
        let check = self.check(self.bindings)?;
        let changed = self.plan.retyped();
        let retyped = if !changed.is_empty() && check.messages.iter().any(is_of_value) {
            marks::uses(&self.check(&with_marks(self.bindings, &changed))?)
        } else {
            Vec::new()
        };
        Ok(Compiled { check, retyped })
    }

    /// Returns whether a message is about a name that leads to another item now.
    fn is_of_same_name(&self, message: &Message) -> bool {
        let headline = marks::headline(message).and_then(|at| self.plan.headlines.get(at));
        headline.is_some_and(|headline| headline.class == Class::Breaking)
    }

    /// Edits, and compiles the result; returns whether there was anything to edit. A round that made it worse is taken back,
    /// and what did so is not edited again.
    fn round(&mut self) -> Fallible<bool> {
        let found = self.found();
        let (made, texts) = edit::apply(&mut self.texts, found);
        for (file, text) in self.texts.iter().filter(|(file, _)| texts.contains_key(*file)) {
            self.shadow.write(file, text)?;
        }
        if made.is_empty() {
            return Ok(false);
        }
        let compiled = self.compile()?;
        let before = std::mem::replace(&mut self.compiled, compiled);
        self.done.push(Round { before, texts, made });
        let worse = self.worse()?;
        if let Some(Round { before, texts, .. }) = self.done.pop_if(|_| !worse.is_empty()) {
            for (file, text) in &texts {
                self.shadow.write(file, text)?;
            }
            self.texts.extend(texts);
            self.compiled = before;
            self.refused.extend(worse);
        }
        Ok(true)
    }

    /// Returns the edits that the messages and the lost features lead to, apart from those that did not compile.
    fn found(&self) -> BTreeMap<Vec<Edit>, usize> {
        let join = self.join();
        let messages = self.compiled.check.messages.iter();
        let explained = messages.flat_map(|message| join.explain(message));
        let manifests = self.texts.iter().filter(|(file, _)| file.ends_with("Cargo.toml"));
        let lost = manifests.flat_map(|(file, text)| {
            manifest::without_lost(file, text, self.package, &self.plan.features)
        });
        let mut found: BTreeMap<Vec<Edit>, usize> = explained.chain(lost).collect();
        found.retain(|edits, headline| {
            let is_refused = |edit: &Edit| self.refused.contains(&self.key(edit, *headline));
            !edits.is_empty() && (self.refused.is_empty() || !edits.iter().any(is_refused))
        });
        found
    }

    /// Returns the edits of the last round that made it worse: cargo rejects a manifest, a file cannot be parsed, or an edited
    /// place has an error that no change explains. Fails if cargo rejects what is not edited.
    fn worse(&self) -> Fallible<BTreeSet<Refused>> {
        let Check { is_success, stderr, .. } = &self.compiled.check;
        let is_rejected = !is_success && self.compiled.check.errors().next().is_none();
        // What the program denies can be an import whose uses are edited in the next round.
        let unexplained: Vec<&Message> = self.unexplained().filter(|it| !it.is_lint()).collect();
        let errors: Vec<&Message> =
            self.compiled.check.errors().filter(|it| !it.is_lint()).collect();
        let is_worse = |edit: &Edit| {
            let is_manifest = edit.file.ends_with("Cargo.toml");
            // What converts a value leaves no error, whatever explains that.
            let is_conversion = edit.text.contains(['(', '[', '.']);
            let mut errors = errors.iter();
            is_rejected && is_manifest
                || errors.any(|it| is_at(it, edit) && (is_conversion || unexplained.contains(it)))
        };
        let made = self.done.last().into_iter().flat_map(|round| &round.made);
        let edits = made.flat_map(|(edits, headline)| edits.iter().map(move |it| (it, *headline)));
        let worse = edits.filter(|(edit, _)| is_worse(edit));
        let worse: BTreeSet<Refused> = worse.map(|(it, headline)| self.key(it, headline)).collect();
        if is_rejected && worse.is_empty() {
            let message = format!("cargo fails with the new bindings:\n{}", stderr.trim_end());
            return Err(Failure::new(message));
        }
        Ok(worse)
    }

    fn key(&self, Edit { file, start, text, .. }: &Edit, headline: usize) -> Refused {
        let before = self.texts.get(file).and_then(|text| text.get(..*start));
        let line = before.unwrap_or_default().matches('\n').count();
        (file.clone(), headline, text.clone(), line)
    }

    fn join(&self) -> Join<'_> {
        let made = self.done.iter().flat_map(|round| &round.made);
        let edited = made.flat_map(|(edits, headline)| {
            edits.iter().map(move |edit| (edit.file.as_path(), *headline))
        });
        Join {
            plan: self.plan,
            package: self.package,
            texts: &self.texts,
            retyped: &self.compiled.retyped,
            edited: edited.collect(),
        }
    }

    /// Returns the errors without an explanation.
    fn unexplained(&self) -> impl Iterator<Item = &Message> {
        let join = self.join();
        self.compiled.check.errors().filter(move |message| join.explain(message).is_empty())
    }

    /// Returns the places that messages are about, with each headline that explains them. A mark adds none to a line that is
    /// left already.
    fn places(&self, check: &Check) -> BTreeSet<Left> {
        let join = self.join();
        let mut found = BTreeSet::new();
        for message in &check.messages {
            let Some(span) = message.primary.first() else { continue };
            let explained = join.explain(message).into_iter().map(|(_, headline)| Some(headline));
            let mut headlines: BTreeSet<Option<usize>> = explained.collect();
            if headlines.is_empty() && message.is_error {
                headlines.insert(None);
            }
            let mark = marks::named(message);
            let is_listed = |headline: &Option<usize>| {
                let mut left = self.left.iter().filter(|it| it.file == span.file);
                left.any(|it| it.line == span.line && it.headline == *headline)
            };
            headlines.retain(|headline| mark.is_none() || !is_listed(headline));
            found.extend(headlines.into_iter().map(|headline| Left {
                file: span.file.clone(),
                line: span.line,
                column: span.column,
                message: mark.clone().unwrap_or_else(|| message.text.clone()),
                headline,
            }));
        }
        if !check.is_success && found.is_empty() && self.left.is_empty() {
            let message = pluralize(check.messages.len(), "message");
            found.insert(Left {
                file: PathBuf::from("Cargo.toml"),
                line: 1,
                column: 1,
                message: format!("cargo fails after {message}: {}", check.stderr.trim_end()),
                headline: None,
            });
        }
        found
    }
}

/// Returns whether an error is at an edited place.
fn is_at(message: &Message, edit: &Edit) -> bool {
    let is_syntax = message.code.is_empty();
    let is_twice = DUPLICATES.contains(&message.code.as_str());
    let others = message.secondary.iter().filter(|_| is_twice);
    let mut places = message.primary.iter().chain(others);
    places.any(|span| {
        span.meets(&edit.file, edit.start..edit.end) || is_syntax && span.file == edit.file
    })
}
