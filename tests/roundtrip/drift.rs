//! Replies that are made from the schemas of a document and changed in known ways: `drift` must find every change at its
//! place and nothing else, and find nothing after its overlay is applied.

use std::collections::{BTreeMap, BTreeSet};

use codegen::diagnostics::{Code, Diagnostics, render};
use codegen::{Input, Source, trees};
use serde_json::{Value, json};
use traffic::{Description, Finding, Findings};

use crate::campaign::{runner, tapes};
use crate::compare::{Step, has_leap_second, has_rounded_integer};
use crate::coverage::Coverage;
use crate::document::{Document, resolved};
use crate::instance::{Notes, instance};
use crate::mutate::mutate;
use crate::samples::ANY;
use crate::shape::{Id, Shape, Shapes};
use crate::subject::Failure;
use tests::Tape;

/// The values that a format does not have.
const UNFORMATTED: &str = "x drift!";

/// Maximum number of overlays that changes of any kind need.
const MAX_ROUNDS: usize = 3;

/// The formats that are checked, with a value where random ones do not have it.
const FORMATS: [(&str, &str); 7] = [
    ("date-time", "2026-11-29T00:00:00Z"),
    ("date", ""),
    ("uuid", ""),
    ("byte", ""),
    ("ipv4", "127.0.0.1"),
    ("ipv6", "::1"),
    ("email", "a@example.org"),
];

/// The outcome of a run: the number of replies and of changes of each kind, and what is wrong.
#[derive(Debug, Default)]
pub struct Outcome {
    pub replies: usize,
    pub changes: BTreeMap<&'static str, usize>,
    pub faults: BTreeSet<String>,
}

/// A declared reply of an operation.
#[derive(Clone)]
pub struct Reply<'d> {
    template: &'d str,
    method: String,
    status: u16,
    media_type: &'d str,
    id: Id,
    /// The pointers of the operation and of the response.
    operation: String,
    response: String,
    /// Whether the operation describes all statuses.
    has_all: bool,
}

/// A change, the places where it may be found, and a part of the message.
type Expected = (&'static str, Vec<String>, String);

/// Checks `count` replies, each as it is, changed in a known way, and changed in any way.
pub fn run(
    input: &Input<'_>,
    document: &Document<'_>,
    (count, seed): (usize, u64),
) -> Result<Outcome, Failure> {
    let declared = replies(document);
    let shapes = Shapes::new(document, declared.iter().map(|(_, place)| *place));
    let replies = declared.iter();
    let replies =
        replies.filter_map(|(it, place)| Some(Reply { id: shapes.at(*place)?, ..it.clone() }));
    let replies: Vec<Reply<'_>> = replies.collect();
    // An overlay changes one file.
    let is_alone = document.is_one_file();
    let mut outcome = Outcome::default();
    if replies.is_empty() {
        return Ok(outcome);
    }
    let mut runner = runner(seed);
    let mut entries: [Vec<String>; 3] = Default::default();
    let mut expected: BTreeSet<Expected> = BTreeSet::new();
    for index in 0..count {
        let reply = &replies[index % replies.len()];
        let [made, chosen] = tapes(&mut runner)?;
        let mut coverage = Coverage::default();
        let made = instance(&shapes, (0, reply.id), &[], &mut Tape::new(&made), &mut coverage);
        let Some((mut value, notes)) =
            made.filter(|(_, notes)| !notes.is_contradictory && notes.unmapped.is_empty())
        else {
            continue;
        };
        set_formats(&shapes, &notes, &mut value);
        if has_rounded_integer(&value) {
            continue;
        }
        outcome.replies += 1;
        entries[0].push(reply.entry(&value));
        let tape = &mut Tape::new(&chosen);
        let mut changed = value.clone();
        if let Some((entry, change)) = change(&shapes, reply, &notes, &mut changed, tape) {
            *outcome.changes.entry(change.0).or_default() += 1;
            entries[1].push(entry);
            expected.insert(change);
        }
        let is_changed = mutate(&shapes, &notes.spots, &mut value, tape).is_some();
        if is_changed && !has_rounded_integer(&value) {
            entries[2].push(reply.entry(&value));
        }
    }
    compare_findings((input, document), &entries, &expected, &mut outcome.faults)?;
    apply_overlays(input, is_alone, &entries, &mut outcome.faults)?;
    Ok(outcome)
}

/// Compares what is found in valid and in changed replies with the changes.
fn compare_findings(
    (input, document): (&Input<'_>, &Document<'_>),
    entries: &[Vec<String>; 3],
    expected: &BTreeSet<Expected>,
    faults: &mut BTreeSet<String>,
) -> Result<(), Failure> {
    let is_of = |(code, places, part): &Expected, finding: &Finding| {
        *code == finding.code && places.contains(&finding.pointer) && finding.message.contains(part)
    };
    let valid = findings(input, &entries[0])?;
    let changed = findings(input, &entries[1])?;
    let is_change = |finding: &&Finding| expected.iter().any(|change| is_of(change, finding));
    let wrong = valid.all.iter().map(|finding| ("found in a valid reply", finding));
    let others = changed.all.iter().filter(|finding| !is_change(finding));
    for (fault, finding) in wrong.chain(others.map(|finding| ("not a change", finding))) {
        if !requires_undescribed(document, finding) {
            faults.insert(format!("{fault}: {}", describe(finding)));
        }
    }
    let lost = expected.iter().filter(|change| !changed.all.iter().any(|it| is_of(change, it)));
    faults
        .extend(lost.map(|(code, places, part)| format!("not found: {code} {part} at {places:?}")));
    Ok(())
}

/// Checks the overlays of what is found.
fn apply_overlays(
    input: &Input<'_>,
    is_alone: bool,
    entries: &[Vec<String>; 3],
    faults: &mut BTreeSet<String>,
) -> Result<(), Failure> {
    // A change in a union can make another branch fit better, and values of any kind at a constant remain.
    for (changes, entries, rounds) in [("known", &entries[1], 1), ("any", &entries[2], MAX_ROUNDS)]
    {
        let mut corrected = input.clone();
        for _ in 0..rounds {
            let Some(text) = findings(&corrected, entries)?.overlay() else { break };
            let name = format!("drift{}.yaml", corrected.overlays.len());
            corrected.overlays.push(Source { name, text });
        }
        // Through text, in which integers have no bounds.
        let [before, after] = [input, &corrected].map(|input| serde_json::to_string(&trees(input)));
        removed(&serde_json::from_str(&before?)?, &serde_json::from_str(&after?)?, "", faults);
        let mut diagnostics = Diagnostics::new();
        Description::read(&corrected, &mut diagnostics);
        for diagnostic in diagnostics.iter().filter(|it| it.code == Code::Overlay) {
            faults.insert(format!("in the overlay: {}", diagnostic.message));
        }
        let left = findings(&corrected, entries)?.all;
        let is_wrong = |it: &&Finding| is_alone && it.is_closed && changes == "known";
        for finding in left.iter().filter(is_wrong) {
            faults.insert(format!("after the overlay of {changes} changes: {}", describe(finding)));
        }
    }
    Ok(())
}

/// Finds what an overlay removes, other than restrictions.
fn removed(before: &Value, after: &Value, pointer: &str, found: &mut BTreeSet<String>) {
    // A property can be called `properties`, too.
    let levels = pointer.rsplit('/').take_while(|level| *level == "properties").count();
    let is_property = levels % 2 == 1;
    let is_restriction = |key: &str| {
        ["$ref", "allOf", "const", "format", "nullable", "required", "type"].contains(&key)
    };
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => {
            for (key, value) in before {
                let pointer = format!("{pointer}/{key}");
                match after.get(key) {
                    _ if is_restriction(key) && !is_property => {}
                    Some(after) => removed(value, after, &pointer, found),
                    None => _ = found.insert(format!("removed by the overlay: {pointer}")),
                }
            }
        }
        (Value::Array(before), Value::Array(after)) if after.len() >= before.len() => {
            for (index, (one, other)) in before.iter().zip(after).enumerate() {
                removed(one, other, &format!("{pointer}/{index}"), found);
            }
        }
        (before, after) if before == after => {}
        _ => _ = found.insert(format!("removed by the overlay: {pointer}")),
    }
}

/// Returns whether a schema requires a property that it does not describe: replies are made without it.
fn requires_undescribed(document: &Document<'_>, finding: &Finding) -> bool {
    let name = finding.message.split('`').nth(3).unwrap_or_default();
    let schema = document.at(&finding.pointer).map(|place| document.value(place));
    finding.code == "missing-property"
        && schema.is_some_and(|it| it["properties"].get(name).is_none())
}

fn describe(it: &Finding) -> String {
    format!("{} at {}: {} ({})", it.code, it.pointer, it.message, it.count)
}

pub fn findings(input: &Input<'_>, entries: &[String]) -> Result<Findings, Failure> {
    let mut diagnostics = Diagnostics::new();
    let description = Description::read(input, &mut diagnostics);
    let description = description.ok_or_else(|| render(&diagnostics, false))?;
    let mut check = description.check(&[]);
    for entry in entries {
        check.entry(entry)?;
    }
    Ok(check.findings(1))
}

/// Returns the replies in JSON of all operations, each with the place of its schema.
pub fn replies<'d>(document: &'d Document<'d>) -> Vec<(Reply<'d>, crate::document::Place)> {
    let mut found = Vec::new();
    let Some(paths) = document.at("/paths") else { return found };
    for (template, item) in document.value(paths).as_object().into_iter().flatten() {
        for method in ["get", "put", "post", "delete", "patch"] {
            let Some(operation) = item.get(method) else { continue };
            let Some(responses) = operation["responses"].as_object() else { continue };
            for (key, response) in responses {
                let response = resolved(document, response);
                let has = |key: &str| responses.contains_key(key);
                let free = [599u16, 499, 399, 299].into_iter().find(|status| {
                    !has(&status.to_string()) && !has(&format!("{}XX", status / 100))
                });
                let status = match key.as_str() {
                    "default" => free,
                    key => key.replace("XX", "98").parse().ok(),
                };
                for (media_type, media) in response["content"].as_object().into_iter().flatten() {
                    let media = resolved(document, media);
                    let is_json = media_type == "application/json" || media_type.ends_with("+json");
                    if let (Some(status), Some(schema), true, false) =
                        (status, media.get("schema"), is_json, template.contains('#'))
                    {
                        let reply = Reply {
                            template,
                            method: method.to_uppercase(),
                            status,
                            media_type,
                            id: 0,
                            operation: document.pointer(document.place(operation)).to_owned(),
                            response: document.pointer(document.place(response)).to_owned(),
                            has_all: has("default") || has("5XX"),
                        };
                        found.push((reply, document.place(schema)));
                    }
                }
            }
        }
    }
    found
}

impl Reply<'_> {
    /// Returns the entry of a HAR file with a body.
    pub fn entry(&self, body: &Value) -> String {
        self.with(body, self.status, "", (self.media_type, "Date"))
    }

    fn with(
        &self,
        body: &Value,
        status: u16,
        query: &str,
        (media_type, header): (&str, &str),
    ) -> String {
        let url = format!("http://localhost{}{query}", self.template);
        let entry = json!({
            "_urlTemplate": self.template,
            "startedDateTime": "2026-11-23T10:00:00Z",
            "request": { "method": self.method, "url": url },
            "response": {
                "status": status,
                "headers": [{ "name": header, "value": "1" }],
                "content": { "mimeType": media_type, "text": body.to_string() },
            },
        });
        entry.to_string()
    }
}

/// Gives texts the formats of their schemas.
pub fn set_formats(shapes: &Shapes<'_>, notes: &Notes, value: &mut Value) {
    for (path, id) in &notes.spots {
        let Shape::Scalar(kind, Some(format)) = shapes.shape(*id) else { continue };
        let valid = FORMATS.iter().find(|(name, _)| name == format).map_or("", |(_, valid)| valid);
        // Several formats can apply.
        let formats = shapes.places(*id);
        let formats = formats.iter().filter_map(|place| shapes.document.at(place));
        let mut formats = formats.filter_map(|it| shapes.document.value(it)["format"].as_str());
        let is_number = formats.any(|it| it.contains("int32") || it.contains("int64"));
        if let Some(value) = at(value, path).filter(|value| !value.is_null()) {
            match *kind {
                "string" if !valid.is_empty() => *value = valid.into(),
                "string" if is_number => *value = "1".into(),
                "string" if has_leap_second(value.as_str().unwrap_or_default()) => {
                    *value = "2026-11-29T00:00:00Z".into();
                }
                "integer" | "number" if is_number => *value = json!(1),
                _ => {}
            }
        }
    }
}

/// Returns the value at a path.
pub fn at<'v>(value: &'v mut Value, path: &[Step]) -> Option<&'v mut Value> {
    path.iter().try_fold(value, |value, step| match step {
        Step::Name(name) => value.get_mut(name),
        Step::Index(index) => value.get_mut(index),
    })
}

/// Changes a reply in one way; returns its entry, and the change.
fn change(
    shapes: &Shapes<'_>,
    reply: &Reply<'_>,
    notes: &Notes,
    body: &mut Value,
    tape: &mut Tape<'_>,
) -> Option<(String, Expected)> {
    let number = tape.below(4);
    if let Some(changed) = change_around(reply, body, tape.below(16), number) {
        return Some(changed);
    }
    // Which branch of a union a changed value has, is not known.
    let is_null = |id: &Id| matches!(shapes.shape(*id), Shape::Scalar("null", _));
    let is_union = |id: Id| match shapes.shape(id) {
        Shape::OneOf(branches) => branches.iter().filter(|(_, id)| !is_null(id)).count() > 1,
        _ => false,
    };
    // Nor are the values of secrets shown.
    let is_unsure = |id: Id| match shapes.shape(id) {
        Shape::Object(object) => !object.oneofs.is_empty(),
        Shape::Values(_) => shapes.places(id).iter().any(|place| {
            shapes
                .document
                .at(place)
                .is_some_and(|it| shapes.document.value(it)["format"] == "password")
        }),
        _ => is_union(id),
    };
    let all = || notes.unions.iter().chain(&notes.spots);
    let unions = || all().filter(|(_, id)| is_unsure(*id));
    // An object with nothing but this property and any others is free of types.
    let is_type = |path: &[Step]| path.last() == Some(&Step::Name("@type".to_owned()));
    let sure = notes
        .spots
        .iter()
        .filter(|(path, _)| !is_type(path) && !unions().any(|(union, _)| path.starts_with(union)));
    let sure: Vec<&(Vec<Step>, Id)> = sure.collect();
    let start = tape.below(sure.len());
    let kind = tape.below(6);
    (0..6).find_map(|offset| {
        (0..sure.len()).find_map(|index| {
            let (path, id) = sure[(start + index) % sure.len()];
            let has_null =
                notes.unions.iter().any(|(at, id)| at == path && shapes.allows(*id, &Value::Null));
            let spot = at(body, path)?;
            let (code, part) =
                change_value(shapes, *id, spot, has_null, (kind + offset) % 6, number)?;
            let places = shapes.places(*id);
            Some((reply.entry(body), (code, places, part)))
        })
    })
}

/// Changes what is around the body of a reply; returns its entry, and the change.
fn change_around(
    reply: &Reply<'_>,
    body: &Value,
    kind: usize,
    number: usize,
) -> Option<(String, Expected)> {
    let own = (reply.media_type, "Date");
    match kind {
        0 if !reply.has_all => {
            let entry =
                reply.with(&json!({ "code": number }), 598, "", ("application/json", "Date"));
            let part = "the status 598".to_owned();
            Some((entry, ("unknown-status", vec![reply.operation.clone()], part)))
        }
        1 => {
            let name = format!("x-drift-{number}");
            let entry = reply.with(body, reply.status, "", (reply.media_type, &name));
            Some((entry, ("unknown-header", vec![reply.response.clone()], name)))
        }
        2 => {
            let name = format!("application/x-drift-{number}+json");
            let entry = reply.with(body, reply.status, "", (&name, "Date"));
            Some((entry, ("unknown-media-type", vec![reply.response.clone()], name)))
        }
        3 if reply.status < 400 => {
            let name = format!("xDrift{number}");
            let mark = if reply.template.contains('?') { '&' } else { '?' };
            let entry = reply.with(body, reply.status, &format!("{mark}{name}=1"), own);
            Some((entry, ("unknown-query", vec![reply.operation.clone()], name)))
        }
        _ => None,
    }
}

/// Changes a value in one way.
fn change_value(
    shapes: &Shapes<'_>,
    id: Id,
    value: &mut Value,
    has_null: bool,
    kind: usize,
    number: usize,
) -> Option<(&'static str, String)> {
    let shape = shapes.shape(id);
    match (kind, shape) {
        (0, Shape::Object(object)) => {
            let rest = matches!(object.rest, crate::shape::Rest::Unsaid | crate::shape::Rest::None);
            let is_described = rest && !object.properties.is_empty();
            let name = format!("xDrift{number}");
            let made = [json!(1), json!("a"), json!(null), json!([{ "a": 1 }, {}])][number].clone();
            value.as_object_mut().filter(|_| is_described)?.insert(name.clone(), made);
            Some(("unknown-property", name))
        }
        (1, Shape::Values(values)) => {
            values.iter().all(|(_, value)| value.is_string()).then_some(())?;
            let made = format!("x_drift_{number}");
            *value = made.as_str().into();
            Some(("unknown-value", made))
        }
        (2, Shape::Object(object)) => {
            let removed = object.properties.iter().filter(|it| it.required && it.oneof.is_none());
            let is_sent = |id: Id| {
                let flagged = |place: &String| {
                    let place = shapes.document.at(place).map(|it| shapes.document.value(it));
                    place.is_some_and(|it| it["writeOnly"] == true)
                };
                !shapes.places(id).iter().any(flagged)
            };
            let removed =
                removed.filter(|it| it.tag.is_none() && is_sent(it.id)).nth(number % 2)?;
            value.as_object_mut()?.remove(removed.name)?;
            Some(("missing-property", format!("`{}`", removed.name)))
        }
        (3, Shape::Scalar(kind, _)) if [ANY, "null"].contains(kind) => None,
        (3, Shape::Values(values)) if values.iter().any(|(_, value)| value.is_null()) => None,
        (3, _) if !has_null && !value.is_null() => {
            *value = Value::Null;
            Some(("null", "null".to_owned()))
        }
        (4, Shape::Scalar(kind, _)) if ![ANY, "null"].contains(kind) && !value.is_null() => {
            let (made, part) = match *kind {
                "string" => (json!(12_345), "`integer`"),
                _ => (json!("x"), "`string`"),
            };
            *value = made;
            Some(("other-kind", part.to_owned()))
        }
        (4, Shape::Object(_) | Shape::Array(..)) => {
            *value = json!("x");
            Some(("other-kind", "`string`".to_owned()))
        }
        (5, Shape::Scalar("string", Some(format))) if !value.is_null() => {
            FORMATS.iter().find(|(name, _)| name == format)?;
            *value = UNFORMATTED.into();
            Some(("format", format!("`{format}`")))
        }
        _ => None,
    }
}

#[test]
fn replies_of_a_media_type_in_the_components_are_made() {
    let media = json!({ "$ref": "#/components/mediaTypes/Pet" });
    let reply = json!({ "content": { "application/json": media } });
    let paths = json!({ "/pets": { "get": { "responses": { "200": reply } } } });
    let components = json!({ "mediaTypes": { "Pet": { "schema": { "type": "object" } } } });
    let root = json!({ "openapi": "3.2.0", "paths": paths, "components": components });
    let files = [(String::new(), root)].into_iter().collect();
    let document = Document::new(&files);
    let schemas =
        replies(&document).into_iter().map(|(_, place)| document.pointer(place).to_owned());
    assert_eq!(schemas.collect::<Vec<_>>(), ["/components/mediaTypes/Pet/schema"]);
}
