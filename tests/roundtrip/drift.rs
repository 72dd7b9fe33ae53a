//! Replies that are made from the schemas of a document and changed in known ways: `drift` must find every change at its
//! place and nothing else, and find nothing after its overlay is applied.

use std::collections::{BTreeMap, BTreeSet};

use codegen::Input;
use serde_json::{Value, json};
use traffic::Finding;

use crate::campaign::{runner, tapes};
use crate::compare::{Step, has_rounded_integer};
use crate::coverage::Coverage;
use crate::document::{Document, resolved};
use crate::doors::{self, Door, Expected, Texts};
use crate::formats::{FORMATS, UNFORMATTED, at, set_formats};
use crate::instance::{Notes, instance};
use crate::mutate::mutate;
use crate::overlays::{apply_overlays, describe, findings};
use crate::samples::ANY;
use crate::shape::{Id, Shape, Shapes};
use crate::subject::Failure;
use tests::Tape;

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
    /// Whether the whole query is the text of one parameter.
    has_querystring: bool,
    /// The parameters, and the headers of the reply.
    doors: Vec<Door<'d>>,
}

/// Checks `count` replies, each as it is, changed in a known way, and changed in any way.
pub fn run(
    input: &Input<'_>,
    document: &Document<'_>,
    (count, seed): (usize, u64),
) -> Result<Outcome, Failure> {
    let declared = replies(document);
    let doors = declared.iter().flat_map(|(reply, _)| &reply.doors).filter_map(|it| it.schema);
    let shapes = Shapes::new(document, declared.iter().map(|(_, place)| *place).chain(doors));
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
        let [sent, _] = tapes(&mut runner)?;
        let sent = &mut Tape::new(&sent);
        let texts: Vec<_> = reply.doors.iter().map(|door| door.texts(&shapes, sent)).collect();
        let with = |texts: &[Texts], mut entry: Value| {
            doors::send(&reply.doors, texts, &mut entry);
            entry.to_string()
        };
        entries[0].push(with(&texts, reply.entry(&value)));
        let tape = &mut Tape::new(&chosen);
        let mut changed = value.clone();
        let mut changed_texts = texts.clone();
        let in_doors = change_texts(&shapes, reply, &mut changed_texts, tape);
        let in_doors = in_doors.map(|change| (reply.entry(&value), vec![change]));
        let changed = in_doors.or_else(|| change(&shapes, reply, &notes, &mut changed, tape));
        if let Some((entry, changes)) = changed {
            for change in &changes {
                *outcome.changes.entry(change.0).or_default() += 1;
            }
            entries[1].push(with(&changed_texts, entry));
            expected.extend(changes);
        }
        let is_changed = mutate(&shapes, &notes.spots, &mut value, tape).is_some();
        if is_changed && !has_rounded_integer(&value) {
            entries[2].push(with(&texts, reply.entry(&value)));
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

/// Returns whether a schema requires a property that it does not describe: replies are made without it.
fn requires_undescribed(document: &Document<'_>, finding: &Finding) -> bool {
    let name = finding.message.split('`').nth(3).unwrap_or_default();
    let schema = document.at(&finding.pointer).map(|place| document.value(place));
    finding.code == "missing-property"
        && schema.is_some_and(|it| it["properties"].get(name).is_none())
}

/// Returns the replies in JSON of all operations, each with the place of its schema.
pub fn replies<'d>(document: &'d Document<'d>) -> Vec<(Reply<'d>, crate::document::Place)> {
    let mut found = Vec::new();
    let Some(paths) = document.at("/paths") else { return found };
    for (template, item) in document.value(paths).as_object().into_iter().flatten() {
        for method in ["get", "put", "post", "delete", "patch"] {
            let Some(operation) = item.get(method) else { continue };
            let Some(responses) = operation["responses"].as_object() else { continue };
            let parameters = [&item["parameters"], &operation["parameters"]];
            let mut parameters = parameters.into_iter().filter_map(Value::as_array).flatten();
            let has_querystring =
                parameters.any(|it| resolved(document, it)["in"] == "querystring");
            for (position, (key, response)) in responses.iter().enumerate() {
                let response = resolved(document, response);
                // These statuses have no body, and equal bodies are found at the first of them.
                let is_before =
                    |other: &Value| resolved(document, other)["content"] == response["content"];
                let mut before = responses.values().take(position);
                if matches!(key.as_str(), "204" | "205" | "304") || before.any(is_before) {
                    continue;
                }
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
                    // As a whole, what only has a `contentMediaType` is any JSON.
                    let is_content = media["schema"].get("contentMediaType").is_some();
                    let is_json = media_type == "application/json" || media_type.ends_with("+json");
                    if let (Some(status), Some(schema), true, false) = (
                        status,
                        media.get("schema"),
                        is_json && !is_content,
                        template.contains('#'),
                    ) {
                        let reply = Reply {
                            template,
                            method: method.to_uppercase(),
                            status,
                            media_type,
                            id: 0,
                            operation: document.pointer(document.place(operation)).to_owned(),
                            response: document.pointer(document.place(response)).to_owned(),
                            has_all: has("default") || has("5XX"),
                            has_querystring,
                            doors: Door::all(document, (item, operation, response)),
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
    pub fn entry(&self, body: &Value) -> Value {
        self.with(body, self.status, "", (self.media_type, "Date"))
    }

    fn with(
        &self,
        body: &Value,
        status: u16,
        query: &str,
        (media_type, header): (&str, &str),
    ) -> Value {
        let url = format!("http://localhost{}{query}", self.template);
        json!({
            "_urlTemplate": self.template,
            "startedDateTime": "2026-11-23T10:00:00Z",
            "request": { "method": self.method, "url": url },
            "response": {
                "status": status,
                "headers": [{ "name": header, "value": "1" }],
                "content": { "mimeType": media_type, "text": body.to_string() },
            },
        })
    }
}

/// Changes the texts of a parameter or a header, of one reply in four; returns the change.
fn change_texts(
    shapes: &Shapes<'_>,
    reply: &Reply<'_>,
    texts: &mut [Texts],
    tape: &mut Tape<'_>,
) -> Option<Expected> {
    let number = tape.below(4);
    let chosen = tape.below(reply.doors.len().max(1));
    let (door, texts) = reply.doors.iter().zip(texts).nth(chosen)?;
    // What a server refuses says nothing about requests.
    let is_checked = tape.one_in(4) && (reply.status < 400 || door.is_of_reply());
    if is_checked { door.change(shapes, texts, number) } else { None }
}

/// Changes a reply around its body, or two values in it; returns its entry, and the changes.
fn change(
    shapes: &Shapes<'_>,
    reply: &Reply<'_>,
    notes: &Notes,
    body: &mut Value,
    tape: &mut Tape<'_>,
) -> Option<(Value, Vec<Expected>)> {
    let number = tape.below(4);
    if let Some((entry, change)) = change_around(reply, body, tape.below(16), number) {
        return Some((entry, vec![change]));
    }
    // Which branch of a union a changed value has, is known if the rules decide by what does not change.
    let is_union = |id: Id| shapes.is_union(id) && shapes.tags(id).is_none();
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
    let decided = notes.unions.iter().filter(|(_, id)| shapes.is_union(*id));
    let decided = decided.filter_map(|(path, id)| Some((path, shapes.tags(*id)?)));
    let decided: Vec<(&Vec<Step>, Vec<&str>)> = decided.collect();
    let is_tag = |path: &[Step]| {
        decided.iter().any(|(union, tags)| match path.strip_prefix(union.as_slice()) {
            Some([Step::Name(name)]) => tags.contains(&name.as_str()),
            _ => false,
        })
    };
    let sure: Vec<&(Vec<Step>, Id)> = sure.filter(|(path, _)| !is_tag(path)).collect();
    let mut changes: Vec<(&[Step], Expected)> = Vec::new();
    for _ in 0..2 {
        let start = tape.below(sure.len());
        let kind = tape.below(6);
        let found = (0..6).find_map(|offset| {
            (0..sure.len()).find_map(|index| {
                let (path, id) = sure[(start + index) % sure.len()];
                let is_near =
                    |(other, _): &(&[Step], _)| path.starts_with(other) || other.starts_with(path);
                if changes.iter().any(is_near) {
                    return None;
                }
                let is_null =
                    |(at, id): &(Vec<Step>, Id)| at == path && shapes.allows(*id, &Value::Null);
                let has_null = notes.unions.iter().any(is_null);
                let spot = at(body, path)?;
                let kind = (kind + offset) % 6;
                let mut around = decided.iter().filter(|(union, _)| *union == path).peekable();
                // Null, and a value of another kind, are of another branch.
                if around.peek().is_some() && matches!(kind, 3 | 4) {
                    return None;
                }
                let tags: Vec<&str> = around.flat_map(|(_, tags)| tags).copied().collect();
                let (code, part) =
                    change_value(shapes, (*id, &tags), spot, has_null, kind, number)?;
                Some((path.as_slice(), (code, shapes.places(*id), part)))
            })
        });
        changes.extend(found);
    }
    let changes: Vec<Expected> = changes.into_iter().map(|(_, change)| change).collect();
    (!changes.is_empty()).then(|| (reply.entry(body), changes))
}

/// Changes what is around the body of a reply; returns its entry, and the change.
fn change_around(
    reply: &Reply<'_>,
    body: &Value,
    kind: usize,
    number: usize,
) -> Option<(Value, Expected)> {
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
        3 if reply.status < 400 && !reply.has_querystring => {
            let name = format!("xDrift{number}");
            let mark = if reply.template.contains('?') { '&' } else { '?' };
            let entry = reply.with(body, reply.status, &format!("{mark}{name}=1"), own);
            Some((entry, ("unknown-query", vec![reply.operation.clone()], name)))
        }
        _ => None,
    }
}

/// Changes a value in one way. It keeps its tags.
fn change_value(
    shapes: &Shapes<'_>,
    (id, tags): (Id, &[&str]),
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
            let mut removed =
                removed.filter(|it| it.tag.is_none() && !tags.contains(&it.name) && is_sent(it.id));
            let removed = removed.nth(number % 2)?;
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
