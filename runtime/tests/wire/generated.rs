//! Bodies made by chance: they are decoded and encoded without loss, or refused with a reason.

use access_governance_runtime::Model;
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any};
use proptest::sample::select;
use proptest::strategy::BoxedStrategy;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use proptest::{prop_assert, prop_assert_eq, prop_oneof};
use serde_json::{Map, Value, json};

use crate::models::Task;

type Values = BoxedStrategy<Value>;

/// The properties of all objects here that are required, or none of a described object: their nulls do not vanish.
const KEPT: &[&str] = &["id", "owner", "k1", "k2", "k 3", "x1", "x 2", ""];

/// How often a value is not what its property describes: this many times in a hundred.
#[derive(Clone, Copy)]
struct Bodies {
    wrong: u32,
}

impl Bodies {
    /// Returns these values, nulls, and sometimes anything.
    fn value(self, values: Values) -> Values {
        let wrong = if self.wrong == 0 { Just(Value::Null).boxed() } else { anything() };
        prop_oneof![92 - self.wrong => values, 8 => Just(Value::Null), self.wrong.max(1) => wrong]
            .boxed()
    }

    fn list(self, values: Values) -> Values {
        vec(self.value(values), 0..4).prop_map(Value::from).boxed()
    }

    fn dictionary(self, values: Values) -> Values {
        dictionary(self.value(values))
    }

    fn object(self, properties: impl IntoIterator<Item = (&'static str, Values)>) -> Values {
        let described = properties.into_iter().map(|(name, values)| (name, self.value(values)));
        let undescribed = ["x1", "x 2", ""].map(|name| (name, anything()));
        let properties: Vec<_> = described
            .chain(undescribed)
            .map(|(name, values)| {
                proptest::option::weighted(0.3, values)
                    .prop_map(move |value| value.map(|value| (name.to_owned(), value)))
            })
            .collect();
        properties.prop_map(|list| Value::Object(list.into_iter().flatten().collect())).boxed()
    }

    fn user(self) -> Values {
        self.object([("name", text()), ("seenAt", time())])
    }

    fn wait(self) -> Values {
        self.object([("duration", text()), ("users", self.list(self.user()))])
    }

    fn policy(self) -> Values {
        let map = dictionary(anything());
        self.object([
            ("manual", self.wait()),
            ("automatic", map),
            ("after", time()),
            ("before", time()),
        ])
    }

    /// Returns tasks that hold others down to a number of levels.
    fn task(self, levels: u32) -> Values {
        let numbers = self.list(number());
        let mut properties = vec![
            ("id", text()),
            ("owner", self.user()),
            (
                "actions",
                self.list(one_of(json!(["ACTION_CLOSE", "ACTION_DENY", "ACTION_FLY", ""]))),
            ),
            ("numericId", integer_text()),
            ("size", integer_text()),
            ("counts", self.list(integer_text())),
            ("totals", self.dictionary(integer_text())),
            ("data", dictionary(anything())),
            ("anything", anything()),
            ("createdAt", time()),
            ("reminders", self.list(time())),
            ("deadlines", self.dictionary(time())),
            ("score", number()),
            ("ratio", number()),
            ("level", one_of(json!([0, 1, 2_147_483_647, 3.0]))),
            ("limit", one_of(json!([0, 1, 4_294_967_295_u32, 0.0]))),
            ("urgent", any::<bool>().prop_map(Value::from).boxed()),
            ("grid", self.list(numbers)),
            ("names", self.list(text())),
            ("wait", self.wait()),
            ("until", time()),
            ("times", integer_text()),
            ("policy", self.policy()),
            ("policies", self.list(self.policy())),
            ("token", text()),
            ("settings", dictionary(anything())),
            ("labels", with(dictionary(anything()), "@type", text())),
            ("limits", with(self.dictionary(integer_text()), "until", time())),
            (
                "window",
                self.object([
                    ("openAt", time()),
                    ("openWhen", self.user()),
                    ("closeAt", time()),
                    ("closeNever", self.user()),
                ]),
            ),
        ];
        if levels > 0 {
            let task = self.task(levels - 1);
            properties.extend([
                ("parent", task.clone()),
                ("children", self.list(task.clone())),
                ("run", task),
            ]);
        }
        self.object(properties)
    }
}

fn one_of(values: Value) -> Values {
    let Value::Array(values) = values else { panic!("a list of values") };
    select(values).boxed()
}

fn dictionary(values: Values) -> Values {
    vec((select(vec!["k1", "k2", "k 3", ""]), values), 0..4)
        .prop_map(|list| {
            Value::Object(list.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
        })
        .boxed()
}

/// Adds a property to objects.
fn with(objects: Values, name: &'static str, values: Values) -> Values {
    (objects, values)
        .prop_map(move |(mut object, value)| {
            object[name] = value;
            object
        })
        .boxed()
}

fn anything() -> Values {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text(),
    ];
    scalar
        .prop_recursive(3, 12, 4, |values| {
            prop_oneof![vec(values.clone(), 0..4).prop_map(Value::from), dictionary(values.boxed())]
        })
        .boxed()
}

fn text() -> Values {
    let known =
        one_of(json!(["", "a", "ACTION_DENY", "quote \" and \\ and \u{7f}\u{1}", "7", "é"]));
    prop_oneof![known, any::<String>().prop_map(Value::from)].boxed()
}

fn time() -> Values {
    let one_of = |texts: &'static [&'static str]| select(texts);
    let parts = (
        one_of(&["2024-02-29", "0001-01-01", "1969-12-31", "9999-12-31"]),
        one_of(&["T", "t"]),
        one_of(&["00:00:00", "23:59:59", "12:30:00"]),
        one_of(&["", ".0", ".5", ".123", ".120000", ".000000001"]),
        one_of(&["Z", "z", "+00:00", "+05:30", "-08:00"]),
    );
    let times = parts.prop_map(|(date, separator, time, fraction, zone)| {
        json!(format!("{date}{separator}{time}{fraction}{zone}"))
    });
    prop_oneof![9 => times, 1 => Just(json!(""))].boxed()
}

fn integer_text() -> Values {
    one_of(json!(["0", "12", "007", "+5", 7, 7.0, "", "9223372036854775807"]))
}

fn number() -> Values {
    let finite = any::<f64>().prop_filter("JSON has no digits for it", |value| value.is_finite());
    prop_oneof![
        one_of(json!([0, 1.0, -0.0, 0.1, -17])),
        any::<u64>().prop_map(Value::from),
        finite.prop_map(Value::from),
    ]
    .boxed()
}

/// Removes the nulls that may vanish: those of optional properties.
fn without_optional_nulls(value: &Value) -> Value {
    match value {
        Value::Array(elements) => elements.iter().map(without_optional_nulls).collect(),
        Value::Object(properties) => {
            let stays = |name: &str, value: &Value| !value.is_null() || KEPT.contains(&name);
            let kept = properties.iter().filter(|(name, value)| stays(name, value));
            let kept = kept.map(|(name, value)| (name.clone(), without_optional_nulls(value)));
            Value::Object(kept.collect::<Map<_, _>>())
        }
        _ => value.clone(),
    }
}

/// Checks a number of bodies, always the same ones.
fn check<T: std::fmt::Debug>(
    bodies: impl Strategy<Value = T>,
    test: impl Fn(T) -> Result<(), proptest::test_runner::TestCaseError>,
) {
    let config = Config { cases: 250, failure_persistence: None, ..Config::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    TestRunner::new_with_rng(config, rng)
        .run(&bodies, test)
        .unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn described_bodies_are_kept_and_others_are_kept_or_refused() {
    for wrong in [0, 3] {
        check(Bodies { wrong }.task(2), |body| {
            let task = match Task::from_json(body.to_string().as_bytes()) {
                Ok(task) => task,
                Err(error) => {
                    prop_assert!(wrong > 0 && error.message().starts_with("expected "), "{error}");
                    return Ok(());
                }
            };
            let encoded = task.to_json();
            let again: Value = serde_json::from_slice(&encoded).unwrap();
            prop_assert_eq!(without_optional_nulls(&again), without_optional_nulls(&body));
            let copy = Task::from_json(&encoded).unwrap();
            prop_assert_eq!(&copy, &task);
            prop_assert_eq!(copy.to_json(), encoded);
            Ok(())
        });
    }
}

#[test]
fn damaged_bodies_are_refused_without_a_panic() {
    let damage = vec((any::<proptest::sample::Index>(), any::<u8>()), 1..4);
    check((Bodies { wrong: 2 }.task(1), damage), |(body, damage)| {
        let mut body = body.to_string().into_bytes();
        for (place, byte) in damage {
            let place = place.index(body.len());
            body[place] = byte;
        }
        if let Ok(task) = Task::from_json(&body) {
            prop_assert!(Task::from_json(&task.to_json()).is_ok());
        }
        Ok(())
    });
}
