//! Writes JSON in one of the ways that mean the same: properties in another order, and one that comes twice, of which the
//! last one counts.

use serde_json::Value;

use crate::tape::Tape;

/// Writes a value on one line, and returns whether a property comes twice. An empty tape gives the plain spelling.
pub fn spell(value: &Value, tape: &mut Tape<'_>) -> (String, bool) {
    let (mut text, mut repeats) = (String::new(), false);
    let is_plain = !tape.one_in(2);
    write(value, is_plain, tape, &mut text, &mut repeats);
    (text, repeats)
}

fn write(
    value: &Value,
    is_plain: bool,
    tape: &mut Tape<'_>,
    text: &mut String,
    repeats: &mut bool,
) {
    match value {
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                text.push_str(if index == 0 { "" } else { "," });
                write(item, is_plain, tape, text, repeats);
            }
            text.push(']');
        }
        Value::Object(object) => {
            let mut properties: Vec<(&String, &Value)> = object.iter().collect();
            if !is_plain {
                properties.rotate_left(tape.below(object.len()));
            }
            if let Some(&(name, _)) = properties.last().filter(|_| !is_plain && !*repeats)
                && tape.one_in(4)
            {
                *repeats = true;
                properties.insert(0, (name, &Value::Null));
            }
            text.push('{');
            for (index, (name, value)) in properties.into_iter().enumerate() {
                let separator = if index == 0 { "" } else { "," };
                let name = Value::from(name.as_str()).to_string();
                text.extend([separator, &name, ":"]);
                write(value, is_plain, tape, text, repeats);
            }
            text.push('}');
        }
        plain => *text += &plain.to_string(),
    }
}
