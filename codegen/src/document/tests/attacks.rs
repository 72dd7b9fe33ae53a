//! Hostile and broken texts never cause a panic, and always a message with a place.

use std::fmt::Write;

use crate::diagnostics::Severity;

use super::{SMALL, SMALL_JSON, accepted, read, rejected, with_schema};

#[test]
fn small_documents_are_accepted() {
    accepted(SMALL);
    accepted(SMALL_JSON);
}

#[test]
fn texts_cut_at_any_byte_never_panic() {
    for text in [SMALL, SMALL_JSON] {
        for end in (0..text.len()).filter(|end| text.is_char_boundary(*end)) {
            read(&text[..end]);
            read(&text[end..]);
        }
    }
}

#[test]
fn texts_with_any_character_replaced_never_panic() {
    let others = [
        "\t", "\n", "'", "\"", "{", "]", ":", "*", "&", "!", "\u{0}", "\u{feff}", "😀", "- ",
        "<<: ",
    ];
    for text in [SMALL, SMALL_JSON] {
        for (at, old) in text.char_indices() {
            // Each of them at each fourth place.
            for new in others.iter().skip(at % 4).step_by(4) {
                read(&[&text[..at], new, &text[at + old.len_utf8()..]].concat());
            }
        }
    }
}

#[test]
fn texts_without_a_description_are_rejected() {
    for text in ["", " \n\n", "# only a comment\n", "null", "---\n", "\u{feff}"] {
        assert!(rejected(text).contains("the document is empty"), "{text:?}");
    }
    for text in [
        "[]", "text", "42", "true", "[1, 2]", "{}", "{", "}", "\"", "- a\n- b\n", ": :", "%",
        "\u{1}",
    ] {
        assert!(rejected(text).contains("--> api.yaml:1:"), "{text:?}");
    }
}

#[test]
fn deep_nesting_is_an_error() {
    let deep = 1_000;
    let block = (0..deep).fold(String::new(), |mut text, level| {
        let _ = writeln!(text, "{}a:", " ".repeat(level));
        text
    });
    let texts = [
        "[".repeat(deep),
        "{\"a\":".repeat(deep),
        "[".repeat(deep) + &"]".repeat(deep),
        "{\"a\":".repeat(deep) + "1" + &"}".repeat(deep),
        "a: ".to_owned() + &"[".repeat(deep) + &"]".repeat(deep),
        "- ".repeat(deep),
        "? ".repeat(deep),
        block,
    ];
    for text in texts {
        let rendered = rejected(&text);
        assert!(rendered.contains("--> api.yaml:"), "{rendered}");
    }
}

#[test]
fn the_maximum_depth_is_reported() {
    let rendered = rejected(&("a: ".to_owned() + &"[".repeat(200) + &"]".repeat(200)));
    assert!(rendered.contains("the maximum nesting is 128 levels"), "{rendered}");
}

#[test]
fn alias_bombs_are_errors() {
    let mut laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let aliases = vec![format!("*a{}", level - 1); 10].join(", ");
        let _ = writeln!(laughs, "a{level}: &a{level} [{aliases}]");
    }
    let rendered = rejected(&laughs);
    assert!(rendered.contains("use `$ref`"), "{rendered}");

    let values = vec!["x"; 3000].join(", ");
    let aliases = "- *a\n".repeat(3000);
    let rendered = rejected(&format!("a: &a [{values}]\nb:\n{aliases}"));
    assert!(rendered.contains("use `$ref`"), "{rendered}");

    let text = format!("a: &a {}\nb:\n{}", "x".repeat(100_000), "- *a\n".repeat(100));
    let rendered = rejected(&text);
    assert!(rendered.contains("the aliases add more than 4 MiB"), "{rendered}");

    rejected("a: &a [*a]\n");
    rejected("a: &a {b: *a}\n");
    assert!(rejected("a: *nowhere\n").contains("unknown anchor"));
}

#[test]
fn places_in_a_very_long_line_are_shown_in_part() {
    let many: String = (0..50_000).fold(String::new(), |mut text, index| {
        let _ = write!(text, "\"x-{index}\": \"ü\", ");
        text
    });
    let text = format!("{{{many}\"openapi\": 31, {} \"x-end\": 1}}", many.replace("x-", "x-b"));
    let rendered = rejected(&text);
    let column = text[..text.find("31,").unwrap()].chars().count() + 1;
    assert!(rendered.contains(&format!("api.yaml:1:{column}\n")), "{rendered}");
    assert!(rendered.lines().all(|line| line.chars().count() < 200), "{rendered}");
    assert!(rendered.contains("^^"), "{rendered}");
}

#[test]
fn deep_nesting_in_flow_style_is_found_before_it_is_parsed() {
    for (opening, place) in [("[", "1:131"), ("{b: ", "1:512")] {
        let rendered = rejected(&("a: ".to_owned() + &opening.repeat(200_000)));
        assert!(rendered.contains(&format!("api.yaml:{place}\n")), "{rendered}");
        assert!(rendered.contains("the maximum nesting is 128 levels"), "{rendered}");
    }
    let prose = with_schema(&format!("      description: '{}'\n", "[{".repeat(1000)));
    accepted(&prose);
}

#[test]
fn keys_have_a_limit() {
    accepted(&with_schema(&format!("      properties: {{? {} : {{}}}}\n", "k".repeat(1024))));
    let rendered =
        rejected(&with_schema(&format!("      properties: {{? {} : {{}}}}\n", "k".repeat(1025))));
    assert!(rendered.contains("the key has 1025 bytes; the maximum is 1024"), "{rendered}");
}

#[test]
fn errors_of_one_kind_are_counted_after_the_first_hundred() {
    let rendered = rejected(&with_schema(&format!("      a: 1\n{}", "      a: 1\n".repeat(5000))));
    assert_eq!(rendered.matches("error[conflicting-keys]").count(), 100);
    assert!(rendered.contains("4900 more errors of the kind `conflicting-keys`"));
}

/// Each of these took the square of its length.
#[test]
fn repetitive_texts_and_many_warnings_are_read() {
    read(&format!("a: {}\n", "!".repeat(100_000)));
    read(&format!("a: {}\n", ":!".repeat(50_000)));
    let properties: String = (0..5_000).fold(String::new(), |mut text, index| {
        let _ = writeln!(text, "        a{index}: {{required: true}}");
        text
    });
    let (_, diagnostics, _) = read(&with_schema(&format!("      properties:\n{properties}")));
    assert_eq!(diagnostics.count(Severity::Warning), 5_000);
}

#[test]
fn references_to_themselves_are_reported() {
    for part in [
        "$ref: {$ref: '#/components/schemas/A'}",
        "$ref: {$ref: '#/components/schemas/A/$ref'}",
        "title: {$ref: '#/components/schemas/A'}",
        "title: {$ref: '#/components/schemas/A/title'}",
    ] {
        let (_, _, rendered) = read(&with_schema(&format!("      {part}\n")));
        assert!(rendered.contains("must be a string, not an object"), "{rendered}");
    }
}

#[test]
fn long_pointers_in_references_are_harmless() {
    let target = "/a".repeat(200_000);
    read(&with_schema(&format!("      $ref: '#{target}'\n")));
    let document = accepted(&with_schema("      type: string\n"));
    for target in [
        "",
        "#/",
        "#/components/schemas/A/type",
        "#/components/schemas/B",
        "other.yaml#/a",
        "#/info/%zz",
    ] {
        assert!(document.schema_at(target).is_none(), "{target}");
    }
}

#[test]
fn references_through_the_uri_of_the_document_can_be_cycles() {
    let text = "openapi: 3.2.0\n$self: https://example.com/a/api.yaml\ninfo: {title: t, version: '1'}\ncomponents:\n  schemas:\n";
    for schemas in [
        "    A: {$ref: 'https://example.com/a/api.yaml#/components/schemas/A'}\n",
        "    A: {$ref: 'api.yaml#/components/schemas/B'}\n    B: {$ref: '../a/api.yaml#/components/schemas/A'}\n",
        "    A: {$id: b, $ref: b}\n",
        "    A: {$id: b, allOf: [{$ref: b}]}\n",
        "    A: {$anchor: a, $ref: '#a'}\n",
        "    A: {$dynamicAnchor: a, $dynamicRef: '#a'}\n",
    ] {
        let (document, _, rendered) = read(&format!("{text}{schemas}"));
        let document = document.unwrap();
        let mut schema = document.schemas().next().unwrap().1;
        for _ in 0..100 {
            let Some(target) = schema.target() else { break };
            schema = target;
        }
        assert!(!rendered.contains("does not exist"), "{rendered}");
    }
}

/// Each of these took the product of its lengths.
#[test]
fn names_of_schemas_are_read_in_bounded_time_and_memory() {
    let long = "a/".repeat(1 << 20);
    let many: String = (0..750).fold(String::new(), |mut text, index| {
        let _ = writeln!(text, "    S{index}: {{$id: i{index}, $ref: 'i{index}'}}");
        text
    });
    for first in [
        format!("$self: '{long}'\ncomponents:\n  schemas:\n"),
        format!(
            "components:\n  schemas:\n    A: {{$id: '{long}', properties: {{a: {{$ref: a}}}}}}\n"
        ),
        "x-a: {a: {$id: 'https://example.com'}}\ncomponents:\n  schemas:\n".to_owned(),
    ] {
        read(&format!("openapi: 3.2.0\ninfo: {{title: t, version: '1'}}\n{first}{many}"));
    }
    let nested = (0..100).fold("{$id: a/}".to_owned(), |inner, level| {
        format!("{{$id: 'b{level}/', not: {inner}, x-a: {{$ref: '#/x-a/x-b'}}}}")
    });
    read(&with_schema(&format!("      not: {nested}\n")));
}
