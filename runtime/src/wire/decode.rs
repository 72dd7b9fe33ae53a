//! The ways into decoding.

use serde::de::{DeserializeSeed, Deserializer, Error};

use super::Wire;
use super::drift::Drift;
use super::error::{DecodeError, path};
use super::form::Form;
use super::notes::Notes;
use super::seed::Seed;
use super::target::Target;

/// Decodes a JSON body.
///
/// What the description does not know is kept by the models. If `unknowns` is given, it is told there as well.
///
/// # Errors
///
/// When the body is not JSON (RFC 8259), or a value has another type than described.
pub fn decode<T: Wire + Default>(
    body: &[u8],
    unknowns: Option<&mut Vec<Drift>>,
) -> Result<T, DecodeError> {
    let mut value = T::default();
    decode_into(&mut value, body, unknowns)?;
    Ok(value)
}

fn decode_into(
    wire: &mut dyn Wire,
    body: &[u8],
    unknowns: Option<&mut Vec<Drift>>,
) -> Result<(), DecodeError> {
    if let Target::Nothing = wire.target() {
        return Ok(());
    }
    wire.clear();
    let text = text(body)?;
    let mut notes = Notes::new(unknowns.is_some());
    let mut deserializer = serde_json::Deserializer::from_str(text);
    Seed { wire, form: Form::Natural, notes: &mut notes }
        .deserialize(&mut deserializer)
        .and_then(|_| deserializer.end())
        .map_err(|error| DecodeError::json(&error, &notes))?;
    if let Some(unknowns) = unknowns {
        unknowns.extend(notes.into_drift().into_iter().map(Drift::from));
    }
    Ok(())
}

/// Decodes from any format that tells the types of its values.
///
/// # Errors
///
/// When the format fails, or a value has another type than described.
pub fn deserialize<'de, T: Wire + Default, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let mut value = T::default();
    let mut notes = Notes::new(false);
    match (Seed { wire: &mut value, form: Form::Natural, notes: &mut notes })
        .deserialize(deserializer)
    {
        Ok(_) => Ok(value),
        Err(error) if notes.trail.is_empty() => Err(error),
        Err(error) => Err(D::Error::custom(format_args!("{}: {error}", path(&notes.trail)))),
    }
}

/// Returns the text of a body.
fn text(body: &[u8]) -> Result<&str, DecodeError> {
    const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
    let body = body.strip_prefix(BYTE_ORDER_MARK).unwrap_or(body);
    if body.is_empty() {
        return Err(DecodeError::body("expected JSON, found an empty body", None));
    }
    str::from_utf8(body).map_err(|error| {
        let (valid, _) = body.split_at(error.valid_up_to());
        let line = valid.split(|byte| *byte == b'\n').count();
        let column = 1 + valid.iter().rev().take_while(|byte| **byte != b'\n').count();
        DecodeError::body("expected JSON, found bytes that are not UTF-8", Some((line, column)))
    })
}
