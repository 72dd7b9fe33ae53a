//! The parts of a `JSONPath`.

use crate::document::Node;

/// A path from the root of a document (`$`), or from the value that a filter tests (`@`).
#[derive(Debug)]
pub(super) struct Query {
    pub(super) is_relative: bool,
    pub(super) segments: Vec<Segment>,
}

#[derive(Debug)]
pub(super) struct Segment {
    /// Whether it applies to all descendants: `..`.
    pub(super) descends: bool,
    pub(super) selectors: Vec<Selector>,
}

#[derive(Debug)]
pub(super) enum Selector {
    Name(String),
    Index(i64),
    Slice(Slice),
    All,
    Filter(Test),
}

/// Every `step`th element from `start` to before `end` (RFC 9535 §2.3.4).
#[derive(Debug)]
pub(super) struct Slice {
    pub(super) start: Option<i64>,
    pub(super) end: Option<i64>,
    pub(super) step: i64,
}

/// A condition that a value must meet.
#[derive(Debug)]
pub(super) enum Test {
    Any(Vec<Test>),
    All(Vec<Test>),
    Not(Box<Test>),
    Exists(Query),
    Compare(Operand, Operator, Operand),
    /// The functions `match`, which compares the whole text, and `search`.
    Matches {
        is_whole: bool,
        text: Operand,
        pattern: Operand,
    },
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// A value, or nothing.
#[derive(Debug)]
pub(super) enum Operand {
    Literal(Node),
    /// The value of a query that selects at most one.
    Singular(Query),
    /// The function `length`.
    Length(Box<Operand>),
    /// The function `count`.
    Count(Query),
    /// The function `value`.
    Value(Query),
}

impl Query {
    /// Returns whether the query selects at most one value (RFC 9535 §2.3.5.1).
    pub(super) fn is_singular(&self) -> bool {
        self.segments.iter().all(|segment| {
            let selectors = segment.selectors.as_slice();
            !segment.descends && matches!(selectors, [Selector::Name(_) | Selector::Index(_)])
        })
    }
}
