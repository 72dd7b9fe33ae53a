//! Filters: comparisons, tests of existence, and functions (RFC 9535 §2.3.5 and §2.4).

use std::borrow::Cow;

use regex::Regex;

use super::{Query, Spent, Walk};
use crate::document::Node;

/// The costs of compiling a regular expression, as a number of visited values.
const PATTERN_COST: usize = 10_000;

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

impl<'n> Walk<'n> {
    /// Returns whether a value passes a test.
    pub(super) fn passes(&mut self, condition: &Test, node: &'n Node) -> Result<bool, Spent> {
        Ok(match condition {
            Test::Any(tests) => {
                for test in tests {
                    if self.passes(test, node)? {
                        return Ok(true);
                    }
                }
                false
            }
            Test::All(tests) => {
                for test in tests {
                    if !self.passes(test, node)? {
                        return Ok(false);
                    }
                }
                true
            }
            Test::Not(test) => !self.passes(test, node)?,
            Test::Exists(query) => !self.query(query, node)?.is_empty(),
            Test::Compare(left, operator, right) => {
                let left = self.operand(left, node)?;
                let right = self.operand(right, node)?;
                operator.holds(left.as_deref(), right.as_deref())
            }
            Test::Matches { is_whole, text, pattern } => {
                let text = self.operand(text, node)?;
                let pattern = self.operand(pattern, node)?;
                self.visit(PATTERN_COST)?;
                match (text.as_deref(), pattern.as_deref()) {
                    (Some(Node::String(text)), Some(Node::String(pattern))) => {
                        regex(pattern, *is_whole).is_some_and(|regex| regex.is_match(text))
                    }
                    _ => false,
                }
            }
        })
    }

    /// Returns the value of an operand, if there is one.
    fn operand<'v>(
        &mut self,
        operand: &'v Operand,
        node: &'n Node,
    ) -> Result<Option<Cow<'v, Node>>, Spent>
    where
        'n: 'v,
    {
        Ok(match operand {
            Operand::Literal(literal) => Some(Cow::Borrowed(literal)),
            Operand::Singular(query) | Operand::Value(query) => {
                match self.query(query, node)?.as_slice() {
                    [(_, value)] => Some(Cow::Borrowed(*value)),
                    _ => None,
                }
            }
            Operand::Length(value) => self.operand(value, node)?.as_deref().and_then(length),
            Operand::Count(query) => Some(integer(self.query(query, node)?.len())),
        })
    }
}

impl Operator {
    /// Compares two values, either of which may be missing (RFC 9535 §2.3.5.2.2).
    fn holds(self, left: Option<&Node>, right: Option<&Node>) -> bool {
        let is_equal = || match (left, right) {
            (Some(left), Some(right)) => equal(left, right),
            (left, right) => left.is_none() && right.is_none(),
        };
        match self {
            Self::Equal => is_equal(),
            Self::NotEqual => !is_equal(),
            Self::Less => less(left, right),
            Self::LessOrEqual => less(left, right) || is_equal(),
            Self::Greater => less(right, left),
            Self::GreaterOrEqual => less(right, left) || is_equal(),
        }
    }
}

/// Returns whether two values are equal: numbers by value, objects in any order.
fn equal(left: &Node, right: &Node) -> bool {
    match (left, right) {
        (Node::Array(left), Node::Array(right)) => {
            left.len() == right.len()
                && left.iter().zip(right).all(|(left, right)| equal(left, right))
        }
        (Node::Object(left), Node::Object(_)) => {
            right.as_object().is_some_and(|right| right.len() == left.len())
                && left
                    .iter()
                    .all(|(key, left)| right.get(key).is_some_and(|right| equal(left, right)))
        }
        (Node::Integer(integer), Node::Float(float))
        | (Node::Float(float), Node::Integer(integer)) => {
            approximate(*integer).total_cmp(float).is_eq()
        }
        _ => left == right,
    }
}

/// Returns whether a number or a text is less than another.
fn less(left: Option<&Node>, right: Option<&Node>) -> bool {
    let (Some(left), Some(right)) = (left, right) else { return false };
    match (left, right) {
        (Node::Integer(left), Node::Integer(right)) => left < right,
        (Node::String(left), Node::String(right)) => left < right,
        (Node::Float(left), Node::Float(right)) => left < right,
        (Node::Integer(left), Node::Float(right)) => approximate(*left) < *right,
        (Node::Float(left), Node::Integer(right)) => *left < approximate(*right),
        _ => false,
    }
}

/// Returns the number of 64 bits that is closest to an integer.
#[expect(clippy::cast_precision_loss, reason = "JSON numbers are compared as numbers of 64 bits")]
fn approximate(integer: i128) -> f64 {
    integer as f64
}

/// Returns the length of a text in characters, or the number of elements or properties.
fn length(value: &Node) -> Option<Cow<'static, Node>> {
    match value {
        Node::String(text) => Some(integer(text.chars().count())),
        Node::Array(items) => Some(integer(items.len())),
        Node::Object(properties) => Some(integer(properties.len())),
        _ => None,
    }
}

fn integer(count: usize) -> Cow<'static, Node> {
    Cow::Owned(i128::try_from(count).map_or(Node::Null, Node::Integer))
}

/// Compiles a regular expression of RFC 9485, in which `.` does not match line ends, and anchors are no operators.
fn regex(pattern: &str, is_whole: bool) -> Option<Regex> {
    let mut translated = String::with_capacity(pattern.len() + 8);
    let mut is_escaped = false;
    let mut is_in_class = false;
    for char in pattern.chars() {
        match char {
            '.' if !is_escaped && !is_in_class => translated.push_str("[^\\n\\r]"),
            char => translated.push(char),
        }
        is_in_class = match char {
            '[' if !is_escaped => true,
            ']' if !is_escaped => false,
            _ => is_in_class,
        };
        is_escaped = char == '\\' && !is_escaped;
    }
    let whole = format!("^(?:{translated})$");
    Regex::new(if is_whole { &whole } else { &translated }).ok()
}
