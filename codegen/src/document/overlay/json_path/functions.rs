//! Comparisons, and the functions of filters (RFC 9535 §2.3.5 and §2.4).

use std::borrow::Cow;
use std::sync::LazyLock;

use regex_lite::Regex;
use unicode_general_category::get_general_category;

use super::path::Operator;
use crate::document::Node;

/// Compares two values, either of which may be missing (RFC 9535 §2.3.5.2.2).
pub(super) fn holds(operator: Operator, left: Option<&Node>, right: Option<&Node>) -> bool {
    match operator {
        Operator::Equal => are_equal(left, right),
        Operator::NotEqual => !are_equal(left, right),
        Operator::Less => less(left, right),
        Operator::LessOrEqual => less(left, right) || are_equal(left, right),
        Operator::Greater => less(right, left),
        Operator::GreaterOrEqual => less(right, left) || are_equal(left, right),
    }
}

fn are_equal(left: Option<&Node>, right: Option<&Node>) -> bool {
    match (left, right) {
        (Some(left), Some(right)) => equal(left, right),
        (left, right) => left.is_none() && right.is_none(),
    }
}

/// Returns whether two values are equal: numbers by value, objects in any order.
fn equal(left: &Node, right: &Node) -> bool {
    match (left, right) {
        (Node::Array(left), Node::Array(right)) => {
            left.len() == right.len()
                && left.iter().zip(right).all(|(left, right)| equal(left, right))
        }
        (Node::Object(left), Node::Object(right)) => {
            let mut pairs = sorted(left).into_iter().zip(sorted(right));
            left.len() == right.len()
                && pairs.all(|((one, left), (other, right))| one == other && equal(left, right))
        }
        (Node::Integer(integer), Node::Float(float))
        | (Node::Float(float), Node::Integer(integer)) => {
            approximate(*integer).total_cmp(float).is_eq()
        }
        _ => left == right,
    }
}

fn sorted(properties: &[(String, Node)]) -> Vec<&(String, Node)> {
    let mut sorted: Vec<_> = properties.iter().collect();
    sorted.sort_by_key(|(name, _)| name);
    sorted
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
pub(super) fn length(value: &Node) -> Option<Cow<'static, Node>> {
    match value {
        Node::String(text) => Some(integer(text.chars().count())),
        Node::Array(items) => Some(integer(items.len())),
        Node::Object(properties) => Some(integer(properties.len())),
        _ => None,
    }
}

pub(super) fn integer(count: usize) -> Cow<'static, Node> {
    Cow::Owned(i128::try_from(count).map_or(Node::Null, Node::Integer))
}

/// The maximum length of a regular expression in bytes, with the characters of its categories.
const MAX_EXPRESSION: usize = 1 << 20;

/// Compiles a regular expression of RFC 9485, in which `.` does not match line ends, and anchors are no operators.
pub(super) fn regex(pattern: &str, is_whole: bool) -> Option<Regex> {
    let mut translated = String::with_capacity(pattern.len() + 8);
    let mut is_in_class = false;
    let mut rest = pattern;
    while let Some(char) = rest.chars().next() {
        let (token, after) = match char {
            '\\' => rest.split_at(1 + rest.chars().nth(1)?.len_utf8()),
            _ => rest.split_at(char.len_utf8()),
        };
        rest = after;
        match token {
            "." if !is_in_class => translated.push_str("[^\\n\\r]"),
            r"\p" | r"\P" => {
                let (name, after) = rest.strip_prefix('{')?.split_once('}')?;
                let characters = characters(name, token == r"\p")?;
                let class = if is_in_class { characters } else { format!("[{characters}]") };
                translated.push_str(&class);
                rest = after;
            }
            token => translated.push_str(token),
        }
        is_in_class = (is_in_class || token == "[") && token != "]";
        if translated.len() > MAX_EXPRESSION {
            return None;
        }
    }
    let whole = format!("^(?:{translated})$");
    Regex::new(if is_whole { &whole } else { &translated }).ok()
}

/// Returns the characters of a category of Unicode, such as `Lu` or `L`, or all others, for within brackets.
fn characters(category: &str, is_in: bool) -> Option<String> {
    let (own, others): (Vec<_>, Vec<_>) = CATEGORIES
        .iter()
        .partition(|(name, ..)| !category.is_empty() && name.starts_with(category));
    own.first()?;
    let ranges = if is_in { own } else { others };
    let ranges = ranges.into_iter().map(|(_, first, last)| {
        format!("\\x{{{:x}}}-\\x{{{:x}}}", u32::from(first), u32::from(last))
    });
    Some(ranges.collect())
}

/// The categories of all characters, with the first and the last of each sequence.
static CATEGORIES: LazyLock<Vec<(&str, char, char)>> = LazyLock::new(|| {
    let mut categories: Vec<(&str, char, char)> = Vec::new();
    for char in '\0'..=char::MAX {
        let category = get_general_category(char).abbreviation();
        match categories.last_mut() {
            Some((name, _, last)) if *name == category => *last = char,
            _ => categories.push((category, char, char)),
        }
    }
    categories
});
