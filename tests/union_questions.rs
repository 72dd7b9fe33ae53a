//! The questions that tell the branches of a union apart.

use serde_json::{Map, Value, json};

use crate::union_rules::{rules_of, rules_of_schemas, shown, warnings_of};

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// A list of unknown items made the message a `Reference`, which lacked the `id` that it requires.
#[test]
fn items_that_decide_nothing_leave_the_decision_to_the_object() {
    let message = |title: &str, kind: &str| {
        let list = json!({ "type": "array", "items": { "type": kind } });
        json!({ "title": title, "properties": { "list": list, title: { "type": "string" } } })
    };
    let reference = json!({ "title": "Reference", "properties": { "id": { "type": "string" } } });
    let rules = rules_of(&[message("numbers", "integer"), message("texts", "string"), reference]);
    let of_list: Vec<(&str, &str)> = rules
        .iter()
        .filter_map(|((_, condition), variant)| {
            Some((condition.strip_prefix("object property \"list\" array ")?, variant.as_str()))
        })
        .collect();
    assert_eq!(
        of_list,
        [
            ("of number", "Numbers"),
            ("of string", "Texts"),
            ("otherwise fit \"list\"", "Texts"),
            ("otherwise fit \"numbers\"", "Numbers"),
            ("otherwise fit \"texts\"", "Texts"),
        ]
    );
}

#[test]
fn a_property_that_one_branch_requires_tells_it_apart_whatever_its_value_is() {
    let object = |name: &str, value: Value| {
        let note = json!({ "type": "string" });
        json!({ "required": [name], "properties": { name: value, "note": note } })
    };
    let ok = object("ok", json!({ "type": "string", "enum": ["A", "B"] }));
    let error = object("err", json!({ "type": "string" }));
    let other = object("size", json!({ "type": "array", "items": { "type": "string" } }));
    let rules = rules_of(&[ok, error, other]);
    assert_eq!(
        shown(&rules),
        [
            ("object with \"err\"", "Err"),
            ("object with \"ok\"", "Ok"),
            ("object with \"size\"", "Size"),
        ]
    );
}

/// With a branch that has no tag beside them, cats and dogs were told apart by what they require, and a dog with a `meow` was
/// a cat.
#[test]
fn known_values_of_a_tag_decide_before_what_one_branch_requires() {
    let animal = |tag: &str, required: &[&str]| {
        let names = required.iter().map(|name| ((*name).to_owned(), json!({ "type": "string" })));
        let mut properties: Map<String, Value> = names.collect();
        properties.insert("type".to_owned(), json!({ "const": tag }));
        json!({ "title": tag, "required": required, "properties": properties })
    };
    let book = json!({
        "title": "book",
        "required": ["title"],
        "properties": { "title": { "type": "string" } },
    });
    let rules = rules_of(&[animal("cat", &["type", "meow"]), animal("dog", &["type"]), book]);
    assert_eq!(
        shown(&rules),
        [
            ("object tag \"type\" \"cat\"", "Cat"),
            ("object tag \"type\" \"dog\"", "Dog"),
            ("object tag \"type\" missing", "Book"),
            ("object tag \"type\" otherwise with \"title\"", "Book"),
        ]
    );
}

/// In `data` and `error`, of which one is null, nothing led to the branch of errors.
#[test]
fn a_property_that_is_null_in_a_branch_leads_to_it_as_a_missing_one() {
    let reply = |title: &str, data: Value, error: Value| {
        let properties = json!({ "data": data, "error": error });
        json!({ "title": title, "required": ["data", "error"], "properties": properties })
    };
    let (null, object) = (json!({ "type": "null" }), json!({ "type": "object" }));
    let rules =
        rules_of(&[reply("ok", object.clone(), null.clone()), reply("failed", null, object)]);
    assert_eq!(
        shown(&rules),
        [("object property \"data\" missing", "Failed"), ("object property \"data\" object", "Ok"),]
    );
}

/// Each of the events was the smaller one.
#[test]
fn what_is_within_a_property_tells_branches_apart() {
    let event = |title: &str, data: Value| {
        let properties = json!({ "data": data });
        json!({ "title": title, "required": ["data"], "properties": properties })
    };
    let tagged = |kind: &str| {
        let properties = json!({ "type": { "const": kind }, "id": { "type": "string" } });
        json!({ "required": ["type", "id"], "properties": properties })
    };
    let events = [event("user", tagged("users")), event("group", tagged("groups"))];
    assert_eq!(warnings_of(&events), "");
    let rules = rules_of(&events);
    assert_eq!(
        shown(&rules),
        [
            ("object property \"data\" object of object tag \"type\" \"groups\"", "Group"),
            ("object property \"data\" object of object tag \"type\" \"users\"", "User"),
            ("object property \"data\" object otherwise fit \"data\"", "Group"),
        ]
    );
    let requiring = |name: &str| {
        let text = json!({ "type": "string" });
        json!({ "required": ["kind", name], "properties": { "kind": text, name: text } })
    };
    let rules = rules_of(&[event("by id", requiring("id")), event("by name", requiring("name"))]);
    assert_eq!(
        shown(&rules)[..2],
        [
            ("object property \"data\" object of object with \"id\"", "ById"),
            ("object property \"data\" object of object with \"name\"", "ByName"),
        ]
    );
}

/// Each of the events was the smaller one.
#[test]
fn what_is_two_levels_within_a_property_tells_branches_apart() {
    let object = |name: &str, value: Value| {
        let properties = Map::from_iter([(name.to_owned(), value)]);
        json!({ "required": [name], "properties": properties })
    };
    let kind = |title: &str| object("kind", json!({ "const": title }));
    let list = |items: Value| json!({ "type": "array", "items": items });
    let conditions = |data: &dyn Fn(&str) -> Value| {
        let events = ["user", "group"].map(|title| {
            let mut event = object("data", data(title));
            event["title"] = json!(title);
            event
        });
        let rules = rules_of(&events);
        let conditions = rules.into_iter().map(|((_, condition), variant)| {
            format!("{} => {variant}", condition.trim_start_matches("object property \"data\" "))
        });
        conditions.collect::<Vec<_>>()
    };
    let within = |title: &str| object("meta", kind(title));
    let events = ["user", "group"].map(|title| object("data", within(title)));
    assert_eq!(warnings_of(&events), "");
    assert_eq!(
        conditions(&within),
        [
            "object of object property \"meta\" object of object tag \"kind\" \"group\" => Group",
            "object of object property \"meta\" object of object tag \"kind\" \"user\" => User",
            "object otherwise fit \"data\" => Group",
        ]
    );
    let items_within = |title: &str| list(object("notes", list(kind(title))));
    assert_eq!(
        conditions(&items_within)[..2],
        [
            "array of object property \"notes\" array of object tag \"kind\" \"group\" => Group",
            "array of object property \"notes\" array of object tag \"kind\" \"user\" => User",
        ]
    );
    let lists = |title: &str| list(list(kind(title)));
    assert_eq!(
        conditions(&lists)[..2],
        [
            "array of array of object tag \"kind\" \"group\" => Group",
            "array of array of object tag \"kind\" \"user\" => User",
        ]
    );
}

/// A message with an image of a file was the one whose images require an address.
#[test]
fn what_only_some_alternatives_of_an_item_require_tells_branches_apart() {
    let text = json!({ "type": "string" });
    let item = |tag: &str, required: &[&str]| {
        let properties = json!({ "type": { "const": tag }, "url": text, "size": text });
        json!({ "required": required, "properties": properties })
    };
    let message = |title: &str, image: &[&str]| {
        let own = item(title, &["type"]);
        let items = json!({ "oneOf": [item("text", &["type"]), item("image", image), own] });
        let properties = json!({ "content": { "type": "array", "items": items } });
        json!({ "title": title, "required": ["content"], "properties": properties })
    };
    let rules_of = |input: &[&str], eval: &[&str]| {
        rules_of(&[message("input", input), message("eval", eval)])
            .into_iter()
            .filter_map(|((_, condition), variant)| {
                let (_, condition) =
                    condition.split_once(" array of object tag \"type\" \"image\" ")?;
                Some(format!("{condition} => {variant}"))
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(rules_of(&["type"], &["type", "url"]), ["property \"url\" missing => Input"]);
    assert_eq!(
        rules_of(&["type", "size"], &["type", "url"]),
        [
            "property \"size\" missing => Eval",
            "property \"size\" string property \"url\" missing => Input",
        ]
    );
}

/// The branch beside a union was each message with a role that it lists, too: not all alternatives have a role.
#[test]
fn what_only_alternatives_with_a_tag_have_tells_branches_apart() {
    let message = |title: &str, roles: &[&str]| {
        let role = json!({ "type": "string", "enum": roles });
        let own = json!({ "type": "string" });
        let properties = json!({ "type": { "const": "message" }, "role": role, title: own });
        json!({ "title": title, "required": ["type", "role"], "properties": properties })
    };
    let call = json!({ "required": ["type"], "properties": { "type": { "const": "call" } } });
    let union = |branches: &[Value]| json!({ "oneOf": branches, "discriminator": { "propertyName": "type" } });
    let item = [message("question", &["user"]), message("answer", &["assistant"]), call];
    let rules = rules_of_schemas(&json!({
        "Item": union(&item),
        "Easy": message("easy", &["user", "assistant"]),
        "Source": union(&["Easy", "Item"].map(reference)),
    }));
    let of_source = rules.iter().filter(|((path, _), _)| path == "models::Source");
    let of_source = of_source.map(|((_, condition), variant)| format!("{condition} => {variant}"));
    assert_eq!(
        of_source.collect::<Vec<_>>(),
        [
            r#"object tag "type" "call" => Item"#,
            r#"object tag "type" "message" fit "answer" => Item"#,
            r#"object tag "type" "message" fit "easy" => Easy"#,
            r#"object tag "type" "message" fit "question" => Item"#,
            r#"object tag "type" "message" fit "role" => Easy"#,
            r#"object tag "type" "message" fit "type" => Easy"#,
        ]
    );
}

/// Branches with 40 properties, each an object with 40 objects of 40 properties, took 2.8 GB.
#[test]
fn what_is_within_properties_is_read_up_to_a_limit() {
    let names = |prefix: &str, count: usize| {
        (0..count).map(|number| format!("{prefix}{number:02}")).collect::<Vec<_>>()
    };
    let object = |names: &[String], value: Value| {
        let properties = names.iter().map(|name| (name.clone(), value.clone()));
        json!({ "required": names, "properties": properties.collect::<Map<_, _>>() })
    };
    let leaf = object(&names("leaf", 40), json!({ "type": "string" }));
    let middle = object(&names("middle", 40), reference("Leaf"));
    // How many of 40 branches are known by what is within their last property, after others that are alike.
    let decided = |alike: usize| {
        let branches = names("branch", 40).into_iter().map(|title| {
            let mut branch = object(&names("alike", alike), reference("Middle"));
            branch["properties"]["last"] = object(&["tag".to_owned()], json!({ "const": title }));
            branch["title"] = json!(title);
            branch
        });
        let source = json!({ "oneOf": branches.collect::<Vec<_>>() });
        let rules = rules_of_schemas(&json!({ "Source": source, "Middle": middle, "Leaf": leaf }));
        rules.keys().filter(|(_, condition)| condition.contains("object of object tag")).count()
    };
    assert_eq!([2, 3].map(decided), [40, 0]);
}

#[test]
fn a_tag_that_all_branches_have_is_asked_before_one_that_only_some_have() {
    let leaf = |title: &str, tags: &[(&str, &str)]| {
        let required: Vec<&str> = tags.iter().map(|(name, _)| *name).collect();
        let tags = tags.iter().map(|(name, value)| ((*name).to_owned(), json!({ "const": value })));
        json!({ "title": title, "required": required, "properties": tags.collect::<Map<_, _>>() })
    };
    let rules = rules_of(&[
        leaf("one", &[("kind", "a"), ("sub", "x")]),
        leaf("two", &[("kind", "a"), ("sub", "y")]),
        leaf("other", &[("kind", "b")]),
    ]);
    assert_eq!(
        shown(&rules),
        [
            ("object tag \"kind\" \"a\" tag \"sub\" \"x\"", "One"),
            ("object tag \"kind\" \"a\" tag \"sub\" \"y\"", "Two"),
            ("object tag \"kind\" \"b\"", "Other"),
        ]
    );
}

/// Of addresses with and without a county, the text was the tag, and an empty county made each of them a `Global`.
#[test]
fn the_empty_text_is_no_tag() {
    let county = json!({ "type": "string" });
    let texts = json!({ "county": county, "note": county });
    let uk = json!({ "title": "Uk", "required": ["county"], "properties": texts });
    let county = json!({ "type": "string", "enum": [""] });
    let texts = json!({ "county": county, "native": { "type": "object" } });
    let global =
        json!({ "title": "Global", "required": ["county", "native"], "properties": texts });
    let rules = rules_of(&[uk, global]);
    assert_eq!(shown(&rules), [("object otherwise", "Uk"), ("object with \"native\"", "Global")]);
}

#[test]
fn of_branches_that_fit_equally_the_one_with_fewer_constants_is_first() {
    let event = |title: &str, kinds: &[&str]| {
        let kind = json!({ "type": "string", "enum": kinds });
        json!({ "title": title, "required": ["kind"], "properties": { "kind": kind, "at": {} } })
    };
    let events = [event("Any", &["command", "exit", "output"]), event("Command", &["command"])];
    let rules = rules_of(&events);
    assert!(rules.values().all(|variant| variant == "Command"), "{rules:?}");
}

/// What a schema around the branches requires counted for those that do not describe it, so the smallest one was always first.
#[test]
fn a_branch_has_no_property_that_only_others_describe() {
    let branch = |title: &str, name: &str| json!({ "title": title, "required": ["id", "shipment"], "properties": { name: { "type": "string" } } });
    let rules = rules_of(&[branch("ById", "id"), branch("ByShipment", "shipment")]);
    let expected = [("object fit \"id\"", "ById"), ("object fit \"shipment\"", "ByShipment")];
    assert_eq!(shown(&rules), expected);
}

#[test]
fn branches_that_cannot_be_told_apart_are_named_once_per_union() {
    let branch = |(title, name, types): (&str, &str, &[&str])| {
        let value = json!({ "type": types });
        json!({ "title": title, "required": [name], "properties": { name: value } })
    };
    let branches = [
        ("A", "one", &["string", "integer"][..]),
        ("B", "one", &["string", "boolean"]),
        ("C", "one", &["string", "array"]),
        // What is like both of two others does not make them alike.
        ("D", "two", &["string", "integer"]),
        ("E", "two", &["string", "boolean"]),
        ("F", "two", &["boolean", "array"]),
    ];
    let warnings = warnings_of(&branches.map(branch));
    let message =
        "`A`, `B` and `C` cannot be told apart, nor can `D` and `E`, nor can `E` and `F`:";
    assert!(warnings.contains(message), "{warnings}");
    assert_eq!(warnings.matches("[ambiguous-union]").count(), 1, "{warnings}");
}

#[test]
fn variants_without_a_name_are_told_apart_by_what_they_require() {
    let object = |required: [&str; 2]| {
        let [one, other] = required.map(|name| (name.to_owned(), json!({ "type": "string" })));
        json!({ "required": required, "properties": Map::from_iter([one, other]) })
    };
    let branches = [object(["a", "bc"]), object(["ab", "c"])];
    let [one, other] = branches.clone();
    let rules = rules_of(&branches);
    assert_eq!(rules.len(), branches.len(), "{rules:?}");
    assert_eq!(rules_of(&[other, one]), rules);
}
