//! What encoding writes to: serde's serializers, and the JSON writer that needs less of them.

use std::fmt::Display;

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::Value;
use super::encode::Encoded;
use super::table::Member;

/// Takes one value.
pub(super) trait Sink: Sized {
    /// What there is when the value is written.
    type Done;
    /// Why it could not be written.
    type Error;
    /// Takes the members of an object.
    type Members: Members<Done = Self::Done, Error = Self::Error>;
    /// Takes the elements of an array.
    type Elements: Elements<Done = Self::Done, Error = Self::Error>;

    fn null(self) -> Result<Self::Done, Self::Error>;
    fn boolean(self, value: bool) -> Result<Self::Done, Self::Error>;
    fn signed(self, value: i64) -> Result<Self::Done, Self::Error>;
    fn unsigned(self, value: u64) -> Result<Self::Done, Self::Error>;
    fn float(self, value: f64) -> Result<Self::Done, Self::Error>;
    fn text(self, text: &str) -> Result<Self::Done, Self::Error>;
    fn displayed(self, text: &dyn Display) -> Result<Self::Done, Self::Error>;
    fn value(self, value: &Value) -> Result<Self::Done, Self::Error>;
    fn members(self) -> Result<Self::Members, Self::Error>;
    fn elements(self, length: usize) -> Result<Self::Elements, Self::Error>;
}

/// Takes the members of an object.
pub(super) trait Members {
    type Done;
    type Error;

    /// Takes a described member.
    fn described(&mut self, member: &Member, value: &Encoded<'_>) -> Result<(), Self::Error>;

    /// Takes a member of any name.
    fn named(&mut self, name: &str, value: &Encoded<'_>) -> Result<(), Self::Error>;

    fn end(self) -> Result<Self::Done, Self::Error>;
}

/// Takes the elements of an array.
pub(super) trait Elements {
    type Done;
    type Error;

    fn element(&mut self, value: &Encoded<'_>) -> Result<(), Self::Error>;
    fn end(self) -> Result<Self::Done, Self::Error>;
}

/// A serializer of any format, or a part of it.
pub(super) struct Foreign<S>(pub S);

impl<S: Serializer> Sink for Foreign<S> {
    type Done = S::Ok;
    type Error = S::Error;
    type Members = Foreign<S::SerializeMap>;
    type Elements = Foreign<S::SerializeSeq>;

    fn null(self) -> Result<S::Ok, S::Error> {
        self.0.serialize_unit()
    }

    fn boolean(self, value: bool) -> Result<S::Ok, S::Error> {
        self.0.serialize_bool(value)
    }

    fn signed(self, value: i64) -> Result<S::Ok, S::Error> {
        self.0.serialize_i64(value)
    }

    fn unsigned(self, value: u64) -> Result<S::Ok, S::Error> {
        self.0.serialize_u64(value)
    }

    fn float(self, value: f64) -> Result<S::Ok, S::Error> {
        self.0.serialize_f64(value)
    }

    fn text(self, text: &str) -> Result<S::Ok, S::Error> {
        self.0.serialize_str(text)
    }

    fn displayed(self, text: &dyn Display) -> Result<S::Ok, S::Error> {
        self.0.collect_str(text)
    }

    fn value(self, value: &Value) -> Result<S::Ok, S::Error> {
        value.serialize(self.0)
    }

    fn members(self) -> Result<Foreign<S::SerializeMap>, S::Error> {
        self.0.serialize_map(None).map(Foreign)
    }

    fn elements(self, length: usize) -> Result<Foreign<S::SerializeSeq>, S::Error> {
        self.0.serialize_seq(Some(length)).map(Foreign)
    }
}

impl<M: SerializeMap> Members for Foreign<M> {
    type Done = M::Ok;
    type Error = M::Error;

    fn described(&mut self, member: &Member, value: &Encoded<'_>) -> Result<(), M::Error> {
        self.0.serialize_entry(member.name, value)
    }

    fn named(&mut self, name: &str, value: &Encoded<'_>) -> Result<(), M::Error> {
        self.0.serialize_entry(name, value)
    }

    fn end(self) -> Result<M::Ok, M::Error> {
        self.0.end()
    }
}

impl<E: SerializeSeq> Elements for Foreign<E> {
    type Done = E::Ok;
    type Error = E::Error;

    fn element(&mut self, value: &Encoded<'_>) -> Result<(), E::Error> {
        self.0.serialize_element(value)
    }

    fn end(self) -> Result<E::Ok, E::Error> {
        self.0.end()
    }
}
