//! A whole run: instances until everything described is covered and enough are tried, mutants of each, and the
//! failures.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::any;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::Value;

use crate::compare::{
    at, compare, compare_maps, has_leap_second, has_rounded_integer, path_text, reversed,
};
use crate::coverage::{Coverage, Item};
use crate::instance::{Notes, instance};
use crate::mutate::{MUTATIONS, OTHER_TYPE, mutate};
use crate::shape::{Id, Shape, Shapes};
use crate::subject::{Answer, Failure, ROUTES, STRICT, Subject};
use tests::Tape;
use tests::progress::Progress;

/// A type, and the schema that it was generated from.
#[derive(Debug)]
pub struct Root {
    /// The path of the type below the crate.
    pub rust: String,
    /// The key of the schema under `components/schemas`, or the JSON pointer to it.
    pub name: String,
    pub id: Id,
    /// Whether requests can send it, with the nulls that it was received with.
    pub keeps_nulls: bool,
    /// Whether it is an object with fields, next to which elements can be retained.
    pub has_fields: bool,
}

/// The outcome of a run.
#[derive(Debug, Default)]
pub struct Outcome {
    pub instances: usize,
    /// The number of uses of each mutation.
    pub mutations: BTreeMap<&'static str, usize>,
    pub coverage: Coverage,
    /// By cause.
    pub failures: BTreeMap<String, Failed>,
    /// The number of valid instances with drift, by the reason why it is expected.
    pub expected: BTreeMap<&'static str, usize>,
}

/// The failures that have one cause.
#[derive(Debug)]
pub struct Failed {
    pub count: usize,
    /// The number of the type of the first.
    pub root: usize,
    /// The smallest like the first.
    pub smallest: Try,
}

/// A value that was sent.
#[derive(Debug, Default)]
pub struct Try {
    pub notes: Notes,
    pub mutations: Vec<&'static str>,
    /// The place where a mutation put a value of another type.
    misplaced: Option<String>,
    pub sent: String,
    pub fault: Option<Fault>,
    /// The reason why drift is reported of a valid instance.
    expected: Option<&'static str>,
}

/// The failure of a value.
#[derive(Debug)]
pub struct Fault {
    pub cause: String,
    pub route: &'static str,
    pub answer: Answer,
}

/// Maximum number of instances that are tried for a target, and of smaller ones for an instance that fails.
const MAX_TRIES: usize = 6;
const MAX_SMALLER: usize = 4000;

/// Maximum number of random numbers for an instance and its mutations.
const LENGTHS: [usize; 2] = [300, 40];

/// Returns whether `drift` says nothing of a value of a type, if it reads the value.
pub type Law<'l> = &'l mut dyn FnMut(usize, &str) -> Option<bool>;

/// Tries at least `instances` instances of all types, only by the law if it `is_law`.
pub fn run(
    shapes: &Shapes<'_>,
    roots: &[Root],
    (subject, law): (&mut dyn Subject, Law<'_>),
    (is_law, (instances, seed)): (bool, (usize, u64)),
) -> Result<Outcome, Failure> {
    let runner = runner(seed);
    let mut outcome = Outcome::default();
    outcome.mutations.extend(MUTATIONS.map(|(name, _)| (name, 0)));
    let mut campaign = Campaign { shapes, roots, subject, law, is_law, runner, outcome };
    let count = instances.max(roots.len());
    let progress = Progress::new(Some(count));
    for index in 0..count {
        progress.step(index, "instances");
        campaign.attempt(index % roots.len(), &[])?;
    }
    let mut next = 0;
    while let Some((root, plan)) = campaign.outcome.coverage.targets.get(next).cloned() {
        next += 1;
        for _ in 0..MAX_TRIES {
            if campaign.outcome.coverage.lacks(&plan) {
                campaign.attempt(root, &plan)?;
            }
        }
    }
    Ok(campaign.outcome)
}

/// Returns the random numbers of a seed.
pub fn runner(seed: u64) -> TestRunner {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    TestRunner::new_with_rng(Config::default(), rng)
}

/// Returns random numbers for an instance and its changes.
pub fn tapes(runner: &mut TestRunner) -> Result<[Vec<u16>; 2], Failure> {
    let tapes = LENGTHS.map(|most| vec(any::<u16>(), 0..most));
    Ok(tapes.new_tree(runner).map_err(|reason| reason.to_string())?.current())
}

struct Campaign<'a, 'd> {
    shapes: &'a Shapes<'d>,
    roots: &'a [Root],
    subject: &'a mut dyn Subject,
    law: Law<'a>,
    /// Whether nothing but the law is compared.
    is_law: bool,
    runner: TestRunner,
    outcome: Outcome,
}

impl Campaign<'_, '_> {
    /// Tries an instance of a type, and a mutant of it. Of those that fail for a new cause, the smallest is retained.
    fn attempt(&mut self, root: usize, plan: &[Item]) -> Result<(), Failure> {
        let mut tapes = LENGTHS
            .map(|most| vec(any::<u16>(), 0..most))
            .new_tree(&mut self.runner)
            .map_err(|reason| reason.to_string())?;
        let mut smallest = self.try_tapes(root, plan, &tapes.current())?;
        self.outcome.coverage.meet(&smallest.notes.items);
        if let Some(reason) = smallest.expected {
            *self.outcome.expected.entry(reason).or_default() += 1;
        }
        self.outcome.instances += usize::from(!smallest.sent.is_empty());
        for name in &smallest.mutations {
            *self.outcome.mutations.entry(name).or_default() += 1;
        }
        let Some(Fault { cause, .. }) = &smallest.fault else { return Ok(()) };
        let cause = cause.clone();
        if let Some(known) = self.outcome.failures.get_mut(&cause) {
            known.count += 1;
            return Ok(());
        }
        let mut is_other = tapes.simplify();
        let mut tries = 0;
        while is_other && tries < MAX_SMALLER {
            tries += 1;
            let smaller = self.try_tapes(root, plan, &tapes.current())?;
            is_other = if smaller.fault.as_ref().is_some_and(|fault| fault.cause == cause) {
                smallest = smaller;
                tapes.simplify()
            } else {
                tapes.complicate()
            };
        }
        self.outcome.failures.insert(cause, Failed { count: 1, root, smallest });
        Ok(())
    }

    /// Sends an instance, and a mutant of it if the instance has no failure.
    fn try_tapes(
        &mut self,
        root: usize,
        plan: &[Item],
        tapes: &[Vec<u16>; 2],
    ) -> Result<Try, Failure> {
        let [made, mutated] = tapes;
        let mut attempt = Try::default();
        let Some(id) = self.roots.get(root).map(|root| root.id) else { return Ok(attempt) };
        let made = instance(
            self.shapes,
            (root, id),
            plan,
            &mut Tape::new(made),
            &mut self.outcome.coverage,
        );
        let Some((mut value, notes)) = made else { return Ok(attempt) };
        attempt.notes = notes;
        // The meaning of a null depends on its parent.
        if value.is_null() {
            return Ok(attempt);
        }
        self.send(root, &value, &mut attempt)?;
        let mut tape = Tape::new(mutated);
        for _ in 0..=tape.below(3) {
            if attempt.fault.is_some() || attempt.misplaced.is_some() {
                break;
            }
            let spots = &attempt.notes.spots;
            let Some((name, path)) = mutate(self.shapes, spots, &mut value, &mut tape) else {
                break;
            };
            attempt.mutations.push(name);
            attempt.misplaced = (name == OTHER_TYPE).then_some(path);
        }
        if !attempt.mutations.is_empty() {
            self.send(root, &value, &mut attempt)?;
        }
        Ok(attempt)
    }

    fn send(&mut self, index: usize, value: &Value, attempt: &mut Try) -> Result<(), Failure> {
        let sent = value.to_string();
        let is_valid = attempt.mutations.is_empty() && !attempt.notes.has_more;
        let is_allowed = |route: &str, answer: &Answer| match (answer, &attempt.misplaced) {
            (Answer::Refused(message), Some(path)) => {
                let is_found = message.starts_with(path) && !message.contains("surprise");
                route == "serde_json" || is_found
            }
            (Answer::Drift(_), _) => !is_valid,
            _ => false,
        };
        let answers = self.subject.send(index, &sent)?;
        if self.is_law {
            let is_silent = (self.law)(index, &sent);
            attempt.fault = is_silent.and_then(|it| broken(it, &answers));
            attempt.sent = sent;
            return Ok(());
        }
        let drift = answers.iter().find_map(|answer| match answer {
            Answer::Drift(drift) if is_valid => Some(drift),
            _ => None,
        });
        let expected = drift.and_then(|drift| expected(self.shapes, drift, value, &attempt.notes));
        let Some(root) = self.roots.get(index) else { return Ok(()) };
        attempt.fault = judge(root, value, answers.clone(), |route, answer| {
            is_allowed(route, answer) || matches!(answer, Answer::Drift(_)) && expected.is_some()
        });
        if attempt.fault.is_none() {
            attempt.fault =
                (self.law)(index, &sent).and_then(|is_silent| broken(is_silent, &answers));
        }
        if attempt.fault.is_none() && is_valid && root.keeps_nulls {
            attempt.fault = lost_null(self.shapes, root.id, value, &answers);
        }
        let other = reversed(value);
        if attempt.fault.is_none() && attempt.misplaced.is_none() && other != sent {
            attempt.fault = difference(&answers, self.subject.send(index, &other)?);
        }
        attempt.expected = attempt.expected.or(expected);
        attempt.sent = sent;
        Ok(())
    }
}

/// Returns the reason why drift is reported of a valid instance, if it is one that docs/judges.md explains.
fn expected(
    shapes: &Shapes<'_>,
    drift: &str,
    value: &Value,
    notes: &Notes,
) -> Option<&'static str> {
    if notes.is_contradictory {
        return Some("the `mapping` of a discriminator gives the tag of a branch to another one");
    }
    let found: Vec<[String; 3]> = serde_json::from_str(drift).ok()?;
    let is_rounded = has_rounded_integer(value);
    let has_leap_second = has_leap_second(&value.to_string());
    let reason = |[path, kind, name]: &[String; 3]| {
        if is_rounded && ["Format", "NoVariant", "WrongType"].contains(&kind.as_str()) {
            return Some("no float of 64 bits equals the integer");
        }
        if has_leap_second && ["NoVariant", "WrongType"].contains(&kind.as_str()) {
            return Some("no timestamp equals the leap second");
        }
        let mut spots = notes.spots.iter().filter(|(steps, _)| path_text(steps) == *path);
        if kind == "UnknownProperty"
            && spots.clone().any(|(_, id)| shapes.is_undescribed(*id, name))
        {
            return Some("the document requires a property that it does not describe");
        }
        let spot = spots.next()?;
        if kind == "NoVariant" {
            if notes.unmapped.contains(&spot.0) {
                return Some("the `mapping` of a discriminator gives the tag to no branch");
            }
            if shapes.names_no_schema(spot.1, at(value, &spot.0)?) {
                return Some("the value of a discriminator names no schema");
            }
            let has_only_nulls = at(value, &spot.0)?.as_object()?.values().all(Value::is_null);
            return has_only_nulls.then_some(
                "an object with only nulls has no property that identifies its variant",
            );
        }
        let mut around = notes.unions.iter().filter(|(steps, _)| spot.0.starts_with(steps));
        let is_ambiguous = around.any(|(steps, id)| {
            at(value, steps).is_some_and(|value| shapes.is_of_several(*id, value))
        });
        is_ambiguous.then_some("several branches allow the value, and the best fit is another one")
    };
    let reasons: Option<Vec<_>> = found.iter().map(reason).collect();
    reasons?.first().copied()
}

/// Returns the fault if either decoding or `drift` is silent about a value, and the other is not.
fn broken(is_silent: bool, answers: &[Answer]) -> Option<Fault> {
    let (route, answer) = ROUTES.into_iter().zip(answers).find(|(route, _)| *route == STRICT)?;
    let cause = match (answer, is_silent) {
        (Answer::Encoded(_), false) => "`drift` reports what decoding does not",
        (Answer::Drift(_) | Answer::Refused(_), true) => {
            "`drift` does not report what decoding does"
        }
        _ => return None,
    };
    Some(Fault { cause: cause.to_owned(), route, answer: answer.clone() })
}

/// Returns the fault if a null that the schema of a property allows was left out. An object with a union next to its
/// properties does not retain it.
fn lost_null(shapes: &Shapes<'_>, id: Id, value: &Value, answers: &[Answer]) -> Option<Fault> {
    let Shape::Object(object) = shapes.shape(id) else { return None };
    let properties = object.properties.iter().filter(|_| object.oneofs.is_empty());
    let nulls: Vec<_> = properties
        .map(|property| property.name)
        .filter(|name| value.get(name).is_some_and(Value::is_null))
        .collect();
    ROUTES.into_iter().zip(answers).find_map(|(route, answer)| {
        let Answer::Encoded(json) = answer else { return None };
        let back: Value = serde_json::from_str(json).ok()?;
        let is_lost = nulls.iter().any(|name| back.get(name).is_none());
        let cause = "a described null was left out".to_owned();
        is_lost.then(|| Fault { cause, route, answer: answer.clone() })
    })
}

/// Returns the fault if values whose properties are in different orders are encoded differently.
fn difference(answers: &[Answer], others: Vec<Answer>) -> Option<Fault> {
    let mut answers = ROUTES.into_iter().zip(answers).zip(others);
    answers.find_map(|((route, one), answer)| {
        let is_difference = matches!(one, Answer::Encoded(_)) && *one != answer;
        let cause = "the order of properties makes a difference".to_owned();
        is_difference.then_some(Fault { cause, route, answer })
    })
}

/// Returns the first fault: an answer that is neither the value nor allowed.
pub fn judge(
    root: &Root,
    value: &Value,
    answers: Vec<Answer>,
    is_allowed: impl Fn(&str, &Answer) -> bool,
) -> Option<Fault> {
    let cause = |route, answer: &Answer| match answer {
        answer if is_allowed(route, answer) => None,
        Answer::Refused(message) => {
            let reason = message
                .split("expected ")
                .last()?
                .split(" (line")
                .next()?
                .split(" at line")
                .next()?;
            Some(format!("refused: expected {reason}"))
        }
        Answer::Crashed(message) => Some(format!("crashed: {message}")),
        Answer::Drift(_) => Some("drift is reported of a valid instance".to_owned()),
        Answer::Encoded(json) => match serde_json::from_str(json) {
            Err(_) => Some("the answer is not JSON".to_owned()),
            Ok(back) if root.has_fields => compare(value, &back).err().map(str::to_owned),
            Ok(back) => compare_maps(value, &back).err().map(str::to_owned),
        },
    };
    ROUTES.into_iter().zip(answers).find_map(|(route, answer)| {
        cause(route, &answer).map(|cause| Fault { cause, route, answer })
    })
}
