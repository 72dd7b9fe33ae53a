//! The compliance test suite of `JSONPath` (RFC 9535).

use std::path::Path;

use codegen::diagnostics::Diagnostics;
use codegen::{JsonPath, Node, Source, parse};
use serde_json::Value;

use crate::reading::{Failure, Verdict, text};

/// Judges the selectors of the suite.
pub fn judge(file: &Path) -> Result<Vec<Verdict>, Failure> {
    let suite: Value = serde_json::from_str(&text(file)?).map_err(|error| error.to_string())?;
    let tests = suite["tests"].as_array().ok_or("the suite has no `tests`")?;
    Ok(tests.iter().map(verdict).collect())
}

fn verdict(case: &Value) -> Verdict {
    let text = |field: &str| case[field].as_str().unwrap_or_default().to_owned();
    let path = JsonPath::parse(&text("selector"));
    let problem = match (path, case["invalid_selector"].as_bool().unwrap_or_default()) {
        (Ok(path), false) => wrong_result(case, &path),
        (Ok(_), true) => Some("accepted, but invalid".to_owned()),
        (Err(error), false) => Some(error),
        (Err(_), true) => None,
    };
    Verdict { case: text("name"), problem }
}

/// Returns the selected values if they are not those of the case.
fn wrong_result(case: &Value, path: &JsonPath) -> Option<String> {
    let text = case["document"].to_string();
    let root = parse(&Source { name: String::new(), text }, &mut Diagnostics::new())?;
    let places = match path.select(&root) {
        Ok(places) => places,
        Err(error) => return Some(error),
    };
    let found: Vec<&Node> = places.iter().filter_map(|place| root.at(place)).collect();
    let found = serde_json::to_value(found).ok()?;
    // The members of an object have no order, so that several results can be right.
    let mut results = case["results"].as_array().into_iter().flatten().chain(case.get("result"));
    (!results.any(|result| *result == found)).then(|| format!("selects {found}"))
}
