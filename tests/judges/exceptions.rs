//! `exceptions.txt`: the cases with another verdict, each with the reason.

use std::collections::BTreeMap;

use crate::reading::Failure;

/// The exceptions, and whether each was seen.
pub struct Exceptions(BTreeMap<String, bool>);

impl Exceptions {
    /// Parses lines of the form `case: reason`.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let cases = lines.map(|line| {
            let (case, reason) = line.split_once(": ").unwrap_or((line, ""));
            let case = (case.to_owned(), false);
            if reason.is_empty() {
                Err(format!("exceptions.txt: `{line}` has no reason"))
            } else {
                Ok(case)
            }
        });
        cases.collect::<Result<_, _>>().map(Self)
    }

    /// Returns whether a case is an exception.
    pub fn contains(&mut self, case: &str) -> bool {
        self.0.get_mut(case).map(|is_seen| *is_seen = true).is_some()
    }

    /// Returns the cases that are not exceptions.
    pub fn unused(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter(|(_, is_seen)| !**is_seen).map(|(case, _)| case.as_str())
    }
}
