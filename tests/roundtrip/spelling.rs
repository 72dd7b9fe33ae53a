//! Writes JSON in one of the ways that mean the same: properties in another order, and one that comes twice, of which the
//! last one counts.

use serde_json::Value;

use crate::tape::Tape;

/// Writes a value on one line, and returns whether a property comes twice. An empty tape gives the plain spelling.
pub fn spell(value: &Value, tape: &mut Tape<'_>) -> (String, bool) {
    let mut repeats = false;
    let text = if tape.one_in(2) { write(value, tape, &mut repeats) } else { value.to_string() };
    (text, repeats)
}

fn write(value: &Value, tape: &mut Tape<'_>, repeats: &mut bool) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(|item| write(item, tape, repeats)).collect();
            format!("[{}]", items.join(","))
        }
        Value::Object(object) => {
            let mut properties: Vec<(&String, &Value)> = object.iter().collect();
            properties.rotate_left(tape.below(object.len()));
            if let Some(&(name, _)) = properties.last().filter(|_| !*repeats && tape.one_in(4)) {
                *repeats = true;
                properties.insert(0, (name, &Value::Null));
            }
            let properties = properties.into_iter().map(|(name, value)| {
                format!("{}:{}", Value::from(name.as_str()), write(value, tape, repeats))
            });
            format!("{{{}}}", properties.collect::<Vec<_>>().join(","))
        }
        plain => plain.to_string(),
    }
}
