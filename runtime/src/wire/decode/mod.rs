//! From JSON to models.

mod choice;
mod collection;
pub(super) mod context;
mod decoded;
pub(super) mod drift;
mod entries;
pub(super) mod error;
mod flattened;
mod key;
mod object;
mod slot;
mod union;
mod visitor;

use std::mem;
use std::sync::Arc;

use serde::de::{Deserialize as _, DeserializeSeed, Deserializer, Error};
use wire_rules::nearest;

use self::context::{DecodeContext, wrong_type};
use self::decoded::Decoded;
use self::drift::{Drift, DriftKind};
use self::error::DecodeError;
use self::slot::Slot;
use super::exact::{self, Digits};
use super::reflect::wire::Wire;
use super::value::Value;
use crate::secrets::Withheld;

/// Decodes a JSON body.
///
/// Models retain what the spec does not describe and what their fields cannot hold, and it is added to `drift` if there is
/// one.
///
/// # Errors
///
/// Fails if the body is not JSON (RFC 8259), or is itself a value that its type cannot hold.
pub fn decode<T: Wire + Default>(
    body: &[u8],
    drift: Option<&mut Vec<Drift>>,
) -> Result<T, DecodeError> {
    let mut value = T::default();
    let findings = decode_into(&mut value, body, drift.is_some(), None)?;
    if let Some(drift) = drift {
        drift.extend(findings);
    }
    Ok(value)
}

/// Decodes a JSON body into a value that has the default of its type, and returns its drift if `report`.
/// `Debug` of its objects does not show what is withheld.
///
/// # Errors
///
/// Fails as [`decode`] does.
pub(crate) fn decode_into(
    wire: &mut dyn Wire,
    body: &[u8],
    report: bool,
    withheld: Option<&Arc<Withheld>>,
) -> Result<Vec<Drift>, DecodeError> {
    let text = text(body)?;
    let mut is_first = true;
    let mut read = |text: &str, digits: &mut Digits| {
        if !mem::take(&mut is_first) {
            wire.clear();
        }
        let mut context = DecodeContext::new(body.len(), report);
        context.digits = mem::take(digits);
        context.withheld = withheld.cloned();
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let read = whole(wire, &mut context, &mut deserializer).and_then(|()| deserializer.end());
        *digits = context.digits;
        read.map_err(|error| DecodeError::json(&error, &context.path))?;
        Ok(context.findings)
    };
    let findings = exact::read(text, &mut read).or_else(|error: DecodeError| {
        let Some((text, surrogate)) = nearest::paired(text) else { return Err(error) };
        let mut findings = exact::read(&text, &mut read)?;
        if let Some(findings) = &mut findings {
            let path = error.path().to_owned();
            findings.push(Drift { path, kind: DriftKind::Format, name: surrogate.to_owned() });
        }
        Ok(findings)
    })?;
    Ok(findings.unwrap_or_default())
}

/// Decodes from any self-describing format, by way of JSON.
///
/// # Errors
///
/// Fails if the format does, or the value is one that its type cannot hold.
pub fn deserialize<'de, T: Wire + Default, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let json = Value::deserialize(deserializer)?.to_string();
    decode(json.as_bytes(), None).map_err(|error| D::Error::custom(error.without_position()))
}

/// Decodes a whole body. A null is an error unless its type has one.
fn whole<'de, D: Deserializer<'de>>(
    wire: &mut dyn Wire,
    context: &mut DecodeContext,
    deserializer: D,
) -> Result<(), D::Error> {
    let as_text = wire.is_text();
    let slot = Slot { wire: &mut *wire, as_text, context };
    match slot.deserialize(deserializer)? {
        Decoded::Value | Decoded::Nothing | Decoded::Partial | Decoded::Approximate => Ok(()),
        Decoded::Null | Decoded::Unfit => {
            let kind = wrong_type(&wire.target(), &context.unfit);
            Err(D::Error::custom(Drift { path: String::new(), kind, name: String::new() }))
        }
    }
}

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
