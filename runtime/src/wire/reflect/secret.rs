//! Values that are redacted in logs.

use std::fmt;

use secrecy::SecretString;

use crate::secrets::REDACTED;
use crate::wire::integer::{Integer, IntoInteger};
use crate::wire::reflect::wire::{Target, View, Wire};
use crate::wire::value::{Map, Value};

/// A value that `Debug` shows as `[redacted]`, and whose memory is overwritten when it is dropped.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Secret<T: Sensitive>(T);

/// A type that can be overwritten.
pub trait Sensitive {
    /// Overwrites the value.
    fn wipe(&mut self);
}

impl<T: Sensitive> Secret<T> {
    /// Wraps a value.
    pub fn new(value: impl Into<T>) -> Self {
        Self(value.into())
    }

    /// Returns the value.
    pub fn expose(&self) -> &T {
        &self.0
    }
}

impl<T: Sensitive> Drop for Secret<T> {
    fn drop(&mut self) {
        self.0.wipe();
    }
}

impl<T: Sensitive> fmt::Debug for Secret<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(REDACTED)
    }
}

impl<T: Sensitive> From<T> for Secret<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl From<&str> for Secret<String> {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

/// A received secret as a credential.
impl From<Secret<String>> for SecretString {
    fn from(secret: Secret<String>) -> Self {
        secret.expose().as_str().into()
    }
}

impl<T: Sensitive + Wire> Wire for Secret<T> {
    fn target(&mut self) -> Target<'_> {
        self.0.target()
    }

    fn view(&self) -> View<'_> {
        View::Secret(&self.0)
    }

    fn null(&mut self) -> bool {
        self.0.null()
    }

    fn clear(&mut self) {
        self.0.wipe();
        self.0.clear();
    }
}

/// An integer for setters, whose errors do not show it.
impl<T: Sensitive + Integer> Integer for Secret<T> {
    fn set(&mut self, value: i128) -> bool {
        self.0.set(value)
    }

    fn expected(&self) -> &'static str {
        self.0.expected()
    }

    fn misfit(&self, _: i128) -> String {
        format!("the value is not {}", self.expected())
    }
}

impl<T: Sensitive + Copy + IntoInteger<T>> IntoInteger<Self> for Secret<T> {
    fn into_integer(self) -> i128 {
        self.0.into_integer()
    }
}

impl Sensitive for Value {
    fn wipe(&mut self) {
        match self {
            Self::String(text) => text.wipe(),
            Self::Array(elements) => elements.iter_mut().for_each(Sensitive::wipe),
            Self::Object(map) => map.wipe(),
            Self::Null | Self::Bool(_) | Self::Number(_) => {}
        }
        *self = Self::Null;
    }
}

impl Sensitive for Map {
    fn wipe(&mut self) {
        self.values_mut().for_each(Sensitive::wipe);
        self.clear();
    }
}

impl<T: Sensitive> Sensitive for Vec<T> {
    fn wipe(&mut self) {
        self.iter_mut().for_each(Sensitive::wipe);
        self.clear();
    }
}
