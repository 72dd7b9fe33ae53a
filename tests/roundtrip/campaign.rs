//! A whole run: instances until everything described was met and enough were tried, mutants of each, and what failed.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::any;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::Value;

use crate::compare::compare;
use crate::coverage::{Coverage, Item};
use crate::instance::{Instance, instance};
use crate::mutate::{MUTATIONS, Mutation, mutate};
use crate::schema::Schema;
use crate::schemas::Schemas;
use crate::spelling::spell;
use crate::subject::{Answer, Failure, ROUTES, Subject};
use crate::tape::Tape;

/// A type, and the schema that it was made from.
#[derive(Debug)]
pub struct Root {
    /// The path of the type below the crate.
    pub rust: String,
    /// The key of the schema under `components/schemas`, or the JSON pointer to it.
    pub name: String,
    pub schema: Schema,
}

/// What came of a run.
#[derive(Debug, Default)]
pub struct Outcome {
    pub instances: usize,
    /// How often each mutation was applied.
    pub mutations: BTreeMap<&'static str, usize>,
    pub coverage: Coverage,
    /// The smallest example of each cause of failure.
    pub failures: BTreeMap<String, Failed>,
}

/// The failures that have one cause.
#[derive(Debug)]
pub struct Failed {
    pub count: usize,
    /// The number of the type.
    pub root: usize,
    pub mutations: Vec<&'static str>,
    /// What was sent, and what came of it on one of the routes.
    pub sent: String,
    pub fault: Fault,
}

/// What went wrong with a value.
#[derive(Clone, Debug)]
pub struct Fault {
    pub cause: String,
    pub route: &'static str,
    pub answer: String,
}

/// How many instances are tried for a target before it is given up, and how many smaller ones of one that fails.
const MOST_TRIES: usize = 6;
const MOST_SMALLER: usize = 8000;

/// The tapes for an instance, its mutations and its spelling.
type Tapes = (Vec<u16>, Vec<u16>, Vec<u16>);

/// Tries at least `instances` instances of all types.
pub fn run(
    schemas: &Schemas<'_>,
    roots: &[Root],
    subject: &mut dyn Subject,
    (instances, seed): (usize, u64),
) -> Result<Outcome, Failure> {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let runner = TestRunner::new_with_rng(Config::default(), rng);
    let mut outcome = Outcome::default();
    outcome.mutations.extend(MUTATIONS.iter().map(|(_, name)| (*name, 0)));
    let mut campaign = Campaign { schemas, roots, subject, runner, outcome };
    for index in 0..instances.max(roots.len()) {
        campaign.attempt(index % roots.len(), &[])?;
    }
    let mut next = 0;
    while let Some(target) = campaign.outcome.coverage.targets.get(next).cloned() {
        next += 1;
        let plan: Vec<Item> = target.path.into_iter().chain([target.item]).collect();
        for _ in 0..MOST_TRIES {
            if campaign.outcome.coverage.lacks(target.item) {
                campaign.attempt(target.root, &plan)?;
            }
        }
    }
    Ok(campaign.outcome)
}

struct Campaign<'a, 'd> {
    schemas: &'a Schemas<'d>,
    roots: &'a [Root],
    subject: &'a mut dyn Subject,
    runner: TestRunner,
    outcome: Outcome,
}

/// A value to send.
struct Case {
    items: Vec<Item>,
    mutations: Vec<&'static str>,
    /// Where a value of another type is.
    misplaced: Option<String>,
    /// Whether everything in it is described, and comes once.
    is_valid: bool,
    value: Value,
    text: String,
}

impl Campaign<'_, '_> {
    /// Tries an instance of a type, and a mutant of it. Of those that fail for a new cause, the smallest is retained.
    fn attempt(&mut self, root: usize, plan: &[Item]) -> Result<(), Failure> {
        let tape = |most| vec(any::<u16>(), 0..most);
        let tapes = (tape(300), tape(40), tape(60)).new_tree(&mut self.runner);
        let mut tapes = tapes.map_err(|reason| reason.to_string())?;
        let mut failed: Option<Failed> = None;
        for _ in 0..MOST_SMALLER {
            let now = tapes.current();
            let smaller = match self.try_tapes(root, plan, &now, failed.is_none())? {
                Some(next) if failed.as_ref().is_none_or(|f| f.fault.cause == next.fault.cause) => {
                    if let Some(known) = self.outcome.failures.get_mut(&next.fault.cause) {
                        known.count += 1;
                        return Ok(());
                    }
                    failed = Some(next);
                    tapes.simplify()
                }
                _ => failed.is_some() && tapes.complicate(),
            };
            if !smaller {
                break;
            }
        }
        self.outcome.failures.extend(failed.map(|failed| (failed.fault.cause.clone(), failed)));
        Ok(())
    }

    fn try_tapes(
        &mut self,
        index: usize,
        plan: &[Item],
        tapes: &Tapes,
        counts: bool,
    ) -> Result<Option<Failed>, Failure> {
        let roots = self.roots;
        let Some(root) = roots.get(index) else {
            return Ok(None);
        };
        for is_mutant in [false, true] {
            let Some(case) = self.case((index, root), plan, tapes, is_mutant) else {
                continue;
            };
            if counts && !is_mutant {
                self.outcome.instances += 1;
                self.outcome.coverage.meet(&case.items);
            }
            for name in case.mutations.iter().filter(|_| counts) {
                *self.outcome.mutations.entry(name).or_default() += 1;
            }
            if let Some(fault) = self.judge((index, root), &case)? {
                let (mutations, sent) = (case.mutations, case.text);
                return Ok(Some(Failed { count: 1, root: index, mutations, sent, fault }));
            }
        }
        Ok(None)
    }

    /// Makes a value from tapes; nothing where there is none, or no mutant of it.
    fn case(
        &mut self,
        (index, root): (usize, &Root),
        plan: &[Item],
        (made, mutated, spelled): &Tapes,
        is_mutant: bool,
    ) -> Option<Case> {
        let (schemas, coverage) = (self.schemas, &mut self.outcome.coverage);
        let made = instance(schemas, (index, &root.schema), plan, &mut Tape::of(made), coverage);
        let Instance { mut value, items, has_more } = made.filter(|made| !made.value.is_null())?;
        let (mut mutations, mut misplaced) = (Vec::new(), None);
        let mut tape = Tape::of(mutated);
        for _ in 0..if is_mutant { 1 + tape.below(3) } else { 0 } {
            let first = tape.below(MUTATIONS.len());
            // Where the one that was drawn is not possible, it is the turn of the next.
            let applied = MUTATIONS.iter().cycle().skip(first).take(MUTATIONS.len()).find_map(
                |&(mutation, name)| {
                    let path = mutate(schemas, &root.schema, &mut value, mutation, &mut tape)?;
                    Some((mutation, name, path))
                },
            );
            let Some((mutation, name, path)) = applied else { break };
            mutations.push(name);
            if mutation == Mutation::OtherType {
                misplaced = Some(path);
                break;
            }
        }
        let (text, repeats) = spell(&value, &mut Tape::of(spelled));
        let is_valid = mutations.is_empty() && !has_more && !repeats;
        (is_mutant != mutations.is_empty()).then_some(Case {
            items,
            mutations,
            misplaced,
            is_valid,
            value,
            text,
        })
    }

    fn judge(
        &mut self,
        (index, root): (usize, &Root),
        case: &Case,
    ) -> Result<Option<Fault>, Failure> {
        judge(
            self.schemas,
            self.subject,
            (index, root),
            (&case.value, &case.text),
            |route, answer| match (answer, &case.misplaced) {
                (Answer::Refused(message), Some(path)) => {
                    route == "serde_json" || {
                        message.starts_with(path) && !message.contains("surprise")
                    }
                }
                (Answer::Drift(_), _) => !case.is_valid,
                _ => false,
            },
        )
    }
}

/// Sends a value, as it is spelled in `text`, on all routes. Returns the first fault: an answer that is neither the value
/// nor allowed.
pub fn judge(
    schemas: &Schemas<'_>,
    subject: &mut dyn Subject,
    (index, root): (usize, &Root),
    (value, text): (&Value, &str),
    is_allowed: impl Fn(&str, &Answer) -> bool,
) -> Result<Option<Fault>, Failure> {
    for (number, route) in ROUTES.into_iter().enumerate() {
        let answer = subject.send(index, number, text)?;
        let cause = match &answer {
            answer if is_allowed(route, answer) => continue,
            Answer::Refused(message) => {
                let reason = message.split("expected ").last().unwrap_or_default();
                let reason = reason.split(" (line").next().unwrap_or_default();
                let reason = reason.split(" at line").next().unwrap_or_default();
                format!("refused: expected {reason}")
            }
            Answer::Crashed(message) => format!("crashed: {message}"),
            Answer::Drift(_) => "drift is reported of a valid instance".to_owned(),
            Answer::Encoded(json) => match serde_json::from_str(json) {
                Err(_) => "the answer is not JSON".to_owned(),
                Ok(back) => match compare(schemas, &root.schema, value, &back) {
                    Ok(()) => continue,
                    Err(difference) => difference.what.to_owned(),
                },
            },
        };
        let (Answer::Encoded(answer)
        | Answer::Refused(answer)
        | Answer::Crashed(answer)
        | Answer::Drift(answer)) = answer;
        return Ok(Some(Fault { cause, route, answer }));
    }
    Ok(None)
}
