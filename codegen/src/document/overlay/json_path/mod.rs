//! `JSONPath` (RFC 9535), which selects the values that an overlay changes.

mod filter;
mod parse;

use crate::document::Node;
use crate::source_map::Pointer;
use filter::Test;

/// Maximum number of values that are visited to select others.
const MAX_VISITED: usize = 2_000_000;

/// A parsed path.
#[derive(Debug)]
pub struct JsonPath(Query);

/// A path from the root of a document (`$`), or from the value that a filter tests (`@`).
#[derive(Debug)]
struct Query {
    is_relative: bool,
    segments: Vec<Segment>,
}

#[derive(Debug)]
struct Segment {
    /// Whether it applies to all descendants: `..`.
    descends: bool,
    selectors: Vec<Selector>,
}

#[derive(Debug)]
enum Selector {
    Name(String),
    Index(i64),
    Slice(Slice),
    All,
    Filter(Test),
}

/// Every `step`th element from `start` to before `end` (RFC 9535 §2.3.4).
#[derive(Debug)]
struct Slice {
    start: Option<i64>,
    end: Option<i64>,
    step: i64,
}

/// A value with its place.
type Place<'n> = (Pointer, &'n Node);

/// The budget of visits is spent.
#[derive(Debug)]
struct Spent;

/// A selection in progress.
struct Walk<'n> {
    root: &'n Node,
    /// The number of values that can still be visited.
    budget: usize,
}

impl JsonPath {
    /// Parses a path. The error describes the problem.
    pub fn parse(text: &str) -> Result<Self, String> {
        parse::parse(text).map(Self)
    }

    /// Returns the places of the selected values in the order of RFC 9535: several selectors can select a value several
    /// times. Fails if the path visits too many values.
    pub fn select(&self, root: &Node) -> Result<Vec<Pointer>, String> {
        let mut walk = Walk { root, budget: MAX_VISITED };
        let found = walk
            .query(&self.0, root)
            .map_err(|Spent| "the JSONPath visits too many values: use `..` at most once")?;
        Ok(found.into_iter().map(|(place, _)| place).collect())
    }
}

impl<'n> Walk<'n> {
    /// Returns the values that a query selects.
    fn query(&mut self, query: &Query, current: &'n Node) -> Result<Vec<Place<'n>>, Spent> {
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
        found: &mut Vec<Place<'n>>,
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
        found: &mut Vec<Place<'n>>,
    ) -> Result<(), Spent> {
        match (selector, node) {
            (Selector::Name(name), Node::Object(_)) => {
                self.visit(1)?;
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
    fn children(&mut self, place: &Pointer, node: &'n Node) -> Result<Vec<Place<'n>>, Spent> {
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

    fn visit(&mut self, values: usize) -> Result<(), Spent> {
        self.budget = self.budget.checked_sub(values).ok_or(Spent)?;
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

fn element<'n>(place: &Pointer, items: &'n [Node], index: i64) -> Option<Place<'n>> {
    let index = usize::try_from(index).ok()?;
    Some((place.join_index(index), items.get(index)?))
}

#[cfg(test)]
mod tests;
