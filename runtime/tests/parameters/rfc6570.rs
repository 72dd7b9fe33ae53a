//! The styles that are templates of RFC 6570 agree with its appendix A, for random values.

use serde_json::Value;

use super::*;

/// A row of the table in appendix A: what comes first, the separator, whether names are written, and what follows the name
/// of an empty text.
struct Operator {
    first: &'static str,
    separator: &'static str,
    named: bool,
    if_empty: &'static str,
}

/// A value of a variable.
enum Variable {
    Text(String),
    List(Vec<String>),
    Pairs(Vec<(String, String)>),
}

fn encoded(text: &str) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~".contains(byte);
    text.bytes()
        .map(
            |byte| if plain(&byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") },
        )
        .collect()
}

impl Operator {
    /// Expands `{name}`, or `{name*}`, as section 3.2.1 describes.
    fn expand(&self, name: &str, explode: bool, value: &Variable) -> String {
        let named = |name: &str, text: &str| match (self.named, text) {
            (false, text) => text.to_owned(),
            (true, "") => format!("{name}{}", self.if_empty),
            (true, text) => format!("{name}={text}"),
        };
        let parts: Vec<String> = match value {
            Variable::Text(text) => vec![named(name, &encoded(text))],
            Variable::List(list) if explode => {
                list.iter().map(|text| named(name, &encoded(text))).collect()
            }
            Variable::List(list) => {
                let texts: Vec<_> = list.iter().map(|text| encoded(text)).collect();
                vec![named(name, &texts.join(","))]
            }
            Variable::Pairs(pairs) if explode => pairs
                .iter()
                .map(|(key, text)| match (self.named, text.as_str()) {
                    (true, "") => format!("{}{}", encoded(key), self.if_empty),
                    (_, text) => format!("{}={}", encoded(key), encoded(text)),
                })
                .collect(),
            Variable::Pairs(pairs) => {
                let texts: Vec<_> =
                    pairs.iter().map(|(key, text)| encoded(key) + "," + &encoded(text)).collect();
                vec![named(name, &texts.join(","))]
            }
        };
        self.first.to_owned() + &parts.join(self.separator)
    }
}

fn text(random: &mut fastrand::Rng) -> String {
    const PIECES: [&str; 16] =
        ["a", "b", "Z", "0", ",", ";", "=", "&", "/", " ", "%41", "|", "é", "\u{1f4a9}", "[", "+"];
    (0..random.usize(1..5)).map(|_| PIECES[random.usize(..PIECES.len())]).collect()
}

/// Returns a random value, in both forms. Names are sorted, as those of a JSON object are.
fn value(random: &mut fastrand::Rng) -> (Value, Variable) {
    let count = random.usize(1..4);
    match random.u8(..3) {
        0 => {
            let text = text(random);
            (Value::from(text.clone()), Variable::Text(text))
        }
        1 => {
            let list: Vec<_> = (0..count).map(|_| text(random)).collect();
            (Value::from(list.clone()), Variable::List(list))
        }
        _ => {
            let pairs: std::collections::BTreeMap<_, _> =
                (0..count).map(|_| (text(random), text(random))).collect();
            let object = pairs.iter().map(|(name, text)| (name.clone(), Value::from(text.clone())));
            (Value::Object(object.collect()), Variable::Pairs(pairs.into_iter().collect()))
        }
    }
}

#[tokio::test]
async fn random_values_are_expanded_like_templates() {
    let operator =
        |first, separator, named, if_empty| Operator { first, separator, named, if_empty };
    let table = [
        (Place::Path, Style::Simple, operator("", ",", false, "")),
        (Place::Path, Style::Label, operator(".", ".", false, "")),
        (Place::Path, Style::Matrix, operator(";", ";", true, "")),
        (Place::Query, Style::Form, operator("", "&", true, "=")),
    ];
    let painter = Painter::new();
    let mut random = fastrand::Rng::with_seed(6570);
    for _ in 0..50 {
        let (json, variable) = value(&mut random);
        for (place, style, operator) in &table {
            for explode in [false, true] {
                let parameter = place.color().style(*style, explode);
                let sent = painter.send(*place, parameter, json.clone()).await.unwrap();
                let expected = operator.expand("color", explode, &variable);
                assert_eq!(sent, expected, "{json} by {style:?}, explode: {explode}");
            }
        }
    }
}
