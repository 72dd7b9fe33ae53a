//! The texts in the bodies of a call, as their types know them, for a recorder.

use std::cell::Cell;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};

use super::call::Call;
use super::endpoint::Endpoint;
use crate::reply::format::ReplyFormat;
use crate::reply::received::{Declared, Received};
use crate::reply::rejection::Rejection;
use crate::wire::{self, Texts, Wire};

impl Call {
    /// Adds how the texts of a response are found.
    pub(super) fn described<E: Endpoint>(mut self) -> Self {
        self.0.texts.describe = Some(texts::<E>);
        self
    }

    /// Adds the texts of a body, if there is a recorder.
    pub(super) fn add_texts(&mut self, body: &dyn Wire) {
        let call = &mut self.0;
        if call.client.shared.settings.recorder.is_some() {
            call.texts.body = Some(wire::texts(body).into());
        }
    }
}

/// Returns the texts of the body of a response, if it has a type: those of its value, or the names of its type if it does
/// not have it.
fn texts<E: Endpoint>(status: StatusCode, headers: &HeaderMap, body: &Bytes) -> Option<Texts> {
    let found = Cell::new(None);
    let viewer = |value: &dyn Wire, is_decoded: bool| {
        let texts = wire::texts(value);
        let names = || Texts { properties: texts.properties.clone(), ..Texts::opaque() };
        found.set(Some(if is_decoded { texts } else { names() }));
    };
    let reply = Received {
        declared: Declared { accept: Some("*/*"), ..E::DECLARED },
        viewer: Some(&viewer),
        ..Received::new(status, headers, body, E::OPERATION)
    };
    if !status.is_success() {
        E::FAILURE?(&Rejection::new(reply));
        return found.take();
    }
    let _ = E::Format::decode(&reply);
    // A body without a type can contain anything.
    Some(found.take().unwrap_or_else(Texts::opaque))
}
