//! Values of types of other crates, which read and write themselves by serde.

use std::any::type_name;
use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::mem::discriminant;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::wire::parameter::Param;
use crate::wire::reflect::debug::debug;
use crate::wire::reflect::secret::Sensitive;
use crate::wire::reflect::wire::{OwnValue, Target, View, Wire};
use crate::wire::value::Value;

/// A value of a type of another crate, which `[types]` in `codegen.toml` names: a `uuid::Uuid`, or a type of your own.
///
/// It is sent as the type writes it. A received value that the type writes in another form, such as a UUID in capitals, is
/// sent as it was received, until it is replaced. A value that the type cannot read is retained beside its field, and is
/// drift: a required field then has no value. Numbers with more digits than a float has are passed as texts to types that
/// read these as numbers, such as `rust_decimal::Decimal`.
///
/// ```
/// use std::net::Ipv4Addr;
///
/// use openapi_bindings_runtime::Typed;
///
/// let address = Typed::from(Ipv4Addr::LOCALHOST);
/// assert_eq!(address.get(), Some(&Ipv4Addr::LOCALHOST));
/// assert_eq!(address.to_string(), "127.0.0.1");
/// ```
#[derive(Clone)]
pub struct Typed<T> {
    value: Option<T>,
    /// The value as it was received, if the type writes it in another form.
    received: Option<Box<Value>>,
}

impl<T> Typed<T> {
    /// Returns the value. `None` if there is none: nothing was received in a required field, or another value than the type
    /// can hold.
    pub fn get(&self) -> Option<&T> {
        self.value.as_ref()
    }

    /// Returns the value for changes.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        self.received = None;
        self.value.as_mut()
    }

    /// Returns the value.
    pub fn into_inner(self) -> Option<T> {
        self.value
    }
}

impl<T: Serialize + DeserializeOwned> Typed<T> {
    /// Returns the text in a parameter or a header: that of JSON, without quotes; empty without a value.
    fn text(&self) -> Result<String, String> {
        if self.value.is_none() {
            return Ok(String::new());
        }
        let json = self.sent()?;
        Ok(json.as_str().map_or_else(|| json.to_string(), str::to_owned))
    }

    /// Returns the value of a text: a string, or any other JSON.
    pub(crate) fn of_text(text: &str) -> Option<Self> {
        let mut typed = Self::default();
        let is_read = typed.read(&text.into())
            || serde_json::from_str(text).is_ok_and(|json| typed.read(&json));
        is_read.then_some(typed)
    }
}

impl<T: Serialize + DeserializeOwned> OwnValue for Typed<T> {
    fn read(&mut self, json: &Value) -> bool {
        self.value = T::deserialize(json).ok();
        self.received = None;
        if self.written().is_ok_and(|written| written != *json) {
            self.received = Some(Box::new(json.clone()));
        }
        self.value.is_some()
    }

    fn read_spelled(&mut self, json: &Value) -> bool {
        let Ok(value) = T::deserialize(json) else { return false };
        let spelled = Self::from(value);
        let is_number = match (spelled.written(), self.written()) {
            (Ok(spelled), Ok(nearest)) => are_alike(&spelled, &nearest),
            _ => false,
        };
        if is_number {
            *self = spelled;
        }
        is_number
    }

    fn expected(&self) -> &'static str {
        type_name::<T>()
    }

    fn written(&self) -> Result<Value, String> {
        let written = serde_json::to_value(&self.value);
        written.map_err(|error| format!("`{}` cannot be written: {error}", self.expected()))
    }

    fn sent(&self) -> Result<Cow<'_, Value>, String> {
        match &self.received {
            Some(received) => Ok(Cow::Borrowed(received)),
            None => self.written().map(Cow::Owned),
        }
    }
}

/// Returns whether two values differ only in scalars of the same kind. A type that keeps texts has others.
fn are_alike(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len()
                && one.iter().zip(other).all(|(one, other)| are_alike(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.values().zip(other.values()).all(|(one, other)| are_alike(one, other))
        }
        _ => discriminant(one) == discriminant(other),
    }
}

impl<T: Serialize + DeserializeOwned> Wire for Typed<T> {
    fn target(&mut self) -> Target<'_> {
        Target::Own(self)
    }

    fn view(&self) -> View<'_> {
        if self.value.is_some() { View::Own(self) } else { View::Absent }
    }

    fn clear(&mut self) {
        *self = Self::default();
    }
}

impl<T> Default for Typed<T> {
    fn default() -> Self {
        Self { value: None, received: None }
    }
}

impl<T> From<T> for Typed<T> {
    fn from(value: T) -> Self {
        Self { value: Some(value), received: None }
    }
}

/// Values are equal in any form.
impl<T: PartialEq> PartialEq for Typed<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for Typed<T> {}

impl<T: Hash> Hash for Typed<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.value.hash(state);
    }
}

impl<T: PartialEq> PartialEq<T> for Typed<T> {
    fn eq(&self, other: &T) -> bool {
        self.value.as_ref() == Some(other)
    }
}

impl<T: Serialize + DeserializeOwned> fmt::Debug for Typed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        debug(self, f)
    }
}

/// The text in a parameter; of a value that cannot be sent, the reason.
impl<T: Serialize + DeserializeOwned> fmt::Display for Typed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_param())
    }
}

impl<T: Serialize + DeserializeOwned> Param for Typed<T> {
    fn to_param(&self) -> Cow<'_, str> {
        Cow::Owned(self.text().unwrap_or_else(|why| why))
    }

    fn refusal(&self) -> Option<String> {
        self.text().err()
    }
}

impl<T> Sensitive for Typed<T> {
    fn wipe(&mut self) {
        self.value = None;
        self.received.iter_mut().for_each(|received| received.wipe());
    }
}

crate::__serde!(Typed<T> where T: Serialize + DeserializeOwned);
