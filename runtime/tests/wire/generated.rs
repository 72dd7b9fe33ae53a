//! Bodies made by chance, always the same ones: they are decoded and encoded without loss, or refused with a reason.

use access_governance_runtime::Model;
use serde_json::{Map, Value, json};

use crate::models::Task;

/// The optional members that the description names. Their nulls may vanish.
const OPTIONAL: &[&str] = &[
    "actions",
    "numericId",
    "size",
    "counts",
    "totals",
    "data",
    "anything",
    "createdAt",
    "reminders",
    "deadlines",
    "score",
    "ratio",
    "level",
    "limit",
    "urgent",
    "grid",
    "names",
    "parent",
    "children",
    "wait",
    "run",
    "until",
    "times",
    "policy",
    "policies",
    "token",
    "settings",
    "labels",
    "limits",
    "window",
    "name",
    "seenAt",
    "duration",
    "users",
    "manual",
    "automatic",
    "after",
    "@type",
    "openAt",
    "openWhen",
    "closeAt",
    "closeNever",
];

/// A sequence of numbers that look random (splitmix64).
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    fn one_in(&mut self, bound: u64) -> bool {
        self.below(bound) == 0
    }

    fn one_of<T: Clone>(&mut self, choices: &[T]) -> T {
        let index = usize::try_from(self.below(choices.len() as u64)).unwrap();
        choices[index].clone()
    }
}

/// Makes bodies.
struct Maker {
    chance: Chance,
    /// How often a value has a type that is not described: one time in this many, or never.
    wrong: Option<u64>,
}

/// Makes values that nest no deeper than a number of levels.
type Make = fn(&mut Maker, u32) -> Value;

impl Maker {
    fn value(&mut self, make: Make, depth: u32) -> Value {
        if self.wrong.is_some_and(|wrong| self.chance.one_in(wrong)) {
            return self.anything(depth);
        }
        if self.chance.one_in(12) { Value::Null } else { make(self, depth) }
    }

    fn list(&mut self, make: Make, depth: u32) -> Value {
        let length = self.chance.below(4);
        (0..length).map(|_| self.value(make, depth)).collect()
    }

    fn dictionary(&mut self, make: Make, depth: u32) -> Value {
        let length = self.chance.below(4);
        Value::Object(
            (0..length)
                .map(|_| {
                    (
                        self.chance.one_of(&["k1", "k2", "k 3", ""]).to_owned(),
                        self.value(make, depth),
                    )
                })
                .collect(),
        )
    }

    fn object(&mut self, members: &[(&str, Make)], depth: u32) -> Value {
        let mut object = Map::new();
        for (name, make) in members {
            if depth > 0 && self.chance.one_in(3) {
                object.insert((*name).to_owned(), self.value(*make, depth - 1));
            }
        }
        if self.chance.one_in(6) {
            object.insert(
                self.chance.one_of(&["x1", "x 2", ""]).to_owned(),
                self.anything(depth.min(2)),
            );
        }
        Value::Object(object)
    }

    fn anything(&mut self, depth: u32) -> Value {
        match self.chance.below(if depth == 0 { 6 } else { 8 }) {
            0 => Value::Null,
            1 => json!(self.chance.one_in(2)),
            2 => json!(self.chance.next()),
            3 => json!(i64::from_ne_bytes(self.chance.next().to_ne_bytes())),
            4 => json!(f64::from_bits(self.chance.next())),
            5 => self.text(0),
            6 => self.list(Self::anything, depth - 1),
            _ => self.dictionary(Self::anything, depth - 1),
        }
    }

    fn text(&mut self, _: u32) -> Value {
        json!(self.chance.one_of(&[
            "",
            "a",
            "ACTION_DENY",
            "quote \" and \\ and \u{7f}\u{1}",
            "7",
            "2024-01-01",
            "é"
        ]))
    }

    fn time(&mut self, _: u32) -> Value {
        let (date, time) =
            (["2024-02-29", "0001-01-01", "1969-12-31"], ["00:00:00", "23:59:59", "12:30:00"]);
        let (fraction, zone) = (
            ["", ".0", ".5", ".123", ".120000", ".000000001"],
            ["Z", "z", "+00:00", "+05:30", "-08:00"],
        );
        let mut one_of = |choices: &[&'static str]| self.chance.one_of(choices);
        let separator = one_of(&["T", "t", "T"]);
        let text = format!(
            "{}{separator}{}{}{}",
            one_of(&date),
            one_of(&time),
            one_of(&fraction),
            one_of(&zone)
        );
        json!(if self.chance.one_in(10) { "" } else { &text })
    }

    fn small(&mut self, _: u32) -> Value {
        self.chance.one_of(&[json!(0), json!(1), json!(2_147_483_647), json!(3.0), json!(0.0)])
    }

    fn integer_text(&mut self, _: u32) -> Value {
        self.chance.one_of(&[
            json!("0"),
            json!("12"),
            json!("007"),
            json!("+5"),
            json!(7),
            json!(7.0),
            json!(""),
            json!("9223372036854775807"),
        ])
    }

    fn number(&mut self, _: u32) -> Value {
        let whole = self.chance.next();
        self.chance.one_of(&[
            json!(0),
            json!(1.0),
            json!(-0.0),
            json!(0.1),
            json!(whole),
            json!(f64::from_bits(whole)),
            json!(-17),
        ])
    }

    fn boolean(&mut self, _: u32) -> Value {
        json!(self.chance.one_in(2))
    }

    fn action(&mut self, _: u32) -> Value {
        json!(self.chance.one_of(&["ACTION_CLOSE", "ACTION_DENY", "ACTION_FLY", ""]))
    }

    fn number_unless_null(&mut self, _: u32) -> Value {
        let value = self.number(0);
        if value.is_null() { json!(0) } else { value }
    }

    fn user(&mut self, depth: u32) -> Value {
        self.object(&[("name", Self::text), ("seenAt", Self::time)], depth)
    }

    fn wait(&mut self, depth: u32) -> Value {
        self.object(
            &[("duration", Self::text), ("users", |maker, depth| maker.list(Self::user, depth))],
            depth,
        )
    }

    fn map(&mut self, depth: u32) -> Value {
        self.dictionary(Self::anything, depth.min(3))
    }

    fn policy(&mut self, depth: u32) -> Value {
        self.object(
            &[("manual", Self::wait), ("automatic", Self::map), ("after", Self::time)],
            depth,
        )
    }

    fn labels(&mut self, depth: u32) -> Value {
        let mut labels = self.map(depth);
        labels["@type"] = self.text(0);
        labels
    }

    fn limits(&mut self, depth: u32) -> Value {
        let mut limits = self.dictionary(Self::integer_text, depth);
        limits["until"] = self.time(0);
        limits
    }

    fn window(&mut self, depth: u32) -> Value {
        self.object(
            &[
                ("openAt", Self::time),
                ("openWhen", Self::user),
                ("closeAt", Self::time),
                ("closeNever", Self::user),
            ],
            depth,
        )
    }

    fn task(&mut self, depth: u32) -> Value {
        self.object(
            &[
                ("id", Self::text),
                ("owner", Self::user),
                ("actions", |maker, depth| maker.list(Self::action, depth)),
                ("numericId", Self::integer_text),
                ("size", Self::integer_text),
                ("counts", |maker, depth| maker.list(Self::integer_text, depth)),
                ("totals", |maker, depth| maker.dictionary(Self::integer_text, depth)),
                ("data", Self::map),
                ("anything", Self::anything),
                ("createdAt", Self::time),
                ("reminders", |maker, depth| maker.list(Self::time, depth)),
                ("deadlines", |maker, depth| maker.dictionary(Self::time, depth)),
                ("score", Self::number_unless_null),
                ("ratio", Self::number_unless_null),
                ("level", Self::small),
                ("limit", Self::small),
                ("urgent", Self::boolean),
                ("grid", |maker, depth| {
                    maker.list(|maker, depth| maker.list(Self::number_unless_null, depth), depth)
                }),
                ("names", |maker, depth| maker.list(Self::text, depth)),
                ("parent", Self::task),
                ("children", |maker, depth| maker.list(Self::task, depth)),
                ("wait", Self::wait),
                ("run", Self::task),
                ("until", Self::time),
                ("times", Self::integer_text),
                ("policy", Self::policy),
                ("policies", |maker, depth| maker.list(Self::policy, depth)),
                ("token", Self::text),
                ("settings", Self::map),
                ("labels", Self::labels),
                ("limits", Self::limits),
                ("window", Self::window),
            ],
            depth,
        )
    }
}

/// Removes the nulls that may vanish.
fn without_optional_nulls(value: &Value) -> Value {
    match value {
        Value::Array(elements) => elements.iter().map(without_optional_nulls).collect(),
        Value::Object(members) => {
            let kept = members
                .iter()
                .filter(|(name, value)| !(value.is_null() && OPTIONAL.contains(&name.as_str())));
            Value::Object(
                kept.map(|(name, value)| (name.clone(), without_optional_nulls(value))).collect(),
            )
        }
        _ => value.clone(),
    }
}

#[track_caller]
fn assert_kept(body: &Value, task: &Task) {
    let encoded = task.to_json();
    let again: Value = serde_json::from_slice(&encoded).unwrap();
    assert_eq!(without_optional_nulls(&again), without_optional_nulls(body), "{body:#}");
    let copy = Task::from_json(&encoded).unwrap();
    assert_eq!(copy, *task);
    assert_eq!(copy.to_json(), encoded);
}

#[test]
fn described_bodies_are_kept() {
    let mut maker = Maker { chance: Chance(1), wrong: None };
    for _ in 0..2_000 {
        let body = maker.task(5);
        let task = Task::from_json(body.to_string().as_bytes())
            .unwrap_or_else(|error| panic!("{error}: {body}"));
        assert_kept(&body, &task);
    }
}

#[test]
fn other_bodies_are_kept_or_refused() {
    let mut maker = Maker { chance: Chance(2), wrong: Some(25) };
    let (mut kept, mut refused) = (0, 0);
    for _ in 0..2_000 {
        let body = maker.task(5);
        match Task::from_json(body.to_string().as_bytes()) {
            Ok(task) => {
                assert_kept(&body, &task);
                kept += 1;
            }
            Err(error) => {
                assert!(error.message().starts_with("expected "), "{error}");
                refused += 1;
            }
        }
    }
    assert!(kept > 200 && refused > 200, "{kept} were kept and {refused} refused");
}

#[test]
fn damaged_bodies_are_refused_without_a_panic() {
    let mut maker = Maker { chance: Chance(3), wrong: Some(50) };
    for _ in 0..2_000 {
        let mut body = maker.task(4).to_string().into_bytes();
        for _ in 0..=maker.chance.below(3) {
            let place = usize::try_from(maker.chance.below(body.len() as u64)).unwrap();
            body[place] = u8::try_from(maker.chance.below(256)).unwrap();
        }
        if let Ok(task) = Task::from_json(&body) {
            assert!(Task::from_json(&task.to_json()).is_ok());
        }
    }
}
