//! The operations that reach a value without a type, by cause.

use std::collections::{BTreeMap, BTreeSet};

use ::codegen::diagnostics::Code;
use ::codegen::{Input, Outcome, reach};

use commands::host::table::TextTable;

/// The end of the message of most warnings; the rest is the cause.
const NO_TYPE: &str = " has no Rust type yet";

/// The numbers of operations that reach a value without a type where their document has one.
#[derive(Clone, Debug, Default)]
pub struct Untyped {
    /// All of them.
    pub operations: usize,
    /// Those of each cause. An operation can have several.
    pub causes: BTreeMap<String, usize>,
}

impl Untyped {
    /// Counts the operations of a document, except operations that are left out.
    pub fn count(input: Input<'_>, outcome: &Outcome) -> Self {
        let left_out: BTreeSet<&String> = outcome.left_out.iter().collect();
        let mut all = BTreeSet::new();
        let mut causes = BTreeMap::new();
        for (message, operations) in reach(input, &outcome.diagnostics, Code::Untyped) {
            let operations: Vec<String> =
                operations.into_iter().filter(|operation| !left_out.contains(operation)).collect();
            let cause = message.strip_suffix(NO_TYPE).unwrap_or(&message);
            causes.insert(cause.to_owned(), operations.len());
            all.extend(operations);
        }
        Self { operations: all.len(), causes }
    }

    /// Adds the counts of another document.
    pub fn add(&mut self, other: &Self) {
        self.operations += other.operations;
        for (cause, operations) in &other.causes {
            *self.causes.entry(cause.clone()).or_default() += operations;
        }
    }

    /// Returns the causes with their shares of all operations, the most frequent first.
    pub fn table(&self, operations: usize) -> TextTable {
        let mut table = TextTable::new(["cause", "operations", "share"]);
        let mut causes: Vec<_> =
            self.causes.iter().map(|(cause, count)| (cause.as_str(), *count)).collect();
        causes.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        for (cause, count) in causes.into_iter().chain([("any", self.operations)]) {
            table.row([cause.to_owned(), count.to_string(), share(count, operations)]);
        }
        table
    }
}

/// Formats a share in percent.
#[expect(clippy::cast_precision_loss, reason = "counts of operations are small")]
fn share(count: usize, of: usize) -> String {
    format!("{:.1} %", 100.0 * count as f64 / of.max(1) as f64)
}
