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

use serde::de::{DeserializeSeed, Deserializer, Error};

use self::context::Context;
use self::decoded::Decoded;
use self::drift::{Drift, DriftKind};
use self::error::{DecodeError, mismatch};
use self::slot::Slot;
use super::exact::{self, Digits};
use super::reflect::wire::{Target, Wire};

/// A value that the type cannot hold, and that has no object to be retained in.
const UNFIT: &str = "a value that does not fit";

/// A list or an object of such values.
const CONTAINS_UNFIT: &str = "one with a value that does not fit";

/// Decodes a JSON body.
///
/// Models retain content that the spec does not describe, and it is added to `drift` if there is one.
///
/// # Errors
///
/// Fails if the body is not JSON (RFC 8259), or a value does not have the described type.
pub fn decode<T: Wire + Default>(
    body: &[u8],
    drift: Option<&mut Vec<Drift>>,
) -> Result<T, DecodeError> {
    let mut value = T::default();
    decode_into(&mut value, body, drift)?;
    Ok(value)
}

/// Decodes a JSON body into a value that has the default of its type.
///
/// # Errors
///
/// Fails as [`decode`] does.
pub(super) fn decode_into(
    wire: &mut dyn Wire,
    body: &[u8],
    drift: Option<&mut Vec<Drift>>,
) -> Result<(), DecodeError> {
    let text = text(body)?;
    let mut is_first = true;
    let mut read = |text: &str, digits: &mut Digits| {
        if !mem::take(&mut is_first) {
            wire.clear();
        }
        let mut context = Context::new(body.len(), drift.is_some());
        context.digits = mem::take(digits);
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let read = whole(wire, &mut context, &mut deserializer).and_then(|()| deserializer.end());
        *digits = context.digits;
        read.map_err(|error| DecodeError::json(&error, &context.path))?;
        Ok(context.findings)
    };
    let findings = exact::read(text, &mut read).or_else(|error: DecodeError| {
        let Some((text, surrogate)) = exact::paired(text) else { return Err(error) };
        let mut findings = exact::read(&text, &mut read)?;
        if let Some(findings) = &mut findings {
            let path = error.path().to_owned();
            findings.push(Drift { path, kind: DriftKind::Format, name: surrogate.to_owned() });
        }
        Ok(findings)
    })?;
    if let Some(drift) = drift {
        drift.extend(findings.into_iter().flatten());
    }
    Ok(())
}

/// Decodes from any self-describing format.
///
/// # Errors
///
/// Fails if the format does, or a value does not have the described type.
pub fn deserialize<'de, T: Wire + Default, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let mut value = T::default();
    // The length is not known in other formats.
    let mut context = Context::new(16 << 20, false);
    match whole(&mut value, &mut context, deserializer) {
        Ok(()) => Ok(value),
        Err(error) if context.path.is_empty() => Err(error),
        Err(error) => Err(D::Error::custom(format_args!("{}: {error}", context.path))),
    }
}

/// Decodes a whole body. A null is an error unless its type has one.
fn whole<'de, D: Deserializer<'de>>(
    wire: &mut dyn Wire,
    context: &mut Context,
    deserializer: D,
) -> Result<(), D::Error> {
    let as_text = wire.is_text();
    let slot = Slot { wire: &mut *wire, as_text, context };
    match slot.deserialize(deserializer)? {
        Decoded::Value | Decoded::Partial => Ok(()),
        Decoded::Converted => {
            context.report_converted();
            Ok(())
        }
        Decoded::Null => Err(mismatch(wire.target().expected(), "null")),
        Decoded::Mismatch => {
            let target = wire.target();
            let is_outer = match target {
                Target::Array(_) => context.mismatched.is_array(),
                Target::Dictionary(_) => context.mismatched.is_object(),
                _ => false,
            };
            Err(mismatch(target.expected(), if is_outer { CONTAINS_UNFIT } else { UNFIT }))
        }
        Decoded::EmptyText => Err(mismatch(wire.target().expected(), "an empty string")),
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
