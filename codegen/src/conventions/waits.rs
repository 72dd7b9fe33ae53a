//! Operations whose response shows that something has finished.

use super::settings::{Invalid, Wait};
use super::shape::as_struct;
use crate::ir::{Api, FieldWire, Operation, Output, Type, WaitEnd};

/// Adds the waits of the settings.
pub(super) fn find(api: &mut Api, waits: &[Wait], invalid: &mut Vec<Invalid>) {
    for wait in waits {
        let Some(operation) = api.operations().find(|operation| operation.id == wait.operation)
        else {
            invalid.push(Invalid {
                text: wait.operation.clone(),
                message: "the document has no such operation".to_owned(),
                help: "correct the operationId, or remove the wait",
            });
            continue;
        };
        if let Err(missing) = check(operation, &wait.property, api) {
            invalid.push(Invalid {
                text: wait.property.clone(),
                message: format!("the response of `{}` has no `{missing}`", wait.operation),
                help: "name the properties from the response to the one that ends the wait",
            });
            continue;
        }
        let end = WaitEnd {
            property: wait.property.split('.').map(str::to_owned).collect(),
            values: wait.values.clone(),
        };
        let mut operations = api.resources.iter_mut().flat_map(|resource| &mut resource.operations);
        if let Some(operation) = operations.find(|operation| operation.id == wait.operation) {
            operation.wait = Some(end);
        }
    }
}

/// Checks that a response can have a property, or returns the name that is missing.
fn check<'w>(operation: &Operation, property: &'w str, api: &Api) -> Result<(), &'w str> {
    let mut ty = match &operation.output {
        Output::Json(ty) => Some(ty),
        Output::Nothing => None,
    };
    for name in property.split('.') {
        let object = ty.and_then(|ty: &Type| as_struct(ty, api));
        let field = object.and_then(|(_, object)| {
            let is_named = |wire: &FieldWire| *wire == FieldWire::Property(name.to_owned());
            object.fields.iter().find(|field| is_named(&field.wire))
        });
        ty = Some(&field.ok_or(name)?.ty);
    }
    Ok(())
}
