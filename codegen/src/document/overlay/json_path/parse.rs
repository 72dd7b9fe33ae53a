//! The grammar of `JSONPath` (RFC 9535, appendix A).

use super::path::{Operand, Operator, Query, Segment, Selector, Slice, Test};
use crate::document::Node;

/// Maximum depth of filters and parentheses.
const MAX_DEPTH: usize = 64;

/// Integers beyond this value are not interoperable (RFC 7493 §2.2).
const MAX_INTEGER: u64 = (1 << 53) - 1;

const OPERATORS: [(&str, Operator); 6] = [
    ("==", Operator::Equal),
    ("!=", Operator::NotEqual),
    ("<=", Operator::LessOrEqual),
    (">=", Operator::GreaterOrEqual),
    ("<", Operator::Less),
    (">", Operator::Greater),
];

/// Parses a path. The error describes the problem.
pub(super) fn parse(text: &str) -> Result<Query, String> {
    let mut parser = Parser { text, rest: text, depth: 0 };
    parser.expect("$")?;
    let segments = parser.segments()?;
    if parser.rest.is_empty() {
        Ok(Query { is_relative: false, segments })
    } else {
        Err(parser.expected("a segment, such as `.name` or `[0]`"))
    }
}

/// An operand of a comparison, an argument of a function, or a test.
enum Term {
    Value(Operand),
    /// A query, which is a value if it selects at most one.
    Query(Query),
    Test(Test),
}

struct Parser<'t> {
    text: &'t str,
    rest: &'t str,
    depth: usize,
}

impl<'t> Parser<'t> {
    fn segments(&mut self) -> Result<Vec<Segment>, String> {
        let mut segments = Vec::new();
        loop {
            let before = self.rest;
            self.skip_space();
            if !self.rest.starts_with(['.', '[']) {
                self.rest = before;
                return Ok(segments);
            }
            segments.push(self.segment()?);
        }
    }

    fn segment(&mut self) -> Result<Segment, String> {
        let descends = self.take("..");
        let has_name = descends || self.take(".");
        if !has_name || descends && self.rest.starts_with('[') {
            return Ok(Segment { descends, selectors: self.bracket()? });
        }
        let selector = if self.take("*") { Selector::All } else { Selector::Name(self.name()?) };
        Ok(Segment { descends, selectors: vec![selector] })
    }

    fn bracket(&mut self) -> Result<Vec<Selector>, String> {
        self.expect("[")?;
        let mut selectors = Vec::new();
        loop {
            self.skip_space();
            selectors.push(self.selector()?);
            self.skip_space();
            if !self.take(",") {
                self.expect("]")?;
                return Ok(selectors);
            }
        }
    }

    fn selector(&mut self) -> Result<Selector, String> {
        if self.take("*") {
            return Ok(Selector::All);
        }
        if self.take("?") {
            self.skip_space();
            return Ok(Selector::Filter(self.any()?));
        }
        if self.rest.starts_with(['\'', '"']) {
            return Ok(Selector::Name(self.string()?));
        }
        let start = self.bound()?;
        let before = self.rest;
        self.skip_space();
        if self.take(":") {
            return Ok(Selector::Slice(self.slice(start)?));
        }
        self.rest = before;
        let selector = start.map(Selector::Index);
        selector.ok_or_else(|| self.expected("a name in quotes, an index, a slice, `*` or `?`"))
    }

    /// Parses a slice after its first colon.
    fn slice(&mut self, start: Option<i64>) -> Result<Slice, String> {
        self.skip_space();
        let end = self.bound()?;
        self.skip_space();
        let mut step = None;
        if self.take(":") {
            self.skip_space();
            step = self.bound()?;
        }
        Ok(Slice { start, end, step: step.unwrap_or(1) })
    }

    /// Parses an index, if there is one.
    fn bound(&mut self) -> Result<Option<i64>, String> {
        if !self.rest.starts_with(|char: char| char == '-' || char.is_ascii_digit()) {
            return Ok(None);
        }
        let invalid = self.expected("an integer of at most 53 bits, without leading zeros");
        let text = self.integer().ok_or(&invalid)?;
        let value = text.parse().ok().filter(|value: &i64| value.unsigned_abs() <= MAX_INTEGER);
        if text == "-0" || value.is_none() { Err(invalid) } else { Ok(value) }
    }

    /// Parses a test, whose parts `||` joins.
    fn any(&mut self) -> Result<Test, String> {
        self.deeper(|parser| Ok(Test::Any(parser.joined("||", Self::all)?)))
    }

    fn all(&mut self) -> Result<Test, String> {
        Ok(Test::All(self.joined("&&", Self::test)?))
    }

    fn joined(
        &mut self,
        operator: &str,
        part: fn(&mut Self) -> Result<Test, String>,
    ) -> Result<Vec<Test>, String> {
        let mut tests = vec![part(self)?];
        loop {
            let before = self.rest;
            self.skip_space();
            if !self.take(operator) {
                self.rest = before;
                return Ok(tests);
            }
            self.skip_space();
            tests.push(part(self)?);
        }
    }

    /// Parses a comparison, a test of existence or a group, with an optional `!`.
    fn test(&mut self) -> Result<Test, String> {
        let is_negated = self.take("!");
        if is_negated {
            self.skip_space();
        }
        let test = if self.take("(") {
            self.skip_space();
            let test = self.any()?;
            self.skip_space();
            self.expect(")")?;
            test
        } else {
            let term = self.term()?;
            if is_negated { self.condition(term)? } else { self.comparison(term)? }
        };
        Ok(if is_negated { Test::Not(Box::new(test)) } else { test })
    }

    /// Parses the rest of a comparison, if an operator follows.
    fn comparison(&mut self, left: Term) -> Result<Test, String> {
        let before = self.rest;
        self.skip_space();
        let operator = OPERATORS.into_iter().find(|(text, _)| self.take(text));
        let Some((_, operator)) = operator else {
            self.rest = before;
            return self.condition(left);
        };
        let left = self.operand(left)?;
        self.skip_space();
        let right = self.term()?;
        Ok(Test::Compare(left, operator, self.operand(right)?))
    }

    fn condition(&self, term: Term) -> Result<Test, String> {
        match term {
            Term::Test(test) => Ok(test),
            Term::Query(query) => Ok(Test::Exists(query)),
            Term::Value(_) => Err(self.expected("a comparison of the value")),
        }
    }

    fn operand(&self, term: Term) -> Result<Operand, String> {
        match term {
            Term::Value(operand) => Ok(operand),
            Term::Query(query) if query.is_singular() => Ok(Operand::Singular(query)),
            Term::Query(_) => Err(self.expected("a query of one value before this place")),
            Term::Test(_) => Err(self.expected("a value instead of the condition")),
        }
    }

    fn term(&mut self) -> Result<Term, String> {
        if self.rest.starts_with(['\'', '"']) {
            return Ok(Term::Value(Operand::Literal(Node::String(self.string()?))));
        }
        for (mark, is_relative) in [("$", false), ("@", true)] {
            if self.take(mark) {
                let segments = self.segments()?;
                return Ok(Term::Query(Query { is_relative, segments }));
            }
        }
        if self.rest.starts_with(|char: char| char == '-' || char.is_ascii_digit()) {
            return Ok(Term::Value(Operand::Literal(self.number()?)));
        }
        let is_part =
            |char: char| char.is_ascii_lowercase() || char.is_ascii_digit() || char == '_';
        let before = self.rest;
        let word = self.take_while(is_part);
        if self.take("(") {
            return self.deeper(|parser| parser.function(word));
        }
        let literal = match word {
            "true" => Node::Bool(true),
            "false" => Node::Bool(false),
            "null" => Node::Null,
            _ => {
                self.rest = before;
                return Err(self.expected("a literal, a query or a function"));
            }
        };
        Ok(Term::Value(Operand::Literal(literal)))
    }

    /// Parses the arguments of a function (RFC 9535 §2.4).
    fn function(&mut self, name: &str) -> Result<Term, String> {
        self.skip_space();
        let function = match name {
            "length" => Term::Value(Operand::Length(Box::new(self.value()?))),
            "count" => Term::Value(Operand::Count(self.query()?)),
            "value" => Term::Value(Operand::Value(self.query()?)),
            "match" | "search" => {
                let text = self.value()?;
                self.skip_space();
                self.expect(",")?;
                self.skip_space();
                let pattern = self.value()?;
                Term::Test(Test::Matches { is_whole: name == "match", text, pattern })
            }
            _ => return Err(format!("`{name}` is not a function of JSONPath")),
        };
        self.skip_space();
        self.expect(")")?;
        Ok(function)
    }

    fn value(&mut self) -> Result<Operand, String> {
        let term = self.term()?;
        self.operand(term)
    }

    fn query(&mut self) -> Result<Query, String> {
        match self.term()? {
            Term::Query(query) => Ok(query),
            _ => Err(self.expected("a query instead of the value")),
        }
    }

    fn deeper<T>(
        &mut self,
        inner: impl FnOnce(&mut Self) -> Result<T, String>,
    ) -> Result<T, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(format!("filters of a JSONPath nest at most {MAX_DEPTH} levels deep"));
        }
        let parsed = inner(self);
        self.depth -= 1;
        parsed
    }

    /// Parses a number of JSON.
    fn number(&mut self) -> Result<Node, String> {
        let start = self.rest;
        let exponents = ["e-", "e+", "e", "E-", "E+", "E"];
        let is_number = self.integer().is_some()
            && (!self.take(".") || self.digits())
            && (!exponents.iter().any(|mark| self.take(mark)) || self.digits());
        let text = &start[..start.len() - self.rest.len()];
        let number = text.parse().map(Node::Integer).or_else(|_| text.parse().map(Node::Float));
        match number {
            Ok(number) if is_number => Ok(number),
            _ => Err(self.expected("a number of JSON")),
        }
    }

    fn digits(&mut self) -> bool {
        !self.take_while(|char| char.is_ascii_digit()).is_empty()
    }

    /// Parses an integer without leading zeros, but `-0`.
    fn integer(&mut self) -> Option<&'t str> {
        let start = self.rest;
        self.take("-");
        let digits = self.take_while(|char| char.is_ascii_digit());
        let is_valid = digits == "0" || !digits.is_empty() && !digits.starts_with('0');
        is_valid.then(|| &start[..start.len() - self.rest.len()])
    }

    /// Parses a name that needs no quotes.
    fn name(&mut self) -> Result<String, String> {
        if !self.rest.starts_with(begins_name) {
            return Err(self.expected("a name, or `*`; put other names in `['…']`"));
        }
        let name = self.take_while(|char| begins_name(char) || char.is_ascii_digit());
        if self.rest.starts_with(['-', '$', '/']) {
            return Err(self.expected("the name in `['…']`, as it is not only letters and digits,"));
        }
        Ok(name.to_owned())
    }

    /// Parses a string in single or double quotes.
    fn string(&mut self) -> Result<String, String> {
        let mark = if self.take("'") { '\'' } else { '"' };
        if mark == '"' {
            self.expect("\"")?;
        }
        let mut text = String::new();
        loop {
            let Some(char) = self.rest.chars().next() else {
                return Err(self.expected("the closing quote of the string"));
            };
            if char < ' ' {
                return Err(
                    self.expected("an escape such as `\\n` instead of the control character")
                );
            }
            self.rest = &self.rest[char.len_utf8()..];
            match char {
                '\\' => {
                    let escaped = self.escape(mark);
                    text.push(escaped.ok_or_else(|| self.expected("a valid escape"))?);
                }
                char if char == mark => return Ok(text),
                char => text.push(char),
            }
        }
    }

    /// Parses an escape after its backslash.
    fn escape(&mut self, mark: char) -> Option<char> {
        let char = self.rest.chars().next()?;
        self.rest = &self.rest[char.len_utf8()..];
        match char {
            'b' => Some('\u{8}'),
            'f' => Some('\u{c}'),
            'n' => Some('\n'),
            'r' => Some('\r'),
            't' => Some('\t'),
            '/' | '\\' => Some(char),
            'u' => {
                let first = self.code_unit()?;
                let is_pair = (0xD800..0xDC00).contains(&first) && self.take("\\u");
                let second = if is_pair { Some(self.code_unit()?) } else { None };
                let mut decoded = char::decode_utf16([first].into_iter().chain(second));
                decoded.next()?.ok()
            }
            char => (char == mark).then_some(char),
        }
    }

    fn code_unit(&mut self) -> Option<u16> {
        let (digits, rest) = self.rest.split_at_checked(4)?;
        let is_valid = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        self.rest = rest;
        u16::from_str_radix(digits, 16).ok().filter(|_| is_valid)
    }

    fn take(&mut self, token: &str) -> bool {
        let rest = self.rest.strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn take_while(&mut self, is_part: impl Fn(char) -> bool) -> &'t str {
        let end = self.rest.find(|char| !is_part(char)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.take(token) { Ok(()) } else { Err(self.expected(&format!("`{token}`"))) }
    }

    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r']);
    }

    fn expected(&self, what: &str) -> String {
        let seen = &self.text[..self.text.len() - self.rest.len()];
        if seen.is_empty() {
            return format!("a JSONPath begins with {what}");
        }
        format!("this JSONPath is invalid: expected {what} after `{seen}`")
    }
}

fn begins_name(char: char) -> bool {
    char.is_ascii_alphabetic() || char == '_' || !char.is_ascii()
}
