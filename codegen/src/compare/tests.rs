//! Reports of pairs of lists.

use super::{Class, compare};
use crate::items::PublicApi;

/// Compares lists that differ in some lines, and returns the sentences of the report.
fn report(before: &str, after: &str) -> Vec<String> {
    let list = |own: &str| PublicApi::parse(&["crate pets\n", own].concat()).unwrap();
    let comparison = compare(&list(before), &list(after));
    let changes = comparison.changes.iter().chain(&comparison.additions);
    let sentence = |change: &super::Change| {
        let instead = change.main.instead().unwrap_or_default();
        format!("{}: {} ({instead})", change.class.as_str(), change.title())
    };
    changes.map(sentence).collect()
}

/// Compares two lines of a struct.
fn members(before: &str, after: &str) -> Vec<String> {
    let list = |line: &str| format!("struct models::Pet from \"Pet\"\n    {line}\n");
    report(&list(before), &list(after))
}

#[test]
fn equal_lists_do_not_differ() {
    let line = "name: Option<String> as \"name\"";
    assert_eq!(members(line, line), [""; 0]);
}

#[test]
fn other_types_of_fields_are_breaking() {
    let optional = "age: Option<Box<models::Pet>> as \"age\"";
    let required = "age: models::Pet as \"age\" required";
    assert_eq!(
        members(optional, required),
        [
            "breaking: `models::Pet.age` has another type (the field is now required: remove the handling of `None`)"
        ]
    );
    assert_eq!(
        members(required, optional),
        ["breaking: `models::Pet.age` has another type (the field is now optional: handle `None`)"]
    );
    assert_eq!(
        members(optional, "age: Option<Vec<models::Pet>> as \"age\""),
        ["breaking: `models::Pet.age` has another type (convert from or to the new type)"]
    );
}

#[test]
fn other_forms_on_the_wire_break_programs_at_run_time() {
    let plain = "age: i64 as \"age\"";
    assert_eq!(
        members(plain, "age: i64 as \"age\" text"),
        [
            "wire-breaking: `models::Pet.age` is sent or received in another form (upgrade when the servers support the new form)"
        ]
    );
    assert_eq!(
        members(plain, "age: i64 as \"age\" required"),
        ["compatible: `models::Pet.age` is now required ()"]
    );
    let sent = |age: &str| {
        format!("struct models::Pet\n    {age}\n    fn age(self, value: i64) -> Self\n")
    };
    let required = sent("age: i64 as \"age\" required");
    assert_eq!(
        report(&sent(plain), &required),
        ["wire-breaking: `models::Pet.age` is now required (set it in every request)"]
    );
    assert_eq!(
        report(&required, &sent(plain)),
        [
            "wire-breaking: `models::Pet.age` is now optional (check what the servers do with a missing value)"
        ]
    );
}

#[test]
fn renamed_fields_are_found_by_their_wire_name() {
    assert_eq!(
        members("age: i64 as \"age\"", "years: i64 as \"age\""),
        ["breaking: `models::Pet.age` is renamed to `models::Pet.years` (use the new name)"]
    );
}

#[test]
fn only_a_similar_name_is_proposed_instead() {
    for (new, advice) in [
        ("home_address", "perhaps the new `models::Pet.home_address`"),
        ("adresse", "perhaps the new `models::Pet.adresse`"),
        ("color", "remove the uses (no replacement found)"),
    ] {
        assert_eq!(
            members("address: i64 as \"address\"", &format!("{new}: i64 as \"{new}\"")),
            [
                format!("breaking: `models::Pet.address` is removed ({advice})"),
                format!("compatible: new field `models::Pet.{new}` ()")
            ]
        );
    }
}

#[test]
fn changed_arguments_are_listed() {
    let arguments = |before, after| {
        let list = |arguments| format!("fn find(&self, {arguments}) -> u8");
        members(&list(before), &list(after))
    };
    let advice =
        "(pass the arguments of the new signature; a removed argument may now be a setter)";
    assert_eq!(
        arguments(
            "a: String as path \"a\", b: bool as path \"b\"",
            "b: i64 as path \"b\", c: i64 as path \"c\""
        ),
        [format!(
            "breaking: `models::Pet::find()` takes other arguments: `a` is removed, `b` is now `i64` instead of `bool`, `c` is new {advice}"
        )]
    );
    assert_eq!(
        arguments(
            "a: String as path \"a\", b: bool as path \"b\"",
            "b: bool as path \"b\", a: String as path \"a\""
        ),
        [format!(
            "breaking: `models::Pet::find()` takes other arguments: the same in another order {advice}"
        )]
    );
    assert_eq!(
        arguments(
            "a: bool as path \"a\", b: bool as path \"b\"",
            "b: bool as path \"b\", a: bool as path \"a\""
        ),
        [
            "wire-breaking: `models::Pet::find()` takes the same arguments in another order (check the arguments of each call)"
        ]
    );
    // Wider arguments accept what the old ones did.
    assert_eq!(
        arguments("a: bool as query \"a\"", "a: impl runtime::Param as query \"a\""),
        [""; 0]
    );
    assert_eq!(arguments("a: i64 as query \"a\"", "a: impl Into<i64> as query \"a\""), [""; 0]);
}

#[test]
fn removed_enum_values_are_breaking() {
    let list =
        |known: &str| format!("enum models::Kind\n{known}    Unknown(runtime::UnknownValue)\n");
    assert_eq!(
        report(&list("    Cat as \"CAT\"\n"), &list("")),
        [
            "breaking: `models::Kind::Cat` is removed (if servers still send it, match `Unknown(value)` with `value.as_str() == \"CAT\"`)"
        ]
    );
}

#[test]
fn another_kind_of_item_is_breaking() {
    assert_eq!(
        report("struct models::Pet from \"Pet\"\n", "enum models::Pet from \"Pet\"\n"),
        [
            "breaking: `models::Pet` is now an enum instead of a struct (read the new definition before fixing the compile errors)"
        ]
    );
}

#[test]
fn renamed_types_are_found_by_their_schema() {
    let list = |name: &str| {
        format!(
            "struct models::{name} from \"Pet\"\nstruct models::Home from \"Home\"\n    pet: models::{name} as \"pet\"\n"
        )
    };
    assert_eq!(
        report(&list("Pet"), &list("Animal")),
        ["breaking: `models::Pet` is renamed to `models::Animal` (use the new name)"]
    );
}

#[test]
fn lost_features_are_breaking() {
    let list = |features: &str, accessor: &str| {
        format!(
            "struct Client\n    fn pets(&self) -> resources::pets::Pets{accessor}\nfeature cats\nfeature pets\n\
             struct models::Pet from \"Pet\"{features}\nstruct resources::pets::Pets\n"
        )
    };
    let [cats, pets, both] = ["\"cats\"", "\"pets\"", "\"cats\" or \"pets\""]
        .map(|features| list(&format!(" if feature {features}"), ""));
    assert_eq!(report(&pets, &both), [""; 0]);
    assert_eq!(report(&both, &list("", "")), [""; 0]);
    assert_eq!(
        report(&both, &pets),
        [
            "breaking: `models::Pet` is no longer compiled with the feature `cats` (enable the feature `pets`)"
        ]
    );
    // A feature that no longer exists is a change of its own.
    let without_cats = pets.replace("feature cats\n", "");
    assert_eq!(report(&cats, &without_cats).len(), 1);
    assert_eq!(
        report(&list("", ""), &list("", " if feature \"pets\"")),
        ["breaking: `Client::pets()` needs the feature `pets` (enable the feature `pets`)"]
    );
    // The first revision with features reports handles only.
    assert_eq!(report(&list("", ""), &pets), [""; 0]);
    let ungated = list("", "").replace("feature cats\n", "feature cats\nfeature operations\n");
    let gated = both.replace("feature cats\n", "feature cats\nfeature operations\n");
    assert_eq!(
        report(&ungated, &gated),
        [
            "breaking: `models::Pet` needs one of the features `cats`, `pets` (enable one of the features `cats`, `pets`)"
        ]
    );
}

#[test]
fn a_removed_service_is_one_change() {
    let shared = "struct Client\n    fn pets(&self) -> resources::pets::Pets\nstruct models::Shared from \"Shared\"\n\
                  struct resources::pets::Get\n    operation GET /pets \"pets.get\"\n    output models::Shared\n\
                  struct resources::pets::Pets\n    fn get(&self) -> resources::pets::Get\n";
    let service = "struct models::Inner from \"Inner\"\n    shared: models::Shared as \"shared\"\n\
                   struct models::Own from \"Own\"\n    inner: models::Inner as \"inner\"\n\
                   mod resources::zoo\nstruct resources::zoo::Find\n    operation GET /zoo \"zoo.find\"\n    output models::Own\n\
                   struct resources::zoo::List\n    operation GET /zoos \"zoo.list\"\n    output models::Own\n\
                   struct resources::zoo::Zoo\n    fn find(&self) -> resources::zoo::Find\n    fn list(&self) -> resources::zoo::List\n";
    let accessor = "struct Client\n    fn zoo(&self) -> resources::zoo::Zoo\n    fn pets(";
    let before = [shared, service].concat().replacen("struct Client\n    fn pets(", accessor, 1);
    let lines = report(&before, shared);
    let service = "breaking: `zoo` is removed with 2 operations and 2 types (remove the uses (no replacement found))";
    assert!(lines.iter().any(|line| line == service), "{lines:#?}");
    assert!(!lines.iter().any(|line| line.contains("models::")), "{lines:#?}");
    let is_other = |line: &&str| !line.contains("ist");
    let without_list = before.split_inclusive('\n').filter(is_other).collect::<String>();
    let lines = report(&without_list, shared);
    assert!(lines.iter().any(|line| line.contains("with 1 operation and 2 types")), "{lines:#?}");
}

#[test]
fn a_new_argument_is_the_headline() {
    let list = |arguments: &str, field: &str| {
        format!(
            "struct models::Pet from \"Pet\"\n    age: {field}\nstruct resources::pets::Create\n    operation POST /pets \"create\"\n    body models::Pet\n\
             struct resources::pets::Pets\n    fn create(&self{arguments}) -> resources::pets::Create\n"
        )
    };
    let before =
        PublicApi::parse(&["crate a\n", &list("", "Option<i64> as \"age\"")].concat()).unwrap();
    let after = list(", age: i64 as body \"age\" required", "i64 as \"age\" required");
    let after = PublicApi::parse(&["crate a\n", &after].concat()).unwrap();
    // Without places, each item is its own cause; with those of the spec, the property is the cause of all.
    let at = |mut api: PublicApi| {
        for item in api.items.values_mut() {
            for member in item.members.values_mut() {
                member.about.place = "/age".to_owned();
                if let crate::items::Definition::Method(method) = &mut member.definition {
                    for argument in &mut method.signature.arguments {
                        argument.place = "/age".to_owned();
                    }
                }
            }
        }
        api
    };
    let changes = compare(&at(before), &at(after)).changes;
    let titles: Vec<_> = changes.iter().map(super::Change::title).collect();
    assert_eq!(titles, ["`resources::pets::Pets::create()` takes other arguments: `age` is new"]);
}

#[test]
fn an_alias_of_an_alias_is_followed() {
    let list = |name: &str| {
        let text = format!(
            "crate a\nstruct A\n    fn {name}(&self) -> u8\n    deprecated fn get(&self) -> u8 as alias of {name}\n\
             enum B\n    {name} as \"b\"\n    deprecated const Old: Self as alias of {name}\n"
        );
        PublicApi::parse(&text).unwrap()
    };
    let comparison = compare(&list("fetch"), &list("obtain"));
    let broken: Vec<_> = comparison.broken().into_iter().collect();
    assert_eq!(broken, ["A::fetch()", "B::fetch"]);
    let changes = comparison.changes;
    assert!(changes.iter().all(|change| change.class == Class::Breaking), "{changes:#?}");
    let same = list("fetch");
    assert_eq!(compare(&same, &same).class(), None);
}

#[test]
fn fingerprints_never_change() {
    let list = |member: &str| {
        PublicApi::parse(&format!("crate pets\nstruct models::Pet\n{member}")).unwrap()
    };
    let comparison = compare(&list("    age: i64 as \"age\"\n"), &list(""));
    assert_eq!(comparison.changes[0].fingerprint(), "1b5c2c96ae236468");
}

/// Compares a crate in which one line of `api.txt` and one file differ.
fn with_code(lines: [&str; 2], files: [&str; 2]) -> Vec<String> {
    let list = "crate pets\nstruct ClientBuilder\nstruct models::Pet\n    name: u8 as \"name\"\nstruct resources::pets::Get\n    \
                operation GET /pets \"pets.get\"\n";
    let apis = lines.map(|line| PublicApi::parse(&[list, line].concat()).unwrap());
    let mut comparison = compare(&apis[0], &apis[1]);
    let files = files.map(|text| vec![("src/resources/pets.rs", text), ("README.md", text)]);
    comparison.add_code([&apis[0], &apis[1]], &files);
    let line = |change: &super::Change| {
        let super::Difference { id, old, new, .. } = &change.main;
        format!("{}: {id}: {old} -> {new}", change.class.as_str())
    };
    comparison.changes.iter().map(line).collect()
}

#[test]
fn code_that_differs_although_no_item_does_breaks_programs_at_run_time() {
    let endpoint = |documentation: &str, path: &str, limit: usize| {
        format!(
            "/// {documentation}\nimpl internal::Endpoint for operation::Get {{\n    // {documentation}\n    \
             const PATH: &'static str = \"{path}\";\n    const LIMIT: usize = {limit};\n}}\n"
        )
    };
    let old = endpoint("Old.", "/pets", 1);
    let documented = endpoint("New.", "/pets", 1);
    assert_eq!(with_code(["", ""], [&old, &documented]), [""; 0]);
    let limited = endpoint("New.", "/pets", 2);
    let unexplained = "wire-breaking: resources::pets::Get::Endpoint::LIMIT: LIMIT : usize = 1 -> LIMIT : usize = 2";
    assert_eq!(with_code(["", ""], [&old, &limited]), [unexplained]);
    // Neither a new field of a model nor a new setter of the same request explains a constant.
    for line in ["    fn more(self) -> Self\n", "struct models::Cat\n    age: u8 as \"age\"\n"] {
        assert_eq!(with_code(["", line], [&old, &limited]), [unexplained]);
    }
    // A change of the operation explains its constants.
    let explained = with_code(["", "    output u8\n"], [&old, &endpoint("Old.", "/v2/pets", 1)]);
    assert_eq!(explained, [""; 0]);
}
