//! Documentation from text of a spec, parsed by the parser of `rustdoc`.

use proptest::collection::vec;
use proptest::sample::select;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use pulldown_cmark::{
    BrokenLink, CodeBlockKind, CowStr, Event, LinkType, Options, Parser, Tag, TagEnd,
};

use super::super::markdown::{MOVED, rewrite};
use super::{Doc, Inline};

/// The options of `rustdoc`.
const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_SMART_PUNCTUATION);

const ADDRESSES: [&str; 2] = ["http://", "https://"];

/// Text that `rustdoc` might run, load or link.
const PAYLOADS: &[&str] = &[
    "```\npanic!()\n```",
    "```rust\npanic!()\n```",
    "```standalone_crate\npanic!()\n```",
    "~~~\npanic!()\n~~~",
    "````\n```\npanic!()\n````",
    "```\npanic!()",
    "    panic!()",
    "\tpanic!()",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<https://x.example/<img onerror=alert(1)>",
    "<!-- ```\npanic!() -->",
    "<div>\n\n    panic!()\n\n</div>",
    "[Task] and [`Task`] and [a][Task] and [a](Task)",
    "[a](javascript:alert(1)) ![b](file:///etc/passwd)",
    "[Task]: https://x.example\n[Task]",
    "[^1]\n\n[^1]: ```\n    panic!()",
    "a | b\n--- | ---\n`|` | ```",
    "`a\n```\npanic!()\n```",
    "&#96;&#96;&#96;\npanic!()\n&#96;&#96;&#96;",
    "&lt;script&gt; &#x202e; &#60;b&#62;",
    "\u{202e}```\u{2066}\npanic!()",
    "\\```\npanic!()\n\\```",
    "\u{1e}\u{85}\u{2028}    panic!()",
    "[a](https://x.example/a#(b)) and [c](<https://x.example/c d|e>)",
    "[https://x.example](#a) and [https://x.example](/b?c=https://x.example)",
    "[![a](https://x.example/a.png)](https://x.example/b)",
    "[^https://x.example]: a",
    "https:\\//x.example, *https://x.example*, https://x.example/a|b",
    "<a href=\"https://x.example/(a)\">https://x.example and <b>https://x.example</b>",
    "<a href='#a'>https://x.example</a> <a href='https://x.example'></a> <a>https://x.example",
    "[a <p>b</p> <ul><li>c</ul> <h1>d</h1>](https://x.example)",
    "<a href='https://x.example'>[https://x.example</a>](https://x.example) <b>[a</b>](https://x.example)",
    "<a href='/a'><a href='https://x.example'>https://x.example</a></a>",
    "[a](mailto:a@b) [b](mailto:c) <a href='mailto:a@b'>c</a> <a@b>",
    "!![a](https://x.example)!<a href='https://x.example'>a</a>!<a><a href='https://x.example'>!",
    "https:<!-- -->//x.example h<b></b>ttps://x.example",
    "*a<br>* b ~~~~c~~ d~~ **<p>**b**",
    "a\u{a0}<a href='https://x.example'>  \n\\",
    "``~``<code>`</code>",
    "<p>[``a]: ``\\b c](https://x.example)",
    "> - - a</h1>b<h1>c",
    "2) - a<ol>b<p>",
];

/// Parts of texts with a meaning in `CommonMark` or HTML.
const PARTS: &[&str] = &[
    "a",
    "b c",
    " ",
    " ",
    "    ",
    "\t",
    "\n",
    "\n",
    "\n\n",
    "  \n",
    "\\",
    "`",
    "`",
    "``",
    "```",
    "~",
    "~~",
    "~~~",
    "*",
    "**",
    "_",
    "__",
    "[",
    "[",
    "]",
    "](",
    "][",
    "]: ",
    ")",
    "!",
    "![",
    "[^",
    "(",
    "|",
    "|---|",
    "---",
    "===",
    "- ",
    "* ",
    "1. ",
    "2) ",
    "> ",
    "# ",
    "[ ] ",
    "<",
    ">",
    "&",
    ";",
    "&lt;",
    "&amp;",
    "&#96;",
    "&#58;",
    "$",
    ":",
    "//",
    "https:",
    "https://x.example",
    "http://",
    "](https://x.example)",
    "<https://x.example>",
    "mailto:a@b",
    "a@b.example",
    "<!--",
    "-->",
    "<a href='https://x.example'>",
    "<a href=mailto:a@b>",
    "<a>",
    "</a>",
    "<b>",
    "</b>",
    "<i>",
    "</em>",
    "<code>",
    "</code>",
    "<p>",
    "</p>",
    "<br>",
    "<ul>",
    "<ol>",
    "<li>",
    "</li>",
    "</ul>",
    "<h1>",
    "</h1>",
    "<pre>",
    "<div>",
    "<id>",
    "\u{202e}",
    "\u{a0}",
    "'",
    "\"",
    "{",
    "Task",
];

/// The text around a payload.
const PLACES: &[(&str, &str)] = &[
    ("", ""),
    ("Text.\n\n", "\n\nText."),
    ("Options:\n\n    - one\n    - ", ""),
    ("- a\n  - ", "\n"),
    ("1. ", "\n\n2. b"),
    ("> ", "\n> b"),
    ("# ", "\n===\n"),
    ("*a **b ", "** c*"),
    ("| a |\n|---|\n| ", " |"),
    ("`", "`"),
    ("[", "](https://x.example)"),
    ("a  \n", "\\\n"),
];

#[test]
fn text_of_a_spec_is_inert_at_every_place() {
    for payload in PAYLOADS {
        for (before, after) in PLACES {
            let indented = payload.replace('\n', "\n    ");
            for text in [format!("{before}{payload}{after}"), format!("{before}{indented}{after}")]
            {
                let Some(doc) = Doc::of_spec(&text) else {
                    assert!(text.contains("<!--"), "nothing is left of {text:?}");
                    continue;
                };
                assert_doc_inert(&doc, &text);
            }
        }
    }
}

#[test]
fn any_text_is_inert() {
    let config = Config { cases: 5_000, failure_persistence: None, ..Config::default() };
    let random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let texts = vec(select(PARTS), 1..24);
    let outcome = TestRunner::new_with_rng(config, random).run(&texts, |parts| {
        let text = parts.concat();
        if let Some(doc) = Doc::of_spec(&text) {
            assert_doc_inert(&doc, &text);
        }
        Ok(())
    });
    outcome.unwrap();
}

fn assert_doc_inert(doc: &Doc, text: &str) {
    for width in [20, 96, usize::MAX] {
        assert_inert(&doc.lines(width).join("\n"), text);
    }
    for inline in [doc.summary(), doc.inline(), Inline::plain(text), Inline::code(text)] {
        let row = format!("| a |\n|---|\n| {} |", inline.in_cell());
        assert_inert(&row, text);
        assert_inert(&Doc::from(inline).lines(20).join("\n"), text);
    }
}

fn assert_inert(written: &str, text: &str) {
    // `rustdoc` looks for an item behind every link without a target.
    let is_item = |_: BrokenLink<'_>| Some((CowStr::from("item"), CowStr::from("")));
    let parser = Parser::new_with_broken_link_callback(written, OPTIONS, Some(is_item));
    // Text within links and code blocks has no bare URL (`rustdoc::bare_urls`).
    let (mut is_link, mut is_code) = (false, false);
    for (event, place) in parser.into_offset_iter() {
        match &event {
            Event::Start(Tag::Link { .. }) => is_link = true,
            Event::End(TagEnd::Link) => is_link = false,
            Event::Start(Tag::CodeBlock(_)) => is_code = true,
            Event::End(TagEnd::CodeBlock) => is_code = false,
            _ => {}
        }
        let is_inert = match &event {
            Event::Html(_)
            | Event::InlineHtml(_)
            | Event::Start(Tag::HtmlBlock | Tag::Image { .. }) => false,
            Event::Start(Tag::CodeBlock(kind)) => {
                matches!(kind, CodeBlockKind::Fenced(language) if &**language == "text")
            }
            Event::Start(Tag::Link { dest_url, link_type, .. }) => {
                let path = dest_url.split('#').next().unwrap_or_default();
                *link_type == LinkType::Email
                    || ADDRESSES.iter().any(|scheme| dest_url.starts_with(scheme))
                    || (path.starts_with("mailto:") && path.contains('.'))
            }
            Event::Text(text) => {
                let start = written[..place.start].trim_end_matches('\\').len();
                let source = &written[start..place.end];
                let is_escaped = source.matches('`').count() == source.matches("\\`").count();
                is_code
                    || (is_escaped
                        && (is_link || !ADDRESSES.iter().any(|scheme| text.contains(scheme))))
            }
            _ => true,
        };
        assert!(is_inert, "{event:?} in\n{written}\nof {text:?}");
    }
    let hidden = |char: char| {
        char != '\n' && (char.is_control() || "\u{202e}\u{2066}\u{2028}".contains(char))
    };
    assert!(!written.contains(hidden), "{written:?} of {text:?}");
}

fn lines(text: &str, width: usize) -> Vec<String> {
    Doc::of_spec(text).map(|doc| doc.lines(width)).unwrap_or_default()
}

#[test]
fn the_content_of_a_text_is_retained() {
    for (text, expected) in [
        ("a <b> c", "a \\<b> c"),
        ("see [Task] and `[Task]`", "see \\[Task\\] and `[Task]`"),
        ("see [docs](https://x.example/a)", "see [docs](https://x.example/a)"),
        ("see [docs](/relative)", "see docs (/relative)"),
        ("see [docs](https://x.example/a#(b))", "see [docs](https://x.example/a#%28b%29)"),
        ("[![a](https://x.example/a.png)](https://x.example)", "[a](https://x.example)"),
        ("[https://x.example](#a)", "<https://x.example>"),
        ("<https://x.example/a>", "<https://x.example/a>"),
        ("[https://x.example/a_b](https://x.example/a_b)", "<https://x.example/a_b>"),
        ("a [](https://x.example)", "a <https://x.example>"),
        ("<a@b.example>", "[a@b.example](mailto:a@b.example)"),
        ("[a](mailto:a@b)", "a (mailto:a@b)"),
        ("a!![b](https://x.example)", "a\\![b](https://x.example)"),
        ("`a`<b></b>``b ` c``", "`a` ``b ` c``"),
        ("~~a~~ ***b***", "~~a~~ ***b***"),
        ("at https://x.example/a_b.", "at <https://x.example/a_b>."),
        ("``a ` <b>`` <c>", "``a ` <b>`` \\<c>"),
        ("snake_case, _x_ and 2 * 3", "snake_case, *x* and 2 \\* 3"),
        ("R&D &amp; &amp;lt;", "R&D & &amp;lt;"),
        ("a | b", "a | b"),
    ] {
        assert_eq!(lines(text, 80), [expected], "{text}");
    }
    let table = "<table>\n<thead><tr><th>Size</th><th>Use</th></tr></thead>\n<tbody>\n<tr><td>s</td>\n<td>a <b>cat</b></td></tr>\n</tbody></table>";
    assert_eq!(lines(table, 80), ["Size – Use", "", "s – a **cat**"]);
    for text in ["a<br>b", "a <br/> b", "a<BR /><br>\nb", "a\\\nb"] {
        assert_eq!(lines(text, 80), ["a\\", "b"], "{text}");
    }
    assert_eq!(lines("| a<br>b |\n|---|\n| b |", 80), ["| a b |", "|---|", "| b |"]);
    assert_eq!(lines("- a\n- b\n  - c\n\nd", 80), ["- a", "- b", "  - c", "", "d"]);
    assert_eq!(lines("3. a\n4. b", 80), ["3. a", "4. b"]);
    assert_eq!(lines("> a\n> b", 80), ["> a b"]);
    assert_eq!(lines("> a\n>\n> b", 80), ["> a", ">", "> b"]);
    assert_eq!(lines("> a\n\n> b", 80), ["> a", "", "> b"]);
    assert_eq!(lines("a\n\n2. - b\n   - c\n3. d", 80), ["a", "", "2. - b", "   - c", "3. d"]);
    assert_eq!(lines("| a |\n|---|\n| b |", 80), ["| a |", "|---|", "| b |"]);
    assert_eq!(
        lines("A:\n```rust\nlet x;\n```\nB", 80),
        ["A:", "", "```text", "let x;", "```", "", "B"]
    );
}

#[test]
fn a_summary_with_code_or_links_is_markup() {
    for (text, expected) in [
        ("Get a_b of <id> * 2", "Get a_b of \\<id> \\* 2\n"),
        ("Get `a_b`", "Get `a_b`\n"),
        ("See [a](https://x.example)", "See [a](https://x.example)\n"),
    ] {
        assert_eq!(Doc::of_summary(text).text(), expected);
    }
}

#[test]
fn invisible_text_is_not_documentation() {
    for text in
        ["", " \n\t", "\u{200b}\u{feff}", "\u{202e}\u{ad}", "&#x200b;", "```\n```", "[a]: b"]
    {
        assert!(Doc::of_spec(text).is_none(), "{text:?}");
    }
}

#[test]
fn wrapped_lines_do_not_become_blocks() {
    assert_eq!(lines("aaaa bbbb - cccc", 9), ["aaaa bbbb", "\\- cccc"]);
    assert_eq!(lines("- aaaa bbbb cccc", 11), ["- aaaa bbbb", "  cccc"]);
    assert_eq!(lines("aaaa bbbb 12. cc", 9), ["aaaa bbbb", "12\\. cc"]);
    assert_eq!(lines("aaaa bbbb --- cc", 9), ["aaaa bbbb", "\\--- cc"]);
    assert_eq!(lines("- aaaaaaaaaaaa", 9), ["- aaaaaaaaaaaa"]);
    assert_eq!(lines("aaaa `b b b b b`", 9), ["aaaa", "`b b b b b`"]);
}

#[test]
fn html_is_written_as_markdown() {
    let cases = [
        ("<p>One <b>bold</b> and <em>x</em>.</p><p>Two</p>", "One **bold** and *x*.\n\nTwo\n"),
        (
            "See <a href=\"https://x.example/a\">the<b> docs</b></a>.",
            "See [the **docs**](https://x.example/a).\n",
        ),
        ("See <a href='/a'>the docs</a>.", "See the docs (/a).\n"),
        (
            "Steps: <ul><li>one<li>two <code>a_b</code></ul>End.",
            "Steps:\n\n- one\n- two `a_b`\n\nEnd.\n",
        ),
        ("<ol>\n<li>one</li>\n<li>two</li>\n</ol>", "1. one\n2. two\n"),
        ("- a <ul><li>b\n- c", "- a\n  - b\n- c\n"),
        ("Before<br/>after", "Before\\\nafter\n"),
        ("<h2>Title</h2>Text", "## Title\n\nText\n"),
        ("*a <p> b*", "a\n\nb\n"),
        ("<code>https://x.example/a</code>", "`https://x.example/a`\n"),
        ("| <code>a\\|b</code> |\n|---|", "| `a\\|b` |\n|---|\n"),
        ("<b>open and <code> more", "\\<b>open and \\<code> more\n"),
        ("<a href='https://x.example'>open", "[open](https://x.example)\n"),
        ("the <id> of <Name>", "the \\<id> of \\<Name>\n"),
        ("<div>a &lt;b&gt; &amp; c</div>", "a \\<b> & c\n"),
        ("a <!-- hidden --> b", "a b\n"),
        ("| a |\n|---|\n| x<ul><li>y</li></ul> |", "| a |\n|---|\n| x y  |\n"),
    ];
    for (html, expected) in cases {
        assert_eq!(Doc::of_spec(html).unwrap().text(), expected, "{html}");
    }
}

/// Marks and tags that open something.
const OPENERS: [&str; 32] = [
    "[a](<b> ",
    "[",
    "![",
    "*",
    "_",
    "`",
    "`a",
    "*a_ ",
    "***a",
    "~~a ",
    "<",
    "<!-- a ",
    "<?",
    "<![CDATA[",
    "$",
    "> ",
    "- ",
    "> - ",
    "1. ",
    "- [ ] a\n",
    "[^a]: b\n",
    "&",
    "&#",
    "&amp",
    "<a>",
    "<a href=\"http://x\">y",
    "<b>",
    "<b>x",
    "<b></i>",
    "<ul><li>",
    "|a|\n|-|\n",
    "http://a ",
];

/// Nested tags of 128 KB took ten seconds: the end of each moved all that was within it.
#[test]
fn the_effort_for_a_text_is_linear_and_long_texts_are_cut() {
    for opener in OPENERS {
        let moved = |length: usize| {
            MOVED.set(0);
            rewrite(&opener.repeat(length / opener.len()));
            MOVED.get()
        };
        let [short, long] = [4_000, 16_000].map(moved);
        assert!(long <= 5 * short + 1_000, "{opener}: {short}, {long} bytes");
        let written = lines(&opener.repeat(200_000 / opener.len()), 100);
        let rest = "(The document has the rest of this text.)";
        let is_cut = written.is_empty() || written.iter().any(|line| line.contains(rest));
        assert!(is_cut, "{opener}: {:?}", written.last());
    }
}
