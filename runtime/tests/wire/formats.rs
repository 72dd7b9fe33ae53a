//! Other formats, through serde.

use std::vec;

use openapi_bindings_runtime::Model;
use serde::de::value::{MapAccessDeserializer, MapDeserializer};
use serde::de::{Deserialize, DeserializeSeed, IntoDeserializer, MapAccess};
use serde_json::{Value, json};

use crate::encode;
use crate::models::{Amount, Figure, Message, Policy, Task, User};

fn body() -> Value {
    json!({
        "id": "1", "owner": {"name": "a", "x": [1, null]}, "createdAt": "2024-01-01T00:00:00Z", "numericId": "7", "score": 1,
        "wait": {"duration": "1s"}, "counts": ["1"], "policy": {"manual": {}, "new": true}, "token": "t", "urgent": true,
        "ratio": 0.1, "limits": {"a": "1"}, "children": [{"id": "2"}],
    })
}

#[test]
fn a_model_converts_from_and_to_a_json_value() {
    let task: Task = serde_json::from_value(body()).unwrap();
    assert_eq!(serde_json::to_value(&task).unwrap(), body());
}

#[test]
fn a_model_is_read_and_written_by_serde_json() {
    let task: Task = serde_json::from_reader(body().to_string().as_bytes()).unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(&serde_json::to_string_pretty(&task).unwrap()).unwrap(),
        body()
    );
}

#[test]
fn a_model_is_read_and_written_by_serde_yaml() {
    let task: Task = serde_yaml::from_str(&serde_yaml::to_string(&body()).unwrap()).unwrap();
    let yaml = serde_yaml::to_string(&task).unwrap();
    assert_eq!(serde_yaml::from_str::<Value>(&yaml).unwrap(), body());
}

#[test]
fn integers_of_128_bits_are_read_if_they_have_64() {
    for value in [5, i128::from(i64::MAX) + 1] {
        let entries = MapDeserializer::<_, serde_json::Error>::new([("value", value)].into_iter());
        let amount = Amount::deserialize(MapAccessDeserializer::new(entries)).unwrap();
        let json = format!(r#"{{"value":{value}}}"#);
        assert!(matches!(amount, Amount::Exact(_)), "{json}");
        assert_eq!(String::from_utf8(amount.to_json()).unwrap(), json);
    }
    let read = serde_yaml::from_str::<Task>("{numericId: 18446744073709551616}");
    match read {
        Ok(_) => assert!(serde_json::from_str::<Value>("1e400").is_ok(), "all digits are read"),
        Err(error) => assert!(error.to_string().contains("number out of range"), "{error}"),
    }
}

#[test]
fn models_nest_in_other_serde_types() {
    type Page = (Vec<User>, Option<Policy>);
    let json = json!([[{"name": "a", "x": 1}, {}], {"new": 1}]);
    let page: Page = serde_json::from_value(json.clone()).unwrap();
    assert_eq!(serde_json::to_value(&page).unwrap(), json);
}

#[test]
fn errors_of_serde_json_have_a_position_or_a_path() {
    let error = serde_json::from_str::<Task>(r#"{"owner": {"name": x}}"#).unwrap_err();
    assert_eq!(error.to_string(), "expected value at line 1 column 20");
    let error = serde_json::from_value::<Vec<Task>>(json!([5])).unwrap_err();
    assert_eq!(error.to_string(), "expected an object, found a number");
}

/// The entries of an object in a format whose end can be read only once.
struct Ending {
    entries: vec::IntoIter<(&'static str, Value)>,
    value: Value,
    has_ended: bool,
}

impl<'de> MapAccess<'de> for Ending {
    type Error = serde_json::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Self::Error> {
        assert!(!self.has_ended, "the end is read twice");
        let Some((name, value)) = self.entries.next() else {
            self.has_ended = true;
            return Ok(None);
        };
        self.value = value;
        seed.deserialize(name.into_deserializer()).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, Self::Error> {
        seed.deserialize(self.value.take())
    }
}

#[test]
fn the_end_of_an_object_is_read_once() {
    for (entries, expected) in [
        (vec![("x", json!(1)), ("by", json!(1))], json!({"x": 1, "by": 1})),
        (vec![("text", json!("a"))], json!({"text": "a"})),
        (vec![], json!({})),
    ] {
        let entries = || Ending {
            entries: entries.clone().into_iter(),
            value: Value::Null,
            has_ended: false,
        };
        let figure = Figure::deserialize(MapAccessDeserializer::new(entries())).unwrap();
        assert_eq!(encode(&figure), expected);
        let message = Message::deserialize(MapAccessDeserializer::new(entries())).unwrap();
        assert_eq!(encode(&message), expected);
    }
}
