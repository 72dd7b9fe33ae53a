//! Update masks: their locations and formats.

use serde_json::json;

use crate::parameter::Parameter;
use crate::request::call::Call;
use crate::wire::lookup::{replace, with_property};
use crate::wire::{Target, Value, Wire};

/// The update mask of an operation, and its object.
#[derive(Clone, Copy, Debug)]
pub struct Mask {
    /// The property of the body with the object; `None` if the body is the object.
    pub object: Option<&'static str>,
    /// The location of the mask in requests.
    pub place: MaskPlace,
    /// The separator of the names in a text.
    pub separator: &'static str,
    /// Whether changes within objects are paths with dots instead of the names of the objects.
    pub nested: bool,
}

/// The location of an update mask in requests.
#[derive(Clone, Copy, Debug)]
pub enum MaskPlace {
    /// The property of the body with this name: a text, a list of texts, or an object with a list called `paths`.
    Body(&'static str),
    /// The query parameter of this name, as one text.
    Query(&'static str),
    /// The query parameter of this name, once for each name.
    QueryList(&'static str),
}

impl Mask {
    /// Writes the mask of a request.
    ///
    /// # Errors
    ///
    /// Fails if a mask of this form cannot have one of the names, or the property of the body has another type.
    pub(super) fn write(
        &self,
        call: &mut Call,
        body: &mut dyn Wire,
        names: &[String],
    ) -> Result<(), String> {
        let text = names.join(self.separator);
        match self.place {
            MaskPlace::Query(parameter) => {
                self.check(names)?;
                call.set_query(parameter, &text);
            }
            MaskPlace::QueryList(parameter) => call.set_list(Parameter::query(parameter), names),
            MaskPlace::Body(property) => {
                let write = |field: &mut dyn Wire| self.write_property(field, names, text);
                let outcome = with_property(body, property, write);
                outcome.unwrap_or_else(|| Err(format!("the body has no `{property}`")))?;
            }
        }
        Ok(())
    }

    fn write_property(
        &self,
        field: &mut dyn Wire,
        names: &[String],
        text: String,
    ) -> Result<(), String> {
        let mask = match field.target() {
            Target::String(_) => {
                self.check(names)?;
                Value::from(text)
            }
            Target::Array(_) => Value::from(names),
            _ => json!({ "paths": names }),
        };
        replace(field, &mask).map_err(|error| format!("invalid update mask: {error}"))
    }

    /// Checks that the text of a mask can be split again.
    fn check(&self, names: &[String]) -> Result<(), String> {
        match names.iter().find(|name| name.is_empty() || name.contains(self.separator)) {
            Some(name) => Err(format!("an update mask cannot name the property {name:?}")),
            None => Ok(()),
        }
    }
}
