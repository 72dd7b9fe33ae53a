//! Update masks: their locations and formats.

use std::collections::HashSet;

use serde_json::json;

use crate::request::call::Call;
use crate::request::parameter::Parameter;
use crate::wire::lookup::{Digits, replace, to_map, with_property};
use crate::wire::{Value, Wire};

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
    /// The property of the body with this name, as one text.
    BodyText(&'static str),
    /// The property of the body with this name, as a list of texts.
    BodyList(&'static str),
    /// The property of the body with this name, as an object with a list called `paths`.
    BodyPaths(&'static str),
    /// The query parameter of this name, as one text.
    Query(&'static str),
    /// The query parameter of this name, once for each name.
    QueryList(&'static str),
}

impl Mask {
    /// Writes the mask of a request: these paths after the names that it has.
    ///
    /// # Errors
    ///
    /// Fails if a mask of this form cannot have one of the paths, or the property of the body has another type.
    pub(super) fn write<'p>(
        &self,
        call: &mut Call,
        body: &mut dyn Wire,
        mut names: Vec<String>,
        paths: impl IntoIterator<Item = &'p [String]>,
    ) -> Result<(), String> {
        let mut known: HashSet<String> = names.iter().cloned().collect();
        for path in paths {
            let name = self.path(path)?;
            if known.insert(name.clone()) {
                names.push(name);
            }
        }
        let names = &*names;
        match self.place {
            MaskPlace::Query(parameter) => call.set_query(parameter, &self.text(names)?),
            MaskPlace::QueryList(parameter) => call.set_list(Parameter::query(parameter), names),
            MaskPlace::BodyText(property) => {
                write_property(body, property, &Value::from(self.text(names)?))?;
            }
            MaskPlace::BodyList(property) => write_property(body, property, &Value::from(names))?,
            MaskPlace::BodyPaths(property) => {
                write_property(body, property, &json!({ "paths": names }))?;
            }
        }
        Ok(())
    }

    /// Returns the names in the mask that a request has.
    ///
    /// # Errors
    ///
    /// Fails if the body cannot be sent, or the mask is all properties.
    pub(super) fn names(&self, call: &mut Call, body: &dyn Wire) -> Result<Vec<String>, String> {
        let names = match self.place {
            MaskPlace::Query(parameter) => {
                let texts = call.0.query.texts_of(parameter);
                texts.flat_map(|text| self.split(&text)).collect()
            }
            MaskPlace::QueryList(parameter) => call.0.query.texts_of(parameter).collect(),
            MaskPlace::BodyText(property)
            | MaskPlace::BodyList(property)
            | MaskPlace::BodyPaths(property) => {
                let body = to_map(body, &mut Digits::new())?;
                match body.get(property) {
                    Some(Value::String(text)) => self.split(text),
                    Some(mask) => {
                        let names = mask.get("paths").unwrap_or(mask).as_array();
                        let names = names.into_iter().flatten().filter_map(Value::as_str);
                        names.map(str::to_owned).collect()
                    }
                    None => Vec::new(),
                }
            }
        };
        if names.iter().any(|name| name == "*") {
            return Err("the update mask of the request is `*`, which is all properties".to_owned());
        }
        Ok(names)
    }

    fn split(&self, text: &str) -> Vec<String> {
        let names = text.split(self.separator).filter(|name| !name.is_empty());
        names.map(str::to_owned).collect()
    }

    /// Returns the text of a mask, which can be split again.
    fn text(&self, names: &[String]) -> Result<String, String> {
        match names.iter().find(|name| name.contains(self.separator)) {
            Some(name) => Err(refusal(name)),
            None => Ok(names.join(self.separator)),
        }
    }

    /// Returns the path of these names, unless it would be the path of another property: a star is all of them.
    fn path(&self, names: &[String]) -> Result<String, String> {
        let is_other =
            |name: &&String| name.is_empty() || *name == "*" || self.nested && name.contains('.');
        match names.iter().find(is_other) {
            Some(name) => Err(refusal(name)),
            None => Ok(names.join(".")),
        }
    }
}

fn refusal(name: &str) -> String {
    format!("an update mask cannot name the property {name:?}")
}

fn write_property(body: &mut dyn Wire, property: &str, mask: &Value) -> Result<(), String> {
    let outcome = with_property(body, property, &mut |field| {
        replace(field, mask, &Digits::default(), true)
            .map_err(|error| format!("invalid update mask: {error}"))
    });
    outcome.unwrap_or_else(|| Err(format!("the body has no `{property}`")))
}
