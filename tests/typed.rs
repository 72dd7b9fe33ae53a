//! Types of other crates: a value of each is sent back as it was received, at every place.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use codegen::{Settings, Source, SourceFile, generate};

use crate::support::case::rendered;
use crate::support::workspace::Workspace;

/// A scalar, with the values that are tried at every place of `typed/openapi.yaml`.
struct Scalar {
    schema: &'static str,
    /// The key in `[types]`; empty for a type of the runtime.
    key: &'static str,
    path: &'static str,
    /// The variant of a union with a boolean.
    variant: &'static str,
    valid: &'static str,
    /// A value that the type writes in another form.
    other: &'static str,
    /// What is sent for it: itself, but a date-time of the runtime is an instant.
    sent: &'static str,
    unfit: &'static str,
}

const SCALARS: [Scalar; 8] = [
    Scalar {
        schema: "{type: string, format: uuid}",
        key: "uuid",
        path: "uuid::Uuid",
        variant: "Text",
        valid: r#""67e55044-10b1-426f-9247-bb680e5fe0c8""#,
        other: r#""67E55044-10B1-426F-9247-BB680E5FE0C8""#,
        sent: r#""67E55044-10B1-426F-9247-BB680E5FE0C8""#,
        unfit: r#""none""#,
    },
    Scalar {
        schema: "{type: string, format: ipv6}",
        key: "ipv6",
        path: "std::net::Ipv6Addr",
        variant: "Text",
        valid: r#""2001:db8::1""#,
        other: r#""2001:DB8:0::1""#,
        sent: r#""2001:DB8:0::1""#,
        unfit: r#""2001:db8::g""#,
    },
    Scalar {
        schema: "{type: number, format: even}",
        key: "even",
        path: "own_types::Even",
        variant: "Number",
        valid: "4",
        other: "4.0",
        sent: "4.0",
        unfit: "3",
    },
    Scalar {
        schema: "{$ref: '#/components/schemas/Money'}",
        key: "#/components/schemas/Money",
        path: "own_types::Money",
        variant: "Money",
        valid: r#"{"amount": 1, "currency": "EUR"}"#,
        other: r#"{"amount": 1, "currency": "EUR", "note": "x"}"#,
        sent: r#"{"amount": 1, "currency": "EUR", "note": "x"}"#,
        unfit: r#"{"amount": "1"}"#,
    },
    Scalar {
        schema: "{type: number, format: decimal}",
        key: "decimal",
        path: "own_types::Decimal",
        variant: "Number",
        valid: "1.5",
        other: "4.0",
        sent: "4.0",
        unfit: r#""one""#,
    },
    Scalar {
        schema: "{type: integer, format: unixtime}",
        key: "integer unixtime",
        path: "runtime::UnixTime",
        variant: "Integer",
        valid: "1700000000",
        other: "1700000000.0",
        sent: "1700000000.0",
        unfit: r#""today""#,
    },
    Scalar {
        schema: "{type: string, format: byte}",
        key: "byte",
        path: "own_types::Base64",
        variant: "Text",
        valid: r#""+/8=""#,
        other: r#""-_8=""#,
        sent: r#""-_8=""#,
        unfit: r#""-/.""#,
    },
    Scalar {
        schema: "{type: string, format: date-time}",
        key: "",
        path: "runtime::Timestamp",
        variant: "Text",
        valid: r#""2026-01-01T00:00:30Z""#,
        other: r#""2026-01-01T02:00:30+02:00""#,
        sent: r#""2026-01-01T00:00:30Z""#,
        unfit: r#""today""#,
    },
];

const MONEY: &str = "    Money: {type: object, required: [amount, currency], properties: {amount: {type: integer}, currency: {type: string}}}\n";

/// Without the feature `derive` of serde, with which all crates of the program would be compiled once more.
const OWN: &str = "[package]\nname = \"own-types\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
    serde = { version = \"1\", default-features = false, features = [\"std\"] }\nserde_derive = \"1\"\n\
    base64 = { version = \"0.23\", default-features = false, features = [\"alloc\"] }\n";

/// A derive macro without dependencies: the name of a type as a constant.
const MACROS: &str = r#"//! Macros of a program.

use proc_macro::{TokenStream, TokenTree};

#[proc_macro_derive(NamedAsTheirDocumentNamesThemAndAsProgramsReadThemInLogsAndTracesOfAllTheirRequests)]
pub fn named(input: TokenStream) -> TokenStream {
    let words = input.into_iter().filter_map(|token| match token {
        TokenTree::Ident(word) => Some(word.to_string()),
        _ => None,
    });
    let name = words.skip_while(|word| word != "struct" && word != "enum").nth(1).unwrap();
    format!("impl {name} {{ pub const NAME: &'static str = {name:?}; }}").parse().unwrap()
}
"#;

/// The path of the macro, longer than a line.
const NAMED: &str = "own_macros::NamedAsTheirDocumentNamesThemAndAsProgramsReadThemInLogsAndTracesOfAllTheirRequests";

/// Returns the derive macros of the crate with the first scalar.
fn derives() -> BTreeMap<String, Vec<String>> {
    let owned = |(key, macros): (&str, &[&str])| {
        (key.to_owned(), macros.iter().map(|path| (*path).to_owned()).collect())
    };
    let all = ("all", &[NAMED, "Eq", "Debug"][..]);
    [all, ("models::Places", &["std::hash::Hash"]), ("models::PlacesUnion", &["Hash", "Eq"])]
        .map(owned)
        .into()
}

/// Returns the crate with the places of a scalar.
fn emitted(index: usize) -> Vec<SourceFile> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("typed");
    let Scalar { schema, key, path, .. } = SCALARS[index];
    let is_typed = |(key, _): &(String, String)| !key.is_empty();
    let text = fs::read_to_string(folder.join("openapi.yaml")).unwrap().replace("SCALAR", schema);
    let source = Source { name: "openapi.yaml".to_owned(), text: text + MONEY };
    let owned = |(key, value): (&str, &str)| (key.to_owned(), value.to_owned());
    let dependencies = [
        ("own-macros", "{ path = \"../own-macros\" }"),
        ("own-types", "{ path = \"../own-types\" }"),
        ("uuid", "{ version = \"1\", default-features = false, features = [\"serde\", \"std\"] }"),
    ];
    let settings = Settings {
        package: format!("case-typed-{index}"),
        version: "0.1.0".to_owned(),
        runtime: "{ workspace = true }".to_owned(),
        types: [owned((key, path))].into_iter().filter(is_typed).collect(),
        derives: if index == 0 { derives() } else { BTreeMap::new() },
        dependencies: dependencies.map(owned).into(),
        ..Settings::default()
    };
    let outcome = generate(&source, &settings);
    let shown = rendered(&outcome);
    outcome.output.unwrap_or_else(|| panic!("{schema} is rejected:\n{shown}")).files
}

#[test]
fn values_of_other_crates_survive_at_each_place() {
    let mut workspace = Workspace::new("typed");
    let mut manifest = "[package]\nname = \"program\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
        own-types = { path = \"../own-types\" }\nserde_json = \"1\"\n\
        uuid = { version = \"1\", default-features = false, features = [\"serde\", \"std\"] }\n\
        tokio = { version = \"1\", default-features = false, features = [\"rt\"] }\n"
        .to_owned();
    let mut checks = String::new();
    for (index, scalar) in SCALARS.iter().enumerate() {
        let Scalar { key, path, variant, valid, other, sent, unfit, .. } = scalar;
        let held =
            if key.is_empty() { (*path).to_owned() } else { format!("runtime::Typed<{path}>") };
        writeln!(
            checks,
            "    check!(case_typed_{index}, {variant}, {held}, {valid}, {other}, {sent}, {unfit});"
        )
        .unwrap();
        workspace.add(&format!("typed-{index}"), &emitted(index));
        let name = format!("typed-{index}");
        writeln!(manifest, "case-{name} = {{ path = \"../{name}\", default-features = false, features = [\"client\"] }}")
            .unwrap();
    }
    let file = |path: &str, text: &str| SourceFile { path: path.to_owned(), text: text.to_owned() };
    let own = [file("Cargo.toml", OWN), file("src/lib.rs", include_str!("typed/own.rs.in"))];
    workspace.add("own-types", &own);
    let macros = "[package]\nname = \"own-macros\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[lib]\nproc-macro = true\n";
    workspace.add("own-macros", &[file("Cargo.toml", macros), file("src/lib.rs", MACROS)]);
    let program = include_str!("typed/program.rs.in").replace("    // CHECKS\n", &checks);
    let program = file("src/main.rs", &program);
    workspace.add("program", &[file("Cargo.toml", &manifest), program]);
    workspace.finish();
    workspace.cargo(&["run", "--quiet", "--package", "program"]).unwrap();
}

#[test]
fn derives_without_a_type_or_a_new_trait_are_reported_at_their_place() {
    let settings = "[aliases]\n\"models::Old\" = \"models::Pet\"\n[derive]\n\
        \"models::Pet\" = [\"Hash\", \"std::fmt::Debug\"]\n\"models::Pte\" = [\"Eq\"]\nall = [\"Eq\", \"serde::Serialize\"]\n";
    let file = Some(("codegen.toml".to_owned(), settings.to_owned()));
    let owned = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect();
    let derives = [
        ("models::Pet".to_owned(), owned(&["Hash", "std::fmt::Debug"])),
        ("models::Pte".to_owned(), owned(&["Eq"])),
        ("all".to_owned(), owned(&["Eq", "serde::Serialize"])),
    ];
    let text = "openapi: 3.1.1\ninfo: {title: Typed, version: '1'}\npaths: {}\n\
        components: {schemas: {Pet: {type: object}, Size: {enum: [small]}}}\n";
    let source = Source { name: "openapi.yaml".to_owned(), text: text.to_owned() };
    let settings = Settings { derives: derives.into(), file, ..Settings::default() };
    let outcome = generate(&source, &settings);
    let shown = rendered(&outcome);
    for (message, place) in [
        ("`models::Pte` is not a type of the crate", "5:2"),
        ("`std::fmt::Debug` is implemented already by all types of this entry", "4:27"),
        ("`serde::Serialize` is implemented already by all types of this entry", "6:15"),
    ] {
        let message =
            shown.split(&format!("warning[unused-setting]: {message}\n")).nth(1).expect(&shown);
        assert!(
            message.trim_start().starts_with(&format!("--> codegen.toml:{place}\n")),
            "{shown}"
        );
    }
    assert!(shown.contains("help: did you mean `models::Pet`?"), "{shown}");
    let listed = outcome.output.expect(&shown).public_api.to_string();
    assert!(listed.contains("\nstruct models::Pet from \"Pet\": model + Eq + Hash\n"), "{listed}");
    assert!(listed.contains("\nenum models::Size from \"Size\": open-enum\n"), "{listed}");
}

#[test]
fn types_without_values_are_reported_at_their_place() {
    let settings = "[types]\n\"#/components/schemas/Mony\" = \"std::a::B\"\nuuid = \"std::a::B\"\n";
    let file = Some(("codegen.toml".to_owned(), settings.to_owned()));
    let types =
        ["#/components/schemas/Mony", "uuid"].map(|it| (it.to_owned(), "std::a::B".to_owned()));
    let text = "openapi: 3.1.1\ninfo: {title: Typed, version: '1'}\npaths: {}\n".to_owned();
    let source = Source { name: "openapi.yaml".to_owned(), text };
    let outcome = generate(&source, &Settings { types: types.into(), file, ..Settings::default() });
    let shown = rendered(&outcome);
    assert!(outcome.output.is_none());
    assert!(
        shown.contains("error[own-type]: `#/components/schemas/Mony` is not the place"),
        "{shown}"
    );
    assert!(shown.contains("--> codegen.toml:2:2\n"), "{shown}");
    assert!(shown.contains("warning[unused-setting]: `uuid` is the format of no value"), "{shown}");
    assert!(shown.contains("--> codegen.toml:3:1\n"), "{shown}");
}
