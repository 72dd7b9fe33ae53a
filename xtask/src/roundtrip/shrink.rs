//! Finds the smallest instance that still fails: without the members and elements that have no part in it.

use serde_json::Value;

/// How many smaller instances are tried at most.
const MOST_TRIES: usize = 3000;

/// Removes members and elements for as long as `fails` says that what is left still fails.
///
/// # Errors
///
/// Whatever keeps `fails` from telling.
pub fn shrink<E>(
    value: Value,
    mut fails: impl FnMut(&Value) -> Result<bool, E>,
) -> Result<Value, E> {
    let mut smallest = value;
    let mut tries = 0;
    loop {
        let before = tries;
        let mut gone = false;
        let mut index = 0;
        while tries < MOST_TRIES {
            let mut smaller = smallest.clone();
            if !remove(&mut smaller, &mut index.clone()) {
                break;
            }
            tries += 1;
            if fails(&smaller)? {
                smallest = smaller;
                gone = true;
            } else {
                index += 1;
            }
        }
        // What could not go as long as something else was there may go now.
        if !gone || tries == before {
            return Ok(smallest);
        }
    }
}

/// Removes the member or element number `index`, counted from the outermost on, and tells whether there was one.
fn remove(value: &mut Value, index: &mut usize) -> bool {
    match value {
        Value::Object(members) => {
            let names: Vec<String> = members.keys().cloned().collect();
            for name in names {
                if *index == 0 {
                    members.remove(&name);
                    return true;
                }
                *index -= 1;
                if members.get_mut(&name).is_some_and(|value| remove(value, index)) {
                    return true;
                }
            }
            false
        }
        Value::Array(items) => {
            for place in 0..items.len() {
                if *index == 0 {
                    items.remove(place);
                    return true;
                }
                *index -= 1;
                if items.get_mut(place).is_some_and(|value| remove(value, index)) {
                    return true;
                }
            }
            false
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_matters_is_left() {
        let value = json!({"a": [1, {"bad": 2, "b": 3}], "c": {"bad": 1, "d": [4, 5]}});
        let fails = |value: &Value| Ok::<_, Infallible>(value.to_string().contains("\"bad\":2"));
        let Ok(smallest) = shrink(value, fails);
        assert_eq!(smallest, json!({"a": [{"bad": 2}]}));
    }

    #[test]
    fn parts_that_depend_on_each_other_go_in_turns() {
        let value = json!({"a": 1, "b": 2, "bad": 3});
        // `a` can go only once `b` has gone.
        let fails = |value: &Value| {
            Ok::<_, Infallible>(
                value.get("bad").is_some()
                    && (value.get("b").is_none() || value.get("a").is_some()),
            )
        };
        let Ok(smallest) = shrink(value, fails);
        assert_eq!(smallest, json!({"bad": 3}));
    }
}
