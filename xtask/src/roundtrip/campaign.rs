//! A whole run: instances until everything described was met and enough were tried, mutations of each, and what failed.

use std::collections::BTreeMap;

use fastrand::Rng;
use serde_json::Value;

use super::coverage::{Coverage, Item};
use super::instance::instance;
use super::mutate::{MUTATIONS, mutate};
use super::roots::Root;
use super::schema::{Reader, Schema};
use super::shrink::shrink;
use super::spell::{Style, spell};
use super::subject::Subject;
use super::verdict::{Fault, judge};
use crate::exit::Failure;

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The least number of instances.
    pub instances: usize,
    /// How many mutants are made of each instance.
    pub mutants: usize,
    /// What all randomness comes from.
    pub seed: u64,
}

/// What came of a run.
#[derive(Debug)]
pub struct Outcome {
    /// The number of instances.
    pub instances: usize,
    /// How often each mutation was applied.
    pub mutations: BTreeMap<&'static str, usize>,
    pub coverage: Coverage,
    /// One example for each cause of failure.
    pub failures: BTreeMap<String, Failed>,
}

/// The failures that have one cause.
#[derive(Debug)]
pub struct Failed {
    /// How many there were.
    pub count: usize,
    /// The number of the type of the example.
    pub root: usize,
    /// What was done to the instance.
    pub mutations: Vec<&'static str>,
    /// The smallest instance that fails so, as it was sent.
    pub sent: String,
    pub fault: Fault,
}

/// How many instances are tried for a target before it is given up.
const MOST_TRIES: usize = 4;

/// Tries instances of all types.
pub fn run(
    reader: &Reader<'_>,
    roots: &[Root],
    subject: &mut dyn Subject,
    plan: Plan,
) -> Result<Outcome, Failure> {
    let schemas: Vec<Schema> = roots.iter().map(|root| root.schema.clone()).collect();
    let mut campaign = Campaign {
        reader,
        roots,
        subject,
        plan,
        random: Rng::with_seed(plan.seed),
        outcome: Outcome {
            instances: 0,
            mutations: MUTATIONS.iter().map(|&(_, name)| (name, 0)).collect(),
            coverage: Coverage::of(reader, &schemas),
            failures: BTreeMap::new(),
        },
    };
    for target in campaign.outcome.coverage.targets.clone() {
        for _ in 0..MOST_TRIES {
            if campaign.outcome.coverage.lacks(target.item) {
                campaign.try_one(target.root, &target.plan())?;
            }
        }
    }
    while !roots.is_empty() && campaign.outcome.instances < plan.instances {
        let instances = campaign.outcome.instances;
        for root in 0..roots.len() {
            if campaign.outcome.instances < plan.instances {
                campaign.try_one(root, &[])?;
            }
        }
        if campaign.outcome.instances == instances {
            break;
        }
    }
    Ok(campaign.outcome)
}

struct Campaign<'a, 'd> {
    reader: &'a Reader<'d>,
    roots: &'a [Root],
    subject: &'a mut dyn Subject,
    plan: Plan,
    random: Rng,
    outcome: Outcome,
}

impl Campaign<'_, '_> {
    /// Tries an instance of a type, and mutants of it.
    fn try_one(&mut self, index: usize, plan: &[Item]) -> Result<(), Failure> {
        let Some(root) = self.roots.get(index) else {
            return Ok(());
        };
        let coverage = &self.outcome.coverage;
        let Some(made) = instance(self.reader, &root.schema, plan, coverage, &mut self.random)
        else {
            return Ok(());
        };
        if made.value.is_null() {
            return Ok(());
        }
        self.outcome.coverage.meet(&made.items);
        self.outcome.instances += 1;
        self.check(index, &made.value, Vec::new())?;
        for _ in 0..self.plan.mutants {
            let mut value = made.value.clone();
            let mut applied = Vec::new();
            for _ in 0..self.random.usize(1..=3) {
                let Some((mutation, name)) = self.random.choice(MUTATIONS) else {
                    break;
                };
                if mutate(self.reader, &root.schema, &mut value, mutation, &mut self.random) {
                    applied.push(name);
                    *self.outcome.mutations.entry(name).or_default() += 1;
                }
            }
            if !applied.is_empty() {
                self.check(index, &value, applied)?;
            }
        }
        Ok(())
    }

    fn check(
        &mut self,
        index: usize,
        value: &Value,
        mutations: Vec<&'static str>,
    ) -> Result<(), Failure> {
        let style = Style::random(&mut self.random);
        let spelling = self.random.u64(..);
        let Some((fault, text)) = self.judge(index, value, style, spelling)? else {
            return Ok(());
        };
        let cause = fault.cause();
        if let Some(known) = self.outcome.failures.get_mut(&cause) {
            known.count += 1;
            return Ok(());
        }
        let (fault, sent) = self.smallest(index, value, (style, spelling), (fault, text))?;
        let failed = Failed { count: 1, root: index, mutations, sent, fault };
        self.outcome.failures.insert(cause, failed);
        Ok(())
    }

    /// Returns the smallest value that fails for the same cause, spelled plainly if that does.
    fn smallest(
        &mut self,
        index: usize,
        value: &Value,
        (style, spelling): (Style, u64),
        failed: (Fault, String),
    ) -> Result<(Fault, String), Failure> {
        let cause = failed.0.cause();
        let plain = self.judge(index, value, Style::default(), spelling)?;
        let is_plain = plain.is_some_and(|(fault, _)| fault.cause() == cause);
        let style = if is_plain { Style::default() } else { style };
        let smallest = shrink(value.clone(), |value| {
            let judged = self.judge(index, value, style, spelling)?;
            Ok(judged.is_some_and(|(fault, _)| fault.cause() == cause))
        })?;
        let judged = self.judge(index, &smallest, style, spelling)?;
        Ok(judged.unwrap_or(failed))
    }

    fn judge(
        &mut self,
        index: usize,
        value: &Value,
        style: Style,
        spelling: u64,
    ) -> Result<Option<(Fault, String)>, Failure> {
        let Some(root) = self.roots.get(index) else {
            return Ok(None);
        };
        let text = spell(value, style, &mut Rng::with_seed(spelling));
        let fault = judge(self.reader, self.subject, (index, root), value, &text)?;
        Ok(fault.map(|fault| (fault, text)))
    }
}
