//! Documents that are large in one respect: schemas that refer to each other, chains of parts, openers of Markdown, lists of
//! values that filters visit, servers, and media types of one body.

use codegen::Node;
use tests::Tape;

use crate::recursion::object;

/// Maximum number of schemas, each of which refers to all of them.
const MAX_MUTUAL: usize = 40;

/// Maximum nesting of unions.
const MAX_NESTED: usize = 60;

/// Maximum number of parts, each of which refers to the next.
const MAX_PARTS: usize = 100;

/// Maximum number of servers, and of media types.
const MAX_ENTRIES: usize = 1_000;

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
    let schemas = match tape.below(7) {
        0 => mutual(1 + tape.below(MAX_MUTUAL), tape),
        1 => object("A", nested(tape)),
        2 => object("A", object("description", Node::String(opened(tape)))),
        3 => chain(1 + tape.below(MAX_PARTS)),
        4 => values(1 + tape.below(MAX_VALUES)),
        5 => {
            set(&mut root, "servers", servers(tape.below(MAX_ENTRIES)));
            values(1)
        }
        _ => {
            set(&mut root, "paths", contents(tape.below(MAX_ENTRIES)));
            values(1)
        }
    };
    set(&mut root, "components", object("schemas", schemas));
    root
}

/// Sets a field of the document.
fn set(root: &mut Node, name: &str, value: Node) {
    if let Node::Object(fields) = root {
        fields.retain(|(other, _)| other != name);
        fields.push((name.to_owned(), value));
    }
}

/// Returns schemas, each of which has the next as a part.
fn chain(count: usize) -> Node {
    let part = |index| {
        let next = reference(&format!("A{}", index + 1));
        (format!("A{index}"), object("allOf", Node::Array(vec![next, of_type("object")])))
    };
    let last = (format!("A{count}"), of_type("object"));
    Node::Object((0..count).map(part).chain([last]).collect())
}

/// Returns servers with hosts of their own.
fn servers(count: usize) -> Node {
    let server = |index| object("url", Node::String(format!("https://host{index}.example.com/v1")));
    Node::Array((0..count).map(server).collect())
}

/// Returns an operation whose body has many media types.
fn contents(count: usize) -> Node {
    let media_type = |index| {
        let properties = object(&format!("p{index}"), of_type("string"));
        let schema = object("properties", properties);
        (format!("application/x{index}+json"), object("schema", schema))
    };
    let content = Node::Object((0..count).map(media_type).collect());
    let body = object("requestBody", object("content", content));
    object("/many", object("post", body))
}

/// Returns schemas composed of all of them: each is an alternative or a part, in a nameless union, a list or a map.
fn mutual(count: usize, tape: &mut Tape<'_>) -> Node {
    let keywords = ["oneOf", "anyOf", "allOf", "items", "additionalProperties"];
    let outer = tape.choose(&keywords[..3]).unwrap_or_default();
    let inner = tape.choose(&keywords).unwrap_or_default();
    let branch = |index| {
        let reference = reference(&format!("A{index}"));
        let is_list = keywords[..3].contains(&inner);
        let branches = || Node::Array(vec![of_type("integer"), reference.clone()]);
        object(inner, if is_list { branches() } else { reference.clone() })
    };
    let text = (outer != "allOf").then(|| of_type("string"));
    let branches: Vec<Node> = text.into_iter().chain((0..count).map(branch)).collect();
    let schema = object(outer, Node::Array(branches));
    Node::Object((0..count).map(|index| (format!("A{index}"), schema.clone())).collect())
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
