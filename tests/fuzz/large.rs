//! Documents that are large in one respect: unions that refer to each other, openers of Markdown, and lists of values that
//! filters visit.

use codegen::Node;
use tests::Tape;

use crate::recursion::object;

/// Maximum number of unions, each of which refers to all of them.
const MAX_UNIONS: usize = 14;

/// Maximum nesting of unions.
const MAX_NESTED: usize = 60;

/// Maximum length of a description in bytes.
const MAX_TEXT: usize = 100_000;

/// Maximum number of values of a list.
const MAX_VALUES: usize = 3_000;

/// Marks and tags that open something, which does not end.
const OPENERS: [&str; 24] = [
    "[a](<b> ",
    "[",
    "![",
    "*",
    "_",
    "`",
    "***a",
    "~~a ",
    "<",
    "<!-- ",
    "<?",
    "$",
    "> ",
    "- ",
    "> - ",
    "[^a]",
    "&",
    "&#",
    "<a href='http://x'>",
    "<b>",
    "<ul><li>",
    "|a|\n|-|\n",
    "http://a ",
    "\\",
];

/// Returns a document that is large in one respect.
pub fn large(tape: &mut Tape<'_>, mut root: Node) -> Node {
    let schemas = match tape.below(4) {
        0 => mutual(1 + tape.below(MAX_UNIONS), tape),
        1 => object("A", nested(tape)),
        2 => object("A", object("description", Node::String(opened(tape)))),
        _ => values(1 + tape.below(MAX_VALUES)),
    };
    if let Node::Object(fields) = &mut root {
        fields.push(("components".to_owned(), object("schemas", schemas)));
    }
    root
}

/// Returns unions each of which has all of them as alternatives of nameless unions.
fn mutual(count: usize, tape: &mut Tape<'_>) -> Node {
    let keywords = ["oneOf", "anyOf", "allOf"];
    let outer = tape.choose(&keywords[..2]).unwrap_or_default();
    let inner = tape.choose(&keywords).unwrap_or_default();
    let branch = |index| {
        let branches = vec![of_type("integer"), reference(&format!("A{index}"))];
        object(inner, Node::Array(branches))
    };
    let branches: Vec<Node> =
        [of_type("string")].into_iter().chain((0..count).map(branch)).collect();
    let union = object(outer, Node::Array(branches));
    Node::Object((0..count).map(|index| (format!("A{index}"), union.clone())).collect())
}

/// Returns nested unions, the innermost of which refers to the outermost.
fn nested(tape: &mut Tape<'_>) -> Node {
    let mut schema = reference("A");
    for _ in 0..tape.below(MAX_NESTED) {
        let keyword = tape.choose(&["oneOf", "anyOf"]).unwrap_or_default();
        let ty = tape.choose(&["string", "integer", "object", "array", "null"]).unwrap_or_default();
        schema = object(keyword, Node::Array(vec![schema, of_type(ty)]));
    }
    schema
}

/// Returns a description of one or two openers, repeated.
fn opened(tape: &mut Tape<'_>) -> String {
    let opener = tape.choose(&OPENERS).unwrap_or_default().to_owned();
    let other = if tape.one_in(2) { tape.choose(&OPENERS).unwrap_or_default() } else { "" };
    let both = opener + other;
    both.repeat(tape.below(MAX_TEXT) / both.len())
}

/// Returns schemas of different types with descriptions.
fn values(count: usize) -> Node {
    let schema = |index: usize| {
        let description = Node::String(format!("Value {index}."));
        let ty = if index.is_multiple_of(2) { "string" } else { "object" };
        let fields = vec![("type", Node::String(ty.to_owned())), ("description", description)];
        let fields = fields.into_iter().map(|(name, value)| (name.to_owned(), value));
        (format!("A{index}"), Node::Object(fields.collect()))
    };
    Node::Object((0..count).map(schema).collect())
}

fn of_type(ty: &str) -> Node {
    object("type", Node::String(ty.to_owned()))
}

fn reference(name: &str) -> Node {
    object("$ref", Node::String(format!("#/components/schemas/{name}")))
}
