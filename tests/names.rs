//! A document of names that differ only in characters that Rust identifiers ignore.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use codegen::diagnostics::Code;
use codegen::{Output, Settings, Source};

use crate::support::case::Case;

/// Returns a document of names that differ only in characters that Rust identifiers ignore.
pub fn alike() -> Case {
    let names = [
        "is_global", "isGlobal", "is-global", "IsGlobal", "IS_GLOBAL", "_is_global", "is_global_",
        "is global", "is.global", "m²", "m2", "CO₂", "½", "1 2", "①", "1", "٣", "\u{212b}",
        "\u{c5}", "A\u{30a}", "\u{ac00}", "\u{1100}\u{1161}", "a\u{a0}b", "a b", "StartTime",
        "StartTime<", "StartTime>", "+1", "-1", "", " ", "ﬁ", "fi",
    ];
    let text = document(&names.map(str::to_owned).into(), &["query", "header"]);
    Case { name: "alike".to_owned(), source: Source { name: "openapi.yaml".to_owned(), text } }
}

/// Returns the types of a document with their variants, but without their fields.
fn types(rest: &str) -> BTreeSet<String> {
    let text = format!("openapi: 3.1.1\ninfo: {{title: Names, version: '1'}}\n{rest}");
    let source = Source { name: "openapi.yaml".to_owned(), text };
    let settings = Settings { package: "names".to_owned(), ..Settings::default() };
    let Output { public_api, .. } = codegen::generate(&source, &settings).output.unwrap();
    let mut types: Vec<String> = Vec::new();
    for line in public_api.to_string().lines() {
        let variant = line.split_once('(').map(|(variant, _)| variant.trim());
        match (line.split_once(" models::"), variant.filter(|it| !it.contains(' '))) {
            (Some(("enum" | "struct", item)), _) => {
                types.extend(item.split([' ', ':']).next().map(str::to_owned));
            }
            (_, Some(variant)) => {
                if let Some(ty) = types.last_mut() {
                    ty.extend([" ", variant]);
                }
            }
            _ => {}
        }
    }
    types.into_iter().collect()
}

#[test]
fn a_title_names_a_variant_if_it_is_of_this_one_alone() {
    let found = types(
        "paths: {}
components:
  schemas:
    Update: {title: Update, type: [object, array]}
    Mixed: {title: Mixed, type: [object, array, number], items: {type: string}, properties: {a: {type: string}}}
    Own: {title: Own, anyOf: [{title: Own, type: object}, {title: Other, type: array, items: {}}]}
    Same: {anyOf: [{title: B, type: object}, {title: B, type: array, items: {type: string}}, {type: boolean}]}
    Sole: {title: Sole, type: [object, string]}
    Within: {anyOf: [{title: Command Line, type: [object, array]}, {type: string}]}
    Tagged:
      oneOf:
        - {title: Event, type: object, required: [kind, at], properties: {kind: {const: one}, at: {type: string}}}
        - {title: Event, type: object, required: [kind, at], properties: {kind: {const: two}, at: {type: string}}}
",
    );
    let expected = [
        "Mixed Number Object TextList",
        "MixedObject",
        "Own Other Own",
        "Same Boolean Map TextList",
        "Sole Map Text",
        "Tagged One Two",
        "TaggedOne",
        "TaggedOneKind",
        "TaggedTwo",
        "TaggedTwoKind",
        "Update List Map",
        "Within List Map Text",
    ];
    assert_eq!(found, expected.map(str::to_owned).into());
}

#[test]
fn a_new_branch_takes_over_no_name() {
    let objects = |properties: &[&str]| {
        let branch = |own: &&str| {
            format!(
                "{{type: object, required: [{own}, name], properties: {{name: {{type: string}}, {own}: {{type: integer}}}}}}"
            )
        };
        let objects = properties.iter().map(branch).collect::<Vec<_>>().join(", ");
        let lists = objects
            .replace("{type: object", "{type: array, items: {type: object")
            .replace("}}}", "}}}}");
        format!(
            "paths: {{}}\ncomponents:\n  schemas:\n    One: {{oneOf: [{objects}]}}\n    Many: {{oneOf: [{lists}]}}\n"
        )
    };
    let [before, after] =
        [&["wheels", "sails"][..], &["wheels", "sails", "anchor"]].map(|it| types(&objects(it)));
    for (name, variants) in [("One", "Sails Wheels"), ("Many", "SailsList WheelsList")] {
        assert!(before.contains(&format!("{name} {variants}")), "{before:?}");
    }
    assert!(after.contains("One Anchor Sails Wheels"), "{after:?}");
    assert!(after.contains("Many AnchorList SailsList WheelsList"), "{after:?}");
}

#[test]
fn branches_are_named_by_the_formats_that_differ_and_are_one_if_these_decide_no_type() {
    let object = |inner: &str| format!("{{type: object, properties: {{value: {{{inner}}}}}}}");
    let union =
        |branches: &[&str]| branches.iter().map(|it| object(it)).collect::<Vec<_>>().join(", ");
    let formats = union(&[
        "type: string, format: uuid",
        "type: string",
        "type: string, format: date-time",
        "type: string, description: A value., format: email",
        "type: integer",
        "type: integer, format: int32",
    ]);
    let inner = union(&[
        "type: object, properties: {kind: {const: cat}}",
        "type: object, properties: {kind: {const: dog}}",
    ]);
    let lists = formats
        .replace("{type: object", "{type: array, items: {type: object")
        .replace("}}}", "}}}}");
    let found = types(&format!(
        "paths: {{}}\ncomponents:\n  schemas:\n    A: {{oneOf: [{formats}]}}\n    B: {{oneOf: [{inner}]}}\n    C: {{oneOf: [{lists}]}}\n"
    ));
    for expected in [
        "A ValueDateTime ValueInt32 ValueInteger ValueText",
        "B ValueKindCat ValueKindDog",
        "C ValueDateTimeList ValueInt32List ValueIntegerList ValueTextList",
    ] {
        assert!(found.contains(expected), "{found:?}");
    }
}

#[test]
fn a_constant_that_is_no_word_names_no_variant_of_its_own_kind_of_json() {
    let found = types(
        "paths: {}
components:
  schemas:
    Url: {anyOf: [{type: string}, {type: object, required: [v], properties: {v: {const: 'http://a.b/c#'}}}]}
    Word: {anyOf: [{type: string}, {type: object, required: [v], properties: {v: {const: c-d}}}]}
    Two: {anyOf: [{type: object, required: [v], properties: {v: {const: a/b}}}, {type: object, required: [v], properties: {v: {const: c}}}]}
",
    );
    for expected in ["Url Text V", "Word CD Text", "Two AB C"] {
        assert!(found.contains(expected), "{found:?}");
    }
}

#[test]
fn the_title_of_an_object_names_no_union_in_it() {
    let union = "properties: {a: {type: string}}, oneOf: [{type: object, required: [b], properties: {b: {type: string}}}, {type: object, required: [c], properties: {c: {type: string}}}]";
    let found = types(&format!(
        "paths: {{}}
components:
  schemas:
    rates_request: {{title: rates_request, type: object, {union}}}
    Rates: {{title: A request of rates, type: object, {union}}}
    Parts: {{title: Whole, allOf: [{{title: Part, type: object, {union}}}]}}
    Within: {{type: object, properties: {{it: {{title: An item, type: object, {union}}}}}}}
"
    ));
    for expected in ["RatesRequestKind B C", "RatesKind B C", "PartsPart B C", "WithinItKind B C"] {
        assert!(found.contains(expected), "{found:?}");
    }
}

/// Returns the methods of the resources of some paths, each an operation without parameters, with the words before it.
fn methods(operations: &[(&str, &str, &str, &str)]) -> BTreeSet<String> {
    let mut text = "openapi: 3.1.1\ninfo: {title: Names, version: '1'}\npaths:\n".to_owned();
    for (index, (verb, path, tag, id)) in operations.iter().enumerate() {
        let id = if id.is_empty() { String::new() } else { format!("operationId: '{id}', ") };
        let parameters =
            path.split('{').skip(1).map(|it| it.split('}').next().unwrap()).map(|name| {
                format!("{{name: {name}, in: path, required: true, schema: {{type: string}}}}")
            });
        let parameters = parameters.collect::<Vec<_>>().join(", ");
        // The fragment allows the same path again.
        writeln!(text, "  '{path}#{index}': {{{verb}: {{tags: [{tag}], {id}parameters: [{parameters}], responses: {{'204': {{description: Done.}}}}}}}}").unwrap();
    }
    let source = Source { name: "openapi.yaml".to_owned(), text };
    let (api, diagnostics) = codegen::public_api(&source, &Settings::default());
    let api = api.unwrap_or_else(|| panic!("{diagnostics:?}")).to_string();
    let of_handle = |line: &str| {
        let (signature, request) =
            line.trim().strip_prefix("fn ")?.split_once(" -> resources::")?;
        let (method, (module, _)) = (signature.split('(').next()?, request.split_once("::")?);
        (method != module).then(|| format!("{module}.{method}"))
    };
    api.lines().filter_map(of_handle).collect()
}

#[test]
fn methods_have_no_words_of_frameworks() {
    let cases: &[(&str, &str, &str, &str, &str)] = &[
        // FastAPI.
        ("post", "/logins", "Auth", "login_logins_post", "auth.login"),
        // Custom verbs.
        ("post", "/cars/{id}:disable", "cars", "", "cars.disable"),
        ("post", "/cars/{id}/keys/{key}:rotate", "cars", "", "cars.keys_rotate"),
        ("get", "/cars({id})", "cars", "", "cars.get"),
        // NestJS: the first of several paths has the name that it had alone.
        ("get", "/bikes", "", "BikesController_listBikes[0]", "bikes.list"),
        ("get", "/bicycles", "", "BikesController_listBikes[1]", "bikes.list_1"),
        // springdoc.
        ("delete", "/todos/{id}", "todo-controller", "deleteTodo", "todo.delete"),
        // Tags of several words that are one in the path, and articles.
        ("get", "/xcomEntries", "XCom", "getXcomEntries", "x_com.get_entries"),
        ("get", "/sources/{id}", "Sources", "retrieve-a-source", "sources.retrieve"),
        // Services that are repeated, unless that is another method.
        ("get", "/apps/{id}", "", "apps.getApp", "apps.get_app"),
        ("get", "/apps", "", "apps.get", "apps.get"),
        ("post", "/apps", "", "apps.createApp", "apps.create"),
        // Any word of a tag can be a plural in the path.
        ("get", "/files/{id}/versions", "File versions", "", "file_versions.list"),
    ];
    let operations = cases.iter().map(|(verb, path, tag, id, _)| (*verb, *path, *tag, *id));
    let expected = cases.iter().map(|case| case.4.to_owned()).collect();
    assert_eq!(methods(&operations.collect::<Vec<_>>()), expected);
}

#[test]
fn types_of_operations_that_a_framework_named_follow_their_methods() {
    let object =
        "content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}";
    let operation = |id: &str, rest: &str| {
        format!(
            "{{operationId: '{id}', {rest}responses: {{'200': {{description: Done., {object}}}}}}}"
        )
    };
    let form = "requestBody: {content: {application/x-www-form-urlencoded: {schema: {$ref: '#/components/schemas/Body_add_v1_cars_post'}}}}, ";
    let found = types(&format!(
        "paths:
  /v1/cars: {{post: {add}, get: {list}}}
  /v1/health: {{get: {health}}}
  /v1/bikes: {{post: {bikes}, get: {get}}}
  /roles: {{post: {roles}, get: {written}}}
components: {{schemas: {{Body_add_v1_cars_post: {{type: object, properties: {{color: {{type: string, enum: [red]}}}}}}}}}}
",
        add = operation("add_v1_cars_post", &format!("tags: [Cars], {form}")),
        list = operation("get-v1-cars", "tags: [Cars], "),
        health = operation("health_check_v1_health_get", ""),
        bikes = operation("add_v1_bikes_post", "tags: [Bikes], "),
        get = operation("shop.v1.BikeService.getBikes", ""),
        roles = operation("RolesController_create", &format!("requestBody: {{{object}}}, ")),
        written = operation("listAllRoles", "tags: [Roles], "),
    ));
    let expected = [
        "BikeListResponse",
        "BikesAddResponse",
        "CarsAddRequest",
        "CarsAddRequestColor",
        "CarsAddResponse",
        "CarsListResponse",
        "HealthCheckResponse",
        "ListAllRolesResponse",
        "RolesCreateRequest",
        "RolesCreateResponse",
    ];
    assert_eq!(found, expected.map(str::to_owned).into());
}

#[test]
fn a_cut_module_has_a_warning_whose_key_names_it() {
    let name = ('a'..='z').map(|it| it.to_string().repeat(4)).collect::<Vec<_>>().join(" ");
    let text = format!(
        "openapi: 3.1.1
info: {{title: Names, version: '1'}}
paths: {{}}
components:
  schemas:
    Long: {{type: object, properties: {{'{name}': {{type: object, properties: {{in: {{type: string, enum: [a]}}, out: {{type: string, enum: [a]}}}}}}}}}}
"
    );
    let source = Source { name: "openapi.yaml".to_owned(), text };
    let mut settings = Settings::default();
    let cut = |settings: &Settings| {
        let (api, diagnostics) = codegen::public_api(&source, settings);
        let help = diagnostics.iter().filter(|it| it.code == Code::HashedName);
        let help = help.filter_map(|it| it.help.clone()).collect::<Vec<String>>();
        (help, api.unwrap().to_string())
    };
    let (help, _) = cut(&settings);
    let key = help[0].split('"').nth(1).unwrap();
    assert_eq!(key, format!("/components/schemas/Long/properties/{name}"));
    settings.renames.insert(key.to_owned(), "Alphabet".to_owned());
    let (help, api) = cut(&settings);
    assert!(help.is_empty() && api.contains("enum models::AlphabetIn: "), "{help:?} {api}");
}

#[test]
fn methods_have_no_words_of_a_prefix_before_their_tag() {
    let mut operations = vec![
        ("get", "/admin/realms/{realm}/users", "Users", ""),
        ("put", "/admin/realms/{realm}/users/{id}/reset-password", "Users", ""),
        ("get", "/admin/realms/{realm}/users/{id}", "Users", ""),
        ("get", "/admin/realms/{realm}/keys", "Keys", ""),
        ("post", "/admin/realms/{realm}/keys/search", "Keys", ""),
        ("get", "/admin/realms/{realm}/users/{id}/roles", "Roles", ""),
        ("get", "/admin/realms", "Realms Admin", ""),
    ];
    let before = methods(&operations);
    let expected = [
        "keys.list",
        "keys.search",
        "realms_admin.admin_realms_list",
        "roles.admin_realms_users_roles_list",
        "users.get",
        "users.list",
        "users.reset_password_replace",
    ];
    assert_eq!(before, expected.map(str::to_owned).into());
    // A path outside of the prefix does not take over a name.
    operations.push(("get", "/users", "Users", ""));
    let mut after = methods(&operations);
    assert!(after.remove("users.users_list"), "{after:?}");
    assert_eq!(after, before);
}

/// Writes a document with components, modules, properties, members of a union, values, operations, tags and parameters
/// of these names.
fn document(names: &BTreeSet<String>, locations: &[&str]) -> String {
    let quoted = |text: &str| serde_json::to_string(text).unwrap();
    let mut text =
        "openapi: 3.1.1\ninfo: {title: Names, version: '1'}\ncomponents:\n  schemas:\n".to_owned();
    for name in names {
        let own = quoted(name);
        let dotted = quoted(&format!("x.{name}.Thing"));
        let every = "{$ref: '#/components/schemas/EveryProperty'}";
        writeln!(text, "    {own}: {{type: object, required: [it], properties: {{it: {every}, list: {{type: array, items: {every}}}}}}}").unwrap();
        writeln!(
            text,
            "    {dotted}: {{type: object, properties: {{it: {every}, kind: {{enum: [{own}]}}}}}}"
        )
        .unwrap();
    }
    let all = names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(", ");
    writeln!(text, "    EveryValue: {{enum: [{all}]}}").unwrap();
    writeln!(text, "    EveryProperty:\n      type: object\n      properties:").unwrap();
    for name in names {
        let target = pointer(name);
        writeln!(text, "        {}: {{$ref: {target}}}", quoted(name)).unwrap();
    }
    writeln!(text, "    EveryInline:\n      type: object\n      properties:").unwrap();
    for name in names {
        writeln!(text, "        {}: {{enum: [a, b]}}", quoted(name)).unwrap();
    }
    writeln!(text, "    EveryMember:\n      oneOf:").unwrap();
    for name in names {
        let name = quoted(name);
        writeln!(text, "        - {{type: object, required: [{name}], properties: {{{name}: {{type: string}}}}}}").unwrap();
    }
    writeln!(text, "paths:").unwrap();
    for (index, name) in names.iter().enumerate() {
        let own = quoted(name);
        let tagged = quoted(&format!("service.{name}"));
        let target = pointer(name);
        let reply = format!(
            "{{'200': {{description: Done., content: {{application/json: {{schema: {{$ref: {target}}}}}}}}}}}"
        );
        let body = format!(
            "{{required: true, content: {{application/json: {{schema: {{$ref: {target}}}}}}}}}"
        );
        writeln!(
            text,
            "  /{index}/a: {{get: {{tags: [{own}], operationId: {own}, responses: {reply}}}}}"
        )
        .unwrap();
        writeln!(text, "  /{index}/b: {{post: {{tags: [one], operationId: {tagged}, requestBody: {body}, responses: {reply}}}}}").unwrap();
    }
    let mut parameters = String::new();
    for name in names {
        for place in locations {
            write!(
                parameters,
                "{{name: {}, in: {place}, schema: {{type: string}}}}, ",
                quoted(name)
            )
            .unwrap();
        }
    }
    writeln!(text, "  /all: {{post: {{operationId: everyParameter, parameters: [{parameters}], requestBody: {{content: {{application/json: {{schema: {{$ref: '#/components/schemas/EveryInline'}}}}}}}}, responses: {{'204': {{description: Done.}}}}}}}}").unwrap();
    text
}

fn pointer(name: &str) -> String {
    let mut pointer = "#/components/schemas/".to_owned();
    for byte in name.replace('~', "~0").replace('/', "~1").bytes() {
        if byte.is_ascii_alphanumeric() || byte == b'~' {
            pointer.push(byte.into());
        } else {
            write!(pointer, "%{byte:02X}").unwrap();
        }
    }
    serde_json::to_string(&pointer).unwrap()
}
