//! Puts scalars where they belong.

use super::drift::DriftKind;
use super::form::Form;
use super::kept::Was;
use super::notes::{Mismatch, Notes};
use super::number::{self, Arrived};
use super::target::Target;
use super::{Value, Wire, time};

/// What becomes of a scalar.
enum Fate {
    /// It was stored and is written as it came.
    Stored,
    /// It was stored but would be written otherwise.
    Respelled,
    /// It stands for nothing: an empty text where a number or a time is expected.
    Nothing,
}

/// Stores a boolean.
pub(super) fn boolean(wire: &mut dyn Wire, value: bool) -> Result<(), Mismatch> {
    match wire.target() {
        Target::Bool(slot) => *slot = value,
        Target::Value(slot) => *slot = Value::Bool(value),
        Target::Nothing => {}
        other => {
            return Err(Mismatch { expected: other.expected(), found: "a boolean" });
        }
    }
    Ok(())
}

/// Stores a number.
pub(super) fn number(
    wire: &mut dyn Wire,
    form: Form,
    arrived: Arrived,
    notes: &mut Notes,
) -> Result<(), Mismatch> {
    let target = wire.target();
    let expected = target.expected();
    let mismatch = || Mismatch { expected, found: "a number that does not fit" };
    let as_is = form == Form::Natural && !arrived.is_float();
    let canonical = match target {
        Target::I32(slot) => {
            *slot =
                arrived.to_i64().and_then(|value| value.try_into().ok()).ok_or_else(mismatch)?;
            as_is
        }
        Target::I64(slot) => {
            *slot = arrived.to_i64().ok_or_else(mismatch)?;
            as_is
        }
        Target::U32(slot) => {
            *slot =
                arrived.to_u64().and_then(|value| value.try_into().ok()).ok_or_else(mismatch)?;
            as_is
        }
        Target::U64(slot) => {
            *slot = arrived.to_u64().ok_or_else(mismatch)?;
            as_is
        }
        Target::F32(slot) => {
            *slot = number::narrow(arrived.to_f64());
            number::is_canonical_float(arrived)
                && number::widen(*slot).to_bits() == arrived.to_f64().to_bits()
        }
        Target::F64(slot) => {
            *slot = arrived.to_f64();
            number::is_canonical_float(arrived)
        }
        Target::Value(slot) => {
            *slot = arrived.to_json().map_or(Value::Null, Value::Number);
            true
        }
        Target::Nothing => true,
        _ => {
            return Err(Mismatch { expected, found: "a number" });
        }
    };
    if !canonical {
        notes.spelled(Was::Value(arrived.to_json().map_or(Value::Null, Value::Number)));
    }
    Ok(())
}

/// Stores a text.
pub(super) fn text(
    wire: &mut dyn Wire,
    form: Form,
    text: &str,
    notes: &mut Notes,
) -> Result<(), Mismatch> {
    let target = wire.target();
    let expected = target.expected();
    let fate = match target {
        Target::String(slot) => {
            *slot = String::from(text);
            Fate::Stored
        }
        Target::Enum(slot) => {
            if !slot.read(text) {
                notes.unknown(DriftKind::Value, text);
            }
            Fate::Stored
        }
        Target::Timestamp(slot) => timed(slot, text, time::timestamp, expected)?,
        Target::Date(slot) => timed(slot, text, time::date, expected)?,
        Target::Value(slot) => {
            *slot = Value::String(text.to_owned());
            Fate::Stored
        }
        Target::I32(slot) if form == Form::IntegerText => integer(slot, text, expected)?,
        Target::I64(slot) if form == Form::IntegerText => integer(slot, text, expected)?,
        Target::U32(slot) if form == Form::IntegerText => integer(slot, text, expected)?,
        Target::U64(slot) if form == Form::IntegerText => integer(slot, text, expected)?,
        Target::Nothing => Fate::Stored,
        _ => {
            return Err(Mismatch { expected, found: "a string" });
        }
    };
    match fate {
        Fate::Stored => return Ok(()),
        Fate::Respelled => {}
        Fate::Nothing => wire.clear(),
    }
    notes.spelled(Was::Value(Value::String(text.to_owned())));
    Ok(())
}

/// Stores an integer that came as text.
fn integer<T: std::str::FromStr>(
    slot: &mut T,
    text: &str,
    expected: &'static str,
) -> Result<Fate, Mismatch> {
    if text.is_empty() {
        return Ok(Fate::Nothing);
    }
    *slot = text.parse().map_err(|_| Mismatch { expected, found: "a string that is none" })?;
    Ok(if number::is_canonical(text) { Fate::Stored } else { Fate::Respelled })
}

/// Stores a date-time or a date.
fn timed<T>(
    slot: &mut T,
    text: &str,
    read: fn(&str) -> Option<time::Read<T>>,
    expected: &'static str,
) -> Result<Fate, Mismatch> {
    if text.is_empty() {
        return Ok(Fate::Nothing);
    }
    let read = read(text).ok_or(Mismatch { expected, found: "a string that is none" })?;
    *slot = read.value;
    Ok(if read.canonical { Fate::Stored } else { Fate::Respelled })
}
