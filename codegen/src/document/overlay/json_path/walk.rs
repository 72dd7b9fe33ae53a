//! The selection of values.

use std::borrow::Cow;
use std::collections::HashMap;

use regex_lite::Regex;

use super::functions::{holds, integer, length, regex};
use super::path::{Operand, Query, Segment, Selector, Slice, Test};
use crate::document::Node;
use crate::source_map::Pointer;

/// Maximum number of values that are visited to select others. The tests reach it sooner.
const MAX_VISITED: usize = if cfg!(test) { 200_000 } else { 2_000_000 };

/// Maximum number of different regular expressions of a query, each of which is compiled once.
const MAX_PATTERNS: usize = 200;

/// The number of bytes of a text that is searched or counted that cost as much as a value that is visited.
const TEXT_OF_VISIT: usize = 16;

/// The size of values that are compared that costs as much.
const SIZE_OF_VISIT: usize = 256;

/// The number of properties among which a name is searched that cost as much.
const NAMES_OF_VISIT: usize = 16;

/// A value with its place.
pub(super) type Located<'n> = (Pointer, &'n Node);

/// The bound that a query exceeds.
#[derive(Debug)]
pub(super) enum Spent {
    Values,
    Patterns,
}

impl Spent {
    pub(super) fn message(&self) -> String {
        match self {
            Self::Values => format!(
                "the JSONPath visits too many values, more than {MAX_VISITED}: select fewer by names in place of `..`, `*` and queries within filters"
            ),
            Self::Patterns => format!(
                "the JSONPath has too many different patterns, more than {MAX_PATTERNS}: write the pattern of `match` or `search` in quotes"
            ),
        }
    }
}

/// A selection in progress.
pub(super) struct Walk<'n> {
    root: &'n Node,
    /// The number of values that can still be visited.
    budget: usize,
    /// The regular expressions, by their text and whether they match a whole text; `None` for invalid ones.
    patterns: HashMap<(String, bool), Option<Regex>>,
}

impl<'n> Walk<'n> {
    pub(super) fn new(root: &'n Node) -> Self {
        Self { root, budget: MAX_VISITED, patterns: HashMap::new() }
    }

    /// Returns the values that a query selects.
    pub(super) fn query(
        &mut self,
        query: &Query,
        current: &'n Node,
    ) -> Result<Vec<Located<'n>>, Spent> {
        let start = if query.is_relative { current } else { self.root };
        let mut found = vec![(Pointer::root(), start)];
        for segment in &query.segments {
            let mut next = Vec::new();
            for (place, node) in found {
                self.segment(segment, &place, node, &mut next)?;
            }
            found = next;
        }
        Ok(found)
    }

    fn segment(
        &mut self,
        segment: &Segment,
        place: &Pointer,
        node: &'n Node,
        found: &mut Vec<Located<'n>>,
    ) -> Result<(), Spent> {
        for selector in &segment.selectors {
            self.selector(selector, place, node, found)?;
        }
        if segment.descends {
            for (place, child) in self.children(place, node)? {
                self.segment(segment, &place, child, found)?;
            }
        }
        Ok(())
    }

    fn selector(
        &mut self,
        selector: &Selector,
        place: &Pointer,
        node: &'n Node,
        found: &mut Vec<Located<'n>>,
    ) -> Result<(), Spent> {
        match (selector, node) {
            (Selector::Name(name), Node::Object(properties)) => {
                self.visit(1 + properties.len() / NAMES_OF_VISIT)?;
                found.extend(node.get(name).map(|child| (place.join(name), child)));
            }
            (Selector::Index(index), Node::Array(items)) => {
                self.visit(1)?;
                let index = from_start(*index, items.len());
                found.extend(element(place, items, index));
            }
            (Selector::Slice(slice), Node::Array(items)) => {
                self.visit(items.len())?;
                let indices = slice.indices(items.len());
                found.extend(indices.filter_map(|index| element(place, items, index)));
            }
            (Selector::All, _) => found.extend(self.children(place, node)?),
            (Selector::Filter(test), _) => {
                for (place, child) in self.children(place, node)? {
                    if self.passes(test, child)? {
                        found.push((place, child));
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the elements of a list, or the properties of an object.
    fn children(&mut self, place: &Pointer, node: &'n Node) -> Result<Vec<Located<'n>>, Spent> {
        let children: Vec<_> = match node {
            Node::Array(items) => {
                items.iter().enumerate().map(|(at, item)| (place.join_index(at), item)).collect()
            }
            Node::Object(properties) => {
                properties.iter().map(|(key, value)| (place.join(key), value)).collect()
            }
            _ => Vec::new(),
        };
        self.visit(children.len())?;
        Ok(children)
    }

    fn passes(&mut self, condition: &Test, node: &'n Node) -> Result<bool, Spent> {
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
                if let (Some(left), Some(right)) = (&left, &right) {
                    self.visit(left.size().max(right.size()) / SIZE_OF_VISIT)?;
                }
                holds(*operator, left.as_deref(), right.as_deref())
            }
            Test::Matches { is_whole, text, pattern } => {
                let text = self.operand(text, node)?;
                let pattern = self.operand(pattern, node)?;
                match (text.as_deref(), pattern.as_deref()) {
                    (Some(Node::String(text)), Some(Node::String(pattern))) => {
                        self.visit(text.len() / TEXT_OF_VISIT)?;
                        let regex = self.pattern(pattern, *is_whole)?;
                        regex.is_some_and(|regex| regex.is_match(text))
                    }
                    _ => false,
                }
            }
        })
    }

    /// Returns a regular expression, unless it is invalid.
    fn pattern(&mut self, pattern: &str, is_whole: bool) -> Result<Option<&Regex>, Spent> {
        let key = (pattern.to_owned(), is_whole);
        if self.patterns.len() == MAX_PATTERNS && !self.patterns.contains_key(&key) {
            return Err(Spent::Patterns);
        }
        let compiled = self.patterns.entry(key).or_insert_with(|| regex(pattern, is_whole));
        Ok(compiled.as_ref())
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
            Operand::Length(value) => {
                let value = self.operand(value, node)?;
                let text = value.as_deref().and_then(Node::as_str).unwrap_or_default();
                self.visit(text.len() / TEXT_OF_VISIT)?;
                value.as_deref().and_then(length)
            }
            Operand::Count(query) => Some(integer(self.query(query, node)?.len())),
        })
    }

    fn visit(&mut self, values: usize) -> Result<(), Spent> {
        self.budget = self.budget.checked_sub(values).ok_or(Spent::Values)?;
        Ok(())
    }
}

impl Slice {
    /// Returns the selected indices, in order.
    fn indices(&self, length: usize) -> impl Iterator<Item = i64> {
        let size = i64::try_from(length).unwrap_or(i64::MAX);
        let (first, last) = if self.step >= 0 { (0, size) } else { (-1, size - 1) };
        let bound = |index: i64| from_start(index, length).clamp(first, last);
        let forward = self.step > 0;
        let start = self.start.map_or(if forward { first } else { last }, bound);
        let end = self.end.map_or(if forward { last } else { first }, bound);
        let step = self.step;
        std::iter::successors(Some(start), move |index| index.checked_add(step))
            .take_while(move |index| (step > 0 && *index < end) || (step < 0 && *index > end))
    }
}

/// Returns an index from the start of a list; a negative one counts from its end.
fn from_start(index: i64, length: usize) -> i64 {
    if index < 0 { index + i64::try_from(length).unwrap_or(i64::MAX) } else { index }
}

fn element<'n>(place: &Pointer, items: &'n [Node], index: i64) -> Option<Located<'n>> {
    let index = usize::try_from(index).ok()?;
    Some((place.join_index(index), items.get(index)?))
}
