//! Writes JSON in one of the many ways that mean the same: other orders, spaces, escapes, digits, and members that come
//! twice, of which the last one counts.

use std::fmt::Write as _;

use fastrand::Rng;
use serde_json::{Map, Number, Value};

/// Which liberties are taken.
#[derive(Clone, Copy, Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each liberty is taken or not, whatever the others"
)]
pub struct Style {
    shuffled: bool,
    spaced: bool,
    escaped: bool,
    respelled: bool,
    repeated: bool,
}

impl Style {
    /// Returns a random style, sometimes the plain one.
    pub fn random(random: &mut Rng) -> Self {
        if random.u8(..4) == 0 {
            return Self::default();
        }
        Self {
            shuffled: random.bool(),
            spaced: random.bool(),
            escaped: random.bool(),
            respelled: random.bool(),
            repeated: random.u8(..4) == 0,
        }
    }
}

/// Writes a value on one line.
pub fn spell(value: &Value, style: Style, random: &mut Rng) -> String {
    let mut writer = Writer { style, random, text: String::new() };
    writer.value(value);
    writer.text
}

struct Writer<'a> {
    style: Style,
    random: &'a mut Rng,
    text: String,
}

impl Writer<'_> {
    fn value(&mut self, value: &Value) {
        self.space();
        match value {
            Value::Null => self.text.push_str("null"),
            Value::Bool(value) => self.text.push_str(if *value { "true" } else { "false" }),
            Value::Number(number) => self.number(number),
            Value::String(text) => self.string(text),
            Value::Array(items) => {
                self.text.push('[');
                for (index, item) in items.iter().enumerate() {
                    self.comma(index);
                    self.value(item);
                }
                self.text.push(']');
            }
            Value::Object(members) => self.object(members),
        }
        self.space();
    }

    fn object(&mut self, members: &Map<String, Value>) {
        let mut members: Vec<(&String, &Value)> = members.iter().collect();
        if self.style.shuffled {
            self.random.shuffle(&mut members);
        }
        let earlier;
        if self.style.repeated
            && let Some(&(name, value)) = self.random.choice(&members)
        {
            earlier = self.other(value);
            members.insert(0, (name, &earlier));
        }
        self.text.push('{');
        for (index, (name, value)) in members.into_iter().enumerate() {
            self.comma(index);
            self.space();
            self.string(name);
            self.space();
            self.text.push(':');
            self.value(value);
        }
        self.text.push('}');
    }

    /// Returns a value that may stand wherever this one does.
    fn other(&mut self, value: &Value) -> Value {
        let mut other = value.clone();
        match &mut other {
            _ if self.random.u8(..3) == 0 => return Value::Null,
            Value::Null => {}
            Value::Bool(value) => *value = !*value,
            Value::Number(number) => *number = 1.into(),
            Value::String(text) => text.clear(),
            Value::Array(items) => items.push(Value::Null),
            Value::Object(members) => {
                members.insert("earlier".to_owned(), Value::Null);
            }
        }
        other
    }

    fn comma(&mut self, index: usize) {
        if index > 0 {
            self.text.push(',');
        }
    }

    fn space(&mut self) {
        if self.style.spaced && self.random.u8(..4) == 0 {
            // No line ends: a line is what the program under test reads.
            self.text.push_str([" ", "\t", "  "][self.random.usize(..3)]);
        }
    }

    fn string(&mut self, text: &str) {
        if !self.style.escaped {
            self.text.push_str(&Value::from(text).to_string());
            return;
        }
        self.text.push('"');
        for char in text.chars() {
            let must = matches!(char, '"' | '\\' | '\0'..'\u{20}');
            match char {
                '/' if self.random.bool() => self.text.push_str("\\/"),
                _ if must || self.random.u8(..4) == 0 => {
                    let mut units = [0; 2];
                    for unit in char.encode_utf16(&mut units) {
                        let _ = write!(self.text, "\\u{unit:04x}");
                    }
                }
                _ => self.text.push(char),
            }
        }
        self.text.push('"');
    }

    fn number(&mut self, number: &Number) {
        let text = number.to_string();
        let is_small = number.as_f64().is_some_and(|value| value.abs() < 9e15);
        if !self.style.respelled || !is_small || text.contains(['e', 'E']) {
            self.text.push_str(&text);
            return;
        }
        let has_fraction = text.contains('.');
        self.text.push_str(&text);
        self.text.push_str(match (self.random.u8(..4), has_fraction) {
            (0, true) => "00",
            (0, false) => ".0",
            (1, _) => "e0",
            (2, _) => "E+0",
            _ => "",
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_spelling_means_the_same() {
        let value = json!({
            "a\"\u{0}\u{1f600}": [null, true, -1.5, 7, i64::MIN, 5e-324, 0.1],
            "b/": {"c": {}, "d": [], "e": ""},
        });
        let mut random = Rng::with_seed(1);
        let mut spellings = std::collections::HashSet::new();
        for _ in 0..500 {
            let style = Style::random(&mut random);
            let text = spell(&value, style, &mut random);
            let read: Value = serde_json::from_str(&text).unwrap();
            // Whole numbers may come back as fractions: `7` is spelled `7.0`.
            assert_eq!(read.to_string().replace("7.0", "7"), value.to_string());
            assert!(!text.contains('\n'));
            spellings.insert(text);
        }
        assert!(spellings.len() > 200, "{}", spellings.len());
    }
}
