//! The edit oracle: `--edits`. A request must send the changes that an independent program computes from the JSON before
//! and after an edit.

use std::collections::{BTreeMap, BTreeSet};

use ::tests::Tape;
use codegen::items::{Definition, Item, MemberKind, Path, PublicApi};
use percent_encoding::percent_decode_str;
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::{Map, Value, json};

use crate::campaign::Root;
use crate::compare::compare;
use crate::coverage::Coverage;
use crate::instance::instance;
use crate::mutate::{OTHER_TYPE, mutate};
use crate::schema::Schema;
use crate::shape::{Id, Object, Property, Rest, Shape, Shapes};
use crate::subject::{Answer, Failure, Program};
use ::tests::progress::Progress;

type Json = Map<String, Value>;

/// Maximum number of random numbers for an object, for the one that its changes are from, and for their choice.
const LENGTHS: [usize; 3] = [300, 300, 60];

/// One read-only property in so many may change.
const READ_ONLY: usize = 40;

/// The outcomes of edits.
const SENT: &str = "are sent";
const NULL: &str = "are sent with a property that is null";
const UNCHANGED: &str = "change nothing";
const REFUSED: &str = "change read-only properties, and are refused with their names";
const UNNAMED: &str = "change a property that no mask can name, and are refused";

/// An operation with an update mask.
#[derive(Debug)]
pub struct Operation {
    /// The path of its type below the crate.
    pub rust: String,
    /// The index of the root of its object.
    root: usize,
}

/// The outcome of a run.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The number of edits with each outcome.
    pub tallies: BTreeMap<&'static str, usize>,
    /// The operations that sent an edit.
    pub seen: BTreeSet<usize>,
    /// The smallest example of each fault.
    pub faults: BTreeMap<String, String>,
}

/// Returns the operations with an update mask.
pub fn operations(api: &PublicApi, roots: &[Root]) -> Vec<Operation> {
    let operation = |(path, item): (&Path, &Item)| {
        let member = item.members.get(&(MemberKind::Method, "set_mask".to_owned()))?;
        let Definition::Method(method) = &member.definition else { return None };
        let properties = method.signature.arguments.first()?.ty.to_string();
        let (_, object) = properties.split_once("Property<")?;
        let (object, _) = object.split_once('>')?;
        let path = path.to_string();
        let (module, name) = path.rsplit_once("::")?;
        let root = roots.iter().position(|root| root.rust == object)?;
        Some(Operation { rust: format!("{module}::operation::{name}"), root })
    };
    api.items.iter().filter_map(operation).collect()
}

/// Sends edits, of each operation in turn.
pub fn run(
    operations: &[Operation],
    (shapes, roots): (&Shapes<'_>, &[Root]),
    program: &mut Program,
    (edits, mut runner): (usize, TestRunner),
) -> Result<Outcome, Failure> {
    let mut outcome = Outcome::default();
    let progress = Progress::new(Some(edits));
    let all = operations.iter().enumerate().cycle().take(edits);
    for (done, (number, operation)) in all.enumerate() {
        progress.step(done, "edits");
        let id = roots.get(operation.root).map(|root| root.id).ok_or("no root")?;
        let tapes = LENGTHS
            .map(|most| vec(any::<u16>(), 0..most))
            .new_tree(&mut runner)
            .map_err(|reason| reason.to_string())?
            .current();
        let Some([original, edited]) = edit(shapes, (operation.root, id), &tapes) else { continue };
        let [before, after] = [&original, &edited].map(|object| Value::from(object.clone()));
        let answer = program.answer(&format!("{number}\t{before}\t{after}\n"))?;
        match judge(shapes, id, [&original, &edited], &answer) {
            Ok(tally) => {
                *outcome.tallies.entry(tally).or_default() += 1;
                outcome.seen.extend([SENT, NULL].contains(&tally).then_some(number));
            }
            Err(cause) => {
                let example = format!("{before}\n  {after}\n  {answer}");
                let known = outcome
                    .faults
                    .entry(format!("{}: {cause}", operation.rust))
                    .or_insert_with(|| example.clone());
                if example.len() < known.len() {
                    *known = example;
                }
            }
        }
    }
    Ok(outcome)
}

/// Makes an object, and one that has some properties of a third.
fn edit(shapes: &Shapes<'_>, root: (usize, Id), tapes: &[Vec<u16>; 3]) -> Option<[Json; 2]> {
    let [original, other, choices] = tapes;
    let original = object(shapes, root, &mut Tape::new(original))?;
    let other = object(shapes, root, &mut Tape::new(other))?;
    let mut edited = original.clone();
    change(shapes, root.1, &mut edited, &other, &mut Tape::new(choices));
    Some([original, edited])
}

/// Makes an instance of an object, sometimes one that a later version of the service sends.
fn object(shapes: &Shapes<'_>, root: (usize, Id), tape: &mut Tape<'_>) -> Option<Json> {
    let (value, notes) = instance(shapes, root, &[], tape, &mut Coverage::default())?;
    let mut mutant = value.clone();
    let mutation =
        if tape.one_in(4) { mutate(shapes, &notes.spots, &mut mutant, tape) } else { None };
    let is_valid = mutation.is_some_and(|(name, _)| name != OTHER_TYPE);
    let mut value = if is_valid { mutant } else { value };
    remove_nulls(Some((shapes, root.1)), &mut value);
    match value {
        Value::Object(object) => Some(object),
        _ => None,
    }
}

/// Removes the properties that are null, except those whose schema allows null if there is one: others are the same as
/// absent ones.
fn remove_nulls(shapes: Option<(&Shapes<'_>, Id)>, value: &mut Value) {
    match value {
        Value::Array(items) => {
            let within = shapes.and_then(|(shapes, id)| match without_null(shapes, id) {
                Shape::Array(_, Some(id)) => Some((shapes, *id)),
                _ => None,
            });
            for item in items {
                remove_nulls(within, item);
            }
        }
        Value::Object(object) => {
            let property = |name: &String| {
                let (shapes, id) = shapes?;
                Some((shapes, described(shapes, id)?.property(name)?.id))
            };
            // Objects with a union next to their properties do not retain nulls.
            let has_union = shapes
                .and_then(|(shapes, id)| described(shapes, id))
                .is_some_and(|object| !object.oneofs.is_empty());
            let is_allowed = |name: &String| {
                !has_union && property(name).is_some_and(|(shapes, id)| allows_null(shapes, id))
            };
            object.retain(|name, value| !value.is_null() || is_allowed(name));
            for (name, value) in object {
                remove_nulls(property(name), value);
            }
        }
        _ => {}
    }
}

/// Gives an object some properties of another one. Read-only ones stay, but for a few.
fn change(shapes: &Shapes<'_>, id: Id, object: &mut Json, other: &Json, tape: &mut Tape<'_>) {
    let names: BTreeSet<String> = object.keys().chain(other.keys()).cloned().collect();
    for name in names {
        let property = described(shapes, id).and_then(|object| object.property(&name));
        let is_kept = property.is_some_and(|property| is_read_only(shapes, property));
        if tape.one_in(2) || is_kept && !tape.one_in(READ_ONLY) {
            continue;
        }
        let inner = property.filter(|property| described(shapes, property.id).is_some());
        match (inner, object.get_mut(&name), other.get(&name)) {
            (Some(property), Some(Value::Object(object)), Some(Value::Object(other))) => {
                change(shapes, property.id, object, other, tape);
            }
            (_, _, Some(other)) => drop(object.insert(name, other.clone())),
            (_, _, None) => drop(object.remove(&name)),
        }
    }
}

/// Compares the request with the objects before and after. The error describes the fault.
fn judge(
    shapes: &Shapes<'_>,
    id: Id,
    edit: [&Json; 2],
    answer: &Answer,
) -> Result<&'static str, String> {
    let changed = changes(edit);
    let mut read_only = Vec::new();
    add_read_only(shapes, id, edit, "", &mut read_only);
    let cannot_name = |name: &&str| name.is_empty() || name.contains(',');
    let sent: Value = match answer {
        Answer::Refused(message) if !read_only.is_empty() => {
            let named = message.matches(" (read-only)").count();
            let is_named = |name: &String| message.contains(&format!("`{name}` (read-only)"));
            let are_all = named == read_only.len() && read_only.iter().all(is_named);
            return are_all.then_some(REFUSED).ok_or("other properties are refused".to_owned());
        }
        Answer::Refused(_) if changed.iter().any(cannot_name) => return Ok(UNNAMED),
        Answer::Encoded(_) if !read_only.is_empty() => return Err("it is not refused".to_owned()),
        Answer::Encoded(json) => serde_json::from_str(json).map_err(|error| error.to_string())?,
        _ => return Err("it is not sent".to_owned()),
    };
    if sent.is_null() || changed.is_empty() {
        let is_equal = sent.is_null() && changed.is_empty();
        return is_equal.then_some(UNCHANGED).ok_or("one side has no changes".to_owned());
    }
    let (mask, object) = parts(&sent).ok_or("the body has no mask, or several objects")?;
    if !mask.iter().map(String::as_str).eq(changed) {
        return Err("the masks differ".to_owned());
    }
    let [original, edited] = edit;
    let is_null = |object: &Json, name: &String| object.get(name) == Some(&Value::Null);
    if mask.iter().any(|name| is_null(edited, name) != is_null(&object, name)) {
        return Err("null and nothing are confused".to_owned());
    }
    let mut merged = original.clone();
    for name in &mask {
        match object.get(name) {
            Some(value) => drop(merged.insert(name.clone(), value.clone())),
            None => drop(merged.remove(name)),
        }
    }
    // Objects are sent without their read-only properties, which the server keeps.
    let [edited, merged] = [edited, &merged].map(|object| {
        let mut object = Value::from(object.clone());
        remove_read_only(shapes, id, &mut object);
        remove_nulls(None, &mut object);
        object
    });
    if compare(&edited, &merged).is_err() {
        return Err("the merge is another object".to_owned());
    }
    let required = described(shapes, id).into_iter().flat_map(|object| &object.properties);
    let required: Vec<_> = required.filter(|property| property.required).collect();
    let is_extra = |name: &&String| {
        !mask.contains(name) && !required.iter().any(|property| property.name == *name)
    };
    match object.keys().find(is_extra) {
        Some(_) => Err("a property is sent that did not change".to_owned()),
        None if mask.iter().any(|name| is_null(&object, name)) => Ok(NULL),
        None => Ok(SENT),
    }
}

/// Returns the names of the properties that differ, sorted.
fn changes([original, edited]: [&Json; 2]) -> Vec<&str> {
    let differs = |name: &&String| {
        let [one, other] = [original, edited].map(|object| {
            let mut property = json!({ "": object.get(*name) });
            remove_nulls(None, &mut property);
            property
        });
        compare(&one, &other).is_err()
    };
    let names: BTreeSet<&String> = original.keys().chain(edited.keys()).collect();
    names.into_iter().filter(differs).map(String::as_str).collect()
}

/// Adds the paths of the read-only properties that differ, where both have the object.
fn add_read_only(
    shapes: &Shapes<'_>,
    id: Id,
    edit: [&Json; 2],
    outer: &str,
    found: &mut Vec<String>,
) {
    for name in changes(edit) {
        let property = described(shapes, id).and_then(|object| object.property(name));
        let Some(property) = property else { continue };
        if is_read_only(shapes, property) {
            found.push(format!("{outer}{name}"));
        } else if let [Some(Value::Object(original)), Some(Value::Object(edited))] =
            edit.map(|object| object.get(name))
        {
            let outer = format!("{outer}{name}.");
            add_read_only(shapes, property.id, [original, edited], &outer, found);
        }
    }
}

/// Removes the read-only properties of a value, also within.
fn remove_read_only(shapes: &Shapes<'_>, id: Id, value: &mut Value) {
    match (without_null(shapes, id), value) {
        (Shape::Array(first, rest), Value::Array(items)) => {
            let ids = first.iter().copied().map(Some).chain(std::iter::repeat(*rest));
            let items = items.iter_mut().zip(ids);
            for (item, id) in items.filter_map(|(item, id)| Some((item, id?))) {
                remove_read_only(shapes, id, item);
            }
        }
        (_, Value::Object(values)) => {
            let Some(object) = described(shapes, id) else { return };
            let is_read = |name: &String| {
                object.property(name).is_some_and(|property| is_read_only(shapes, property))
            };
            values.retain(|name, _| !is_read(name));
            for (name, value) in values {
                let rest = if let Rest::Of(id) = object.rest { Some(id) } else { None };
                if let Some(id) = object.property(name).map(|property| property.id).or(rest) {
                    remove_read_only(shapes, id, value);
                }
            }
        }
        _ => {}
    }
}

/// Returns the mask of a request in its order, and the object next to it.
fn parts(sent: &Value) -> Option<(Vec<String>, Json)> {
    let is_mask = |name: &str| name.to_lowercase().ends_with("mask");
    let body = sent.get("body")?.as_object()?;
    if let Some((name, mask)) = body.iter().find(|(name, _)| is_mask(name)) {
        let names = match mask {
            Value::String(names) => names.split(',').map(str::to_owned).collect(),
            mask => {
                let names = mask.get("paths").unwrap_or(mask).as_array()?.iter();
                names.map(|name| name.as_str().map(str::to_owned)).collect::<Option<_>>()?
            }
        };
        let mut objects = body.iter().filter(|(other, _)| *other != name);
        let object = objects.find_map(|(_, value)| value.as_object());
        return Some((names, object.cloned().unwrap_or_default()));
    }
    let pairs = sent.get("query")?.as_str()?.split('&').filter_map(|pair| pair.split_once('='));
    let texts = pairs.filter(|(name, _)| is_mask(name)).map(|(_, text)| {
        percent_decode_str(text)
            .decode_utf8_lossy()
            .split(',')
            .map(str::to_owned)
            .collect::<Vec<_>>()
    });
    Some((texts.flatten().collect(), body.clone()))
}

/// Returns the properties of an object that may also be null.
fn described<'s, 'd>(shapes: &'s Shapes<'d>, id: Id) -> Option<&'s Object<'d>> {
    match without_null(shapes, id) {
        Shape::Object(object) => Some(object),
        _ => None,
    }
}

/// Returns a shape, or the only one besides null.
fn without_null<'s, 'd>(shapes: &'s Shapes<'d>, id: Id) -> &'s Shape<'d> {
    let shape = shapes.shape(id);
    let Shape::OneOf(branches) = shape else { return shape };
    let is_null = |id: &Id| matches!(shapes.shape(*id), Shape::Scalar("null", _));
    let mut others = branches.iter().map(|(_, id)| *id).filter(|id| !is_null(id));
    match (others.next(), others.next()) {
        (Some(id), None) => without_null(shapes, id),
        _ => shape,
    }
}

fn allows_null(shapes: &Shapes<'_>, id: Id) -> bool {
    let Shape::OneOf(branches) = shapes.shape(id) else { return false };
    branches.iter().any(|(_, id)| matches!(shapes.shape(*id), Shape::Scalar("null", _)))
}

fn is_read_only(shapes: &Shapes<'_>, property: &Property<'_>) -> bool {
    let document = shapes.document;
    let places = Schema::at(property.place).closed(document).places;
    places
        .into_iter()
        .any(|place| document.value(place).get("readOnly") == Some(&Value::Bool(true)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;

    /// Judges the request for an edit of an object.
    fn judged(original: &Value, edited: &Value, answer: &Answer) -> Result<&'static str, String> {
        let pet = json!({"properties": {
            "id": {"type": "string", "readOnly": true},
            "name": {"type": "string"},
            "note": {"type": ["string", "null"]},
            "owner": {"type": "object", "properties": {
                "name": {"type": "string"}, "since": {"readOnly": true, "type": "string"},
            }},
        }});
        let files = Map::from_iter([(String::new(), pet)]);
        let document = Document::new(&files);
        let root = document.at("").unwrap();
        let shapes = Shapes::new(&document, [root]);
        let edit = [original, edited].map(|object| object.as_object().unwrap());
        judge(&shapes, shapes.at(root).unwrap(), edit, answer)
    }

    fn sent(mask: &str, pet: &Value) -> Answer {
        Answer::Encoded(json!({"query": "", "body": {"pet": pet, "updateMask": mask}}).to_string())
    }

    #[test]
    fn every_wrong_request_is_found() {
        let original = json!({"id": "1", "name": "a", "owner": {"name": "b", "since": "c"}});
        let edited = json!({"id": "1", "owner": {"name": "d", "since": "c"}});
        let right = json!({"owner": {"name": "d"}});
        assert_eq!(judged(&original, &edited, &sent("name,owner", &right)), Ok(SENT));
        let nothing = || Answer::Encoded("null".to_owned());
        for answer in [
            sent("owner", &right),
            sent("name", &right),
            sent("owner,name", &right),
            sent("name,owner,id", &right),
            sent("name,owner", &json!({"name": "a", "owner": {"name": "d"}})),
            sent("name,owner", &json!({"owner": {"name": "b"}})),
            sent("name,owner", &json!({"id": "1", "owner": {"name": "d"}})),
            sent("name,owner", &json!({})),
            nothing(),
            Answer::Refused("no".to_owned()),
        ] {
            assert!(judged(&original, &edited, &answer).is_err(), "{answer}");
        }
        let [text, null] = [json!({"note": "a"}), json!({"note": null})];
        assert_eq!(judged(&text, &null, &sent("note", &null)), Ok(NULL));
        assert!(judged(&text, &null, &sent("note", &json!({}))).is_err());
        assert!(judged(&text, &json!({}), &sent("note", &null)).is_err());
        assert_eq!(judged(&json!({}), &null, &nothing()), Ok(UNCHANGED));
        assert_eq!(judged(&original, &original, &nothing()), Ok(UNCHANGED));
        assert!(judged(&original, &original, &sent("name", &right)).is_err());
    }

    #[test]
    fn read_only_properties_must_be_refused_with_all_their_names() {
        let original = json!({"id": "1", "owner": {"since": "c"}});
        let edited = json!({"name": "a", "owner": {"since": "d"}});
        let refused = |names: &str| Answer::Refused(format!("cannot change {names}"));
        let all = refused("`id` (read-only), `owner.since` (read-only)");
        assert_eq!(judged(&original, &edited, &all), Ok(REFUSED));
        for answer in [
            refused("`id` (read-only)"),
            refused("`id` (read-only), `owner` (read-only)"),
            refused("`id` (read-only), `owner.since` (read-only), `name` (read-only)"),
            sent("name", &json!({"name": "a"})),
        ] {
            assert!(judged(&original, &edited, &answer).is_err(), "{answer}");
        }
    }

    #[test]
    fn masks_are_read_in_every_form() {
        let names = vec!["a".to_owned(), "b.c".to_owned()];
        for sent in [
            json!({"body": {"pet": {"a": 1}, "updateMask": "a,b.c"}}),
            json!({"body": {"field_mask": ["a", "b.c"], "pet": {"a": 1}}}),
            json!({"body": {"pet": {"a": 1}, "mask": {"paths": ["a", "b.c"]}}}),
            json!({"body": {"a": 1}, "query": "x=1&update_mask=a%2Cb.c"}),
            json!({"body": {"a": 1}, "query": "mask=a&mask=b.c"}),
        ] {
            let (mask, object) = parts(&sent).unwrap();
            assert_eq!((mask, Value::from(object)), (names.clone(), json!({"a": 1})), "{sent}");
        }
    }
}
