//! A whole run: instances until everything described was met and enough were tried, mutants of each, and what failed.

use std::cell::RefCell;
use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::any;
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use serde_json::Value;

use crate::compare::compare;
use crate::coverage::{Coverage, Item};
use crate::instance::{Notes, instance};
use crate::mutate::{self, OTHER_TYPE, mutate};
use crate::shape::{Id, Shapes};
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
    pub id: Id,
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
    pub answer: Answer,
}

/// How many instances are tried for a target before it is given up, and how many smaller ones of one that fails.
const MOST_TRIES: usize = 6;
const MOST_SMALLER: u32 = 4000;

/// The tapes for an instance, its mutations and its spelling.
type Tapes = (Vec<u16>, Vec<u16>, Vec<u16>);

/// Tries at least `instances` instances of all types.
pub fn run(
    shapes: &Shapes<'_>,
    roots: &[Root],
    subject: &mut dyn Subject,
    (instances, seed): (usize, u64),
) -> Result<Outcome, Failure> {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let config = Config { max_shrink_iters: MOST_SMALLER, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, rng);
    let mut outcome = Outcome::default();
    outcome.mutations.extend(mutate::names().map(|name| (name, 0)));
    let mut campaign = Campaign { shapes, roots, subject, outcome };
    for index in 0..instances.max(roots.len()) {
        campaign.attempt(&mut runner, index % roots.len(), &[])?;
    }
    let mut next = 0;
    while let Some((root, plan)) = campaign.outcome.coverage.targets.get(next).cloned() {
        next += 1;
        for _ in 0..MOST_TRIES {
            if campaign.outcome.coverage.lacks(&plan) {
                campaign.attempt(&mut runner, root, &plan)?;
            }
        }
    }
    Ok(campaign.outcome)
}

struct Campaign<'a, 'd> {
    shapes: &'a Shapes<'d>,
    roots: &'a [Root],
    subject: &'a mut dyn Subject,
    outcome: Outcome,
}

impl Campaign<'_, '_> {
    /// Tries an instance of a type, and a mutant of it. Of those that fail for a new cause, the smallest is retained.
    fn attempt(
        &mut self,
        runner: &mut TestRunner,
        root: usize,
        plan: &[Item],
    ) -> Result<(), Failure> {
        let tape = |most| vec(any::<u16>(), 0..most);
        let tapes = (tape(300), tape(40), tape(60)).new_tree(runner);
        let tapes = tapes.map_err(|reason| reason.to_string())?;
        let state = RefCell::new((&mut *self, None::<Failed>, Ok(())));
        // What fails is in `state`.
        let _ = runner.run_one(tapes, |tapes| {
            let (campaign, smallest, broken) = &mut *state.borrow_mut();
            let found = match campaign.try_tapes(root, plan, &tapes, smallest.is_none()) {
                Ok(Some(found)) => found,
                Ok(None) => return Ok(()),
                Err(failure) => {
                    *broken = Err(failure);
                    return Ok(());
                }
            };
            let cause = &found.fault.cause;
            if let Some(known) = campaign.outcome.failures.get_mut(cause) {
                known.count += usize::from(smallest.is_none());
                return Ok(());
            }
            if smallest.as_ref().is_some_and(|smallest| smallest.fault.cause != *cause) {
                return Ok(());
            }
            *smallest = Some(found);
            Err(TestCaseError::fail(""))
        });
        let (_, smallest, broken) = state.into_inner();
        self.outcome.failures.extend(smallest.map(|failed| (failed.fault.cause.clone(), failed)));
        broken
    }

    /// Tries an instance and a mutant of it; `counts` those that were not tried before.
    fn try_tapes(
        &mut self,
        index: usize,
        plan: &[Item],
        (made, mutated, spelled): &Tapes,
        counts: bool,
    ) -> Result<Option<Failed>, Failure> {
        let Some(root) = self.roots.get(index) else { return Ok(None) };
        let coverage = &mut self.outcome.coverage;
        let made = instance(self.shapes, (index, root.id), plan, &mut Tape::of(made), coverage);
        let Some((mut value, notes)) = made else { return Ok(None) };
        if counts {
            coverage.meet(&notes.items);
        }
        // A null is a matter of what is around it.
        if value.is_null() {
            return Ok(None);
        }
        self.outcome.instances += usize::from(counts);
        let original = self.send(index, root, &value, &notes, (&[], None), spelled)?;
        if original.is_some() {
            return Ok(original);
        }
        let (mut mutations, mut misplaced) = (Vec::new(), None);
        let mut tape = Tape::of(mutated);
        for _ in 0..=tape.below(3) {
            let applied = mutate(self.shapes, &notes.spots, &mut value, &mut tape);
            let Some((name, path)) = applied else { break };
            mutations.push(name);
            if counts {
                *self.outcome.mutations.entry(name).or_default() += 1;
            }
            if name == OTHER_TYPE {
                misplaced = Some(path);
                break;
            }
        }
        if mutations.is_empty() {
            return Ok(None);
        }
        self.send(index, root, &value, &notes, (&mutations, misplaced.as_deref()), spelled)
    }

    /// Sends a value after some mutations, of which one may have `misplaced` a value of another type.
    fn send(
        &mut self,
        index: usize,
        root: &Root,
        value: &Value,
        notes: &Notes,
        (mutations, misplaced): (&[&'static str], Option<&str>),
        spelled: &[u16],
    ) -> Result<Option<Failed>, Failure> {
        let (sent, repeats) = spell(value, &mut Tape::of(spelled));
        let is_valid = mutations.is_empty() && !notes.has_more && !repeats;
        let is_allowed = |route: &str, answer: &Answer| match (answer, misplaced) {
            (Answer::Refused(message), Some(path)) => {
                let is_found = message.starts_with(path) && !message.contains("surprise");
                route == "serde_json" || is_found
            }
            (Answer::Drift(_), _) => !is_valid,
            _ => false,
        };
        let answers = self.subject.send(index, &sent)?;
        let fault = judge(self.shapes, root.id, value, answers, is_allowed);
        let mutations = mutations.to_vec();
        Ok(fault.map(|fault| Failed { count: 1, root: index, mutations, sent, fault }))
    }
}

/// Returns the first fault: an answer that is neither the value nor allowed.
pub fn judge(
    shapes: &Shapes<'_>,
    id: Id,
    value: &Value,
    answers: Vec<Answer>,
    is_allowed: impl Fn(&str, &Answer) -> bool,
) -> Option<Fault> {
    for (route, answer) in ROUTES.into_iter().zip(answers) {
        let cause = match &answer {
            answer if is_allowed(route, answer) => continue,
            Answer::Refused(message) => {
                let reason = message.split("expected ").last().unwrap_or_default();
                let reason = reason.split(" (line").next().unwrap_or_default();
                format!("refused: expected {}", reason.split(" at line").next().unwrap_or_default())
            }
            Answer::Crashed(message) => format!("crashed: {message}"),
            Answer::Drift(_) => "drift is reported of a valid instance".to_owned(),
            Answer::Encoded(json) => match serde_json::from_str(json) {
                Err(_) => "the answer is not JSON".to_owned(),
                Ok(back) => match compare(shapes, id, value, &back, &mut Vec::new()) {
                    Ok(()) => continue,
                    Err(difference) => difference.to_owned(),
                },
            },
        };
        return Some(Fault { cause, route, answer });
    }
    None
}
