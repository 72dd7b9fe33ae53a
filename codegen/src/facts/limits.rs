//! Limits, examples and defaults of values in words: servers check them, so that only the documentation has them.

use crate::document::{Node, View};
use crate::ir::Type;

const EXAMPLE: &str = "example";

const KEYWORDS: [&str; 12] = [
    "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf", "minLength",
    "maxLength", "minItems", "maxItems", "pattern", EXAMPLE, "examples",
];

/// The bounds of types, without their signs: generators write them for all values of a type.
const OF_TYPES: [f64; 7] = [
    2_147_483_647.0,
    2_147_483_648.0,
    4_294_967_295.0,
    9_007_199_254_740_991.0,
    9_223_372_036_854_775_808.0,
    18_446_744_073_709_551_616.0,
    f64::MAX,
];

/// Maximum length of a value that is documented, in bytes.
const MAX_VALUE: usize = 80;

/// Maximum length of a line without the default, in bytes.
const MAX_LINE: usize = 100;

/// The keywords of schemas that apply to the same value. The first schema that has one decides.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'d>([Option<&'d Node>; KEYWORDS.len()]);

/// A sentence about values, with the texts of the document in it.
type Sentence = (String, Vec<String>);

/// Whether a bound is exclusive, and the bound.
type Bound = (bool, String);

impl<'d> Limits<'d> {
    pub fn add(&mut self, view: &View<'d>) {
        for (node, keyword) in self.0.iter_mut().zip(KEYWORDS) {
            *node = node.or_else(|| view.get(keyword));
        }
    }

    /// Replaces the example by that of a parameter, which overrides the one of its schema (OpenAPI 3.1 §4.8.12).
    pub fn with_example_of(&mut self, parameter: &View<'d>) {
        let own = KEYWORDS.iter().position(|keyword| *keyword == EXAMPLE);
        if let (Some(example), Some(own)) = (parameter.get(EXAMPLE), own) {
            self.0[own] = Some(example);
        }
    }

    /// Returns a line about the values of a type: what a text does not say yet, if it has room. Secrets have only limits.
    pub fn line(&self, ty: &Type, is_secret: bool, default: Option<&Node>, text: &str) -> String {
        let examples = || self.get("examples")?.as_array()?.first();
        let example = self.get(EXAMPLE).or_else(examples).filter(|example| {
            let is_said = Some(*example) == default || example.as_str() == Some("string");
            !is_secret && !is_said && example.as_array().is_none()
        });
        let mut line = String::new();
        for (sentence, said) in self.sentences(ty, example) {
            let is_known = said.iter().all(|value| has(text, value));
            if !is_known && line.len() + sentence.len() < MAX_LINE {
                line.push_str(&sentence);
                line.push(' ');
            }
        }
        line
    }

    /// Returns the least integer that is not negative.
    pub fn minimum(&self) -> Option<u64> {
        let integer = |keyword| self.get(keyword)?.scalar()?.parse::<u64>().ok();
        integer("minimum").or_else(|| integer("exclusiveMinimum")?.checked_add(1))
    }

    pub fn max_length(&self) -> Option<u64> {
        self.get("maxLength")?.scalar()?.parse().ok()
    }

    /// Returns a sentence about a default, if it is a scalar or a short list.
    pub fn default(default: &Node) -> Option<String> {
        shown(default).map(|default| format!("The default is `{default}`."))
    }

    fn sentences(&self, ty: &Type, example: Option<&Node>) -> impl Iterator<Item = Sentence> {
        let ty = if let Type::Secret(inner) = ty { inner } else { ty };
        let is_number = ty.is_integer() || *ty == Type::FLOAT64;
        let is_text = ty.is_string();
        let (least, most, noun) = match ty {
            Type::List(_) => (self.bound("minItems", ""), self.bound("maxItems", ""), " item"),
            Type::String => {
                (self.bound("minLength", ""), self.bound("maxLength", ""), " character")
            }
            _ if is_number => {
                let least = self.bound("minimum", "exclusiveMinimum");
                let is_signed = !matches!(ty, Type::Scalar(it) if it.is_unsigned());
                let least = least.filter(|least| is_signed || *least != (false, "0".to_owned()));
                (least, self.bound("maximum", "exclusiveMaximum"), "")
            }
            _ => (None, None, ""),
        };
        let limits = range(least.as_ref(), most.as_ref(), noun);
        let coded = |words: &str, node: Option<&Node>| {
            let text = node.and_then(shown)?;
            Some((format!("{words} `{text}`."), vec![text]))
        };
        let pattern = self.get("pattern").filter(|_| is_text);
        let pattern = coded("Matches", pattern);
        let example = example.filter(|_| is_text || is_number);
        let is_whole = |step: &&Node| ty.is_integer() && step.scalar().as_deref() == Some("1");
        let step = self.get("multipleOf").filter(|step| is_number && !is_whole(step));
        let step = coded("A multiple of", step);
        limits.into_iter().chain(step).chain(pattern).chain(coded("For example", example))
    }

    fn get(&self, keyword: &str) -> Option<&'d Node> {
        KEYWORDS.iter().zip(self.0).find(|(known, _)| **known == keyword)?.1
    }

    /// Returns a bound: in OpenAPI 3.0, the second keyword is a boolean.
    fn bound(&self, keyword: &str, exclusive: &str) -> Option<Bound> {
        let own = self.get(keyword);
        let (is_exclusive, node) = match self.get(exclusive) {
            Some(Node::Bool(is_exclusive)) => (*is_exclusive, own?),
            // Which of two bounds is the narrower one depends on the numbers.
            Some(_) if own.is_some() => return None,
            Some(node) => (true, node),
            None => (false, own?),
        };
        let bound = node.scalar()?;
        let number: f64 = bound.parse().ok()?;
        (!OF_TYPES.contains(&number.abs())).then_some((is_exclusive, bound))
    }
}

/// Returns a scalar or a list of scalars as a short text; `None` for null, which is the absence of a value.
fn shown(node: &Node) -> Option<String> {
    let text = match node {
        Node::Array(items) => {
            let items: Option<Vec<_>> = items.iter().map(Node::scalar).collect();
            items.map(|items| format!("[{}]", items.join(", ")))
        }
        scalar => scalar.scalar(),
    };
    text.filter(|text| {
        !text.trim().is_empty() && text.len() <= MAX_VALUE && !text.contains(['`', '\n', '\r'])
    })
}

/// Returns whether a text has a value, not as a part of a word or of another number.
fn has(text: &str, value: &str) -> bool {
    text.match_indices(value).any(|(start, _)| {
        let (before, after) = (&text[..start], &text[start + value.len()..]);
        let of_number = before.strip_suffix(['.', ',', '-']).unwrap_or_default();
        !before.ends_with(char::is_alphanumeric)
            && !of_number.ends_with(char::is_numeric)
            && (!before.ends_with('-') || value.starts_with('-'))
            && !after.starts_with(char::is_alphanumeric)
    })
}

/// Returns a sentence about the bounds of numbers, or of the number of `noun`s.
fn range(least: Option<&Bound>, most: Option<&Bound>, noun: &str) -> Option<Sentence> {
    let least = least.filter(|(_, least)| noun.is_empty() || least != "0");
    let values: Vec<_> = [least, most].into_iter().flatten().map(|(_, it)| it.clone()).collect();
    let of = |bound: Option<&Bound>, [weak, strict]: [&str; 2]| {
        let (is_exclusive, value) = bound?;
        Some(format!("{} {value}", if *is_exclusive { strict } else { weak }))
    };
    let words = match (least, most) {
        (Some((false, least)), Some((false, most))) if least == most => format!("Exactly {most}"),
        (Some((false, least)), Some((false, most))) => format!("From {least} to {most}"),
        _ => {
            let words = [of(least, ["At least", "More than"]), of(most, ["At most", "Less than"])];
            words.into_iter().flatten().reduce(|all, it| format!("{all}, {}", it.to_lowercase()))?
        }
    };
    let is_one = values.last().is_some_and(|last| last == "1");
    let plural = if noun.is_empty() || is_one { "" } else { "s" };
    Some((format!("{words}{noun}{plural}."), values))
}
