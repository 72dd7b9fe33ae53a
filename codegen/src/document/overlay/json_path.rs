//! The subset of `JSONPath` (RFC 9535) that overlays use: names, indices, `*`, `..`, and filters that compare one value
//! or test whether it exists.

use crate::document::Node;
use crate::source_map::Pointer;

/// Maximum number of values that are visited to select others.
const MAX_VISITED: usize = 2_000_000;

/// A parsed path.
#[derive(Debug, PartialEq)]
pub struct JsonPath(Vec<Segment>);

#[derive(Debug, PartialEq)]
struct Segment {
    /// Whether it applies to all descendants: `..`.
    descends: bool,
    selectors: Vec<Selector>,
}

#[derive(Debug, PartialEq)]
enum Selector {
    Name(String),
    Index(i64),
    All,
    /// `?@.path`, or `?@.path == literal` and `!=`.
    Filter {
        path: JsonPath,
        test: Option<(bool, Node)>,
    },
}

impl JsonPath {
    /// Parses a path. The error describes the problem.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut parser = Parser { text, rest: text };
        if !parser.take("$") {
            return Err("a JSONPath must begin with `$`".to_owned());
        }
        let path = parser.segments()?;
        if parser.rest.is_empty() { Ok(path) } else { Err(parser.unexpected()) }
    }

    /// Returns the locations of the selected values, in document order. Fails if the path visits too many values.
    pub fn select(&self, root: &Node) -> Result<Vec<Pointer>, String> {
        let mut budget = MAX_VISITED;
        let found = self
            .nodes(root, &mut budget)
            .ok_or("the JSONPath visits too many values: use `..` at most once")?;
        Ok(found.into_iter().map(|(location, _)| location).collect())
    }

    /// Returns the selected values; `None` if the budget of visits is spent.
    fn nodes<'n>(&self, root: &'n Node, budget: &mut usize) -> Option<Vec<(Pointer, &'n Node)>> {
        let mut found: Vec<(Pointer, &Node)> = vec![(Pointer::root(), root)];
        for segment in &self.0 {
            let mut next = Vec::new();
            for (location, node) in found {
                segment.select(&location, node, budget, &mut next)?;
            }
            found = next;
        }
        Some(found)
    }
}

impl Segment {
    fn select<'n>(
        &self,
        at: &Pointer,
        node: &'n Node,
        budget: &mut usize,
        found: &mut Vec<(Pointer, &'n Node)>,
    ) -> Option<()> {
        let children = children(node);
        *budget = budget.checked_sub(children.len())?;
        for selector in &self.selectors {
            let length = i64::try_from(children.len()).unwrap_or(i64::MAX);
            for (index, (key, child)) in (0..length).zip(&children) {
                let is_selected = match selector {
                    Selector::Name(name) => node.as_object().is_some() && key == name,
                    Selector::Index(wanted) => {
                        node.as_array().is_some() && (*wanted == index || *wanted + length == index)
                    }
                    Selector::All => true,
                    Selector::Filter { path, test } => {
                        let value = path.nodes(child, budget)?.first().map(|(_, value)| *value);
                        match test {
                            None => value.is_some(),
                            Some((equal, literal)) => (value == Some(literal)) == *equal,
                        }
                    }
                };
                if is_selected {
                    found.push((at.join(key), *child));
                }
            }
        }
        if self.descends {
            for (key, child) in &children {
                let at = at.join(key);
                self.select(&at, child, budget, found)?;
            }
        }
        Some(())
    }
}

fn children(node: &Node) -> Vec<(String, &Node)> {
    match node {
        Node::Array(items) => {
            items.iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect()
        }
        Node::Object(properties) => {
            properties.iter().map(|(key, value)| (key.clone(), value)).collect()
        }
        _ => Vec::new(),
    }
}

struct Parser<'t> {
    text: &'t str,
    rest: &'t str,
}

impl Parser<'_> {
    fn segments(&mut self) -> Result<JsonPath, String> {
        let mut segments = Vec::new();
        while self.rest.starts_with(['.', '[']) {
            segments.push(self.segment()?);
        }
        Ok(JsonPath(segments))
    }

    fn segment(&mut self) -> Result<Segment, String> {
        let descends = self.take("..");
        if self.take("[") {
            let mut selectors = vec![self.selector()?];
            while self.take(",") {
                selectors.push(self.selector()?);
            }
            self.demand("]")?;
            return Ok(Segment { descends, selectors });
        }
        if !descends {
            self.demand(".")?;
        }
        let selector = if self.take("*") { Selector::All } else { Selector::Name(self.name()?) };
        Ok(Segment { descends, selectors: vec![selector] })
    }

    fn selector(&mut self) -> Result<Selector, String> {
        self.skip_space();
        if self.take("*") {
            return Ok(Selector::All);
        }
        if self.take("?") {
            return self.filter();
        }
        match self.literal()? {
            Node::String(name) => Ok(Selector::Name(name)),
            Node::Integer(index) => {
                let index = i64::try_from(index).map_err(|_| self.unexpected())?;
                Ok(Selector::Index(index))
            }
            _ => Err(self.unexpected()),
        }
    }

    fn filter(&mut self) -> Result<Selector, String> {
        self.skip_space();
        let is_grouped = self.take("(");
        self.skip_space();
        self.demand("@")?;
        let path = self.segments()?;
        self.skip_space();
        let operator = [("==", true), ("!=", false)].into_iter().find(|(text, _)| self.take(text));
        let test = match operator {
            Some((_, equal)) => Some((equal, self.literal()?)),
            None => None,
        };
        self.skip_space();
        if is_grouped {
            self.demand(")")?;
        }
        Ok(Selector::Filter { path, test })
    }

    /// Parses a quoted string, a number, `true`, `false` or `null`.
    fn literal(&mut self) -> Result<Node, String> {
        self.skip_space();
        for mark in ['\'', '"'] {
            if let Some(inside) = self.rest.strip_prefix(mark) {
                let (text, length) = unquoted(inside, mark).ok_or_else(|| self.unexpected())?;
                self.rest = &inside[length..];
                self.skip_space();
                return Ok(Node::String(text));
            }
        }
        let end = self.rest.find([']', ',', ')', ' ']).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        let value = match word {
            "true" => Node::Bool(true),
            "false" => Node::Bool(false),
            "null" => Node::Null,
            number => Node::Integer(number.parse().map_err(|_| self.unexpected())?),
        };
        self.rest = rest;
        self.skip_space();
        Ok(value)
    }

    fn name(&mut self) -> Result<String, String> {
        let is_part =
            |char: char| char.is_alphanumeric() || char == '_' || char == '-' || char == '$';
        let end = self.rest.find(|char| !is_part(char)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        if name.is_empty() {
            return Err(self.unexpected());
        }
        self.rest = rest;
        Ok(name.to_owned())
    }

    fn take(&mut self, token: &str) -> bool {
        let rest = self.rest.strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn demand(&mut self, token: &str) -> Result<(), String> {
        if self.take(token) { Ok(()) } else { Err(self.unexpected()) }
    }

    fn skip_space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn unexpected(&self) -> String {
        let at = self.text.len() - self.rest.len();
        let seen = &self.text[..at];
        format!("this JSONPath is not supported; the supported part is `{seen}`")
    }
}

/// Returns a quoted text without its escapes, and its length in bytes with the closing quote.
fn unquoted(text: &str, mark: char) -> Option<(String, usize)> {
    let mut found = String::new();
    let mut chars = text.char_indices();
    while let Some((place, char)) = chars.next() {
        match char {
            '\\' => found.push(chars.next()?.1),
            _ if char == mark => return Some((found, place + char.len_utf8())),
            _ => found.push(char),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::Diagnostics;
    use crate::document::{Source, parse};

    fn selected(path: &str) -> Vec<String> {
        let text = "paths:\n  /a/{b}: {get: {tags: [x, y], n: 1}, put: {tags: [z]}}\nlist: [{n: 1, k: v}, {n: 2}]\n";
        let source = Source { name: String::new(), text: text.to_owned() };
        let root = parse(&source, &mut Diagnostics::new()).unwrap();
        let found = JsonPath::parse(path).unwrap().select(&root).unwrap();
        found.iter().map(|location| location.segments().join(" ")).collect()
    }

    #[test]
    fn values_are_selected() {
        for (path, expected) in [
            ("$", &[""][..]),
            ("$.paths['/a/{b}'].get", &["paths /a/{b} get"]),
            ("$.paths[\"/a/{b}\"]['get', 'put']", &["paths /a/{b} get", "paths /a/{b} put"]),
            ("$.paths.*.*.tags[0]", &["paths /a/{b} get tags 0", "paths /a/{b} put tags 0"]),
            ("$.list[-1]", &["list 1"]),
            ("$..tags", &["paths /a/{b} get tags", "paths /a/{b} put tags"]),
            ("$.list[?@.n == 2]", &["list 1"]),
            ("$.list[?(@['k']=='v')].n", &["list 0 n"]),
            ("$.list[?@.k]", &["list 0"]),
            ("$.list[?@.n != 2][*]", &["list 0 n", "list 0 k"]),
            ("$..[?@.n==1]", &["list 0", "paths /a/{b} get"]),
            ("$.none.at.all", &[]),
        ] {
            let mut found = selected(path);
            found.sort();
            let mut expected = expected.to_vec();
            expected.sort_unstable();
            assert_eq!(found, expected, "{path}");
        }
    }

    #[test]
    fn unsupported_paths_are_errors() {
        for path in [
            "",
            "paths",
            "$.",
            "$[",
            "$['a",
            "$[?@.a > 1]",
            "$[1:2]",
            "$[?@.a && @.b]",
            "$x",
            "$.a[?length(@)]",
        ] {
            assert!(JsonPath::parse(path).is_err(), "{path}");
        }
    }
}
