//! Findings and failures of decoding, with their paths.
//!
//! No path is passed down: on the way up, each level prepends its step to the paths of the findings below it. If
//! nothing was found, that costs a comparison of two numbers.

use std::sync::Arc;
use std::{fmt, mem};

use serde::Serialize;
use serde::de::{DeserializeOwned, Error};
use serde_json::Number;

use crate::secrets::Withheld;
use crate::wire::decode::decoded::Decoded;
use crate::wire::decode::drift::{Drift, DriftKind};
use crate::wire::exact::{self, Digits, Exact};
use crate::wire::reflect::plan::Tag;
use crate::wire::reflect::wire::{OwnValue, Target};
use crate::wire::value::Value;
use wire_rules::number;

/// Maximum number of lists and objects within each other.
const MAX_DEPTH: usize = 127;

/// Maximum number of findings for one body.
const MAX_FINDINGS: usize = 1_000;

/// The findings so far.
#[derive(Default)]
pub(in crate::wire) struct DecodeContext {
    /// The deviations from the spec, if they are reported.
    pub findings: Option<Vec<Drift>>,
    /// The path to the failure.
    pub path: String,
    /// The number of lists and objects around the current value.
    depth: usize,
    /// The bytes of JSON that may still be encoded for unions with several properties.
    pub reserve: usize,
    /// The bytes of JSON that may still be encoded for lists and maps that lack received values.
    pub partial_reserve: usize,
    /// The bytes that may still be added to paths: a name is part of the path of each finding below it.
    path_reserve: usize,
    /// The digits of numbers that `serde_json` does not have.
    pub digits: Digits,
    /// Whether the value is the value of a union, or a part of it outside of an object: a text is then no other value.
    pub is_of_union: bool,
    /// The value that its place cannot hold as it was received, with placeholders for the numbers, until the container
    /// takes it. Null otherwise.
    pub unfit: Value,
    /// The secrets of the request that this body answers. Objects retain them for `Debug`.
    pub withheld: Option<Arc<Withheld>>,
    /// The tags of the unions around this one that it is the value of.
    pub outer_tags: Vec<&'static Tag>,
}

/// A step into a JSON value.
#[derive(Clone, Copy)]
pub(in crate::wire) enum Step<'a> {
    Index(usize),
    Name(&'a str),
}

impl DecodeContext {
    /// Returns the context of a body of `length` bytes, which collects findings if `report`.
    pub(in crate::wire) fn new(length: usize, report: bool) -> Self {
        Self {
            findings: report.then(Vec::new),
            reserve: (1 << 20) + length.saturating_mul(4),
            partial_reserve: (1 << 16) + length.saturating_mul(4),
            path_reserve: (1 << 20) + length,
            ..Self::default()
        }
    }

    /// Reports that the current value, or a property of it, deviates from the spec.
    pub(in crate::wire) fn report(&mut self, kind: DriftKind, name: &str) {
        if let Some(findings) = &mut self.findings
            && findings.len() < MAX_FINDINGS
        {
            findings.push(Drift { path: String::new(), kind, name: name.to_owned() });
        }
    }

    /// Takes the unfit value, with the nearest numbers, and as JSON if these are not its own.
    pub(in crate::wire) fn take_unfit(&mut self) -> (Value, Option<Exact>) {
        let value = mem::take(&mut self.unfit);
        // Subnormal numbers, and those that are written as the nearest float is, have placeholders only because of others in
        // the text.
        let mut has_others = false;
        let is_same = |float: f64, digits: &str| {
            float.is_subnormal()
                || Number::from_f64(float).is_some_and(|number| number.to_string() == digits)
        };
        let is_other = |digits: &str| !digits.parse().is_ok_and(|float| is_same(float, digits));
        match self.digits.restore(&value, |digits| has_others |= is_other(digits)) {
            Some(json) => {
                let nearest = exact::nearest(json.as_bytes()).unwrap_or_default();
                (nearest, has_others.then_some(Exact(json)))
            }
            None => (value, None),
        }
    }

    /// Replaces placeholders in JSON without a type by the nearest numbers, and reports numbers that are not as
    /// written.
    pub(in crate::wire) fn round<T>(&mut self, value: &mut T)
    where
        T: Serialize + DeserializeOwned + Default,
    {
        let mut rounded = Vec::new();
        let restored = self.digits.restore(value, |digits| rounded.push(digits.to_owned()));
        if let Some(json) = restored {
            *value = exact::nearest(json.as_bytes()).unwrap_or_default();
            for digits in rounded.iter().filter(|digits| number::is_changed(digits)) {
                self.report(DriftKind::Format, digits);
            }
        }
    }

    /// Retains a value that its target cannot hold, and reports it. In place of an object of which nothing is described,
    /// the target holds it: swagger-core describes any value in this way.
    #[cold]
    pub(in crate::wire) fn unfit(&mut self, mut target: Target<'_>, value: Value) -> Decoded {
        if let Target::Own(slot) = &mut target
            && let Some(decoded) = self.own(*slot, &value)
        {
            return decoded;
        }
        self.report(wrong_type(&target, &value), "");
        if let Target::TypedObject(slot) = target {
            *slot = value;
            self.round(slot);
            return Decoded::Value;
        }
        self.unfit = value;
        Decoded::Unfit
    }

    /// Reads a value that its target reads itself. `None` if it cannot.
    fn own(&mut self, slot: &mut dyn OwnValue, value: &Value) -> Option<Decoded> {
        let before = self.count();
        let (mut nearest, mut spelled) = (value.clone(), value.clone());
        self.round(&mut nearest);
        let has_digits = self.digits.spell(&mut spelled);
        if !slot.read(&nearest) {
            self.discard(before);
            return None;
        }
        let written = nearest.to_string();
        if !has_digits || self.digits.restore(value, |_| ()).is_some_and(|json| json == written) {
            return Some(Decoded::Value);
        }
        if slot.read_spelled(&spelled) {
            self.discard(before);
        }
        self.unfit = value.clone();
        Some(Decoded::Approximate)
    }

    /// Retains a text whose meaning the target holds, and reports it.
    #[cold]
    pub(in crate::wire) fn approximate(&mut self, target: Target<'_>, text: &str) -> Decoded {
        match self.unfit(target, text.into()) {
            Decoded::Unfit => Decoded::Approximate,
            held => held,
        }
    }

    /// Retains a list or a map with the values that it lacks, as long as there is memory for them: nested ones are
    /// encoded once for each around them.
    #[cold]
    pub(in crate::wire) fn partial(
        &mut self,
        has_unfit: bool,
        value: impl FnOnce(&mut Digits) -> (Value, usize),
    ) -> Decoded {
        if self.partial_reserve == 0 {
            return Decoded::Value;
        }
        let (value, length) = value(&mut self.digits);
        self.partial_reserve = self.partial_reserve.saturating_sub(length);
        if self.partial_reserve == 0 {
            return Decoded::Value;
        }
        self.unfit = value;
        if has_unfit { Decoded::Partial } else { Decoded::Approximate }
    }

    /// Decodes the value of a step, and adds the step to the path of a failure there, or else to the paths of findings.
    #[inline]
    pub(in crate::wire) fn within<T, E>(
        &mut self,
        step: Step<'_>,
        decode: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<T, E> {
        let before = self.count();
        let result = decode(self);
        if result.is_err() {
            lead(&mut self.path, &step.to_string());
        } else if self.count() != before {
            self.lead(before, step);
        }
        result
    }

    /// Decodes what is in a list or an object. `serde_json` has this limit, too, but not over what is read ahead.
    #[inline]
    pub(in crate::wire) fn nested<T, E: Error>(
        &mut self,
        decode: impl FnOnce(&mut Self) -> Result<T, E>,
    ) -> Result<T, E> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(E::custom("recursion limit exceeded"));
        }
        let result = decode(self);
        self.depth -= 1;
        result
    }

    /// Returns the number of findings.
    pub(in crate::wire) fn count(&self) -> usize {
        self.findings.as_ref().map_or(0, Vec::len)
    }

    /// Removes all findings but the first `before`: what they are about is retained as a whole.
    pub(in crate::wire) fn discard(&mut self, before: usize) {
        if let Some(findings) = &mut self.findings {
            findings.truncate(before);
        }
    }

    /// Removes the findings, but for the first `before`, about undescribed properties of the current value that are allowed.
    pub(in crate::wire) fn allow(&mut self, before: usize, is_allowed: impl Fn(&str) -> bool) {
        let Some(findings) = &mut self.findings else { return };
        let new = findings.split_off(before.min(findings.len()));
        findings.extend(new.into_iter().filter(|Drift { path, kind, name }| {
            !path.is_empty() || *kind != DriftKind::UnknownProperty || !is_allowed(name)
        }));
    }

    /// Adds a step to all findings but the first `before`. If there is no memory for their paths, the first one remains.
    #[cold]
    fn lead(&mut self, before: usize, step: Step<'_>) {
        let Some(findings) = &mut self.findings else { return };
        let step = step.to_string();
        let room = (self.path_reserve / step.len().max(1)).max(1);
        findings.truncate(before.saturating_add(room));
        for drift in findings.iter_mut().skip(before) {
            lead(&mut drift.path, &step);
            self.path_reserve = self.path_reserve.saturating_sub(step.len());
        }
    }
}

/// Returns the drift of a value that its target cannot hold.
pub(super) fn wrong_type(target: &Target<'_>, value: &Value) -> DriftKind {
    let found = match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    };
    DriftKind::WrongType { expected: target.expected(), found }
}

impl fmt::Display for Step<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(index) => write!(f, "[{index}]"),
            Self::Name(name) if is_plain(name) => f.write_str(name),
            Self::Name(name) => write!(f, "[\"{}\"]", name.escape_debug()),
        }
    }
}

/// Puts a step before the path that follows it.
#[cold]
fn lead(path: &mut String, step: &str) {
    if !path.is_empty() && !path.starts_with('[') {
        path.insert(0, '.');
    }
    path.insert_str(0, step);
}

/// Returns whether a name needs no quotes in a path.
fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '@' | '$'))
}
