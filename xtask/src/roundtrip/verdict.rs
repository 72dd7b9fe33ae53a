//! What a value must come back as, and what is said of one that does not.

use serde_json::Value;

use super::compare::{self, Difference};
use super::roots::Root;
use super::schema::Reader;
use super::subject::{Answer, ROUTES, Subject};
use crate::exit::Failure;

/// What went wrong with a value.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The route through the wire format.
    pub route: &'static str,
    pub kind: FaultKind,
    /// What the program said.
    pub answer: String,
}

/// How it went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The value was not decoded.
    Refused,
    /// The program panicked, or ended.
    Crashed,
    /// What came back is no JSON.
    NoJson,
    /// What came back is another value.
    Differs(Difference),
}

impl Fault {
    /// Returns what faults with the same cause have in common.
    pub fn cause(&self) -> String {
        match &self.kind {
            FaultKind::Refused => {
                let reason = self.answer.split("expected ").last().unwrap_or_default();
                let reason = reason.split(" (line").next().unwrap_or_default();
                let reason = reason.split(" at line").next().unwrap_or_default();
                format!("refused: expected {reason}")
            }
            FaultKind::Crashed => format!("crashed: {}", self.answer),
            FaultKind::NoJson => "what came back is no JSON".to_owned(),
            FaultKind::Differs(difference) => difference.what.to_owned(),
        }
    }
}

/// Sends a value, as it is spelled in `text`, on all routes. Returns the first fault.
pub fn judge(
    reader: &Reader<'_>,
    subject: &mut dyn Subject,
    (index, root): (usize, &Root),
    value: &Value,
    text: &str,
) -> Result<Option<Fault>, Failure> {
    for (route, name) in ROUTES {
        let answer = subject.send(index, route, text)?;
        let (kind, answer) = match answer {
            Answer::Refused(message) => (FaultKind::Refused, message),
            Answer::Crashed(message) => (FaultKind::Crashed, message),
            Answer::Encoded(json) => {
                let Ok(back) = serde_json::from_str(&json) else {
                    return Ok(Some(fault(name, FaultKind::NoJson, json)));
                };
                match compare::compare(reader, &root.schema, value, &back) {
                    Ok(()) => continue,
                    Err(difference) => (FaultKind::Differs(difference), json),
                }
            }
        };
        return Ok(Some(fault(name, kind, answer)));
    }
    Ok(None)
}

fn fault(route: &'static str, kind: FaultKind, answer: String) -> Fault {
    Fault { route, kind, answer }
}
