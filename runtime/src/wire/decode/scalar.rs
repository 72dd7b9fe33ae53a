//! Decodes scalars.

use serde_json::Number;

use crate::wire::decode::context::{Context, Mismatch};
use crate::wire::decode::drift::DriftKind;
use crate::wire::decode::slot::Decoded;
use crate::wire::number;
use crate::wire::reflect::table::Format;
use crate::wire::reflect::wire::{Target, Wire};
use crate::wire::retain::original::Original;
use crate::wire::timestamp::{Spelling, Timestamp};
use crate::wire::value::Value;

/// Stores a boolean.
pub(super) fn boolean(wire: &mut dyn Wire, value: bool) -> Result<Decoded, Mismatch> {
    match wire.target() {
        Target::Bool(slot) => *slot = value,
        Target::Value(slot) => *slot = Value::Bool(value),
        other => return Err(Mismatch { expected: other.expected(), found: "a boolean" }),
    }
    Ok(Decoded::Canonical)
}

/// Stores a number.
pub(super) fn number(
    wire: &mut dyn Wire,
    format: Format,
    number: Number,
) -> Result<Decoded, Mismatch> {
    let target = wire.target();
    let expected = target.expected();
    let canonical = match target {
        Target::Integer(slot) => {
            if !number::integer(&number).is_some_and(|value| slot.set(value)) {
                return Err(Mismatch { expected, found: "a number that does not fit" });
            }
            format == Format::Natural && !number.is_f64()
        }
        Target::F32(slot) => {
            let value = number::float(&number);
            *slot = number::narrow(value);
            let exact = number::widen(*slot).to_bits() == value.to_bits();
            return Ok(if exact { float(number) } else { respelled(number) });
        }
        Target::F64(slot) => {
            *slot = number::float(&number);
            return Ok(float(number));
        }
        Target::Value(slot) => {
            *slot = Value::Number(number);
            return Ok(Decoded::Canonical);
        }
        _ => return Err(Mismatch { expected, found: "a number" }),
    };
    Ok(if canonical { Decoded::Canonical } else { respelled(number) })
}

/// Returns how a number was written that is now a float.
fn float(number: Number) -> Decoded {
    match (number.is_f64(), number::whole(number::float(&number))) {
        (true, None) | (false, Some(_)) => Decoded::Canonical,
        (true, Some(_)) => Decoded::respelled(Original::Fraction),
        (false, None) => respelled(number),
    }
}

fn respelled(number: Number) -> Decoded {
    Decoded::respelled(Original::Number(number))
}

/// Stores a string.
pub(super) fn text(
    wire: &mut dyn Wire,
    format: Format,
    text: &str,
    context: &mut Context,
) -> Result<Decoded, Mismatch> {
    let target = wire.target();
    let expected = target.expected();
    let unreadable = || Mismatch { expected, found: "a string that is not one" };
    let spelling = match target {
        Target::String(slot) => {
            *slot = String::from(text);
            return Ok(Decoded::Canonical);
        }
        Target::Enum(slot) => {
            if !slot.read(text) {
                context.report(DriftKind::UnknownValue, text);
            }
            return Ok(Decoded::Canonical);
        }
        Target::Value(slot) => {
            *slot = Value::String(text.to_owned());
            return Ok(Decoded::Canonical);
        }
        Target::Integer(_) if format == Format::Natural => {
            return Err(Mismatch { expected, found: "a string" });
        }
        Target::Timestamp(_) | Target::Integer(_) if text.is_empty() => {
            wire.clear();
            Spelling::Lenient
        }
        Target::Timestamp(slot) => {
            let (value, spelling) = Timestamp::read(text).map_err(|_| unreadable())?;
            *slot = value;
            spelling
        }
        Target::Integer(slot) => {
            let value = text.parse().map_err(|_| unreadable())?;
            if !slot.set(value) {
                return Err(unreadable());
            }
            if number::is_canonical(text) { Spelling::Canonical } else { Spelling::Lenient }
        }
        _ => return Err(Mismatch { expected, found: "a string" }),
    };
    if spelling == Spelling::Lenient {
        context.report(DriftKind::Format, text);
    }
    Ok(match spelling {
        Spelling::Canonical => Decoded::Canonical,
        Spelling::Equivalent | Spelling::Lenient => Decoded::respelled(Original::Text(text.into())),
    })
}
