use super::*;
use crate::diagnostics::Diagnostics;
use crate::document::{Source, parse};

const DOCUMENT: &str = r#"
paths:
  /a/{b}: {get: {tags: [x, y], n: 1}, put: {tags: [z]}}
list: [{n: 1, k: v}, {n: 2.0, k: "ab\n"}, {n: 3}, 4]
"#;

fn document() -> Node {
    let source = Source { name: String::new(), text: DOCUMENT.to_owned() };
    parse(&source, &mut Diagnostics::new()).unwrap()
}

fn selected(path: &str) -> Vec<String> {
    let found = JsonPath::parse(path).unwrap().select(&document()).unwrap();
    found.iter().map(|place| place.segments().join(" ")).collect()
}

#[test]
fn values_are_selected() {
    for (path, expected) in [
        ("$", &[""][..]),
        ("$.paths['/a/{b}'].get", &["paths /a/{b} get"]),
        ("$.paths[\"/a/{b}\"]['get', 'put']", &["paths /a/{b} get", "paths /a/{b} put"]),
        ("$.paths.*.*.tags[0]", &["paths /a/{b} get tags 0", "paths /a/{b} put tags 0"]),
        ("$ .list [ -1 ]", &["list 3"]),
        ("$.list[1:3]", &["list 1", "list 2"]),
        ("$.list[::-2]", &["list 3", "list 1"]),
        ("$.list[5:0:-3]", &["list 3"]),
        ("$.list[::0]", &[]),
        ("$..tags", &["paths /a/{b} get tags", "paths /a/{b} put tags"]),
        ("$.list[?@.n == 2]", &["list 1"]),
        ("$.list[?(@['k']=='v')].n", &["list 0 n"]),
        ("$.list[?@.k]", &["list 0", "list 1"]),
        ("$.list[?!@.k && @.n >= 2 || @ == 4]", &["list 2", "list 3"]),
        ("$.list[?@.k == $.none]", &["list 2", "list 3"]),
        ("$.list[?length(@) == 2]", &["list 0", "list 1"]),
        ("$.list[?count(@.*) < 2 && value(@.n) > 2]", &["list 2"]),
        ("$.list[?match(@.k, '[a-z]')]", &["list 0"]),
        ("$.list[?search(@.k, 'b')]", &["list 1"]),
        ("$.list[?search(@.k, 'b.')]", &[]),
        (r"$.list[?match(@.k, '[0\\p{Ll}]')]", &["list 0"]),
        (r"$.list[?match(@.k, '\\P{Lu}\\p{L}?')]", &["list 0"]),
        (r"$.list[?search(@.k, '\\P{L}')]", &["list 1"]),
        (r"$.list[?search(@.k, '\\p{}|\\p{None}|\\p')]", &[]),
        ("$..[?@.n==1]", &["paths /a/{b} get", "list 0"]),
        ("$.none.at.all", &[]),
    ] {
        let mut found = selected(path);
        let mut expected = expected.to_vec();
        if path.contains("..") {
            found.sort();
            expected.sort_unstable();
        }
        assert_eq!(found, expected, "{path}");
    }
}

#[test]
fn invalid_paths_are_errors() {
    for path in [
        "",
        " $",
        "$ ",
        "paths",
        "$.",
        "$..",
        "$[",
        "$[]",
        "$['a",
        "$['\\x']",
        "$x",
        "$.a-b",
        "$[01]",
        "$[-0]",
        "$[9007199254740992]",
        "$[1:2:3:4]",
        "$[?1]",
        "$[?@.a ==]",
        "$[?@.* == 1]",
        "$[?!@.a == 1]",
        "$[?length(@.*) == 1]",
        "$[?length(@)]",
        "$[?count(1) == 1]",
        "$[?match(@.a, 'b') == true]",
        "$[?unknown(@)]",
        "$[?@.a = 1]",
        "$[?True]",
        "$[?(@.a]",
    ] {
        assert!(JsonPath::parse(path).is_err(), "{path}");
    }
}

#[test]
fn selections_have_a_bound() {
    let nested =
        |inner: &str, depth: usize| format!("$[?{}@.a{}]", inner.repeat(depth), ")".repeat(depth));
    assert!(JsonPath::parse(&nested("(", 60)).is_ok());
    for inner in ["(", "!(", "length(", "match('a', "] {
        let error = JsonPath::parse(&nested(inner, 5_000)).unwrap_err();
        assert!(error.contains("nest at most 64"), "{error}");
    }
    let list = Node::Array(vec![Node::String("a".repeat(8)); 1_000]);
    let error = |path: &str| JsonPath::parse(path).unwrap().select(&list).unwrap_err();
    assert!(error("$[?count($[?count($.*) > 0]) > 0]").contains("visits too many values"));
}

/// Filters compiled the pattern for each value, so that one of more than 199 values failed.
#[test]
fn a_pattern_is_compiled_once_and_costs_of_texts_are_their_length() {
    let texts = |count: usize, text: &dyn Fn(usize) -> String| {
        Node::Array((0..count).map(|index| Node::String(text(index))).collect())
    };
    let select = |path: &str, list: &Node| JsonPath::parse(path).unwrap().select(list);
    let numbers = texts(100_000, &|index| index.to_string());
    assert_eq!(
        select("$[?match(@, '[0-9]{3}') || search(@, '^7$')]", &numbers).unwrap().len(),
        901
    );
    // Each text is a pattern of its own.
    let error = select("$[?match('a', @)]", &numbers).unwrap_err();
    assert!(error.contains("too many different patterns"), "{error}");
    assert!(select("$[?match('a', @)]", &texts(200, &|index| index.to_string())).is_ok());
    let long = texts(1, &|_| "a".repeat(40_000_000));
    for filter in ["search($[0], 'b')", "length($[0]) == 1"] {
        let error = select(&format!("$[?{filter}]"), &long).unwrap_err();
        assert!(error.contains("visits too many values"), "{filter}: {error}");
    }
    let error = select("$[?$ == $]", &numbers).unwrap_err();
    assert!(error.contains("visits too many values"), "{error}");
}

#[test]
fn long_paths_take_no_more_than_the_bound() {
    let many = |selector: &str| format!("$[{}]", vec![selector; 750].join(","));
    let list = Node::Array(vec![Node::Integer(1); 1_000]);
    for selector in ["*", "::"] {
        let error = JsonPath::parse(&many(selector)).unwrap().select(&list).unwrap_err();
        assert!(error.contains("visits too many values"), "{selector}: {error}");
    }
    // Names and indices that select nothing, and as many segments.
    for path in [many("'a'"), many("-1001"), many("1000:"), format!("${}", ".a".repeat(5_000))] {
        match JsonPath::parse(&path).unwrap().select(&list) {
            Ok(places) => assert!(places.is_empty()),
            Err(error) => assert!(error.contains("visits too many values"), "{error}"),
        }
    }
    let deep = (0..120).fold(Node::Integer(1), |inner, _| Node::Array(vec![inner; 1]));
    let error = JsonPath::parse(&format!("${}", "..*".repeat(50))).unwrap().select(&deep);
    assert!(error.unwrap_err().contains("visits too many values"));
}

#[test]
fn slices_and_indices_end_at_the_largest_integers() {
    const MAX: &str = "9007199254740991";
    let list = Node::Array(vec![Node::Integer(1); 3]);
    for (path, expected) in [
        (format!("$[-{MAX}:{MAX}:{MAX}]"), 1),
        (format!("$[{MAX}:-{MAX}:-{MAX}]"), 1),
        (format!("$[-{MAX}:{MAX}]"), 3),
        (format!("$[{MAX}]"), 0),
        (format!("$[-{MAX}]"), 0),
    ] {
        assert_eq!(
            JsonPath::parse(&path).unwrap().select(&list).unwrap().len(),
            expected,
            "{path}"
        );
    }
    for integer in
        ["9223372036854775807", "-9223372036854775808", "18446744073709551616", "-9007199254740992"]
    {
        for path in [
            format!("$[{integer}]"),
            format!("$[{integer}:]"),
            format!("$[:{integer}]"),
            format!("$[::{integer}]"),
        ] {
            assert!(JsonPath::parse(&path).is_err(), "{path}");
        }
    }
}

#[test]
fn names_can_have_any_character() {
    let source = Source {
        name: String::new(),
        text: "{\"ü\": 1, \"☃\": 2, \"😀\": 3, \"a'\": 4, \"\\u0000\": 5, \"e\\u0301\": 6}"
            .to_owned(),
    };
    let root = parse(&source, &mut Diagnostics::new()).unwrap();
    for path in [
        "$.ü",
        "$.☃",
        "$.😀",
        "$['\\u00fc']",
        "$['\\ud83d\\ude00']",
        "$['a\\'']",
        "$[\"a'\"]",
        "$['\\u0000']",
        "$['e\u{301}']",
    ] {
        assert_eq!(JsonPath::parse(path).unwrap().select(&root).unwrap().len(), 1, "{path}");
    }
    // Names are compared as they are written, and surrogates come in pairs.
    assert!(JsonPath::parse("$['é']").unwrap().select(&root).unwrap().is_empty());
    for path in ["$['\\ud83d']", "$['\\ude00\\ud83d']", "$['\\u12']", "$.☃\u{0}"] {
        assert!(JsonPath::parse(path).is_err(), "{path}");
    }
}
