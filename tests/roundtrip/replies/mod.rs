//! Replies of every operation: each declared status with a body made from its schema must arrive as what is declared.
//! The document decides what that is; it is read here, not by the generator.

mod declared;
mod exchange;
mod operation;
mod program;

use std::collections::{BTreeMap, BTreeSet};

use proptest::collection::vec;
use proptest::prelude::any;
use proptest::strategy::{Strategy as _, ValueTree as _};
use serde_json::{Value, json};

use crate::campaign::runner;
use crate::document::{Document, resolved};
use crate::shape::Shapes;
use crate::subject::{Answer, Failure, Program};
use declared::{Reply, body, is_success_default, replies, schema};
use exchange::{Exchange, judge_header};
use operation::Operation;
pub use operation::operations;
pub use program::program;
use tests::Tape;

/// The outcome of a run.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The number of replies of each kind.
    pub arrived: BTreeMap<&'static str, usize>,
    /// The number of declared replies that were not sent, by the reason.
    pub omitted: BTreeMap<&'static str, usize>,
    /// What is wrong.
    pub faults: BTreeSet<String>,
}

/// Sends all declared replies, and to each operation a successful one that nobody declared.
pub fn run(
    operations: &[Operation<'_>],
    document: &Document<'_>,
    program: &mut Program,
    seed: u64,
) -> Result<Outcome, Failure> {
    let mut outcome = Outcome::default();
    let declared: Vec<Vec<Reply<'_>>> = operations
        .iter()
        .map(|it| replies(document, (it.value, it.is_head()), &mut outcome.omitted))
        .collect();
    let schemas = declared.iter().flatten().filter_map(|reply| schema(document, reply));
    let shapes = Shapes::new(document, schemas);
    let mut tapes = runner(seed);
    // The schemas of each variant of an operation.
    let mut variants: BTreeMap<(usize, String), BTreeSet<String>> = BTreeMap::new();
    for (number, (operation, declared)) in operations.iter().zip(&declared).enumerate() {
        for reply in declared {
            let tape = vec(any::<u16>(), 0..200).new_tree(&mut tapes);
            let tape = tape.map_err(|reason| reason.to_string())?.current();
            let Some(sent) = body(&shapes, reply, &mut Tape::new(&tape)) else {
                *outcome.omitted.entry("no instance that can be compared").or_default() += 1;
                continue;
            };
            let exchange = Exchange { document, shapes: &shapes, operation, declared, reply };
            let Some(way) = exchange.way() else {
                *outcome.omitted.entry("a body beside the one that is read").or_default() += 1;
                continue;
            };
            let answer = ask(program, number, way, reply, &sent)?;
            let judged = exchange.judge(way, &sent, &answer);
            if let (Ok((_, Some(variant))), Some(media)) = (&judged, reply.media) {
                let schema = resolved(document, &media["schema"]).to_string();
                variants.entry((number, variant.clone())).or_default().insert(schema);
            }
            let judged = judged.map(|(kind, _)| kind);
            outcome.add(judged.map_err(|why| exchange.fault(&why, &answer)));
            if reply.headers.is_empty() {
                continue;
            }
            let answer = ask(program, number, "headers", reply, &sent)?;
            for (name, value) in &reply.headers {
                let judged = judge_header(name, value, &answer);
                outcome.add(judged.map_err(|why| exchange.fault(&why, &answer)));
            }
        }
        if let Some(judged) = undeclared(number, operation, declared, program)? {
            outcome.add(judged);
        }
    }
    for ((number, variant), schemas) in variants.iter().filter(|(_, schemas)| schemas.len() > 1) {
        let path = operations.get(*number).map(|it| it.path.as_str()).unwrap_or_default();
        let fault = format!("{path}: `{variant}` is the variant of {} schemas", schemas.len());
        outcome.faults.insert(fault);
    }
    Ok(outcome)
}

impl Outcome {
    /// Counts a reply of a kind, or adds a fault.
    fn add(&mut self, judged: Result<&'static str, String>) {
        match judged {
            Ok(kind) => *self.arrived.entry(kind).or_default() += 1,
            Err(fault) => _ = self.faults.insert(fault),
        }
    }
}

/// Sends a successful reply that nobody declared: the caller gets it as it is, and never as the value of another status.
fn undeclared(
    number: usize,
    operation: &Operation<'_>,
    declared: &[Reply<'_>],
    program: &mut Program,
) -> Result<Option<Result<&'static str, String>>, Failure> {
    let responses = &operation.value["responses"];
    let is_declared = responses.get("2XX").is_some() || is_success_default(responses);
    if is_declared || declared.iter().any(|reply| reply.status == 298) {
        return Ok(None);
    }
    let body = json!({ "undeclared": true }).to_string();
    let media_type = "application/json";
    let headers = Vec::new();
    let reply = Reply { status: 298, media_type, media: None, event: "", json: None, headers };
    let answer = ask(program, number, "send", &reply, &body)?;
    let is_error = answer["error"] == "decode" && answer["body"] == *body;
    let is_kept = is_error || answer["ok"]["Other"] == *body;
    let is_nothing = operation.is_unit() && answer.get("ok").is_some_and(Value::is_null);
    Ok(Some(match () {
        () if is_kept && answer["drift"] != "" => Ok("undeclared success"),
        () if is_nothing => Ok("undeclared success of nothing"),
        () => Err(format!("{}: undeclared 298: {answer}", operation.path)),
    }))
}

/// Sends a reply through an operation, and returns what the caller gets.
fn ask(
    program: &mut Program,
    number: usize,
    way: &str,
    reply: &Reply<'_>,
    body: &str,
) -> Result<Value, Failure> {
    let mut headers: BTreeMap<&str, &str> =
        reply.headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
    if !reply.media_type.is_empty() {
        headers.retain(|name, _| !name.eq_ignore_ascii_case("content-type"));
        headers.insert("content-type", reply.media_type);
    }
    let sent = json!({ "status": reply.status, "headers": headers, "body": body });
    match program.answer(&format!("{number}\t{way}\t{sent}\n"))? {
        Answer::Encoded(answer) => Ok(serde_json::from_str(&answer)?),
        other => Ok(json!({ "crash": other.to_string() })),
    }
}
