//! Writes JSON in one of the many ways that mean the same: other orders, spaces, escapes and digits, and properties
//! that come twice, of which the last one counts.

use std::fmt::Write as _;

use serde_json::{Map, Number, Value};

use crate::tape::Tape;

/// Writes a value on one line, and returns whether a property comes twice. An empty tape gives the plain spelling.
pub fn spell(value: &Value, tape: &mut Tape<'_>) -> (String, bool) {
    let mut text = String::new();
    let liberties = [0; 4].map(|_| tape.one_in(2));
    let mut speller = Speller { tape, text: &mut text, liberties, repeats: false };
    speller.value(value);
    let repeats = speller.repeats;
    (text, repeats)
}

struct Speller<'a, 't> {
    tape: &'a mut Tape<'t>,
    text: &'a mut String,
    /// Whether order, spaces, escapes and digits are free.
    liberties: [bool; 4],
    repeats: bool,
}

impl Speller<'_, '_> {
    fn value(&mut self, value: &Value) {
        let [_, spaces, escapes, digits] = self.liberties;
        let space = if spaces { ["", " ", "\t"][self.tape.below(3)] } else { "" };
        self.text.push_str(space);
        match value {
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.text.push(if index == 0 { '[' } else { ',' });
                    self.value(item);
                }
                self.text.push_str(if items.is_empty() { "[]" } else { "]" });
            }
            Value::Object(object) => self.object(object),
            Value::String(text) if escapes => self.string(text),
            Value::Number(number) if digits => self.number(number),
            plain => write!(self.text, "{plain}").unwrap_or_default(),
        }
        self.text.push_str(space);
    }

    fn object(&mut self, object: &Map<String, Value>) {
        let mut properties: Vec<(&String, &Value)> = object.iter().collect();
        if self.liberties[0] && !properties.is_empty() {
            let middle = self.tape.below(properties.len());
            properties.rotate_left(middle);
            if let Some(&(name, _)) = properties.last()
                && self.tape.one_in(4)
                && !std::mem::replace(&mut self.repeats, true)
            {
                properties.insert(0, (name, &Value::Null));
            }
        }
        for (index, (name, value)) in properties.iter().enumerate() {
            self.text.push(if index == 0 { '{' } else { ',' });
            self.value(&Value::String((*name).clone()));
            self.text.push(':');
            self.value(value);
        }
        self.text.push_str(if properties.is_empty() { "{}" } else { "}" });
    }

    fn string(&mut self, text: &str) {
        self.text.push('"');
        for char in text.chars() {
            if matches!(char, '"' | '\\' | '\0'..'\u{20}') || self.tape.one_in(4) {
                for unit in char.encode_utf16(&mut [0; 2]) {
                    let _ = write!(self.text, "\\u{unit:04x}");
                }
            } else {
                self.text.push(char);
            }
        }
        self.text.push('"');
    }

    fn number(&mut self, number: &Number) {
        let text = number.to_string();
        let is_small = number.as_f64().is_some_and(|value| value.abs() < 9e15);
        let zeros = if text.contains('.') { "00" } else { ".0" };
        let suffix = match self.tape.below(4) {
            _ if !is_small || text.contains(['e', 'E']) => "",
            choice => ["", zeros, "e0", "E+0"][choice],
        };
        self.text.push_str(&text);
        self.text.push_str(suffix);
    }
}
