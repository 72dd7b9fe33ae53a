//! Comparisons of pairs of specs that no report of `tests/bumps` shows.

use super::{Change, Class, Comparison, Difference, compare, compare_listed};
use crate::items::PublicApi;
use crate::settings::Settings;
use crate::{Source, public_api};

/// Returns the items of a spec with one operation, whose reply is the component `Pet`.
fn api(pet: &str) -> PublicApi {
    spec(&format!(
        "    get:\n      operationId: pets.get\n      \
         responses: {{'200': {{description: Done., content: {{application/json: {{schema: {{$ref: '#/components/schemas/Pet'}}}}}}}}}}\n\
         components:\n  schemas:\n    Pet: {pet}\n"
    ))
}

/// Returns the items of a spec with one path.
fn spec(path: &str) -> PublicApi {
    let text =
        format!("openapi: 3.1.0\ninfo: {{title: Pets, version: 1.0.0}}\npaths:\n  /pets:\n{path}");
    let source = Source { name: "pets.yaml".to_owned(), text };
    public_api(&source, &Settings { package: "pets".to_owned(), ..Settings::default() }).0.unwrap()
}

/// Returns the items of a spec whose component `Pet` has properties.
fn pet(properties: &str) -> PublicApi {
    api(&format!("{{type: object, properties: {{id: {{type: string}}, {properties}}}}}"))
}

/// Returns the number of removals without a replacement.
fn removals(comparison: &Comparison) -> usize {
    comparison.changes.iter().filter(|change| change.main.what.is_removal()).count()
}

/// Returns the sentences of the report.
fn sentences(comparison: &Comparison) -> Vec<String> {
    let sentence = |change: &Change| {
        let instead = change.main.verdict().instead;
        format!("{}: {} ({instead})", change.class.as_str(), change.title())
    };
    comparison.changes.iter().chain(&comparison.additions).map(sentence).collect()
}

#[test]
fn only_a_similar_name_is_proposed_instead() {
    for (new, advice) in [
        ("home_address", "perhaps the new `models::Pet.home_address`"),
        ("adresse", "perhaps the new `models::Pet.adresse`"),
        ("color", "remove the uses (no replacement found)"),
    ] {
        let comparison =
            compare(&pet("address: {type: string}"), &pet(&format!("{new}: {{type: string}}")));
        let expected = [
            format!("breaking: `models::Pet.address` is removed ({advice})"),
            format!("compatible: new field `models::Pet.{new}` ()"),
        ];
        assert_eq!(sentences(&comparison), expected);
    }
}

#[test]
fn removed_enum_values_are_still_received() {
    let kind = |values: &str| api(&format!("{{type: string, enum: [{values}]}}"));
    assert_eq!(
        sentences(&compare(&kind("CAT, DOG"), &kind("DOG"))),
        [
            "breaking: `models::Pet::Cat` is removed (if servers still send it, match `Unknown(value)` with `value.as_str() == \"CAT\"`)"
        ]
    );
}

#[test]
fn the_kinds_of_elements_decide_the_advice() {
    let [text, color] = ["{type: string}", "{type: string, enum: [RED]}"];
    let all = |ty: &str| {
        pet(&format!(
            "color: {ty}, list: {{type: array, items: {ty}}}, map: {{type: object, additionalProperties: {ty}}}"
        ))
    };
    for (ends, advice) in [
        ([color, text], "pass the text of a variant, as `to_string()` returns it"),
        ([text, color], "pass `text.into()` or a variant, and read the text with `as_str()`"),
    ] {
        let found = sentences(&compare(&all(ends[0]), &all(ends[1])));
        let of = |start: &str| found.iter().filter(|it| it.contains(start)).count();
        let [own, each] = ["(", "(of each element: "].map(|start| [start, advice].concat());
        assert_eq!([of(&own), of(&each)], [1, 2], "{found:#?}");
    }
}

#[test]
fn a_schema_that_is_split_names_its_parts() {
    let inner =
        "workplace: {type: object, properties: {desk: {type: string}, floor: {type: string}}}";
    let comparison = compare(&pet("desk: {type: string}, floor: {type: string}"), &pet(inner));
    let part = |name: &str| {
        format!("breaking: `models::Pet.{name}` is now `workplace.{name}` (use `workplace.{name}`)")
    };
    assert_eq!(sentences(&comparison)[..2], [part("desk"), part("floor")]);
    assert_eq!(removals(&comparison), 0);
    // One property can be within another by chance.
    let comparison = compare(&pet("desk: {type: string}"), &pet(inner));
    assert!(sentences(&comparison)[0].starts_with("breaking: `models::Pet.desk` is removed"));
    assert_eq!(removals(&comparison), 1);
    let forms = |names: [&str; 2], schemas: &str| {
        let [sent, reply] = names.map(|name| format!("{{$ref: '#/components/schemas/{name}'}}"));
        spec(&format!(
            "    post:\n      operationId: users.create\n      \
             requestBody: {{content: {{application/json: {{schema: {{type: object, properties: {{users: {{type: array, items: {sent}}}}}}}}}}}}}\n      \
             responses: {{'200': {{description: Done., content: {{application/json: {{schema: {reply}}}}}}}}}\n\
             components:\n  schemas:\n{schemas}"
        ))
    };
    let name = "name: {type: string}";
    let old = forms(
        ["User"; 2],
        &format!("    User: {{type: object, properties: {{{name}, id: {{type: string}}}}}}\n"),
    );
    let new = forms(
        ["UserIn", "UserOut"],
        &format!(
            "    UserIn: {{type: object, properties: {{{name}}}}}\n    UserOut: {{type: object, properties: {{{name}, id: {{type: string}}}}}}\n"
        ),
    );
    let comparison = compare(&old, &new);
    assert_eq!(removals(&comparison), 0);
    let found = sentences(&comparison);
    let parts = "`models::UserIn` in requests and `models::UserOut` in responses";
    let split = format!("breaking: `models::User` is now {parts} (use {parts})");
    assert!(found.contains(&split), "{found:#?}");
}

#[test]
fn types_that_lead_to_each_other_are_renamed_together() {
    const COUNT: usize = 400;
    let chain = |name: &str| {
        let link = |index: usize| {
            let next = (index + 1) % COUNT;
            format!(
                "    {name}{index}: {{type: object, properties: {{next: {{$ref: '#/components/schemas/{name}{next}'}}, p{index}: {{type: string}}}}}}\n"
            )
        };
        let links: String = (0..COUNT).map(link).collect();
        api(&format!("{{$ref: '#/components/schemas/{name}0'}}\n{links}"))
    };
    let comparison = compare(&chain("Old"), &chain("New"));
    assert_eq!(comparison.changes.len(), COUNT);
    assert_eq!(removals(&comparison), 0);
    let members = comparison.changes.iter().flat_map(|change| &change.used_by).flatten();
    assert!(members.count() < 20 * COUNT, "the way to an item is shown up to a limit");
}

#[test]
fn fingerprints_never_change() {
    let comparison = compare(&pet("age: {type: integer, format: int64}"), &pet(""));
    assert_eq!(comparison.changes[0].fingerprint(), "da6a27bbc6c8ff9f");
}

/// Compares a crate with a list in which a line is replaced.
fn listed(line: &str, older: &str) -> Vec<String> {
    let api = pet("age: {type: integer, format: int64}");
    let list = api.to_string();
    assert!(list.contains(line), "no {line:?} in\n{list}");
    sentences(&compare_listed(&list.replace(line, older), &api, &api).unwrap())
}

#[test]
fn lines_of_another_generator_are_compared_as_text() {
    const FIELD: &str = "    age: Option<i64> as \"age\"\n";
    assert_eq!(listed(FIELD, FIELD), [""; 0]);
    assert_eq!(listed(FIELD, ""), ["compatible: new field `models::Pet.age` ()"]);
    let declared =
        |id: &str| vec![format!("breaking: `{id}` is declared in another way (compare the lines)")];
    for older in ["    age: Option<f64> as \"age\"\n", "    age: Option<i64> as \"years\"\n"] {
        assert_eq!(listed(FIELD, older), declared("models::Pet"));
    }
    let lost = [FIELD, "    name: Option<i64> as \"name\"\n"].concat();
    assert_eq!(listed(FIELD, &lost), declared("models::Pet"));
    assert_eq!(
        listed("feature compression\n", "feature compression\n\nstruct models::Owner\n"),
        ["breaking: `models::Owner` is removed (remove the uses (no replacement found))"]
    );
    // What all requests have is one line, and one change.
    assert_eq!(listed("fn send_raw(self)", "fn send_raw(&self)"), declared("request"));
    let setting = "setting env-prefix = \"PETS\"";
    assert_eq!(listed(setting, &setting.replace("PETS", "PET")), declared("ClientBuilder"));
    assert_eq!(
        listed("feature compression\n", ""),
        ["compatible: new feature `features::compression` ()"]
    );
    // An item with another name is found by the operation that it sends, or by its place in another one.
    for (new, old) in
        [("resources::pets::Get", "resources::pets::Fetch"), ("models::Pet", "models::V1::Pets")]
    {
        let expected = format!("breaking: `{old}` is renamed to `{new}` (use the new name)");
        assert_eq!(listed(new, old), [expected]);
    }
    let others = listed("resources::pets::Get", "resources::pets::Fetch\n    fn lost()");
    assert!(others.contains(&declared("resources::pets::Get")[0]), "{others:?}");
    // Another generator sorted the traits by other names of types.
    assert_eq!(listed("Debug + Default", "Default + Debug"), [""; 0]);
    let api = pet("");
    let older = api.to_string().replacen(" in format", " format", 1);
    assert_eq!(compare_listed(&older, &api, &api), None);
}

/// Compares two crates in which one file differs.
fn with_code(apis: [&PublicApi; 2], files: [&str; 2]) -> Vec<String> {
    let mut comparison = compare(apis[0], apis[1]);
    let files = files.map(|text| vec![("src/resources/pets.rs", text), ("README.md", text)]);
    comparison.add_code(apis, &files);
    let line = |change: &Change| {
        let Difference { id, old, new, .. } = &change.main;
        format!("{}: {id}: {old} -> {new}", change.class.as_str())
    };
    comparison.changes.iter().map(line).collect()
}

#[test]
fn code_that_differs_although_no_item_does_breaks_programs_at_run_time() {
    let endpoint = |documentation: &str, limit: usize| {
        format!(
            "/// {documentation}\nimpl internal::Endpoint for operation::Get {{\n    // {documentation}\n    \
             const PATH: &'static str = \"/pets\";\n    const LIMIT: usize = {limit};\n}}\n"
        )
    };
    let api = pet("");
    let old = endpoint("Old.", 1);
    assert_eq!(with_code([&api, &api], [&old, &endpoint("New.", 1)]), [""; 0]);
    let limited = endpoint("New.", 2);
    let unexplained =
        "wire-breaking: src/resources/pets.rs: LIMIT : usize = 1 -> LIMIT : usize = 2";
    // A new field of a model does not explain a constant of a request.
    for other in [&api, &pet("age: {type: integer}")] {
        assert_eq!(with_code([&api, other], [&old, &limited]), [unexplained]);
    }
    // Another type of the reply does.
    let explained = self::api("{type: array, items: {type: string}}");
    let changes = with_code([&api, &explained], [&old, &limited]);
    assert!(!changes.is_empty() && changes.iter().all(|it| it != unexplained), "{changes:#?}");
    assert_eq!(compare(&api, &explained).class(), Some(Class::Breaking));
}

/// The advice on a value by the places where it is before and after: a property or a parameter, required or not, of a
/// request, of a model in it, or only of a reply.
const ADVICE: [(&str, &str, &str); 10] = [
    (
        "optional property",
        "required property",
        "pass the new arguments, instead of calling setters for them",
    ),
    (
        "optional nested",
        "required nested",
        "it is now required: remove the handling of `None`, and pass it as an argument",
    ),
    (
        "required nested",
        "optional nested",
        "it is now optional: handle `None`, and call the setter in place of the argument",
    ),
    (
        "required property",
        "optional property",
        "it is now optional: handle `None`, and call the setter in place of the argument",
    ),
    ("required property", "no property", "remove the uses (no replacement found)"),
    (
        "optional parameter",
        "required parameter",
        "pass the new arguments, instead of calling setters for them",
    ),
    ("required parameter", "optional parameter", "call the setters in place of the arguments"),
    ("required parameter", "no parameter", "pass the arguments of the new signature"),
    ("optional reply", "required reply", "it is now required: remove the handling of `None`"),
    ("required reply", "optional reply", "it is now optional: handle `None`"),
];

#[test]
fn advice_names_the_setter_in_place_of_an_argument_and_the_reverse() {
    for (old, new, expected) in ADVICE {
        let comparison = compare(&placed(old), &placed(new));
        let change = comparison.changes.first().unwrap();
        assert_eq!(change.main.verdict().instead, expected, "{old} -> {new}: {}", change.title());
    }
}

/// Returns the items of a spec that has a value in a place.
fn placed(place: &str) -> PublicApi {
    let (presence, place) = place.split_once(' ').unwrap();
    let at = |of: &str, text: &str| {
        if of == place && presence != "no" { text.to_owned() } else { String::new() }
    };
    let required =
        |of: &str| if presence == "required" { at(of, "required: [tag], ") } else { String::new() };
    let parameter = at(
        "parameter",
        &format!(
            "{{name: tag, in: query, required: {}, schema: {{type: string}}}}",
            presence == "required"
        ),
    );
    let [sent, nested, received] = ["property", "nested", "reply"].map(|of| {
        let tag = at(of, "tag: {type: string}, ");
        format!("{{type: object, {}properties: {{{tag}id: {{type: string}}}}}}", required(of))
    });
    let json = |name: &str| {
        format!(
            "content: {{application/json: {{schema: {{$ref: '#/components/schemas/{name}'}}}}}}"
        )
    };
    let text = format!(
        "openapi: 3.1.0\ninfo: {{title: Pets, version: 1.0.0}}\npaths:\n  /pets:\n    post:\n      operationId: pets.add\n      \
         parameters: [{parameter}]\n      requestBody: {{required: true, {}}}\n      \
         responses: {{'200': {{description: Done., {}}}}}\n\
         components:\n  schemas:\n    NewPet: {{allOf: [{sent}, {{properties: {{owner: {{$ref: '#/components/schemas/Owner'}}}}}}]}}\n    \
         Owner: {nested}\n    Pet: {received}\n",
        json("NewPet"),
        json("Pet")
    );
    let source = Source { name: "pets.yaml".to_owned(), text };
    public_api(&source, &Settings { package: "pets".to_owned(), ..Settings::default() }).0.unwrap()
}
