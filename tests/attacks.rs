//! Hostile specs: the generator emits a crate or reports errors, and never panics.

use std::path::Path;

use codegen::{Source, SourceFile};

use crate::support::case::{Case, rendered};

#[test]
fn documents_without_operations_make_a_crate() {
    crate_of("paths: {}\n");
    crate_of("components: {}\n");
    crate_of("paths: {}\ncomponents: {schemas: {}, parameters: {}, responses: {}}\n");
    crate_of("paths: {/a: {}}\n");
}

#[test]
fn large_enums_objects_and_documents_make_a_crate() {
    let values = repeated(20_000, |index| format!("value-{index}, "));
    crate_of(&schemas(&format!("    Huge: {{enum: [{values}]}}\n")));
    let properties = repeated(5_000, |index| format!("        member{index}: {{}}\n"));
    crate_of(&schemas(&format!("    Wide:\n      properties:\n{properties}")));
    let many = repeated(3_000, |index| format!("    Schema{index}: {{type: object}}\n"));
    crate_of(&schemas(&many));
}

#[test]
fn deep_schemas_never_panic() {
    for (open, close) in [
        ("{type: object, properties: {a: ", "}}"),
        ("{type: array, items: ", "}"),
        ("{type: object, additionalProperties: ", "}"),
        ("{allOf: [", "]}"),
        ("{oneOf: [", "]}"),
        ("{anyOf: [{type: 'null'}, ", "]}"),
        ("{oneOf: [{type: object, required: [a], properties: {a: ", "}}]}"),
    ] {
        for depth in [10, 30, 100, 200, 5_000] {
            let nested = format!("{}{{type: string}}{}", open.repeat(depth), close.repeat(depth));
            survives(&schemas(&format!("    Deep: {nested}\n")));
        }
    }
}

#[test]
fn chains_and_cycles_of_references_never_panic() {
    crate_of(&schemas(&chain(60, |next| format!("{{{next}}}"))));
    survives(&schemas(&chain(500, |next| format!("{{{next}}}"))));
    survives(&schemas(&chain(500, |next| format!("{{type: array, items: {{{next}}}}}"))));
    // Each is merged with all after it.
    let object = "{type: object, properties: {a: {}}}";
    survives(&schemas(&chain(200, |next| format!("{{allOf: [{{{next}}}, {object}]}}"))));
    let circle = chain(500, |next| format!("{{{next}}}"))
        .replace("{type: object}", "{$ref: '#/components/schemas/A0'}");
    survives(&schemas(&circle));
    survives(&schemas(
        "    A: {$ref: '#'}\n    B: {$ref: '#/'}\n    C: {$ref: ''}\n    D: {$ref: '#/components/schemas'}\n",
    ));
    survives(&schemas("    A: {type: array, items: {$ref: '#/components/schemas/A/items'}}\n"));
    survives(&schemas(
        "    A: {properties: {a: {$ref: '#/components/schemas/B/properties/b'}}}\n    B: {properties: {b: {$ref: '#/components/schemas/A/properties/a'}}}\n",
    ));
    survives(&schemas("    A: {oneOf: [{$ref: '#/components/schemas/A'}, {type: 'null'}]}\n"));
    survives(&schemas(
        "    A: {allOf: [{$ref: '#/components/schemas/A'}]}\n    B: {allOf: [{$ref: '#/components/schemas/B/allOf/0'}]}\n",
    ));
    survives(&schemas(
        "    A: {oneOf: [{required: [a], properties: {a: {$ref: '#/components/schemas/A/oneOf/0'}}}]}\n",
    ));
}

#[test]
fn empty_and_contradictory_schemas_never_panic() {
    let odd = [
        "{}",
        "true",
        "false",
        "{oneOf: [{}]}",
        "{oneOf: [true]}",
        "{oneOf: [false, {type: 'null'}]}",
        "{anyOf: [{}, {}]}",
        "{allOf: [{}]}",
        "{allOf: [true, false]}",
        "{type: []}",
        "{type: ['null']}",
        "{type: [string, object]}",
        "{type: [object, array]}",
        "{type: [string, string]}",
        "{type: [integer, string, integer, 'null', 'null']}",
        "{enum: []}",
        "{enum: [null]}",
        "{enum: [{}]}",
        "{const: null}",
        "{const: {}}",
        "{type: array}",
        "{type: object}",
        "{items: true}",
        "{items: false}",
        "{properties: {}}",
        "{additionalProperties: {}}",
        "{additionalProperties: false}",
        "{required: [a]}",
        "{type: string, required: [a]}",
        "{type: string, properties: {a: {}}}",
        "{type: string, enum: [1]}",
        "{type: integer, enum: [a]}",
        "{type: object, required: [missing]}",
        "{type: object, required: [a, a], properties: {a: {}}}",
        "{format: date-time}",
        "{format: int64, type: [string, integer]}",
        "{type: array, items: {type: array}}",
        "{oneOf: [{required: [a], properties: {a: {}}}]}",
        "{discriminator: {propertyName: kind}}",
        "{oneOf: [{required: [a], properties: {a: {}}}, {required: [a], properties: {a: {}}}]}",
        "{oneOf: [{required: [a], properties: {a: {}}}, {type: 'null'}]}",
        "{allOf: [{type: object}, {type: string}]}",
        "{properties: {a: {}}, allOf: [{properties: {a: {type: string}}}, {properties: {a: {type: integer}}}]}",
        "{type: object, properties: {a: true, b: false}, required: [a, b]}",
        "{x-rust-name: ''}",
        "{x-rust-name: 1a, type: object}",
        "{type: object, x-rust-name: 'fn main() {}'}",
        "{type: object, properties: {a: {type: string, x-rust-name: 'b, c'}}}",
    ];
    for schema in odd {
        survives(&schemas(&format!("    Odd: {schema}\n")));
        survives(&schemas(&format!(
            "    Odd: {{type: object, required: [a], properties: {{a: {schema}, b: {{type: array, items: {schema}}}}}}}\n"
        )));
        survives(&schemas(&format!(
            "    Odd: {{allOf: [{{type: object, properties: {{a: {{}}}}}}, {schema}]}}\n"
        )));
        survives(&schemas(&format!("    Odd: {{type: object, additionalProperties: {schema}}}\n")));
        survives(&operation(
            "/a/{p}",
            &format!("{{name: p, in: path, required: true, schema: {schema}}}"),
            schema,
        ));
    }
}

#[test]
fn unusual_names_never_panic() {
    let long = "VeryLong".repeat(40);
    let short = [
        "", " ", "-", "--", "_", "__", "0", "00", "1a", "a.b", ".", "..", "a..b", ".a", "a.", "~",
        "/", "a/b", "%", "%20", "#", "$ref", "ß", "İ", "ı", "ﬃ", "Ǆ", "名前", "a\u{301}", "$",
        "{}", "{a}", "\\", "'", "\"", "\n", "\t", "self", "Self", "super", "crate", "_self",
        "r#type", "type", "union", "'static", "async", "Option", "Vec", "Box", "String", "str",
        "u8", "bool", "main", "mod", "lib", "std", "core", "runtime", "serde", "models", "client",
        "Client", "Error", "Result", "Ok", "Err", "None", "Some", "Call", "Method", "Request",
        "Paged", "new", "clone", "default", "send", "unknown", "Unknown", "*/", "/*", "// x",
        "#[test]", "con", "aux", "nul", "CON", "a\u{0}b",
    ];
    let others = [
        "مرحبا",
        "\u{1f600}",
        "\u{1f468}\u{200d}\u{1f469}",
        "\u{202e}abc",
        "a\u{200b}b",
        "macro_rules",
        "resources",
        "Operation",
        "fn main() {}",
        &long,
    ];
    for name in short.into_iter().chain(others) {
        let key = serde_json::Value::from(name).to_string();
        survives(&schemas(&format!(
            "    {key}: {{type: object, properties: {{a: {{type: string}}}}}}\n"
        )));
        survives(&schemas(&format!(
            "    {key}: {{type: object, properties: {{{key}: {{type: object, properties: {{{key}: {{type: string}}}}}}}}}}\n"
        )));
        survives(&schemas(&format!(
            "    A: {{type: string, enum: [{key}, other]}}\n    {key}: {{type: string, enum: [{key}]}}\n"
        )));
        survives(&schemas(&format!(
            "    A: {{oneOf: [{{required: [{key}], properties: {{{key}: {{type: string}}}}}}]}}\n"
        )));
        survives(&format!(
            "paths: {{/a: {{get: {{operationId: {key}, tags: [{key}], summary: {key}, description: {key}}}}}}}\n"
        ));
        survives(&format!(
            "tags: [{{name: {key}, description: {key}}}]\npaths: {{/a: {{get: {{operationId: a, tags: [{key}]}}}}}}\n"
        ));
        survives(&operation(
            "/a",
            &format!(
                "{{name: {key}, in: query, schema: {{type: string}}}}, {{name: {key}, in: header, required: true, schema: {{}}}}"
            ),
            "{}",
        ));
        survives(&format!(
            "paths: {{'/a/{{b}}': {{get: {{operationId: a, parameters: [{{name: b, in: path, required: true, schema: {{type: string}}}}]}}}}, {key}: {{}}}}\n"
        ));
    }
}

#[test]
fn paths_with_unbalanced_braces_never_panic() {
    for path in [
        "/", "//", "/{", "/}", "/{}", "/{{}}", "/{a}{b}", "/{a}-{a}", "/a{b", "/a}b", "/{a{b}c}",
        "/{ a }", "/{a}?b={c}", "/{a}#b", "/%7Ba%7D", "/ü{a}", "/{名}",
    ] {
        let path = serde_json::Value::from(path).to_string();
        survives(&operation(
            &path,
            "{name: a, in: path, required: true, schema: {type: string}}, {name: a, in: query, schema: {type: string}}",
            "{}",
        ));
    }
}

#[test]
fn truncated_documents_never_panic() {
    let case =
        Case::read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/cases/common/openapi.yaml")));
    let text = &case.source.text;
    for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)).step_by(7) {
        generate(&text[..end]);
    }
}

/// Boxes do not help: the compiler follows them when it decides what a drop touches.
#[test]
fn deep_chains_of_types_raise_the_recursion_limit() {
    let link = |next: &str| format!("{{type: object, properties: {{next: {{{next}}}}}}}");
    assert_eq!(recursion_limit(&schemas(&chain(19, link))), None);
    let deep = "#![recursion_limit = \"4096\"]";
    assert_eq!(recursion_limit(&schemas(&chain(499, link))).as_deref(), Some(deep));
    let list = |next: &str| {
        format!("{{type: object, properties: {{next: {{type: array, items: {{{next}}}}}}}}}")
    };
    assert_eq!(recursion_limit(&schemas(&chain(499, list))).as_deref(), Some(deep));
    // An optional list takes the most steps.
    let needed = "#![recursion_limit = \"256\"]";
    assert_eq!(recursion_limit(&schemas(&chain(29, list))).as_deref(), Some(needed));
    let circle = chain(499, link).replace(
        "A499: {type: object}",
        "A499: {type: object, properties: {next: {$ref: '#/components/schemas/A0'}}}",
    );
    assert_eq!(recursion_limit(&schemas(&circle)).as_deref(), Some(deep));
}

/// Twenty levels of two equal parts are a million parts if they are expanded; nine that are parts of one another are
/// errors.
#[test]
fn parts_that_repeat_are_merged_once() {
    let doubled = repeated(20, |index| {
        let next = format!("{{$ref: '#/components/schemas/A{}'}}", index + 1);
        format!("    A{index}: {{allOf: [{next}, {next}]}}\n")
    });
    let leaf = "    A20: {type: object, properties: {a: {type: string}}}\n";
    let text = schemas(&format!("{doubled}{leaf}"));
    let types = files(&text).iter().filter(|file| is_model(&file.path)).count();
    assert!(types <= 21, "{types} types");

    let mutual = repeated(9, |index| {
        let parts = repeated(9, |part| format!("{{$ref: '#/components/schemas/A{part}'}}, "));
        format!("    A{index}: {{allOf: [{parts}{{properties: {{a{index}: {{}}}}}}]}}\n")
    });
    assert!(survives(&schemas(&mutual)));
}

/// The recursion is in parameters, where no type is between a schema and itself.
#[test]
fn recursive_schemas_of_parameters_never_panic() {
    let own = "{$ref: '#/components/schemas/A'}";
    let other = "{$ref: '#/components/schemas/B'}";
    for schema in [
        "{anyOf: [A, {type: string}]}",
        "{anyOf: [A]}",
        "{anyOf: [A, A]}",
        "{oneOf: [A, {type: object}]}",
        "{oneOf: [B, {type: string}]}",
        "{oneOf: [A, {type: object, properties: {k: {type: string}}}], discriminator: {propertyName: k}}",
        "{allOf: [{anyOf: [A, {type: string}]}]}",
        "{anyOf: [{allOf: [A]}, {type: string}]}",
        "{type: array, items: {anyOf: [A, {type: string}]}}",
        "{type: object, additionalProperties: {oneOf: [A, B]}}",
    ] {
        let schema = schema.replace('A', own).replace('B', other);
        let mutual = format!("{{oneOf: [{own}, {{type: string}}]}}");
        let components = format!("components: {{schemas: {{A: {schema}, B: {mutual}}}}}\n");
        for (path, parameter) in [
            ("/a", "{name: q, in: query"),
            ("/a", "{name: q, in: header"),
            ("/a", "{name: page_token, in: query"),
            ("/a/{q}", "{name: q, required: true, in: path"),
        ] {
            let operation = operation(path, &format!("{parameter}, schema: {own}}}"), own);
            survives(&format!("{operation}{components}"));
        }
    }
}

/// Forty levels of two equal alternatives are a billion alternatives if they are expanded.
#[test]
fn alternatives_that_repeat_are_read_once() {
    let doubled = repeated(40, |index| {
        let next = format!("{{$ref: '#/components/schemas/A{}'}}", index + 1);
        format!("    A{index}: {{oneOf: [{next}, {next}, {{type: 'null'}}]}}\n")
    });
    let components = schemas(&format!("{doubled}    A40: {{type: string}}\n"));
    let parameter = "{name: q, in: query, schema: {$ref: '#/components/schemas/A0'}}";
    crate_of(&format!("{}{components}", operation("/a", parameter, "{}")));
}

/// Naming the object of a union by the properties of the unions that it refers to would take the cube of their number.
#[test]
fn mutual_unions_are_named_by_their_own_texts() {
    let properties =
        repeated(60, |index| format!("p{index}: {{$ref: '#/components/schemas/A{index}'}}, "));
    let unions = repeated(60, |index| {
        let object =
            format!("{{type: object, properties: {{q{index}: {{type: string}}, {properties}}}}}");
        format!("    A{index}: {{anyOf: [{object}, {{type: string}}]}}\n")
    });
    crate_of(&schemas(&unions));
}

/// Each type is within the one before it: its place would be as long as the number of types.
#[test]
fn folders_of_nested_types_fit_into_paths() {
    let word = "property".repeat(10);
    let object = format!("{{type: object, properties: {{{word}: ");
    let nested = format!("    A: {}{{}}{}\n", object.repeat(30), "}}".repeat(30));
    let parts = repeated(30, |index| {
        let next = (index + 1) % 30;
        format!("        d{index}: {object}{{$ref: '#/components/schemas/A/$defs/d{next}'}}}}}}\n")
    });
    let first = "{$ref: '#/components/schemas/A/$defs/d0'}";
    let parts = format!("    A:\n      properties: {{a: {first}}}\n      $defs:\n{parts}");
    for all in [nested, parts] {
        let body = "{$ref: '#/components/schemas/A'}";
        let files = files(&format!("{}{}", operation("/a", "", body), schemas(&all)));
        let longest = files.iter().map(|file| file.path.len()).max().unwrap();
        assert!(files.len() > 5 && longest < 2_000, "{longest} in {}", start(&all));
    }
}

/// Each repeats a part of a document as often as the document is long.
#[test]
fn what_references_repeat_has_a_bound() {
    let many = |count, line: &str| repeated(count, |index| line.replace('#', &index.to_string()));
    let reference = |to: &str| format!("{{$ref: '@/components/{to}'}}");
    let components = |section: &str, of: &str| format!("components: {{{section}: {{X: {of}}}}}\n");
    let object = |count| {
        format!("{{type: object, properties: {{{}}}}}", many(count, "p#: {type: string}, "))
    };
    let text = |count| "words ".repeat(20 * count);
    let types = |count, line: &str, of: &str| {
        schemas(&format!("    X: {of}\n{}", many(count, &format!("    T#: {line}\n"))))
    };
    let paths = |count, item: &str| format!("paths:\n{}", many(count, &format!("  /a#: {item}\n")));
    let with =
        |parts: &str| format!("{{post: {{{parts}, responses: {{'204': {{description: A}}}}}}}}");
    let document = |kind: usize, count: usize| match kind {
        0 => types(
            count,
            "{allOf: [{$ref: '@/components/schemas/X'}, {properties: {own: {}}}]}",
            &object(count),
        ),
        1 => {
            let of = format!("{{type: string, description: {}}}", text(count));
            types(count, &format!("{{properties: {{own: {}}}}}", reference("schemas/X")), &of)
        }
        2 => {
            let other = "{oneOf: [{$ref: '@/components/schemas/X'}, {properties: {p#: {}}, required: [p#]}]}";
            let all = many(count, "{$ref: '@/components/schemas/T#'}, ");
            types(count, other, &format!("{{oneOf: [{all}]}}"))
        }
        3 => {
            let of = format!("{{name: p, in: query, description: {}, schema: {{}}}}", text(count));
            let item = with(&format!("parameters: [{}]", reference("parameters/X")));
            paths(count, &item) + &components("parameters", &of)
        }
        4 => {
            let parameters = many(count, "{name: p#, in: query, schema: {}}, ");
            let of = with(&format!("parameters: [{parameters}]"));
            paths(count, &reference("pathItems/X")) + &components("pathItems", &of)
        }
        5 => {
            let body = format!(
                "{{content: {{application/json: {{schema: {}}}}}}}",
                reference("schemas/X")
            );
            paths(count, &with(&format!("requestBody: {body}")))
                + &components("schemas", &object(count))
        }
        6 | 7 => {
            let key = ["summary", "description"][kind - 6];
            let of = format!(
                "{{get: {{{key}: {}, responses: {{'204': {{description: A}}}}}}}}",
                text(count)
            );
            paths(count, &reference("pathItems/X")) + &components("pathItems", &of)
        }
        _ => {
            let of = format!(
                "{{description: A, headers: {{{}}}}}",
                many(count, "h#: {schema: {type: string}}, ")
            );
            let item = format!("{{get: {{responses: {{'204': {}}}}}}}", reference("responses/X"));
            paths(count, &item) + &components("responses", &of)
        }
    };
    for kind in 0..=8 {
        let document = |count| document(kind, count).replace('@', "#");
        crate_of(&document(20));
        assert!(!survives(&document(300)), "{}", start(&document(300)));
    }
}

/// Returns schemas each of which refers to the next, the last one to none.
fn chain(length: usize, link: impl Fn(&str) -> String) -> String {
    let links = repeated(length, |index| {
        let next = format!("$ref: '#/components/schemas/A{}'", index + 1);
        format!("    A{index}: {}\n", link(&next))
    });
    format!("{links}    A{length}: {{type: object}}\n")
}

fn repeated(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

fn schemas(schemas: &str) -> String {
    format!("components:\n  schemas:\n{schemas}")
}

fn operation(path: &str, parameters: &str, schema: &str) -> String {
    let content = format!("{{content: {{application/json: {{schema: {schema}}}}}}}");
    format!(
        "paths:\n  {path}:\n    post:\n      operationId: a.b\n      parameters: [{parameters}]\n      requestBody: {content}\n      \
         responses: {{'200': {{description: Done., content: {{application/json: {{schema: {schema}}}}}}}}}\n"
    )
}

/// Returns the attribute of the emitted crate that raises the compiler's limit.
fn recursion_limit(rest: &str) -> Option<String> {
    let files = files(rest);
    let root = files.iter().find(|file| file.path == "src/lib.rs").unwrap();
    root.text.lines().find(|line| line.starts_with("#![recursion_limit")).map(str::to_owned)
}

fn files(rest: &str) -> Vec<SourceFile> {
    let source = Source { name: "openapi.yaml".to_owned(), text: described(rest) };
    Case { name: "attack".to_owned(), source }.output().files
}

fn is_model(path: &str) -> bool {
    let name = path.strip_prefix("src/models/");
    name.is_some_and(|name| !name.ends_with("mod.rs"))
}

/// Generates from the rest of a spec, which must be valid.
fn crate_of(rest: &str) {
    assert!(survives(rest), "there is no crate of\n{}", start(rest));
}

/// Generates from the rest of a spec. Returns whether it is valid; if not, there must be an error.
fn survives(rest: &str) -> bool {
    generate(&described(rest))
}

fn described(rest: &str) -> String {
    format!("openapi: 3.1.1\ninfo: {{title: Attack, version: 1.0.0}}\n{rest}")
}

fn generate(text: &str) -> bool {
    let source = Source { name: "openapi.yaml".to_owned(), text: text.to_owned() };
    let case = Case { name: "attack".to_owned(), source };
    let outcome = case.generate();
    let messages = rendered(&outcome);
    assert!(
        outcome.output.is_some() != outcome.diagnostics.has_errors(),
        "{}\n{messages}",
        start(text)
    );
    outcome.output.is_some()
}

fn start(text: &str) -> String {
    text.chars().take(500).collect()
}
