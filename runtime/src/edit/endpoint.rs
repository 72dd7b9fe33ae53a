//! Operations with an update mask.

use super::apply::apply;
use super::mask::Mask;
use super::value::Edit;
use crate::error::Error;
use crate::request::call::Call;
use crate::request::endpoint::Endpoint;
use crate::wire::Model;
use crate::wire::property::Property;

#[diagnostic::on_unimplemented(
    message = "the operation `{Self}` has no update mask",
    label = "does not take an edit",
    note = "pass the new values through the setters of the request, or as the whole body"
)]
/// An operation that changes the properties of an object that its update mask names.
pub trait EditEndpoint: Endpoint<Body: Model> {
    /// The object, as bodies have it.
    type Object: Model;

    /// The mask and its object.
    const MASK: &'static Mask;
}

/// Writes the changes of an edit into a request, and returns whether there are any.
///
/// # Errors
///
/// Fails if the object of the operation cannot have one of the changes.
pub fn edit<E: EditEndpoint, T: Model>(
    call: &mut Call,
    body: &mut E::Body,
    edit: &Edit<T>,
) -> Result<bool, Error> {
    apply(E::MASK, call, body, edit.original(), &**edit)
        .map_err(|message| Error::request(message).with_operation(E::OPERATION))
}

/// Writes an update mask of these names into a request, in place of its present mask. If the mask cannot contain one of
/// them, the request fails when it is sent.
pub fn set_mask<E: EditEndpoint>(
    call: &mut Call,
    body: &mut E::Body,
    names: impl IntoIterator<Item = Property<E::Object>>,
) {
    let paths: Vec<[String; 1]> = names.into_iter().map(|name| [name.name().to_owned()]).collect();
    if let Err(fault) = E::MASK.write(call, body, Vec::new(), paths.iter().map(<[_; 1]>::as_slice))
    {
        call.fail(fault);
    }
}
